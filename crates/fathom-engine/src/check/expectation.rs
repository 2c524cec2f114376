//! What to expect of a check before the first execution.

use super::prepared::PreparedCheck;
use super::question::ParsedQuestion;
use super::systems;
use crate::EngineError;
use fathom_property::ValueQuestion;
use fathom_property::decide::ProportionQuestion;
use fathom_stats::proportion::SampleSizePlan;

/// How many executions to expect.
#[derive(Debug, Clone)]
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

impl CheckExpectation {
    pub(super) fn of(
        check: &PreparedCheck<'_>,
        plan: Option<&SampleSizePlan>,
    ) -> Option<CheckExpectation> {
        let budget = check.budget();
        match (check.question(), plan) {
            (ParsedQuestion::Verdict { question, .. }, Some(plan)) => {
                let plan = plan.clone();
                Some(CheckExpectation::Property { question: *question, plan, budget })
            }
            (ParsedQuestion::Verdict { .. }, None) => None,
            (ParsedQuestion::Value { question, precision, .. }, _) => {
                let is_fixed = precision.is_none();
                Some(CheckExpectation::Estimate { question: *question, budget, is_fixed })
            }
        }
    }
}

/// What a check would do.
#[derive(Debug, Clone)]
pub struct CheckPlan {
    /// How many executions to expect, if that can be said.
    pub expectation: Option<CheckExpectation>,
    /// The commands of the first executions.
    pub commands: Vec<String>,
}

impl CheckPlan {
    pub(super) fn of(check: &PreparedCheck<'_>) -> Result<CheckPlan, EngineError> {
        const SHOWN: u64 = 3;
        let (judge, plan) = check.judge()?;
        let executions = check.executions(&judge);
        let shown = SHOWN.max(executions.systems.len() as u64).min(executions.most());
        let command = |number: u64| {
            let ticket = executions.ticket(number);
            let system = check.recipe().systems.get(ticket.system)?;
            Some(systems::command(system, number + 1, ticket.seed))
        };
        Ok(CheckPlan {
            expectation: CheckExpectation::of(check, plan.as_ref()),
            commands: (0..shown).filter_map(command).collect(),
        })
    }
}
