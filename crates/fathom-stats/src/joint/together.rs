//! The differences of many quantities, with p-values and intervals that hold for all of them at once.

use super::block_differences::BlockDifferences;
use super::critical::{critical_value, largest_statistics};
use super::step_down::step_down;
use super::studentized::Studentized;
use super::{FEWEST_SEEN, JointRule};
use crate::Interval;

/// What is known of one quantity's difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointDifference {
    /// The mean of all blocks.
    pub mean: f64,
    /// In how many blocks the difference is not zero.
    pub seen_in: usize,
    /// Where the true differences of all quantities lie at once, with the confidence asked for; `None` if
    /// the quantity was seen in too few blocks to say.
    pub interval: Option<Interval>,
    /// The chance of a difference as clear as this, in this or a less clear quantity, if they did not
    /// differ; `None` if there is no interval.
    pub p_value: Option<f64>,
}

/// What is known of many differences at once.
#[derive(Debug, Clone, PartialEq)]
pub struct JointDifferences {
    /// One for each quantity, in their order.
    pub quantities: Vec<JointDifference>,
    /// How many standard errors an interval reaches to either side; infinite with too few blocks.
    pub critical: f64,
    /// Whether every outcome of the coins was looked at, or many that were drawn.
    pub is_exact: bool,
}

/// Which quantities differ, so that all intervals together hold with the confidence asked for and the chance that any
/// p-value of an equal quantity is at most α is at most α.
///
/// Quantities that differ from zero in fewer than [`FEWEST_SEEN`](super::FEWEST_SEEN) blocks get neither.
/// That is decided without their signs, so the p-values of the others stay exact.
///
/// ```
/// use fathom_stats::Confidence;
/// use fathom_stats::joint::{BlockDifferences, JointRule, joint_differences};
///
/// let slower = vec![1.0, 1.2, 0.9, 1.1, 0.8, 1.0, 1.3, 0.9, 1.1, 1.0];
/// let same = vec![0.1, -0.2, 0.0, 0.2, -0.1, 0.3, -0.3, 0.1, -0.1, 0.05];
/// let differences = BlockDifferences::new(vec![slower, same])?;
/// let found = joint_differences(&differences, JointRule::new(Confidence::new(0.95)?, 1));
///
/// let [slower, same] = found.quantities[..] else { panic!() };
/// assert!(slower.interval.unwrap().lower > 0.8 && slower.p_value.unwrap() < 0.01);
/// assert!(same.interval.unwrap().contains(0.0) && same.p_value.unwrap() > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn joint_differences(differences: &BlockDifferences, rule: JointRule) -> JointDifferences {
    let flips = rule.flips(differences.blocks());
    let all: Vec<Summed> = differences.iter().map(Summed::of).collect();
    let judged: Vec<(&Summed, &[f64])> =
        all.iter().zip(differences.iter()).filter(|(one, _)| one.seen_in >= FEWEST_SEEN).collect();

    let as_they_are: Vec<Studentized> =
        judged.iter().map(|(_, values)| Studentized::of(values, 0.0)).collect();
    let stepped_down = step_down(&as_they_are, &flips);
    let mut p_values = stepped_down.p_values.into_iter();
    // If the truth is not zero, the coins decide the signs of what is left without it. The mean stands in
    // for the truth; the larger of both values is used, because neither is exact then.
    let centred: Vec<Studentized> =
        judged.iter().map(|(one, values)| Studentized::of(values, one.mean)).collect();
    let critical = critical_value(stepped_down.largest, rule.alpha())
        .max(critical_value(largest_statistics(&centred, &flips), rule.alpha()));

    let quantities = all
        .iter()
        .map(|one| {
            let is_judged = one.seen_in >= FEWEST_SEEN;
            JointDifference {
                mean: one.mean,
                seen_in: one.seen_in,
                interval: is_judged.then(|| one.interval(critical)),
                p_value: if is_judged { p_values.next() } else { None },
            }
        })
        .collect();
    JointDifferences { quantities, critical, is_exact: flips.are_all }
}

/// A mean and its standard error.
struct Summed {
    mean: f64,
    standard_error: f64,
    seen_in: usize,
}

impl Summed {
    fn of(values: &[f64]) -> Summed {
        let n = values.len().max(1) as f64;
        let mean = values.iter().map(|value| value / n).sum::<f64>();
        let largest = values.iter().fold(0.0, |largest: f64, one| largest.max((one - mean).abs()));
        let squares =
            |scale: f64| values.iter().map(|value| ((value - mean) / scale).powi(2)).sum::<f64>();
        let standard_error = match largest > 0.0 {
            true => largest * (squares(largest) / (n * (n - 1.0))).sqrt(),
            false => 0.0,
        };
        let seen_in = values.iter().filter(|value| **value != 0.0).count();
        Summed { mean, standard_error, seen_in }
    }

    fn interval(&self, critical: f64) -> Interval {
        if critical.is_infinite() {
            return Interval::EVERYTHING;
        }
        let reach = critical * self.standard_error;
        Interval { lower: self.mean - reach, upper: self.mean + reach }
    }
}
