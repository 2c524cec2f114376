//! The name of a function within its group.

/// A function's name, its parameter, or both.
///
/// ```
/// use fathom_bench::criterion::{BenchmarkId, Criterion};
///
/// fn sums(c: &mut Criterion) {
///     let mut group = c.benchmark_group("sum");
///     for n in [10_u64, 1000] {
///         group.bench_with_input(BenchmarkId::new("loop", n), &n, |b, &n| {
///             b.iter(|| (0..n).sum::<u64>());
///         });
///     }
///     group.finish();
/// }
/// # let _ = sums;
/// ```
///
/// ```
/// use fathom_bench::criterion::{BenchmarkId, IntoBenchmarkId};
///
/// let by_parameter = BenchmarkId::from_parameter(10);
/// let by_name = "loop".into_benchmark_id();
/// assert!(by_parameter != by_name);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BenchmarkId {
    function: Option<String>,
    parameter: Option<String>,
}

impl BenchmarkId {
    /// "FUNCTION/PARAMETER".
    pub fn new<S: Into<String>, P: std::fmt::Display>(
        function_name: S,
        parameter: P,
    ) -> BenchmarkId {
        let function = Some(function_name.into());
        BenchmarkId { function, parameter: Some(parameter.to_string()) }
    }

    /// "PARAMETER", for groups of a single function.
    pub fn from_parameter<P: std::fmt::Display>(parameter: P) -> BenchmarkId {
        BenchmarkId { function: None, parameter: Some(parameter.to_string()) }
    }

    /// The whole name, with the group in front where there is one.
    pub(super) fn name(&self, group: Option<&str>) -> String {
        let parts = [group, self.function.as_deref(), self.parameter.as_deref()];
        parts.into_iter().flatten().collect::<Vec<_>>().join("/")
    }
}

mod private {
    pub trait Sealed {}
    impl Sealed for super::BenchmarkId {}
    impl<S: Into<String>> Sealed for S {}
}

/// What names a function: a text or a [`BenchmarkId`].
pub trait IntoBenchmarkId: private::Sealed {
    /// As an id.
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        BenchmarkId { function: Some(self.into()), parameter: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_criterion() {
        let with_both = BenchmarkId::new("f", 3);
        assert_eq!(with_both.name(None), "f/3");
        assert_eq!(with_both.name(Some("g")), "g/f/3");
        assert_eq!(BenchmarkId::from_parameter("x").name(Some("g")), "g/x");
        assert_eq!("f".into_benchmark_id().name(Some("g")), "g/f");
        assert_eq!(String::from("f").into_benchmark_id().name(None), "f");
    }
}
