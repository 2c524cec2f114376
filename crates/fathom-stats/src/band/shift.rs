//! Two distributions, quantile by quantile.

use super::Band;
use crate::quantile::of_sorted;
use crate::{Interval, Probability, RatioInterval};

/// How much more a quantile of one distribution is than that of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// The estimate.
    pub ratio: f64,
    /// Of the ratio, together with those of all other quantiles.
    pub interval: RatioInterval,
}

/// Sorted samples with their band.
#[derive(Debug, Clone, Copy)]
pub struct Banded<'a> {
    /// The samples, from the smallest to the largest, all above zero.
    pub sorted: &'a [f64],
    /// `None`: nothing is known of the distribution.
    pub band: Option<Band>,
}

impl Banded<'_> {
    fn quantile(&self, p: Probability) -> Interval {
        self.band.map_or(Interval::EVERYTHING, |band| band.ranks(p).of_sorted(self.sorted))
    }
}

/// The ratio of the p-quantiles; `None` where there is none, for want of samples above zero.
///
/// If both bands hold at once with some probability, then so do the intervals of all p. Two bands
/// that each fail with probability α/2 do so with 1 − α, whatever the two have to do with each other.
///
/// ```
/// use fathom_stats::band::{Band, Banded, shift};
/// use fathom_stats::{Confidence, Probability};
///
/// let sorted: Vec<f64> = (100..200).map(f64::from).collect();
/// let doubled: Vec<f64> = sorted.iter().map(|value| 2.0 * value).collect();
/// // Two bands that fail with 2.5% each hold together with 95%.
/// let band = Some(Band::of_independent(100, Confidence::new(0.975)?));
/// let found = shift(
///     Banded { sorted: &doubled, band },
///     Banded { sorted: &sorted, band },
///     Probability::HALF,
/// )
/// .ok_or("no ratio")?;
/// assert_eq!(found.ratio, 2.0);
/// assert!(found.interval.contains(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn shift(subject: Banded<'_>, reference: Banded<'_>, p: Probability) -> Option<Shift> {
    let is_positive = |side: &Banded<'_>| side.sorted.first().is_some_and(|least| *least > 0.0);
    if !is_positive(&subject) || !is_positive(&reference) {
        return None;
    }
    let ratio = of_sorted(subject.sorted, p)? / of_sorted(reference.sorted, p)?;
    let (above, below) = (subject.quantile(p), reference.quantile(p));
    // An end that is unknown above leaves the ratio unknown: below, or above.
    let lower = if below.upper.is_finite() { above.lower / below.upper } else { f64::NEG_INFINITY };
    let upper = if below.lower.is_finite() { above.upper / below.lower } else { f64::INFINITY };
    // The estimate is interpolated, and at the far ends may lie beyond the order statistics.
    let interval = RatioInterval::new(lower.min(ratio), upper.max(ratio));
    ratio.is_finite().then_some(Shift { ratio, interval })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Confidence;

    fn banded(sorted: &[f64]) -> Banded<'_> {
        Banded { sorted, band: Some(Band::of_independent(sorted.len(), Confidence::DEFAULT)) }
    }

    fn level(p: f64) -> Probability {
        Probability::new(p).unwrap()
    }

    #[test]
    fn a_copy_twice_as_large_is_twice_as_large_everywhere() {
        let reference: Vec<f64> = (1..=200).map(|i| f64::from(i).sqrt()).collect();
        let subject: Vec<f64> = reference.iter().map(|value| 2.0 * value).collect();
        for percent in 1..100 {
            let p = level(f64::from(percent) / 100.0);
            let found = shift(banded(&subject), banded(&reference), p).unwrap();
            assert!((found.ratio - 2.0).abs() < 1e-12);
            assert!(found.interval.contains(2.0));
            let ranks = banded(&reference).band.unwrap().ranks(p).of_sorted(&reference);
            if ranks.is_finite() {
                assert!((found.interval.lower() - 2.0 * ranks.lower / ranks.upper).abs() < 1e-12);
                assert!((found.interval.upper() - 2.0 * ranks.upper / ranks.lower).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn what_few_samples_do_not_bound_is_open() {
        let few: Vec<f64> = (1..=20).map(f64::from).collect();
        let many: Vec<f64> = (1..=2000).map(|i| f64::from(i) / 100.0).collect();
        // The largest of 20 is not an upper bound for the 99% quantile, but their upper ranks are a
        // lower one; nor does it bound the ratio from below where it stands below the line.
        let above = shift(banded(&few), banded(&many), level(0.99)).unwrap().interval;
        assert!(above.lower() > 0.0 && above.upper() == f64::INFINITY);
        let below = shift(banded(&many), banded(&few), level(0.99)).unwrap().interval;
        assert!(below.lower() == 0.0 && below.upper().is_finite());
        let unknown = Banded { sorted: &few, band: None };
        let open = shift(unknown, banded(&many), Probability::HALF).unwrap().interval;
        assert_eq!(open, RatioInterval::EVERYTHING);
    }

    #[test]
    fn there_is_no_ratio_without_values_above_zero() {
        let positive = [1.0, 2.0];
        for other in [&[0.0, 1.0][..], &[-1.0, 1.0], &[]] {
            assert_eq!(shift(banded(other), banded(&positive), Probability::HALF), None);
            assert_eq!(shift(banded(&positive), banded(other), Probability::HALF), None);
        }
    }
}
