//! The macros that make the groups and the main function of a bench.

/// Makes a function that measures the functions of a group.
///
/// ```
/// use fathom_bench::criterion::{Criterion, criterion_group};
///
/// fn one(c: &mut Criterion) {
///     c.bench_function("one", |b| b.iter(|| 1));
/// }
///
/// fn two(c: &mut Criterion) {
///     c.bench_function("two", |b| b.iter(|| 2));
/// }
///
/// criterion_group!(benches, one, two);
/// criterion_group! {
///     name = precise;
///     config = Criterion::default().confidence_level(0.99);
///     targets = one, two
/// }
/// # let _ = (benches, precise);
/// ```
#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $( $target:path ),+ $(,)*) => {
        /// Measures the functions of a group.
        pub fn $name() {
            let mut criterion: $crate::criterion::Criterion<_> = $config.configure_from_args();
            $(
                $target(&mut criterion);
            )+
        }
    };
    ($name:ident, $( $target:path ),+ $(,)*) => {
        $crate::criterion_group! {
            name = $name;
            config = $crate::criterion::Criterion::default();
            targets = $( $target ),+
        }
    };
}

/// Makes the main function of a bench with `harness = false`.
///
/// ```no_run
/// use fathom_bench::criterion::{Criterion, criterion_group, criterion_main};
///
/// fn one(c: &mut Criterion) {
///     c.bench_function("one", |b| b.iter(|| 1));
/// }
///
/// criterion_group!(benches, one);
/// criterion_main!(benches);
/// ```
#[macro_export]
macro_rules! criterion_main {
    ( $( $group:path ),+ $(,)* ) => {
        fn main() -> ::std::process::ExitCode {
            $crate::criterion::run_groups(|| {
                $(
                    $group();
                )+
            })
        }
    };
}
