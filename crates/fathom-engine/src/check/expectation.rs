//! What to expect of a check before the first execution.

use super::prepared::PreparedCheck;
use super::question::ParsedQuestion;
use super::systems;
use crate::EngineError;
use fathom_property::{CheckExpectation, CheckPlan};
use fathom_stats::proportion::SampleSizePlan;

/// How many executions of a check to expect, if that can be said.
pub(super) fn expectation(
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

/// What a check would do.
pub(super) fn plan(check: &PreparedCheck<'_>) -> Result<CheckPlan, EngineError> {
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
        expectation: expectation(check, plan.as_ref()),
        commands: (0..shown).filter_map(command).collect(),
    })
}
