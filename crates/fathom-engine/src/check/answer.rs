//! What a check gives: its report, and the commands that repeat an execution.

use super::judge::Judge;
use super::prepared::PreparedCheck;
use super::systems;
use crate::{EngineError, Gates};
use fathom_measure::experiment::System;
use fathom_property::decide::CheckVerdict;
use fathom_property::{CheckDocument, CheckReport, CheckStopReason, Judged, PropertyAnswer};

/// What a check gives.
#[derive(Debug, Clone)]
pub struct CheckAnswer {
    /// The report.
    pub report: CheckReport,
    /// The systems of a tuple's executions, in order; none for executions that ran elsewhere.
    tuple: Vec<System>,
}

impl CheckAnswer {
    /// As JSON; with every execution, or without.
    ///
    /// # Errors
    /// None in practice: everything in it has a form in JSON.
    pub fn to_json(&self, with_executions: bool) -> Result<String, EngineError> {
        Ok(CheckDocument::of(&self.report, with_executions).to_json()?)
    }

    /// About commands that Fathom ran.
    pub(super) fn of_commands(
        report: CheckReport,
        check: &PreparedCheck<'_>,
        judge: &Judge,
    ) -> CheckAnswer {
        let systems = &check.recipe().systems;
        let tuple = judge.tuple();
        let tuple = tuple.into_iter().filter_map(|system| systems.get(system).cloned()).collect();
        CheckAnswer { report, tuple }
    }

    /// About files.
    pub(super) fn of_data(report: CheckReport) -> CheckAnswer {
        CheckAnswer { report, tuple: Vec::new() }
    }

    /// The commands that repeat an execution, or all of a tuple.
    #[must_use]
    pub fn commands(&self, judged: &Judged) -> Vec<String> {
        let executions = judged.runs.iter().zip(&judged.seeds).zip(&self.tuple);
        executions.map(|((&run, &seed), system)| systems::command(system, run, seed)).collect()
    }

    /// Whether the promise is kept.
    pub(super) fn gates(&self) -> Gates {
        let report = &self.report;
        match &report.answer {
            PropertyAnswer::Verdict { summary, .. } => match summary.verdict {
                CheckVerdict::True => Gates::Passed,
                CheckVerdict::False => Gates::Failed,
                CheckVerdict::Inconclusive => Gates::Inconclusive,
            },
            PropertyAnswer::Value { value, .. } if value.interval.is_finite() => match report
                .stopped
            {
                // A precision was asked for and not reached.
                CheckStopReason::MaxRuns | CheckStopReason::MaxTime if report.asks_precision => {
                    Gates::Inconclusive
                }
                _ => Gates::Passed,
            },
            PropertyAnswer::Value { .. } => Gates::Inconclusive,
        }
    }
}
