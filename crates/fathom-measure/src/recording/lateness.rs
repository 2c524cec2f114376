//! How late samples were, in memory that does not grow.

use fathom_record::Span;

/// Each power of two is split into this many, so that what is read back is at most 6% too large.
const PARTS_BITS: u32 = 4;
const PARTS: usize = 1 << PARTS_BITS;
/// Enough for every `u64`.
const BUCKETS: usize = (64 - PARTS_BITS as usize + 1) * PARTS;

/// Counts of how late samples were.
#[derive(Debug, Clone)]
pub(crate) struct Lateness {
    counts: Box<[u64; BUCKETS]>,
    seen: u64,
    worst: Span,
}

impl Lateness {
    /// None yet.
    pub(crate) fn new() -> Lateness {
        Lateness { counts: Box::new([0; BUCKETS]), seen: 0, worst: Span::ZERO }
    }

    /// Counts one.
    pub(crate) fn add(&mut self, late: Span) {
        if let Some(count) = self.counts.get_mut(bucket(late.nanoseconds())) {
            *count += 1;
        }
        self.seen += 1;
        self.worst = self.worst.max(late);
    }

    /// The median, the 99th percentile and the worst; `None` if there was none.
    pub(crate) fn summary(&self) -> Option<[Span; 3]> {
        (self.seen > 0).then(|| [self.quantile(50), self.quantile(99), self.worst])
    }

    /// The end of the bucket that has the percentile, and no more than the worst.
    fn quantile(&self, percent: u64) -> Span {
        let rank = (self.seen * percent).div_ceil(100).max(1);
        let mut below = 0;
        for (n, count) in self.counts.iter().enumerate() {
            below += count;
            if below >= rank {
                return Span::from_nanoseconds(last_of(n)).min(self.worst);
            }
        }
        self.worst
    }
}

/// Small numbers have a bucket each; after that the leading bits choose.
fn bucket(number: u64) -> usize {
    let bits = u64::BITS - number.leading_zeros();
    if bits <= PARTS_BITS + 1 {
        return usize::try_from(number).unwrap_or(0);
    }
    let shift = bits - PARTS_BITS - 1;
    // Between PARTS and 2 * PARTS.
    let leading = usize::try_from(number >> shift).unwrap_or(0);
    shift as usize * PARTS + leading
}

/// The largest number that falls into the bucket.
fn last_of(bucket: usize) -> u64 {
    if bucket < 2 * PARTS {
        return bucket as u64;
    }
    let shift = bucket / PARTS - 1;
    let leading = (bucket % PARTS + PARTS) as u64;
    // In the last bucket of all this is `u64::MAX`.
    (leading << shift) | ((1_u64 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantiles_are_near_and_the_worst_is_exact() {
        let mut lateness = Lateness::new();
        assert_eq!(lateness.summary(), None);
        for ns in 1..=1000 {
            lateness.add(Span::from_nanoseconds(ns * 1000));
        }
        let [median, high, worst] = lateness.summary().unwrap().map(Span::nanoseconds);
        assert!((500_000..=531_250).contains(&median), "{median}");
        assert!((990_000..=1_000_000).contains(&high), "{high}");
        assert_eq!(worst, 1_000_000);
    }

    #[test]
    fn one_number_is_all_three() {
        let mut lateness = Lateness::new();
        lateness.add(Span::MAX);
        assert_eq!(lateness.summary(), Some([Span::MAX; 3]));
    }

    proptest! {
        #[test]
        fn every_number_has_a_bucket_that_ends_at_most_6_percent_later(shift in 0..64_u32, seed: u64) {
            let ns = seed >> shift;
            let n = bucket(ns);
            prop_assert!(n < BUCKETS);
            let last = last_of(n);
            prop_assert!(last >= ns && last - ns <= ns / 16, "{} {}", ns, last);
            prop_assert_eq!(bucket(last), n);
        }
    }
}
