//! What to expect of a check before its first execution.

use crate::ValueQuestion;
use crate::decide::ProportionQuestion;
use fathom_stats::proportion::SampleSizePlan;

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
}

/// What a check would do.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckPlan {
    /// How many executions to expect, if that can be said.
    pub expectation: Option<CheckExpectation>,
    /// The commands of the first executions.
    pub commands: Vec<String>,
}
