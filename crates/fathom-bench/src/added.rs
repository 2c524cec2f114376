//! Settings for benches that were just added.

use crate::bencher::Bencher;
use crate::function::Function;
use crate::suite::{Entry, Suite};
use fathom_analyze::InputSize;
use fathom_record::Throughput;

/// Benches that were just added to a suite.
///
/// ```
/// use fathom_bench::{Suite, Throughput, black_box};
///
/// let text = "one two three ".repeat(1000);
/// let mut suite = Suite::new();
/// suite
///     .bench("words", || black_box(&text).split(' ').count())
///     .throughput(Throughput::Bytes(text.len() as u64))
///     .ignore();
/// ```
pub struct Added<'s, 'b> {
    entries: &'s mut [Entry<'b>],
}

impl<'s, 'b> Added<'s, 'b> {
    pub(crate) fn last(suite: &'s mut Suite<'b>, count: usize) -> Added<'s, 'b> {
        let first = suite.entries.len() - count;
        Added { entries: &mut suite.entries[first..] }
    }

    /// Says how much one call does, so that its time becomes a rate as well.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn throughput(self, throughput: Throughput) -> Self {
        for entry in self.entries.iter_mut() {
            for function in &mut entry.functions {
                function.asked.throughput = Some(throughput);
            }
        }
        self
    }

    /// Says how large the input is. Benches whose names differ only behind the last `/` are shown as
    /// one line over their sizes. Without this, a number behind the last `/` is the size.
    ///
    /// ```
    /// # let mut suite = fathom_bench::Suite::new();
    /// for text in ["short", "long"].map(|name| (name, name.repeat(1000))) {
    ///     let size = text.1.len() as f64;
    ///     suite.bench(format!("words/{}", text.0), move || text.1.split(' ').count()).size(size);
    /// }
    /// ```
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn size(self, size: f64) -> Self {
        for entry in self.entries.iter_mut() {
            let family = entry.name.rsplit_once('/').map_or(entry.name.as_str(), |(name, _)| name);
            set_size(&mut entry.functions, family, size);
        }
        self
    }

    /// Leaves it out unless `--ignored` or `--include-ignored` asks for it.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn ignore(self) -> Self {
        for entry in self.entries.iter_mut() {
            entry.is_ignored = true;
        }
        self
    }
}

fn set_size(functions: &mut [Function<'_>], family: &str, size: f64) {
    for function in functions {
        let input = InputSize::new(family, size);
        function.input = Some(input).filter(|_| size.is_finite());
    }
}

/// Benches of one function with several arguments, just added to a suite.
///
/// ```
/// use fathom_bench::{Suite, Throughput};
///
/// let mut suite = Suite::new();
/// suite
///     .bench_args("sum", [10, 1000], |n| (0..*n).sum::<u64>())
///     .throughput(|n| Throughput::Items(*n))
///     .ignore();
/// ```
pub struct AddedForArgs<'s, 'b, A> {
    entries: &'s mut [Entry<'b>],
    args: Vec<&'b A>,
    /// The name of each without its argument.
    families: Vec<String>,
}

impl<'s, 'b, A> AddedForArgs<'s, 'b, A> {
    pub(crate) fn new(suite: &'s mut Suite<'b>, args: Vec<&'b A>, families: Vec<String>) -> Self {
        let first = suite.entries.len() - args.len();
        AddedForArgs { entries: &mut suite.entries[first..], args, families }
    }

    /// Says how much one call with an argument does.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn throughput(self, mut of: impl FnMut(&A) -> Throughput) -> Self {
        for (entry, argument) in self.entries.iter_mut().zip(&self.args) {
            for function in &mut entry.functions {
                function.asked.throughput = Some(of(argument));
            }
        }
        self
    }

    /// Says how large the input of an argument is, where the argument is not a number or another one.
    /// The page shows how the time grows with it.
    ///
    /// ```
    /// # let mut suite = fathom_bench::Suite::new();
    /// suite
    ///     .bench_args("words", ["one two", "three four five"], |text| text.split(' ').count())
    ///     .size(|text| text.len() as f64);
    /// ```
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn size(self, mut of: impl FnMut(&A) -> f64) -> Self {
        let of_benches = self.args.iter().zip(&self.families);
        for (entry, (argument, family)) in self.entries.iter_mut().zip(of_benches) {
            set_size(&mut entry.functions, family, of(argument));
        }
        self
    }

    /// Leaves them out unless `--ignored` or `--include-ignored` asks for them.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn ignore(self) -> Self {
        for entry in self.entries.iter_mut() {
            entry.is_ignored = true;
        }
        self
    }
}

/// A comparison that is being put together.
///
/// ```
/// use fathom_bench::{Suite, Throughput, black_box};
///
/// let numbers: Vec<u64> = (0..1000).rev().collect();
/// let mut suite = Suite::new();
/// suite
///     .compare("sort")
///     .with("copy only", || black_box(&numbers).clone())
///     .with_setup("stable", || numbers.clone(), |numbers| numbers.sort())
///     .with_bencher("unstable", |bencher| {
///         bencher.iter_with_setup(|| (0..1000).rev().collect(), |n: &mut Vec<u64>| n.sort_unstable());
///     })
///     .throughput(Throughput::Items(1000))
///     .ignore();
/// suite
///     .compare("square root")
///     .with("throughput", || (black_box(2.0_f64) + 1.0).sqrt())
///     .with_chained("latency", 2.0, |x: f64| (x + 1.0).sqrt());
/// ```
pub struct Comparing<'s, 'b> {
    entry: &'s mut Entry<'b>,
}

impl<'s, 'b> Comparing<'s, 'b> {
    pub(crate) fn new(entry: &'s mut Entry<'b>) -> Self {
        Comparing { entry }
    }

    /// Adds a closure; the first is the reference.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn with<T>(self, name: impl Into<String>, call: impl FnMut() -> T + 'b) -> Self {
        self.with_bencher(name, |bencher| bencher.iter(call))
    }

    /// Adds calls with an input of their own, which they may change.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn with_setup<I: 'b, T: 'b>(
        self,
        name: impl Into<String>,
        setup: impl FnMut() -> I + 'b,
        call: impl FnMut(&mut I) -> T + 'b,
    ) -> Self {
        self.with_bencher(name, |bencher| bencher.iter_with_setup(setup, call))
    }

    /// Adds calls that wait for each other: each takes what the one before returned.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn with_chained<X: Clone + 'b>(
        self,
        name: impl Into<String>,
        first: X,
        call: impl FnMut(X) -> X + 'b,
    ) -> Self {
        self.with_bencher(name, |bencher| bencher.iter_chained(first, call))
    }

    /// Adds what a function hands to its [`Bencher`].
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn with_bencher(
        self,
        name: impl Into<String>,
        build: impl FnOnce(&mut Bencher<'b>) + 'b,
    ) -> Self {
        let name = format!("{}/{}", self.entry.name, name.into());
        self.entry.functions.push(Function::new(name, build));
        self
    }

    /// Says how much one call of any of them does.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn throughput(self, throughput: Throughput) -> Self {
        for function in &mut self.entry.functions {
            function.asked.throughput = Some(throughput);
        }
        self
    }

    /// Leaves it out unless `--ignored` or `--include-ignored` asks for it.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "it is done")]
    pub fn ignore(self) -> Self {
        self.entry.is_ignored = true;
        self
    }
}
