//! The rules that decide.

use super::wald::{IndifferenceError, Wald, WaldLimit};
use super::{Boundaries, Limits, log_evidence};
use crate::distribution::binomial::Binomial;
use crate::{Confidence, Probability};

/// "True of at least F of all executions", to be known with confidence C.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim {
    /// F.
    pub proportion: Probability,
    /// C.
    pub confidence: Confidence,
}

/// The decision of a rule on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// At least F.
    Positive,
    /// Less than F.
    Negative,
}

/// When there are successes or failures enough to decide.
///
/// ```
/// use fathom_stats::proportion::{Claim, Decision, Rule};
/// use fathom_stats::{Confidence, Probability};
/// let claim = Claim { proportion: Probability::new(0.9)?, confidence: Confidence::new(0.9)? };
/// // The paper's rule says no after a single failure.
/// assert_eq!(Rule::spa(claim).decision(0, 1), Some(Decision::Negative));
/// assert_eq!(Rule::anytime(claim).decision(0, 1), None);
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    claim: Claim,
    test: Test,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Test {
    Anytime { limit: f64 },
    ClopperPearson,
    ClopperPearsonAt { n: usize, more_than: bool },
    Wald(Wald),
}

impl Rule {
    /// The default: positive when E+ ≥ 1/(1 − C), negative when E− ≥ 1/(1 − C), at every look.
    #[must_use]
    pub fn anytime(claim: Claim) -> Rule {
        Rule { claim, test: Test::Anytime { limit: (1.0 / claim.confidence.alpha()).ln() } }
    }

    /// The paper's Algorithm 1: stops as soon as C_CP ≥ C. It does not keep its promise.
    #[must_use]
    pub fn spa(claim: Claim) -> Rule {
        Rule { claim, test: Test::ClopperPearson }
    }

    /// The paper's Algorithm 2: one look, at n, which decides if C_CP > C.
    ///
    /// ```
    /// use fathom_stats::proportion::{Claim, Decision, Rule};
    /// use fathom_stats::{Confidence, Probability};
    /// let claim = Claim { proportion: Probability::new(0.9)?, confidence: Confidence::new(0.9)? };
    /// // A single look, at the number that was chosen before.
    /// for rule in [Rule::spa_fixed(claim, 22), Rule::exact(claim, 22)] {
    ///     assert_eq!(rule.decision(22, 22), Some(Decision::Positive));
    ///     assert_eq!(rule.claim(), claim);
    /// }
    /// let (reached, decision) = Rule::paper_confidence(claim, 22, 22);
    /// assert!(reached > 0.9 && decision == Decision::Positive);
    /// # Ok::<(), fathom_stats::LevelError>(())
    /// ```
    #[must_use]
    pub fn spa_fixed(claim: Claim, n: usize) -> Rule {
        Rule { claim, test: Test::ClopperPearsonAt { n, more_than: true } }
    }

    /// Clopper and Pearson's one-sided tests at level 1 − C, at n, which must be fixed before the
    /// first look. Algorithm 2, except that it also decides at C exactly.
    #[must_use]
    pub fn exact(claim: Claim, n: usize) -> Rule {
        Rule { claim, test: Test::ClopperPearsonAt { n, more_than: false } }
    }

    /// Wald's test of F − D against F + D at every look. For shares in between it promises
    /// nothing.
    ///
    /// ```
    /// use fathom_stats::proportion::{Claim, Decision, Rule};
    /// use fathom_stats::{Confidence, Probability};
    /// let claim = Claim { proportion: Probability::new(0.9)?, confidence: Confidence::new(0.9)? };
    /// for rule in [Rule::wald(claim, 0.05)?, Rule::wald_approximate(claim, 0.05)?] {
    ///     assert_eq!(rule.decision(100, 100), Some(Decision::Positive));
    /// }
    /// assert!(Rule::wald(claim, 0.2).is_err()); // 0.9 + 0.2 is above 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wald(claim: Claim, indifference: f64) -> Result<Rule, IndifferenceError> {
        Rule::with_wald(claim, indifference, WaldLimit::Sure)
    }

    /// The same with the limits as Wald has them, ln((1 − β)/α), which guarantee (1 − C)/C. Here
    /// to be compared with.
    pub fn wald_approximate(claim: Claim, indifference: f64) -> Result<Rule, IndifferenceError> {
        Rule::with_wald(claim, indifference, WaldLimit::Approximate)
    }

    fn with_wald(claim: Claim, d: f64, limit: WaldLimit) -> Result<Rule, IndifferenceError> {
        Ok(Rule { claim, test: Test::Wald(Wald::new(claim, d, limit)?) })
    }

    /// What it decides.
    #[must_use]
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// What it says after `successes` in n samples, if that is enough.
    #[must_use]
    pub fn decision(&self, successes: usize, n: usize) -> Option<Decision> {
        if self.is_positive(successes, n) {
            Some(Decision::Positive)
        } else if self.is_negative(successes, n) {
            Some(Decision::Negative)
        } else {
            None
        }
    }

    /// For each number of samples from 1 on, how many successes or failures decide.
    ///
    /// ```
    /// use fathom_stats::proportion::{Claim, Rule};
    /// use fathom_stats::{Confidence, Probability};
    /// let claim = Claim { proportion: Probability::new(0.9)?, confidence: Confidence::new(0.9)? };
    /// let rule = Rule::anytime(claim);
    /// let at_hundred = rule.boundaries().nth(99);
    /// assert_eq!(at_hundred, Some(rule.limits_at(100)));
    /// # Ok::<(), fathom_stats::LevelError>(())
    /// ```
    #[must_use]
    pub fn boundaries(&self) -> Boundaries {
        Boundaries::of(*self)
    }

    /// The confidence that the paper computes, C_CP by its equations (4) and (5), and what it then
    /// would assert.
    #[must_use]
    pub fn paper_confidence(claim: Claim, successes: usize, n: usize) -> (f64, Decision) {
        // Its beta functions are binomial tails: B(F | M, N − M + 1) = P(Bin(N, F) ≥ M).
        let binomial = Binomial::new(n, claim.proportion);
        // 55 of 100 are 0.55, although 0.55 · 100 is above 55 in doubles.
        let expected = claim.proportion.get() * n as f64;
        if successes as f64 >= expected * (1.0 - 1e-14) {
            let reached = successes.checked_sub(1).map_or(0.0, |below| binomial.at_most(below));
            (reached, Decision::Positive)
        } else {
            (binomial.at_least(successes + 1), Decision::Negative)
        }
    }

    /// Where it looks, if it looks only once.
    pub(super) fn only_look(&self) -> Option<usize> {
        match self.test {
            Test::ClopperPearsonAt { n, .. } => Some(n),
            _ => None,
        }
    }

    /// The counts that decide at n, found without those before it.
    #[must_use]
    pub fn limits_at(&self, n: usize) -> Limits {
        Limits::found(self, n)
    }

    /// The same with its one look at `samples`, if it has one look.
    pub(super) fn planned_for(self, samples: usize) -> Rule {
        match self.test {
            Test::ClopperPearsonAt { more_than, .. } => {
                Rule { test: Test::ClopperPearsonAt { n: samples, more_than }, ..self }
            }
            _ => self,
        }
    }

    pub(super) fn looks_at(&self, samples: usize) -> bool {
        match self.test {
            Test::ClopperPearsonAt { n, .. } => samples == n,
            _ => samples > 0,
        }
    }

    pub(super) fn is_positive(&self, successes: usize, n: usize) -> bool {
        match self.test {
            _ if !self.looks_at(n) => false,
            Test::Anytime { limit } => {
                log_evidence(successes, n, self.claim.proportion).above >= limit
            }
            Test::Wald(wald) => wald.is_positive(successes, n),
            Test::ClopperPearson | Test::ClopperPearsonAt { .. } => {
                let binomial = Binomial::new(n, self.claim.proportion);
                // That M/N ≥ F follows: C is at least a half, so M lies above the median.
                successes.checked_sub(1).is_some_and(|below| self.suffices(binomial.at_most(below)))
            }
        }
    }

    pub(super) fn is_negative(&self, successes: usize, n: usize) -> bool {
        match self.test {
            _ if !self.looks_at(n) => false,
            Test::Anytime { limit } => {
                log_evidence(successes, n, self.claim.proportion).below >= limit
            }
            Test::Wald(wald) => wald.is_negative(successes, n),
            Test::ClopperPearson | Test::ClopperPearsonAt { .. } => {
                let binomial = Binomial::new(n, self.claim.proportion);
                self.suffices(binomial.at_least(successes + 1))
            }
        }
    }

    fn suffices(&self, reached: f64) -> bool {
        let confidence = self.claim.confidence;
        match self.test {
            // Equal up to rounding is not more.
            Test::ClopperPearsonAt { more_than: true, .. } => reached > confidence.get() + 1e-12,
            _ => confidence.is_reached_by(reached),
        }
    }

    /// An upper bound on the probability that it will ever make this decision after `successes`
    /// in n samples left it open, if the true share is `share` and the decision is wrong.
    pub(super) fn still_wrong(
        &self,
        decision: Decision,
        share: f64,
        successes: usize,
        n: usize,
    ) -> f64 {
        match self.test {
            // Ville's inequality from here on: the evidence still has to grow to the limit.
            Test::Anytime { limit } => {
                let evidence = log_evidence(successes, n, self.claim.proportion);
                let reached = match decision {
                    Decision::Positive => evidence.above,
                    Decision::Negative => evidence.below,
                };
                (reached - limit).exp().min(1.0)
            }
            Test::Wald(wald) => wald.still_reaching(decision, share, successes, n),
            Test::ClopperPearsonAt { n: only, .. } if n >= only => 0.0,
            _ => 1.0,
        }
    }
}
