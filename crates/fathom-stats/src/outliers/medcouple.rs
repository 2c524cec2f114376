//! The medcouple, a robust measure of skewness.

use super::positions::sorted;

/// The medcouple of Brys, Hubert and Struyf: from −1, skewed to the left, over 0, symmetric, to 1,
/// skewed to the right; `None` without finite values.
///
/// It is the median of h(x, y) = ((x − m) − (m − y)) / (x − y) over all pairs of a value x from the
/// median m on and a value y up to it. Where both are the median, h is the sign of k + 1 − i − j for
/// the i-th and the j-th of the k values that are equal to it.
///
/// h falls as the ratio (m − y) / (x − m) grows, and rounded ratios never change places. So the
/// median ratio is found by halving the doubles, counting in O(n) at each of 64 steps how many
/// ratios are smaller: with the sort O(n log n), and exact.
///
/// ```
/// use fathom_stats::outliers::medcouple;
/// assert_eq!(medcouple(&[1.0, 2.0, 3.0, 4.0, 5.0]), Some(0.0));
/// let skew = medcouple(&[1.0, 2.0, 7.0, 9.0, 10.0]).ok_or("empty")?;
/// assert!((skew + 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn medcouple(values: &[f64]) -> Option<f64> {
    let mut sorted = sorted(values);
    // Differences of doubles near the largest are no doubles.
    if sorted.iter().any(|value| value.abs() > f64::MAX / 64.0) {
        sorted.iter_mut().for_each(|value| *value /= 64.0);
    }
    let pairs = Pairs::of(&sorted)?;
    let all = pairs.count();
    let [lower, upper] = [(all - 1) / 2, all / 2].map(|rank| skewness(pairs.ratio_at(rank)));
    Some(0.5 * (lower + upper))
}

/// h of a ratio.
fn skewness(ratio: f64) -> f64 {
    if ratio.is_infinite() { -1.0 } else { (1.0 - ratio) / (1.0 + ratio) }
}

/// All pairs of a value below the median and one above it, and those with values equal to it.
struct Pairs {
    /// The distances of smaller and larger values from the median, ascending, without zeros.
    below: Vec<f64>,
    above: Vec<f64>,
    /// How many values are equal to the median.
    equal: u128,
}

impl Pairs {
    fn of(sorted: &[f64]) -> Option<Pairs> {
        let n = sorted.len();
        let (&lower, &upper) = sorted.get(n.checked_sub(1)? / 2).zip(sorted.get(n / 2))?;
        let median = lower + 0.5 * (upper - lower);
        let from = sorted.partition_point(|&value| value < median);
        let to = sorted.partition_point(|&value| value <= median);
        Some(Pairs {
            below: sorted[..from].iter().rev().map(|value| median - value).collect(),
            above: sorted[to..].iter().map(|value| value - median).collect(),
            equal: (to - from) as u128,
        })
    }

    fn count(&self) -> u128 {
        (self.below.len() as u128 + self.equal) * (self.above.len() as u128 + self.equal)
    }

    /// How many ratios are at most this one. Pairs of two equal values count as 0 where h is 1, as
    /// 1 where it is 0, and as infinite where it is −1.
    fn at_most(&self, ratio: f64) -> u128 {
        let half = self.equal * self.equal.saturating_sub(1) / 2;
        // A value above the median with one that is equal to it: the ratio is 0.
        let mut count = half + self.equal * self.above.len() as u128;
        if ratio >= 1.0 {
            count += self.equal;
        }
        if ratio.is_infinite() {
            return self.count();
        }
        // The further above, the more of those below are within the ratio.
        let mut within = 0;
        for above in &self.above {
            while self.below.get(within).is_some_and(|below| below / above <= ratio) {
                within += 1;
            }
            count += within as u128;
        }
        count
    }

    /// The ratio of this rank, from 0.
    fn ratio_at(&self, rank: u128) -> f64 {
        // Doubles that are not negative sort like their bits.
        let (mut low, mut high) = (0, f64::INFINITY.to_bits());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.at_most(f64::from_bits(middle)) > rank {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        f64::from_bits(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, pair by pair.
    fn naive(values: &[f64]) -> f64 {
        let mut x = values.to_vec();
        x.sort_by(f64::total_cmp);
        let n = x.len();
        let median = x[(n - 1) / 2] + 0.5 * (x[n / 2] - x[(n - 1) / 2]);
        let mut upper: Vec<f64> = x.iter().copied().filter(|&x| x >= median).collect();
        upper.reverse();
        let lower: Vec<f64> = x.iter().rev().copied().filter(|&x| x <= median).collect();
        // In descending order those that are equal to the median are the last of the upper ones,
        // and the first of the lower ones.
        let equal = x.iter().filter(|&&x| x == median).count() as i64;
        let first_equal = upper.len() as i64 - equal;
        let mut h = Vec::new();
        for (i, &high) in upper.iter().enumerate() {
            for (j, &low) in lower.iter().enumerate() {
                h.push(if high == low {
                    ((equal - 1 - (i as i64 - first_equal) - j as i64).signum()) as f64
                } else {
                    ((high - median) - (median - low)) / (high - low)
                });
            }
        }
        h.sort_by(f64::total_cmp);
        0.5 * (h[(h.len() - 1) / 2] + h[h.len() / 2])
    }

    fn samples() -> impl Strategy<Value = Vec<f64>> {
        let tied = prop_oneof![6 => 0..6_i32, 1 => 0..60].prop_map(f64::from);
        let free = prop_oneof![6 => -5.0..5.0_f64, 1 => -1e3..1e6_f64];
        prop_oneof![prop::collection::vec(tied, 1..40), prop::collection::vec(free, 1..40)]
    }

    proptest! {
        #[test]
        fn it_is_the_median_over_all_pairs(values in samples()) {
            let (found, expected) = (medcouple(&values).unwrap(), naive(&values));
            prop_assert!((found - expected).abs() < 1e-14, "{} {}", found, expected);
        }

        #[test]
        fn a_mirror_changes_its_sign_and_a_unit_nothing(values in samples()) {
            let of = |by: f64| {
                medcouple(&values.iter().map(|value| by * value).collect::<Vec<f64>>()).unwrap()
            };
            prop_assert_eq!(of(1.0), of(1024.0));
            prop_assert!((of(1.0) + of(-1.0)).abs() < 1e-9);
        }
    }

    #[test]
    fn extremes_have_a_skewness() {
        assert_eq!(medcouple(&[]), None);
        assert_eq!(medcouple(&[f64::NAN]), None);
        assert_eq!(medcouple(&[3.0]), Some(0.0));
        assert_eq!(medcouple(&[3.0; 9]), Some(0.0));
        assert_eq!(medcouple(&[f64::MIN, 0.0, f64::MAX]), Some(0.0));
        assert_eq!(medcouple(&[0.0, 5e-324, 1e308]), Some(0.5));
        // Most pairs are of a value at the median with one above it.
        assert_eq!(medcouple(&[1.0, 1.0, 1.0, 1.0, 1.0, 7.0, 8.0, 9.0]), Some(1.0));
    }
}
