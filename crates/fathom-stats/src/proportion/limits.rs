//! How many successes or failures decide, at each number of samples.

use super::{Decision, Rule};
use crate::quantile::last_true;

/// The counts that decide at one number of samples n; n + 1 where none does.
///
/// ```
/// use fathom_stats::proportion::{Claim, Decision, Rule};
/// use fathom_stats::{Confidence, Probability};
/// let claim = Claim { proportion: Probability::new(0.9)?, confidence: Confidence::new(0.9)? };
/// let limits = Rule::anytime(claim).limits_at(100);
/// let (enough, too_few) = (limits.positive_from().ok_or("never")?, limits.negative_to().ok_or("never")?);
/// assert!(too_few < 90 && 90 < enough);
/// assert_eq!(limits.decision(enough, 100), Some(Decision::Positive));
/// assert_eq!(limits.decision(too_few, enough), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// n.
    pub samples: usize,
    /// This many successes, or more, are a positive decision.
    pub successes: usize,
    /// This many failures, or more, are a negative one.
    pub failures: usize,
}

impl Limits {
    /// By halving: more successes are never worse.
    pub(super) fn found(rule: &Rule, n: usize) -> Limits {
        let from_top = last_true(n, |v| rule.is_positive(n + 1 - v, n));
        let from_bottom = last_true(n, |v| rule.is_negative(v - 1, n));
        Limits { samples: n, successes: n + 1 - from_top, failures: n + 1 - from_bottom }
    }

    /// The fewest successes that decide positively, if any number does.
    #[must_use]
    pub fn positive_from(&self) -> Option<usize> {
        (self.successes <= self.samples).then_some(self.successes)
    }

    /// The most successes that decide negatively, if any number does.
    #[must_use]
    pub fn negative_to(&self) -> Option<usize> {
        self.samples.checked_sub(self.failures)
    }

    /// The decision if the number of successes is only known to lie between `fewest` and `most`:
    /// positive if the fewest are enough, negative if the most are too few.
    #[must_use]
    pub fn decision(&self, fewest: usize, most: usize) -> Option<Decision> {
        if fewest >= self.successes {
            Some(Decision::Positive)
        } else if self.samples.saturating_sub(most) >= self.failures {
            Some(Decision::Negative)
        } else {
            None
        }
    }
}

/// The [`Limits`] at n = 1, 2, 3 and so on; the iterator does not end.
///
/// One more success never turns a positive decision back, and one more failure never makes one, so
/// from n to n + 1 each limit stays or grows by one: one evaluation decides which.
#[derive(Debug, Clone)]
pub struct Boundaries {
    rule: Rule,
    last: Limits,
}

impl Boundaries {
    pub(super) fn of(rule: Rule) -> Boundaries {
        Boundaries { rule, last: Limits { samples: 0, successes: 1, failures: 1 } }
    }

    fn after(&self, last: Limits) -> Limits {
        let n = last.samples.saturating_add(1);
        if !self.rule.looks_at(n) {
            return Limits { samples: n, successes: n + 1, failures: n + 1 };
        }
        if n > 1 && !self.rule.looks_at(last.samples) {
            return Limits::found(&self.rule, n);
        }
        let Limits { mut successes, mut failures, .. } = last;
        if !self.rule.is_positive(successes, n) {
            successes += 1;
        }
        // n − failures successes; the limit at n − 1 is at most n.
        if !self.rule.is_negative(n.saturating_sub(failures), n) {
            failures += 1;
        }
        Limits { samples: n, successes, failures }
    }
}

impl Iterator for Boundaries {
    type Item = Limits;

    fn next(&mut self) -> Option<Limits> {
        self.last = self.after(self.last);
        Some(self.last)
    }
}
