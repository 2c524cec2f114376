//! Ratios of results that were measured separately.

mod mean;
mod minimum;
mod quantile;

use super::thinness::thinness_where_evident;
use super::{RatioOf, TailRatio};
use crate::ranks::midranks_of;

/// The runs of one result, in time order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnpairedRuns<'a> {
    values: &'a [f64],
    effective: f64,
}

impl<'a> UnpairedRuns<'a> {
    /// Runs that are independent of each other; `None` unless there are some and all are positive and
    /// finite.
    ///
    /// ```
    /// use fathom_stats::tails::UnpairedRuns;
    /// assert_eq!(UnpairedRuns::independent(&[1.0, 2.0]).map(|runs| runs.effective()), Some(2.0));
    /// assert!(UnpairedRuns::independent(&[1.0, 0.0]).is_none());
    /// ```
    #[must_use]
    pub fn independent(values: &'a [f64]) -> Option<UnpairedRuns<'a>> {
        UnpairedRuns::worth(values, values.len() as f64)
    }

    /// Runs that are worth as many independent ones as `effective` says.
    ///
    /// ```
    /// use fathom_stats::tails::UnpairedRuns;
    /// assert_eq!(UnpairedRuns::worth(&[1.0, 2.0], 1.5).map(|runs| runs.effective()), Some(1.5));
    /// ```
    #[must_use]
    pub fn worth(values: &'a [f64], effective: f64) -> Option<UnpairedRuns<'a>> {
        let is_positive = |value: &f64| *value > 0.0 && value.is_finite();
        let is_sound = !values.is_empty() && values.iter().all(is_positive) && effective > 0.0;
        let effective = effective.min(values.len() as f64);
        is_sound.then_some(UnpairedRuns { values, effective })
    }

    /// Runs whose dependence is judged by themselves, for this statistic.
    ///
    /// ```
    /// use fathom_stats::tails::{RatioOf, UnpairedRuns};
    /// let slow: Vec<f64> = (0..400).map(|i| 2.0 + (f64::from(i) / 40.0).sin()).collect();
    /// let runs = UnpairedRuns::judged(&slow, RatioOf::Mean).ok_or("not positive")?;
    /// assert!(runs.effective() < 100.0);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn judged(values: &'a [f64], of: RatioOf) -> Option<UnpairedRuns<'a>> {
        let tau = match of {
            RatioOf::Mean | RatioOf::Minimum => thinness_where_evident(values),
            RatioOf::Quantile(p) => {
                let limit = crate::quantile::of_unsorted(&mut values.to_vec(), p)?;
                let beyond: Vec<f64> =
                    values.iter().map(|&value| if value > limit { 1.0 } else { 0.0 }).collect();
                // Where few runs are beyond, their ranks tell more of the dependence.
                let of_ranks = thinness_where_evident(&midranks_of(values));
                thinness_where_evident(&beyond).max(0.5 * of_ranks)
            }
        };
        UnpairedRuns::worth(values, values.len() as f64 / tau)
    }

    /// The runs.
    ///
    /// ```
    /// use fathom_stats::tails::UnpairedRuns;
    /// assert!(UnpairedRuns::independent(&[1.0, 2.0]).is_some_and(|runs| runs.values() == [1.0, 2.0]));
    /// ```
    #[must_use]
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// As how many independent runs they count.
    #[must_use]
    pub fn effective(&self) -> f64 {
        self.effective
    }
}

/// The ratio of one statistic of two results that were measured separately; the interval misses with
/// probability `alpha` at most, if nothing but the subject changed between them. `tick` is the relative
/// grain of the measurement.
///
/// ```
/// use fathom_stats::Probability;
/// use fathom_stats::tails::{RatioOf, UnpairedRuns, tail_ratio_unpaired};
///
/// let reference: Vec<f64> = (0..500).map(|i| 1.0 + 0.001 * f64::from((i * 189) % 503)).collect();
/// let subject: Vec<f64> = reference.iter().map(|run| 1.3 * run).collect();
/// let sides = [&reference, &subject].map(|side| UnpairedRuns::independent(side));
/// let [Some(reference), Some(subject)] = sides else { return Err("not positive") };
/// let p90 = RatioOf::Quantile(Probability::P90);
/// let found = tail_ratio_unpaired(subject, reference, p90, 0.05, 0.0);
/// assert!(found.interval.lower > 0.0 && found.interval.contains(1.3_f64.ln()));
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn tail_ratio_unpaired(
    subject: UnpairedRuns<'_>,
    reference: UnpairedRuns<'_>,
    of: RatioOf,
    alpha: f64,
    tick: f64,
) -> TailRatio {
    let sides = Sides { subject, reference, alpha, tick };
    match of {
        RatioOf::Quantile(p) => quantile::look_at(sides, p),
        RatioOf::Mean => mean::look_at(sides),
        RatioOf::Minimum => minimum::look_at(sides),
    }
}

/// What is looked at, and how.
#[derive(Debug, Clone, Copy)]
struct Sides<'a> {
    subject: UnpairedRuns<'a>,
    reference: UnpairedRuns<'a>,
    alpha: f64,
    tick: f64,
}

impl Sides<'_> {
    /// The smaller number of runs.
    fn least(&self) -> usize {
        self.subject.values.len().min(self.reference.values.len())
    }

    /// How much fewer runs the more dependent side is worth.
    fn thinness(&self) -> f64 {
        let of = |side: UnpairedRuns<'_>| side.values.len() as f64 / side.effective;
        of(self.subject).max(of(self.reference))
    }
}
