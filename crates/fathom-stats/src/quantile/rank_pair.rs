//! A pair of order statistics as the ends of an interval.

use crate::distribution::binomial::Binomial;
use crate::{Interval, Probability};

/// Two ranks, chosen before the data are seen: the interval runs from the `lower`-th to the
/// `upper`-th smallest value. Ranks count from 1; `None` is an infinite end.
///
/// ```
/// use fathom_stats::Probability;
/// use fathom_stats::quantile::RankPair;
///
/// let pair = RankPair::with_coverage(6, Probability::HALF, Some(1), Some(6));
/// assert!((pair.coverage - (1.0 - 2.0 / 64.0)).abs() < 1e-14 && pair.is_finite());
/// let interval = pair.of_sorted(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// assert_eq!((interval.lower, interval.upper), (1.0, 6.0));
/// assert_eq!(pair.of_unsorted(&mut [4.0, 6.0, 1.0, 3.0, 5.0, 2.0]), interval);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankPair {
    /// The rank of the lower end.
    pub lower: Option<usize>,
    /// The rank of the upper end.
    pub upper: Option<usize>,
    /// The exact probability that the interval covers the quantile, for a continuous
    /// distribution. Ties only raise it.
    pub coverage: f64,
}

impl RankPair {
    /// The pair with its exact coverage: P(lower ≤ S ≤ upper − 1) for S ~ Bin(n, p).
    #[must_use]
    pub fn with_coverage(
        n: usize,
        p: Probability,
        lower: Option<usize>,
        upper: Option<usize>,
    ) -> RankPair {
        let binomial = Binomial::new(n, p);
        let missed_below =
            lower.map_or(0.0, |l| l.checked_sub(1).map_or(0.0, |k| binomial.at_most(k)));
        let missed_above = upper.map_or(0.0, |u| binomial.at_least(u));
        RankPair { lower, upper, coverage: (1.0 - missed_below - missed_above).max(0.0) }
    }

    /// Whether both ends are order statistics.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.lower.is_some() && self.upper.is_some()
    }

    /// The interval in sorted values; a rank beyond them is an infinite end.
    #[must_use]
    pub fn of_sorted(&self, sorted: &[f64]) -> Interval {
        let value = |rank: Option<usize>| Some(*sorted.get(rank?.checked_sub(1)?)?);
        Interval {
            lower: value(self.lower).unwrap_or(f64::NEG_INFINITY),
            upper: value(self.upper).unwrap_or(f64::INFINITY),
        }
    }

    /// The interval in values of any order, which it reorders. Linear time: two selections.
    #[must_use]
    pub fn of_unsorted(&self, values: &mut [f64]) -> Interval {
        let inside = |rank: Option<usize>| rank.filter(|&rank| (1..=values.len()).contains(&rank));
        let (lower_rank, upper_rank) = (inside(self.lower), inside(self.upper));
        let mut interval = Interval::EVERYTHING;
        let mut below = values;
        if let Some(rank) = upper_rank {
            let (left, &mut value, _) = below.select_nth_unstable_by(rank - 1, f64::total_cmp);
            interval.upper = value;
            below = left;
        }
        match lower_rank {
            // Only in an empty interval, which no rule here makes, do the ranks coincide.
            Some(rank) if upper_rank == Some(rank) => interval.lower = interval.upper,
            Some(rank) if rank <= below.len() => {
                let (_, &mut value, _) = below.select_nth_unstable_by(rank - 1, f64::total_cmp);
                interval.lower = value;
            }
            _ => {}
        }
        interval
    }
}
