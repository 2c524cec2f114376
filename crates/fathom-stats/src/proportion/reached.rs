//! How sure the samples make each of the two answers.

use super::log_evidence;
use crate::Probability;
use crate::distribution::binomial::Binomial;

/// The confidence that samples give to "at least F" and to "less than F".
///
/// An answer is given with confidence C where its own number is at least C; where neither is, the
/// samples do not decide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReachedConfidence {
    /// In "at least F".
    pub at_least: f64,
    /// In "less than F".
    pub less: f64,
}

impl ReachedConfidence {
    /// For a number of samples that was fixed before the first look: the paper's C_CP, once for each
    /// answer.
    ///
    /// ```
    /// use fathom_stats::Probability;
    /// use fathom_stats::proportion::ReachedConfidence;
    /// let f = Probability::new(0.9)?;
    /// // 22 of 22 are the fewest that say "at least 90%" with 90% confidence.
    /// assert!(ReachedConfidence::exact(22, 22, f).at_least > 0.9);
    /// assert!(ReachedConfidence::exact(21, 21, f).at_least < 0.9);
    /// assert!(ReachedConfidence::exact(17, 22, f).less > 0.9);
    /// # Ok::<(), fathom_stats::LevelError>(())
    /// ```
    #[must_use]
    pub fn exact(successes: usize, n: usize, proportion: Probability) -> ReachedConfidence {
        let binomial = Binomial::new(n, proportion);
        ReachedConfidence {
            at_least: successes.checked_sub(1).map_or(0.0, |below| binomial.at_most(below)),
            less: if successes < n { binomial.at_least(successes + 1) } else { 0.0 },
        }
    }

    /// For any number of samples, however often one looks: 1 − 1/E for each answer.
    ///
    /// ```
    /// use fathom_stats::Probability;
    /// use fathom_stats::proportion::ReachedConfidence;
    /// let f = Probability::new(0.9)?;
    /// let (fixed, any) = (ReachedConfidence::exact(40, 40, f), ReachedConfidence::anytime(40, 40, f));
    /// assert!(any.at_least < fixed.at_least);
    /// assert_eq!(any.less, 0.0);
    /// # Ok::<(), fathom_stats::LevelError>(())
    /// ```
    #[must_use]
    pub fn anytime(successes: usize, n: usize, proportion: Probability) -> ReachedConfidence {
        let evidence = log_evidence(successes, n, proportion);
        ReachedConfidence {
            at_least: 1.0 - evidence.p_value_above(),
            less: 1.0 - evidence.p_value_below(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Confidence;
    use crate::proportion::{Claim, Decision, Rule};

    /// The confidence of an answer is at least C exactly where the rule gives the answer.
    #[test]
    fn confidences_agree_with_the_rules() {
        let (f, c) = (Probability::new(0.8).unwrap(), Confidence::new(0.9).unwrap());
        let claim = Claim { proportion: f, confidence: c };
        for n in [1, 5, 22, 60] {
            for successes in 0..=n {
                let exact = ReachedConfidence::exact(successes, n, f);
                let any = ReachedConfidence::anytime(successes, n, f);
                for (reached, rule) in [(exact, Rule::exact(claim, n)), (any, Rule::anytime(claim))]
                {
                    let decided = rule.decision(successes, n);
                    assert_eq!(reached.at_least >= c.get(), decided == Some(Decision::Positive));
                    assert_eq!(reached.less >= c.get(), decided == Some(Decision::Negative));
                }
            }
        }
    }

    #[test]
    fn without_samples_nothing_is_sure() {
        let f = Probability::new(0.5).unwrap();
        for reached in [ReachedConfidence::exact(0, 0, f), ReachedConfidence::anytime(0, 0, f)] {
            assert_eq!(reached, ReachedConfidence { at_least: 0.0, less: 0.0 });
        }
    }
}
