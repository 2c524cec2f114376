//! Pilot's interval: merge samples until neighbours are no longer alike, then take Student's t.
//!
//! It covers less than it says, because the first of many sizes below a limit is often there by
//! chance, and because what is left below the limit still matters. How much it covers depends on
//! the dependence, so that is simulated: on series of the same length whose neighbours are as
//! alike.

use super::subsessions::{Subsessions, first_within};
use crate::distribution::student_t;
use crate::mean::Moments;
use crate::{Confidence, Interval, Sides};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The interval with what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SubsessionInterval {
    /// Of the mean.
    pub interval: Interval,
    /// The subsessions.
    pub merged: Subsessions,
}

/// The interval of the mean from the smallest subsessions whose lag-1 autocorrelation is at most
/// `limit`, either way; `None` if no size leaves three of them.
///
/// ```
/// use fathom_stats::dependence::{NEGLIGIBLE, subsession_interval};
/// use fathom_stats::{Confidence, Sides};
/// let slow: Vec<f64> = (0..600).map(|i| f64::from(((i / 5) * 37) % 101)).collect();
/// let found = subsession_interval(&slow, NEGLIGIBLE, Confidence::DEFAULT, Sides::Both)
///     .ok_or("always alike")?;
/// assert!(found.merged.size > 1 && found.interval.contains(50.0));
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn subsession_interval(
    values: &[f64],
    limit: f64,
    confidence: Confidence,
    sides: Sides,
) -> Option<SubsessionInterval> {
    let merged = first_within(values, limit)?;
    let mean = Moments::of(values)?.mean;
    let count = merged.count as f64;
    let tail = confidence.alpha() / if sides == Sides::Both { 2.0 } else { 1.0 };
    let half = -student_t::quantile(count - 1.0, tail) * (merged.variance / count).sqrt();
    let lower = if sides == Sides::Upper { f64::NEG_INFINITY } else { mean - half };
    let upper = if sides == Sides::Lower { f64::INFINITY } else { mean + half };
    Some(SubsessionInterval { interval: Interval { lower, upper }, merged })
}

/// Longer series are simulated at this length: coverage hardly changes any more.
const LONGEST: usize = 10_000;

/// The most series, and the fewest, that are simulated, and about how many samples in all.
const SERIES: [usize; 2] = [400, 4000];
const SAMPLES: usize = 2_000_000;

/// Beyond this an autocorrelation is a guess.
const MOST: f64 = 0.97;

/// How often such an interval covers the mean of first-order autoregressive normal series that are
/// as long as these values, and whose neighbours are as alike; `None` for constant or too few
/// values. The standard error is at most one and a half points.
///
/// ```
/// use fathom_stats::dependence::{NEGLIGIBLE, subsession_coverage};
/// use fathom_stats::{Confidence, Sides};
/// let slow: Vec<f64> = (0..50).map(|i| (f64::from(i) / 4.0).sin()).collect();
/// let coverage = subsession_coverage(&slow, NEGLIGIBLE, Confidence::DEFAULT, Sides::Both, 1);
/// assert!(coverage.ok_or("constant")? < 0.8);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn subsession_coverage(
    values: &[f64],
    limit: f64,
    confidence: Confidence,
    sides: Sides,
    seed: u64,
) -> Option<f64> {
    let lag1 = super::autocorrelation(values, 1)?;
    let n = values.len() as f64;
    if n < 5.0 {
        return None;
    }
    // Without the bias of an estimate from few samples.
    let phi = ((n * lag1 + 1.0) / (n - 3.0)).clamp(-MOST, MOST);
    let length = values.len().min(LONGEST);
    let trials = (SAMPLES / length).clamp(SERIES[0], SERIES[1]);
    let mut normals = Normals { rng: Xoshiro256PlusPlus::seed_from_u64(seed), spare: None };
    let innovation = (1.0 - phi * phi).sqrt();
    let mut series = vec![0.0; length];
    let (mut printed, mut covered) = (0_usize, 0_usize);
    for _ in 0..trials {
        let mut x = normals.next();
        for value in &mut series {
            x = phi * x + innovation * normals.next();
            *value = x;
        }
        if let Some(found) = subsession_interval(&series, limit, confidence, sides) {
            printed += 1;
            covered += usize::from(found.interval.contains(0.0));
        }
    }
    (printed > 0).then(|| covered as f64 / printed as f64)
}

/// Normal numbers by Marsaglia's polar method, with the same bits everywhere.
struct Normals {
    rng: Xoshiro256PlusPlus,
    spare: Option<f64>,
}

impl Normals {
    fn next(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let mut uniform = || (self.rng.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
            let (x, y) = (uniform(), uniform());
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                let scale = (-2.0 * libm::log(square) / square).sqrt();
                self.spare = Some(scale * y);
                return scale * x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependence::NEGLIGIBLE;

    fn coverage(n: usize, phi: f64, limit: f64) -> f64 {
        // A series with exactly this lag-1 autocorrelation, without the bias: every few samples the
        // level is drawn again, and the noise makes up for the rest.
        let mut normals = Normals { rng: Xoshiro256PlusPlus::seed_from_u64(5), spare: None };
        let wanted = (phi * (n as f64 - 3.0) - 1.0) / n as f64;
        let mut best = (f64::INFINITY, Vec::new());
        for _ in 0..2000 {
            let mut x = normals.next();
            let series: Vec<f64> = (0..n)
                .map(|_| {
                    x = phi * x + (1.0 - phi * phi).sqrt() * normals.next();
                    x
                })
                .collect();
            let off = crate::dependence::autocorrelation(&series, 1).map_or(1.0, |r| r - wanted);
            if off.abs() < best.0 {
                best = (off.abs(), series);
            }
        }
        subsession_coverage(&best.1, limit, Confidence::DEFAULT, Sides::Both, 1).unwrap()
    }

    /// `calibration/dependence.md` has these numbers from ten thousand series each.
    #[test]
    fn the_coverage_is_that_of_the_calibration() {
        for (n, phi, expected) in
            [(50, 0.0, 0.939), (50, 0.5, 0.911), (50, 0.8, 0.858), (200, 0.9, 0.878)]
        {
            let found = coverage(n, phi, NEGLIGIBLE);
            assert!((found - expected).abs() < 0.02, "{n} {phi}: {found} {expected}");
        }
    }

    #[test]
    fn a_wider_range_covers_less() {
        assert!(coverage(200, 0.8, 0.5) < coverage(200, 0.8, 0.1) - 0.05);
    }

    #[test]
    fn constant_and_few_values_have_none() {
        let of = |values: &[f64]| {
            let sides = Sides::Both;
            (
                subsession_interval(values, NEGLIGIBLE, Confidence::DEFAULT, sides),
                subsession_coverage(values, NEGLIGIBLE, Confidence::DEFAULT, sides, 1),
            )
        };
        assert_eq!(of(&[3.0; 40]), (None, None));
        assert_eq!(of(&[1.0, 2.0]), (None, None));
        assert_eq!(of(&[]), (None, None));
    }
}
