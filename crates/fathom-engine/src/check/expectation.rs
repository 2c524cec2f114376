//! What to expect of a check before the first execution.

use super::kept::KeptExecutions;
use super::prepared::PreparedCheck;
use super::question::{ParsedQuestion, ValueGoal};
use super::sampling::Executions;
use super::systems;
use crate::EngineError;
use fathom_property::decide::Method;
use fathom_property::{CheckExpectation, CheckPlan, FewestForTrue, PlannedCell, StudyPlan};
use fathom_request::Executor;
use fathom_stats::proportion::SampleSizePlan;
use std::time::Duration;

/// How many executions of a check to expect, if that can be said.
pub(super) fn expectation(
    check: &PreparedCheck<'_>,
    plan: Option<&SampleSizePlan>,
) -> Option<CheckExpectation> {
    let budget = check.budget();
    let questions = check.questions();
    let property = check.strictest().zip(plan).map(|(question, plan)| CheckExpectation::Property {
        question,
        plan: plan.clone(),
        budget,
    });
    let estimate = questions.parsed().find_map(|question| match question {
        ParsedQuestion::Verdict { .. } => None,
        ParsedQuestion::Value { question, goal, .. } => Some(CheckExpectation::Estimate {
            question: *question,
            budget,
            is_fixed: *goal == ValueGoal::Planned || check.has_exact_number(),
        }),
    });
    let of_each: Vec<CheckExpectation> = property.into_iter().chain(estimate).collect();
    let count = questions.asked.len();
    match count {
        0 | 1 => of_each.into_iter().next(),
        _ => Some(CheckExpectation::Several { count, sharing: questions.sharing, of_each }),
    }
}

/// The fewest executions that give all answers if all satisfy the properties; `None` if they are more than
/// allowed.
pub(super) fn fewest(expectation: &CheckExpectation) -> Option<u64> {
    match expectation {
        CheckExpectation::Property { plan, .. } => plan.earliest_positive.map(|n| n as u64),
        CheckExpectation::Estimate { question, .. } => Some(question.samples_needed() as u64),
        CheckExpectation::Several { of_each, .. } => {
            of_each.iter().map(fewest).try_fold(0, |most, next| next.map(|next| next.max(most)))
        }
    }
}

/// What a check would do.
pub(super) fn plan(
    check: &PreparedCheck<'_>,
    kept: KeptExecutions,
) -> Result<CheckPlan, EngineError> {
    const SHOWN: u64 = 3;
    let (panel, plan) = check.panel()?;
    let executions = check.executions(&panel);
    let shown = SHOWN.max(executions.systems.len() as u64).min(executions.most());
    let command = |number: u64| {
        let ticket = executions.ticket(number);
        let system = check.recipe().systems.get(ticket.system)?;
        Some(systems::command(system, number + 1, ticket.seed))
    };
    let expectation = expectation(check, plan.as_ref());
    let study = study(check, &executions, expectation.as_ref(), &kept);
    Ok(CheckPlan {
        study,
        expectation,
        commands: (0..shown).filter_map(command).collect(),
        guidance: match check.strictest() {
            Some(question) if question.method == Method::Anytime => FewestForTrue::usual(),
            _ => Vec::new(),
        },
    })
}

/// The grid of a study, with what earlier studies performed of it.
fn study(
    check: &PreparedCheck<'_>,
    executions: &Executions,
    expectation: Option<&CheckExpectation>,
    kept: &KeptExecutions,
) -> Option<StudyPlan> {
    let grid = check.grid()?;
    let round = (executions.systems.len() / executions.cells.max(1)) as u64;
    let mut spent = vec![(0_u64, Duration::ZERO); grid.cells.len()];
    for performed in &kept.performed {
        if let Some((count, time)) = spent.get_mut(executions.cell_of(performed.ticket.number)) {
            *count += 1;
            *time += performed.usage.wall.into();
        }
    }
    let cells = grid.cells.iter().zip(spent).map(|(cell, (kept, time))| PlannedCell {
        name: cell.name.clone(),
        values: cell.values.clone(),
        kept,
        each: u32::try_from(kept).ok().filter(|&count| count > 0).map(|count| time / count),
    });
    let at_once = match &check.options().executor {
        Executor::Local { jobs } => usize::from(*jobs),
        Executor::Slurm(settings) => settings.slurm_options().width,
    };
    Some(StudyPlan {
        axes: grid.axes(),
        cells: cells.collect(),
        fewest: expectation.and_then(fewest).map(|tuples| tuples.saturating_mul(round)),
        most: check.budget().saturating_mul(round),
        at_once,
        max_time: check.options().budget.time(),
    })
}
