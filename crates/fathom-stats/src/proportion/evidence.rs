//! Evidence that holds at every look: the beta-mixture e-value.
//!
//! E+ is the likelihood of the data under a uniform mixture of all success probabilities above F,
//! over their likelihood at F. While the true probability is at most F it is a non-negative
//! supermartingale that starts at 1, so it ever reaches 1/α with probability at most α (Ville).
//! E− is the mirror image.

use crate::Probability;
use crate::distribution::beta::{Tails, UnitPoint, ln_density_scale, ln_regularised};

/// The logarithms of the evidence that the success probability is above, and below, F.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogEvidence {
    /// ln E+, against "at most F".
    pub above: f64,
    /// ln E−, against "at least F".
    pub below: f64,
}

impl LogEvidence {
    /// An upper bound, valid at every look, on how likely such evidence would be if the success
    /// probability were at most F: min(1, 1/E+).
    ///
    /// ```
    /// use fathom_stats::{Probability, proportion::log_evidence};
    /// let evidence = log_evidence(100, 100, Probability::new(0.9)?);
    /// assert!(evidence.p_value_above() < 0.001);
    /// assert_eq!(evidence.p_value_below(), 1.0);
    /// # Ok::<(), fathom_stats::LevelError>(())
    /// ```
    #[must_use]
    pub fn p_value_above(self) -> f64 {
        (-self.above).exp().min(1.0)
    }

    /// The same for "at least F": min(1, 1/E−).
    #[must_use]
    pub fn p_value_below(self) -> f64 {
        (-self.below).exp().min(1.0)
    }
}

/// The evidence after `successes` in n samples.
///
/// ```
/// use fathom_stats::{proportion::log_evidence, Probability};
/// // One success: E+ = ∫_F^1 (θ/F) dθ / (1 − F) = (1 + F) / (2F).
/// let one = log_evidence(1, 1, Probability::new(0.9)?);
/// assert!((one.above - f64::ln(1.9 / 1.8)).abs() < 1e-14);
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn log_evidence(successes: usize, n: usize, proportion: Probability) -> LogEvidence {
    log_evidence_at(successes, n, UnitPoint::at(proportion.get()))
}

/// The same at a point that may be nearer to 1 than a double can say.
pub(super) fn log_evidence_at(successes: usize, n: usize, at: UnitPoint) -> LogEvidence {
    let (a, b) = ((successes + 1) as f64, (n.saturating_sub(successes) + 1) as f64);
    // ln of B(a, b) / (F^S (1 − F)^(n − S)).
    let mixture = at.x.ln() + at.y.ln() - ln_density_scale(a, b, at);
    let Tails { lower, upper } = ln_regularised(a, b, at);
    LogEvidence { above: mixture + upper - at.y.ln(), below: mixture + lower - at.x.ln() }
}
