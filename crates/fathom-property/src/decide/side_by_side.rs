//! The same executions judged by every method, to see what a method costs.

use super::worth::scaled;
use super::{CheckSummary, CheckVerdict, Method};
use fathom_stats::Interval;
use fathom_stats::proportion::{Rule, anytime_interval, exact_bounds, exact_interval};

/// What a method says about the share of executions that satisfy a property.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShareByMethod {
    /// The method.
    pub method: Method,
    /// Between which shares the true one lies. For the paper's method each end alone holds with the
    /// confidence that was asked for.
    pub interval: Interval,
    /// What the method would answer from these executions, at one look.
    pub verdict: CheckVerdict,
}

impl CheckSummary {
    /// What each method says about the same executions, at the confidence of the question.
    #[must_use]
    pub fn by_methods(&self) -> [ShareByMethod; 3] {
        let counts = &self.counts;
        let worth = self.dependence.map_or(counts.samples(), |alike| alike.worth(counts.samples()));
        let (fewest, most) = scaled(counts, worth);
        let (claim, confidence) = (self.question.claim(), self.question.confidence);
        let of = |method,
                  interval: fn(usize, usize, fathom_stats::Confidence) -> Interval,
                  rule: Rule| {
            let decided = |successes: usize| rule.decision(successes, worth);
            // What is unknown may be either.
            let decision = decided(fewest).filter(|_| decided(fewest) == decided(most));
            ShareByMethod {
                method,
                interval: Interval {
                    lower: interval(fewest, worth, confidence).lower,
                    upper: interval(most, worth, confidence).upper,
                },
                verdict: decision.map_or(CheckVerdict::Inconclusive, CheckVerdict::from),
            }
        };
        [
            of(Method::Anytime, anytime_interval, Rule::anytime(claim)),
            of(Method::Exact, exact_interval, Rule::exact(claim, worth)),
            of(Method::Spa, exact_bounds, Rule::spa_fixed(claim, worth)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::{ExecutionOutcome, ProportionQuestion, VacuousRule, decide_fixed};
    use fathom_stats::{Confidence, Probability};

    #[test]
    fn one_look_is_narrower_than_any_number_of_looks() {
        let question = ProportionQuestion {
            probability: Probability::new(0.9).unwrap(),
            confidence: Confidence::new(0.9).unwrap(),
            method: Method::Anytime,
        };
        let outcomes = (0..100).map(|i| match i % 20 {
            0 => ExecutionOutcome::False,
            _ => ExecutionOutcome::True,
        });
        let summary = decide_fixed(outcomes, question, VacuousRule::True).unwrap();
        let [anytime, exact, spa] = summary.by_methods();
        assert_eq!(anytime.interval, summary.interval);
        assert_eq!(anytime.verdict, summary.verdict);
        assert!(exact.interval.width() < anytime.interval.width());
        assert!(spa.interval.width() < exact.interval.width());
    }
}
