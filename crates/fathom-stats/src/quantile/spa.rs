//! The SPA paper's fixed-size test and interval, reproduced with what it really covers.
//!
//! Each end is one-sided at C, so the interval covers with about 2C − 1, not C; the paper's own
//! error rates look better because its search over thresholds steps on a coarse grid. The paper
//! searches; the outcome only depends on two order statistics, so a sort and two binary searches
//! find the same ends exactly.
//! Reference: Mazurek et al., "Rigorous Evaluation of Computer Processors with Statistical Model
//! Checking", MICRO 2023.

use super::RankPair;
use super::last_true;
use crate::distribution::binomial::Binomial;
use crate::{Confidence, Probability};

/// The relation in a property "metric ⋄ threshold".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// metric > threshold
    Above,
    /// metric ≥ threshold
    AtLeast,
    /// metric < threshold
    Below,
    /// metric ≤ threshold
    AtMost,
}

impl Direction {
    /// All of them.
    pub const ALL: [Direction; 4] =
        [Direction::Below, Direction::AtMost, Direction::Above, Direction::AtLeast];

    /// Its name in options and in JSON.
    ///
    /// ```
    /// use fathom_stats::quantile::spa::Direction;
    /// assert_eq!(Direction::AtMost.name(), "le");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Direction::Below => "lt",
            Direction::AtMost => "le",
            Direction::Above => "gt",
            Direction::AtLeast => "ge",
        }
    }

    /// Whether the metric satisfies the property at this threshold.
    ///
    /// ```
    /// use fathom_stats::quantile::spa::Direction;
    /// assert!(Direction::AtLeast.holds(2.0, 2.0) && !Direction::Above.holds(2.0, 2.0));
    /// ```
    #[must_use]
    pub fn holds(self, metric: f64, threshold: f64) -> bool {
        match self {
            Direction::Above => metric > threshold,
            Direction::AtLeast => metric >= threshold,
            Direction::Below => metric < threshold,
            Direction::AtMost => metric <= threshold,
        }
    }

    /// The quantile at which the property flips: F of all executions are below it, or above it.
    ///
    /// ```
    /// use fathom_stats::Probability;
    /// use fathom_stats::quantile::spa::Direction;
    /// let f = Probability::new(0.9)?;
    /// assert_eq!(Direction::Below.quantile(f).get(), 0.9);
    /// assert_eq!(Direction::Above.quantile(f).get(), 0.1);
    /// # Ok::<(), fathom_stats::LevelError>(())
    /// ```
    #[must_use]
    pub fn quantile(self, proportion: Probability) -> Probability {
        match self {
            Direction::Above | Direction::AtLeast => proportion.complement(),
            Direction::Below | Direction::AtMost => proportion,
        }
    }
}

/// What a test of "at least F of all executions satisfy the property" says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpaOutcome {
    /// They do.
    Positive,
    /// They do not.
    Negative,
    /// Too few samples to say.
    None,
}

/// A test at one threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThresholdTest {
    /// The confidence reached, C_CP in the paper.
    pub reached: f64,
    /// The answer, if that is enough.
    pub outcome: SpaOutcome,
}

/// The paper's Algorithm 2 for `satisfied` of `n` samples.
///
/// ```
/// use fathom_stats::quantile::spa::{SpaOutcome, deciding_counts, test};
/// use fathom_stats::{Confidence, Probability};
/// let (f, c) = (Probability::new(0.9)?, Confidence::new(0.9)?);
/// assert_eq!(test(22, 22, f, c).outcome, SpaOutcome::Positive);
/// let counts = deciding_counts(22, f, c);
/// assert_eq!(counts.positive_from, Some(22));
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn test(
    satisfied: usize,
    n: usize,
    proportion: Probability,
    confidence: Confidence,
) -> ThresholdTest {
    let binomial = Binomial::new(n, proportion);
    let positive = satisfied as f64 > proportion.get() * n as f64;
    let reached = if positive {
        satisfied.checked_sub(1).map_or(0.0, |below| binomial.at_most(below))
    } else {
        binomial.at_least(satisfied + 1)
    };
    let outcome = match (confidence.is_reached_by(reached), positive) {
        (false, _) => SpaOutcome::None,
        (true, true) => SpaOutcome::Positive,
        (true, false) => SpaOutcome::Negative,
    };
    ThresholdTest { reached, outcome }
}

/// How many satisfying samples decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecidingCounts {
    /// The fewest that give a positive outcome.
    pub positive_from: Option<usize>,
    /// The most that give a negative outcome.
    pub negative_to: Option<usize>,
}

/// The counts m+ and m− for n samples.
#[must_use]
pub fn deciding_counts(
    n: usize,
    proportion: Probability,
    confidence: Confidence,
) -> DecidingCounts {
    let binomial = Binomial::new(n, proportion);
    // v counts down from the top: M = n + 1 − v.
    let from_top = last_true(n, |v| confidence.is_reached_by(binomial.at_most(n - v)));
    // v counts up from the bottom: M = v − 1.
    let from_bottom = last_true(n, |v| confidence.is_reached_by(binomial.at_least(v)));
    DecidingCounts {
        positive_from: (from_top > 0).then(|| n + 1 - from_top),
        negative_to: from_bottom.checked_sub(1),
    }
}

/// The paper's interval for the threshold at which "metric ⋄ threshold" turns from true of at
/// least F of all executions to false, as ranks, with its exact coverage.
///
/// ```
/// use fathom_stats::quantile::spa::{interval, Direction};
/// use fathom_stats::{Confidence, Probability};
/// let pair = interval(22, Probability::new(0.9)?, Confidence::new(0.9)?, Direction::Above);
/// assert_eq!((pair.lower, pair.upper), (Some(1), Some(5)));
/// assert!(pair.coverage < 0.84); // it says 0.9
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn interval(
    n: usize,
    proportion: Probability,
    confidence: Confidence,
    direction: Direction,
) -> RankPair {
    let counts = deciding_counts(n, proportion, confidence);
    let (lower, upper) = match direction {
        Direction::Above | Direction::AtLeast => {
            (counts.positive_from.map(|m| n + 1 - m), counts.negative_to.map(|m| n - m))
        }
        Direction::Below | Direction::AtMost => {
            (counts.negative_to.map(|m| m + 1), counts.positive_from)
        }
    };
    RankPair::with_coverage(n, direction.quantile(proportion), lower, upper)
}

/// The smallest n at which both ends of [`interval`] are finite: the paper's equation (8).
///
/// ```
/// use fathom_stats::quantile::spa::samples_needed;
/// use fathom_stats::{Confidence, Probability};
/// assert_eq!(samples_needed(Probability::new(0.9)?, Confidence::new(0.9)?), 22);
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn samples_needed(proportion: Probability, confidence: Confidence) -> usize {
    let one_sided = |sides| super::samples_needed(proportion, confidence, sides);
    one_sided(crate::Sides::Lower).max(one_sided(crate::Sides::Upper))
}
