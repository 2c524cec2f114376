//! What to expect of a check, as JSON.

use fathom_property::{CheckExpectation, CheckPlan};
use fathom_record::own_json;
use fathom_stats::proportion::Operating;
use serde::Serialize;

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
}

#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExpectedExecutions {
    /// The check runs at most this many executions.
    max_runs: u64,
    /// The fewest executions that can give an answer: a verdict if all of them are true, or a
    /// two-sided interval. `null` if they are more than `max_runs`, or than a plan looks ahead.
    fewest: Option<u64>,
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
        let plan = PlannedCheck { commands: &plan.commands, executions };
        CheckPlanDocument { schema: own_json::SCHEMA, plan }
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
            },
            CheckExpectation::Estimate { question, budget, .. } => ExpectedExecutions {
                max_runs: *budget,
                fewest: Some(question.samples_needed() as u64),
                ..ExpectedExecutions::default()
            },
        }
    }
}

impl ExpectedAt {
    fn of(at: &Operating) -> ExpectedAt {
        ExpectedAt { share: at.share, executions: at.samples, inconclusive: at.undecided }
    }
}
