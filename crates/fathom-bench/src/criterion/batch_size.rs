//! How many inputs are alive at once.

/// How many inputs of [`Bencher::iter_batched`](super::Bencher::iter_batched) are made before they
/// are used.
///
/// ```
/// use fathom_bench::criterion::{BatchSize, Criterion};
///
/// fn sort(c: &mut Criterion) {
///     c.bench_function("sort", |b| {
///         b.iter_batched(|| vec![3, 1, 2], |mut v| v.sort(), BatchSize::SmallInput);
///     });
/// }
/// # let _ = sort;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BatchSize {
    /// All inputs of a batch first, at most 8192 and at most 128 MiB.
    SmallInput,
    /// The same: Fathom watches how much memory inputs take.
    LargeInput,
    /// Each input right before its call; each call is timed alone.
    PerIteration,
    /// Each batch is made in this many parts.
    NumBatches(u64),
    /// At most this many inputs at once.
    NumIterations(u64),
}

impl BatchSize {
    /// The most inputs alive at once in a batch of this number of calls; `None` leaves it to memory.
    pub(super) fn most_inputs(self, calls: u64) -> Option<u64> {
        match self {
            BatchSize::SmallInput | BatchSize::LargeInput => None,
            BatchSize::PerIteration => Some(1),
            BatchSize::NumBatches(parts) => Some(calls.div_ceil(parts.max(1)).max(1)),
            BatchSize::NumIterations(most) => Some(most.max(1)),
        }
    }

    /// The sizes of the parts of a batch with this number of calls.
    pub(super) fn parts(self, calls: u64) -> impl Iterator<Item = u64> {
        let most = self.most_inputs(calls).unwrap_or(calls).max(1);
        let mut left = calls;
        std::iter::from_fn(move || {
            let next = left.min(most);
            left -= next;
            (next > 0).then_some(next)
        })
    }

    pub(super) fn is_one_by_one(self) -> bool {
        matches!(self, BatchSize::PerIteration | BatchSize::NumIterations(0 | 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_as_large_as_a_bench_allows() {
        let parts = |size: BatchSize, calls| size.parts(calls).collect::<Vec<_>>();
        assert_eq!(parts(BatchSize::SmallInput, 5), [5]);
        assert_eq!(parts(BatchSize::PerIteration, 3), [1, 1, 1]);
        assert_eq!(parts(BatchSize::NumIterations(2), 5), [2, 2, 1]);
        assert_eq!(parts(BatchSize::NumBatches(3), 7), [3, 3, 1]);
        assert_eq!(parts(BatchSize::NumBatches(0), 2), [2]);
        assert_eq!(parts(BatchSize::LargeInput, 0), [0; 0]);
    }
}
