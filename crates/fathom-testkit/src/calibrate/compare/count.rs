//! Counting what comparisons said.

use super::session::Said;
use fathom_analyze::compare::{Margin, Verdict};

/// What comparisons at one true ratio said.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::calibrate) struct Count {
    pub(in crate::calibrate) trials: u64,
    different: u64,
    equivalent: u64,
    covered: u64,
    blocks: u64,
}

impl Count {
    pub(in crate::calibrate) fn add(&mut self, said: &Said, log_ratio: f64) {
        self.trials += 1;
        let is_different = matches!(said.verdict, Verdict::Faster | Verdict::Slower);
        self.different += u64::from(is_different);
        self.equivalent += u64::from(said.verdict == Verdict::Equivalent);
        self.covered += u64::from(said.interval.contains(log_ratio));
        self.blocks += said.blocks as u64;
    }

    pub(in crate::calibrate) fn merge(&mut self, other: &Count) {
        self.trials += other.trials;
        self.different += other.different;
        self.equivalent += other.equivalent;
        self.covered += other.covered;
        self.blocks += other.blocks;
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.trials as f64
    }

    /// The share of verdicts "faster" and "slower".
    pub(in crate::calibrate) fn different(&self) -> f64 {
        self.share(self.different)
    }

    /// The share of verdicts "equivalent".
    pub(in crate::calibrate) fn equivalent(&self) -> f64 {
        self.share(self.equivalent)
    }

    /// The share of intervals that hold the true ratio.
    pub(in crate::calibrate) fn coverage(&self) -> f64 {
        self.share(self.covered)
    }

    /// The mean number of blocks.
    pub(in crate::calibrate) fn blocks(&self) -> f64 {
        self.share(self.blocks)
    }

    /// Three standard errors of a share of 5%: what chance may add to it.
    pub(super) fn chance(&self) -> f64 {
        3.0 * (0.05 * 0.95 / self.trials as f64).sqrt()
    }
}

/// Whether a verdict is wrong about a subject whose log-ratio is known.
pub(super) fn is_false(verdict: Verdict, log_ratio: f64) -> bool {
    match verdict {
        Verdict::Faster => log_ratio >= 0.0,
        Verdict::Slower => log_ratio <= 0.0,
        Verdict::Equivalent => log_ratio.abs() >= Margin::DEFAULT.log(),
        Verdict::Inconclusive | Verdict::Mixed => false,
    }
}

/// A share in percent, with one digit behind the point.
pub(in crate::calibrate) fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
