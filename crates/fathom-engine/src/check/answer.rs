//! What a check gives: its report, and the commands that repeat an execution.

use super::judge::Judge;
use super::panel::Panel;
use super::prepared::PreparedCheck;
use super::study::study;
use super::systems;
use crate::{EngineError, Gates};
use fathom_measure::experiment::System;
use fathom_property::decide::CheckVerdict;
use fathom_property::{
    CheckDocument, CheckReport, CheckStopReason, JointReport, Judged, PropertyAnswer,
    QuestionDetails,
};

/// What a check gives.
#[derive(Debug, Clone)]
pub struct CheckAnswer {
    /// The reports of all questions.
    pub report: JointReport,
    /// The systems of a tuple's executions, in order, for each question; none for executions that ran
    /// elsewhere.
    tuples: Vec<Vec<System>>,
    /// What is known of each question besides its report.
    details: Vec<QuestionDetails>,
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
        mut report: JointReport,
        check: &PreparedCheck<'_>,
        panel: &Panel,
    ) -> CheckAnswer {
        report.study = study(check, panel, &report);
        let systems = &check.recipe().systems;
        let tuple = |judge: &Judge| {
            let tuple = judge.tuple();
            tuple.into_iter().filter_map(|system| systems.get(system).cloned()).collect()
        };
        let tuples = panel.judges().iter().map(tuple).collect();
        CheckAnswer { report, tuples, details: details(panel) }
    }

    /// About files.
    pub(super) fn of_data(report: JointReport, panel: &Panel) -> CheckAnswer {
        CheckAnswer { report, tuples: Vec::new(), details: details(panel) }
    }

    /// What is known of each question besides its report. What the worst executions did is in it only
    /// if the check was opened to be looked at.
    #[must_use]
    pub fn details(&self) -> &[QuestionDetails] {
        &self.details
    }

    /// The commands that repeat an execution, or all of a tuple, of the question at this place.
    #[must_use]
    pub fn commands(&self, question: usize, judged: &Judged) -> Vec<String> {
        let tuple = self.tuples.get(question).map(Vec::as_slice).unwrap_or_default();
        let executions = judged.runs.iter().zip(&judged.seeds).zip(tuple);
        executions.map(|((&run, &seed), system)| systems::command(system, run, seed)).collect()
    }

    /// Whether all promises are kept: one that is broken is enough to fail.
    pub(super) fn gates(&self) -> Gates {
        let all: Vec<Gates> = self.report.questions().map(gates).collect();
        match (all.contains(&Gates::Failed), all.contains(&Gates::Inconclusive)) {
            (true, _) => Gates::Failed,
            (false, true) => Gates::Inconclusive,
            (false, false) => Gates::Passed,
        }
    }
}

fn details(panel: &Panel) -> Vec<QuestionDetails> {
    panel.judges().iter().map(Judge::details).collect()
}

/// Whether a promise is kept.
fn gates(report: &CheckReport) -> Gates {
    match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => match summary.verdict {
            CheckVerdict::True => Gates::Passed,
            CheckVerdict::False => Gates::Failed,
            CheckVerdict::Inconclusive => Gates::Inconclusive,
        },
        PropertyAnswer::Value { value, .. } if value.interval.is_finite() => match report.stopped {
            // A precision was asked for and not reached.
            CheckStopReason::MaxRuns | CheckStopReason::MaxTime if report.asks_precision => {
                Gates::Inconclusive
            }
            _ => Gates::Passed,
        },
        PropertyAnswer::Value { .. } => Gates::Inconclusive,
    }
}
