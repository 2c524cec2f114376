//! What to expect of a check, as JSON.

use fathom_property::{CheckExpectation, CheckPlan, PlannedCell, StudyPlan};
use fathom_record::own_json;
use fathom_stats::proportion::Operating;
use serde::Serialize;
use std::time::Duration;

/// The JSON of `fathom check --dry-run`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "CheckPlan"))]
pub struct CheckPlanDocument<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// What would run.
    plan: PlannedCheck<'a>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlannedCheck<'a> {
    /// The commands of the first executions.
    commands: &'a [String],
    /// How many executions to expect. Missing if nothing can be said before the first one.
    #[serde(flatten)]
    executions: Option<ExpectedExecutions>,
    /// The grid of a study. What stands above is then about each cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    study: Option<PlannedStudy<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlannedStudy<'a> {
    /// Every combination of the parameters' values.
    cells: Vec<PlannedStudyCell<'a>>,
    /// The fewest executions to run in all cells that can give all answers. `null` if that is not known.
    executions_at_least: Option<u64>,
    /// The most executions to run in all cells.
    executions_at_most: u64,
    /// How long these take in seconds, if earlier executions show it.
    seconds_at_most: Option<f64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PlannedCell"))]
struct PlannedStudyCell<'a> {
    /// What the cell is called.
    name: &'a str,
    /// How many of its executions earlier studies performed.
    kept: u64,
    /// How long one takes in seconds, if earlier executions show it.
    seconds_each: Option<f64>,
}

#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExpectedExecutions {
    /// The check runs at most this many executions.
    max_runs: u64,
    /// The fewest executions that can give an answer: a verdict if all of them are true, or a
    /// two-sided interval. `null` if they are more than `max_runs`, or than a plan looks ahead.
    fewest: Option<u64>,
    /// How many questions share the executions. What follows is then about the first answer, which needs
    /// the most evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<usize>,
    /// The fewest executions that give an estimate a two-sided interval. Present with several questions,
    /// if one is an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    fewest_for_interval: Option<u64>,
    /// The fewest executions that give a verdict if all of them are false.
    #[serde(skip_serializing_if = "Option::is_none")]
    fewest_if_false: Option<u64>,
    /// What to expect at some shares of true executions, from the highest to the lowest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at: Vec<ExpectedAt>,
    /// The share that takes the most executions on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<ExpectedAt>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExpectedAt {
    /// The share of all executions in which the property is true.
    share: f64,
    /// How many executions the check runs on average.
    executions: f64,
    /// The probability that the check stays inconclusive.
    inconclusive: f64,
}

impl<'a> CheckPlanDocument<'a> {
    /// Of a plan.
    #[must_use]
    pub fn of(plan: &'a CheckPlan) -> CheckPlanDocument<'a> {
        let executions = plan.expectation.as_ref().map(ExpectedExecutions::of);
        let study = plan.study.as_ref().map(PlannedStudy::of);
        let plan = PlannedCheck { commands: &plan.commands, executions, study };
        CheckPlanDocument { schema: own_json::SCHEMA, plan }
    }
}

impl<'a> PlannedStudy<'a> {
    fn of(plan: &'a StudyPlan) -> PlannedStudy<'a> {
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
        let cell = |cell: &'a PlannedCell| PlannedStudyCell {
            name: &cell.name,
            kept: cell.kept,
            seconds_each: seconds(cell.each),
        };
        let most = plan.cost(plan.most);
        PlannedStudy {
            cells: plan.cells.iter().map(cell).collect(),
            executions_at_least: plan.fewest.map(|fewest| plan.cost(fewest).executions),
            executions_at_most: most.executions,
            seconds_at_most: seconds(most.time),
        }
    }
}

impl ExpectedExecutions {
    fn of(expectation: &CheckExpectation) -> ExpectedExecutions {
        match expectation {
            CheckExpectation::Property { plan, budget, .. } => ExpectedExecutions {
                max_runs: *budget,
                fewest: plan.earliest_positive.map(|n| n as u64),
                fewest_if_false: plan.earliest_negative.map(|n| n as u64),
                at: plan.at.iter().map(ExpectedAt::of).collect(),
                worst: Some(ExpectedAt::of(&plan.worst)),
                ..ExpectedExecutions::default()
            },
            CheckExpectation::Estimate { question, budget, .. } => ExpectedExecutions {
                max_runs: *budget,
                fewest: Some(question.samples_needed() as u64),
                ..ExpectedExecutions::default()
            },
            CheckExpectation::Several { count, of_each, .. } => {
                let needed = of_each.iter().find_map(|expectation| match expectation {
                    CheckExpectation::Estimate { question, .. } => Some(question.samples_needed()),
                    _ => None,
                });
                let first = of_each.first().map(ExpectedExecutions::of).unwrap_or_default();
                ExpectedExecutions {
                    questions: Some(*count),
                    fewest_for_interval: needed.map(|n| n as u64),
                    ..first
                }
            }
        }
    }
}

impl ExpectedAt {
    fn of(at: &Operating) -> ExpectedAt {
        ExpectedAt { share: at.share, executions: at.samples, inconclusive: at.undecided }
    }
}
