//! What a joint test is asked for.

use super::sign_flips::SignFlips;
use crate::Confidence;

/// How sure, and with which coins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointRule {
    /// Of all intervals at once.
    pub confidence: Confidence,
    /// Decides which outcomes of the coins are drawn.
    pub seed: u64,
    /// How many outcomes are looked at where there are too many for all. More make p-values finer, not
    /// truer.
    pub outcomes: usize,
}

impl JointRule {
    /// 10,000 outcomes.
    ///
    /// ```
    /// use fathom_stats::Confidence;
    /// use fathom_stats::joint::JointRule;
    /// assert_eq!(JointRule::new(Confidence::DEFAULT, 1).outcomes, 10_000);
    /// ```
    #[must_use]
    pub fn new(confidence: Confidence, seed: u64) -> JointRule {
        JointRule { confidence, seed, outcomes: 10_000 }
    }

    pub(super) fn flips(&self, blocks: usize) -> SignFlips {
        SignFlips::of(blocks, self.seed, self.outcomes)
    }

    pub(super) fn alpha(&self) -> f64 {
        1.0 - self.confidence.get()
    }
}
