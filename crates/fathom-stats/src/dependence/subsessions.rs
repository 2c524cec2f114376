//! Subsession analysis: merge every q samples until neighbours are no longer alike.
//!
//! Reference: D. Ferrari, "Computer Systems Performance Evaluation", 1978, as used by Pilot.

use crate::magnitude::{Ordinary, ordinary};

/// An autocorrelation of at most this size, either way, is negligible (Ferrari).
pub const NEGLIGIBLE: f64 = 0.1;

/// The series after merging every `size` samples into their mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subsessions {
    /// How many samples make one.
    pub size: usize,
    /// How many there are; what is left over at the end counts in the mean only.
    pub count: usize,
    /// Their variance about the mean of all samples.
    pub variance: f64,
    /// Their autocorrelation at lag 1.
    pub lag1: f64,
}

/// Merges every `size` samples; `None` if that leaves fewer than two, or no variance.
///
/// ```
/// use fathom_stats::dependence::subsessions;
/// let merged = subsessions(&[1.0, 3.0, 5.0, 7.0, 2.0, 0.0], 2).unwrap();
/// assert_eq!(merged.count, 3);
/// ```
#[must_use]
pub fn subsessions(values: &[f64], size: usize) -> Option<Subsessions> {
    Prefix::of(values).merged(size)
}

/// The smallest subsession size at which autocorrelation is negligible: descriptive, since its
/// interval undercovers. `None` if no size with at least three subsessions reaches it.
///
/// ```
/// use fathom_stats::dependence::{NEGLIGIBLE, first_negligible};
/// let slow: Vec<f64> = (0..600).map(|i| f64::from(((i / 5) * 37) % 101)).collect();
/// let merged = first_negligible(&slow).ok_or("never")?;
/// assert!(merged.size > 1 && merged.lag1.abs() <= NEGLIGIBLE);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn first_negligible(values: &[f64]) -> Option<Subsessions> {
    first_within(values, NEGLIGIBLE)
}

/// The same for another limit than [`NEGLIGIBLE`].
///
/// ```
/// use fathom_stats::dependence::first_within;
/// let slow: Vec<f64> = (0..600).map(|i| f64::from(((i / 5) * 37) % 101)).collect();
/// assert!(first_within(&slow, 0.5).is_some_and(|merged| merged.lag1.abs() <= 0.5));
/// assert_eq!(first_within(&slow, 1.0).map(|merged| merged.size), Some(1));
/// ```
#[must_use]
pub fn first_within(values: &[f64], limit: f64) -> Option<Subsessions> {
    let prefix = Prefix::of(values);
    // With sums of prefixes size q costs n/q, all sizes together n log n.
    (1..=values.len() / 3)
        .filter_map(|size| prefix.merged(size))
        .find(|merged| merged.lag1.abs() <= limit)
}

/// Sums of the first k deviations from the mean.
struct Prefix {
    sums: Vec<f64>,
    /// The largest of them: what rounding errors are measured by.
    largest: f64,
    scale: f64,
}

impl Prefix {
    fn of(values: &[f64]) -> Prefix {
        let Ordinary { values, scale } = ordinary(values);
        let n = values.len().max(1) as f64;
        let rough = values.iter().map(|value| value / n).sum::<f64>();
        let shift = values.iter().map(|value| (value - rough) / n).sum::<f64>();
        let mut sums = Vec::with_capacity(values.len() + 1);
        let mut sum = 0.0;
        sums.push(sum);
        for value in values.iter() {
            sum += (value - rough) - shift;
            sums.push(sum);
        }
        let largest = sums.iter().fold(0.0_f64, |largest, sum| largest.max(sum.abs()));
        Prefix { sums, largest, scale }
    }

    fn merged(&self, size: usize) -> Option<Subsessions> {
        let n = self.sums.len() - 1;
        let count = n.checked_div(size)?;
        if count < 2 {
            return None;
        }
        let deviation = |i: usize| (self.sums[(i + 1) * size] - self.sums[i * size]) / size as f64;
        let (mut squares, mut products, mut before) = (0.0, 0.0, 0.0);
        for i in 0..count {
            let here = deviation(i);
            squares += here * here;
            products += here * before;
            before = here;
        }
        // Sums of rounding errors are not variance: a tiny part of the largest deviation is none.
        if squares <= (4.0 * f64::EPSILON * self.largest).powi(2) * count as f64 {
            return None;
        }
        let variance = squares / (count - 1) as f64 / self.scale / self.scale;
        Some(Subsessions { size, count, variance, lag1: products / squares })
    }
}
