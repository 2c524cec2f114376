//! What to expect of a check before its first execution.

use crate::decide::{ErrorSharing, ProportionQuestion};
use crate::{StudyPlan, ValueQuestion};
use fathom_stats::proportion::SampleSizePlan;
use fathom_stats::quantile::sequence;
use fathom_stats::{Confidence, Probability, Sides};
use std::time::Duration;

/// How many executions to expect.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckExpectation {
    /// For a property.
    Property {
        /// What is asked.
        question: ProportionQuestion,
        /// What to expect, by the share of executions that satisfy it.
        plan: SampleSizePlan,
        /// At most this many executions.
        budget: u64,
    },
    /// For an estimate.
    Estimate {
        /// What is asked.
        question: ValueQuestion,
        /// At most this many executions.
        budget: u64,
        /// Whether there will be as many as that.
        is_fixed: bool,
    },
    /// For several questions of the same executions.
    Several {
        /// How many they are.
        count: usize,
        /// Whether they share the error.
        sharing: ErrorSharing,
        /// Of a property, which has the smallest part of the error, and of an estimate.
        of_each: Vec<CheckExpectation>,
    },
}

/// What a check would do.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckPlan {
    /// How many executions to expect, if that can be said.
    pub expectation: Option<CheckExpectation>,
    /// The commands of the first executions.
    pub commands: Vec<String>,
    /// What other shares and confidences would take; none for estimates alone.
    pub guidance: Vec<FewestForTrue>,
    /// The grid of a study.
    pub study: Option<StudyPlan>,
}

/// How many executions it takes to say "true" if all satisfy the property.
#[derive(Debug, Clone, PartialEq)]
pub struct FewestForTrue {
    /// The required share.
    pub probability: Probability,
    /// For each confidence, how many.
    pub executions: Vec<(Confidence, usize)>,
}

impl FewestForTrue {
    /// For usual shares and confidences, by the method that may look at any time.
    #[must_use]
    pub fn usual() -> Vec<FewestForTrue> {
        let shares = [0.5, 0.9, 0.95, 0.99, 0.999].into_iter();
        let of = |probability: Probability| {
            let confidences = [0.9, 0.95, 0.99].into_iter();
            let confidences = confidences.filter_map(|c| Confidence::new(c).ok());
            let fewest =
                |confidence| sequence::samples_needed(probability, confidence, Sides::Upper);
            let executions =
                confidences.map(|confidence| (confidence, fewest(confidence))).collect();
            FewestForTrue { probability, executions }
        };
        shares.filter_map(|share| Probability::new(share).ok()).map(of).collect()
    }
}

/// What executions cost, from the first few of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckCost {
    /// How long one takes.
    pub each: Duration,
    /// How many run at once.
    pub at_once: usize,
    /// The fewest that give all answers if all satisfy the properties, if they are known.
    pub fewest: Option<u64>,
    /// The most that are allowed.
    pub most: u64,
    /// How much time is left, if it is limited.
    pub left: Option<Duration>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of docs/choosing.md.
    #[test]
    fn guidance_is_as_documented() {
        let usual = FewestForTrue::usual();
        let of = |place: usize| -> Vec<usize> {
            usual[place].executions.iter().map(|(_, executions)| *executions).collect()
        };
        assert_eq!(of(0), [5, 7, 9]);
        assert_eq!(of(1), [34, 43, 62]);
        assert_eq!(of(3), [360, 449, 644]);
    }
}
