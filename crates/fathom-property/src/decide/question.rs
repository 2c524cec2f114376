//! The question, and the answers to it.

use fathom_stats::proportion::{Claim, Decision, IndifferenceError, Rule};
use fathom_stats::{Confidence, Probability};

/// Is the property true of at least F of all executions, at confidence C?
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProportionQuestion {
    /// F.
    pub probability: Probability,
    /// C.
    pub confidence: Confidence,
    /// How to decide.
    pub method: Method,
}

/// How to decide.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Method {
    /// By evidence that holds at every look. The default.
    #[default]
    Anytime,
    /// By the paper's rule, which does not hold what it promises when it looks often.
    Spa,
    /// By one look at a number of samples that was fixed beforehand.
    Exact,
    /// By Wald's test, which promises nothing for shares nearer to F than the indifference.
    Wald {
        /// D.
        indifference: f64,
    },
}

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckVerdict {
    /// Of at least F.
    True,
    /// Of less than F.
    False,
    /// The samples do not say.
    Inconclusive,
}

impl CheckVerdict {
    /// All of them.
    pub const ALL: [CheckVerdict; 3] =
        [CheckVerdict::True, CheckVerdict::False, CheckVerdict::Inconclusive];

    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CheckVerdict::True => "true",
            CheckVerdict::False => "false",
            CheckVerdict::Inconclusive => "inconclusive",
        }
    }
}

impl From<Decision> for CheckVerdict {
    fn from(decision: Decision) -> CheckVerdict {
        match decision {
            Decision::Positive => CheckVerdict::True,
            Decision::Negative => CheckVerdict::False,
        }
    }
}

impl Method {
    /// The names of all of them.
    pub const NAMES: [&'static str; 4] = ["anytime", "exact", "spa", "wald"];

    /// Its name in options and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        let [anytime, exact, spa, wald] = Method::NAMES;
        match self {
            Method::Anytime => anytime,
            Method::Spa => spa,
            Method::Exact => exact,
            Method::Wald { .. } => wald,
        }
    }
}

impl ProportionQuestion {
    /// "At least F", to be known with confidence C.
    #[must_use]
    pub fn claim(&self) -> Claim {
        Claim { proportion: self.probability, confidence: self.confidence }
    }

    /// The rule that watches samples come in, up to `budget` of them; `Exact` looks once, at the
    /// budget. An error if the indifference does not fit.
    pub fn sequential_rule(&self, budget: usize) -> Result<Rule, IndifferenceError> {
        Ok(match self.method {
            Method::Anytime => Rule::anytime(self.claim()),
            Method::Spa => Rule::spa(self.claim()),
            Method::Exact => Rule::exact(self.claim(), budget),
            Method::Wald { indifference } => Rule::wald(self.claim(), indifference)?,
        })
    }

    /// The rule for `n` samples that are all there already: one look at all of them. The paper's
    /// is then its Algorithm 2. An error if the indifference does not fit.
    pub fn fixed_rule(&self, n: usize) -> Result<Rule, IndifferenceError> {
        match self.method {
            Method::Spa => Ok(Rule::spa_fixed(self.claim(), n)),
            _ => self.sequential_rule(n),
        }
    }
}
