//! What a check found about all of its questions.

use crate::decide::{CheckVerdict, ErrorSharing};
use crate::{AbnormalExecutions, CheckReport, CheckStopReason, PropertyAnswer, Study};
use std::collections::BTreeMap;

/// What a check found: about one question, or about several of the same executions.
#[derive(Debug, Clone, PartialEq)]
pub struct JointReport {
    /// Whether the questions share one error.
    pub sharing: ErrorSharing,
    /// What was found about the first question.
    pub first: CheckReport,
    /// And about the others; none if it is the only one.
    pub others: Vec<CheckReport>,
    /// Executions that failed or were cut short, whichever questions are about them.
    pub abnormal: AbnormalExecutions,
    /// Where executions were recorded, if they were.
    pub recorded: Option<RecordedExecutions>,
    /// The grid whose cells the questions are about, if there is one.
    pub study: Option<Study>,
}

/// The traces of executions that were recorded while they ran.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedExecutions {
    /// The folder with a trace folder for each.
    pub folder: String,
    /// How many there are.
    pub count: usize,
    /// The mean share of a processor that sampling took while an execution ran.
    pub cpu_share: Option<f64>,
    /// Of how many recording stopped before they ended: the disk was full.
    pub stopped_early: usize,
}

/// How many questions were answered in which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnswerCounts {
    /// Properties that hold.
    pub holds: usize,
    /// Properties that do not.
    pub broken: usize,
    /// Properties without a verdict.
    pub open: usize,
    /// Estimates.
    pub estimates: usize,
}

impl JointReport {
    /// Of one question.
    #[must_use]
    pub fn alone(report: CheckReport) -> JointReport {
        JointReport {
            sharing: ErrorSharing::Shared,
            first: report,
            others: Vec::new(),
            abnormal: AbnormalExecutions::default(),
            recorded: None,
            study: None,
        }
    }

    /// The reports of all questions, in their order.
    pub fn questions(&self) -> impl Iterator<Item = &CheckReport> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The report of the only question.
    #[must_use]
    pub fn only(&self) -> Option<&CheckReport> {
        self.others.is_empty().then_some(&self.first)
    }

    /// How many questions there are.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.others.len()
    }

    /// How they were answered.
    #[must_use]
    pub fn answers(&self) -> AnswerCounts {
        let mut counts = AnswerCounts::default();
        for report in self.questions() {
            *match &report.answer {
                PropertyAnswer::Verdict { summary, .. } => match summary.verdict {
                    CheckVerdict::True => &mut counts.holds,
                    CheckVerdict::False => &mut counts.broken,
                    CheckVerdict::Inconclusive => &mut counts.open,
                },
                PropertyAnswer::Value { .. } => &mut counts.estimates,
            } += 1;
        }
        counts
    }

    /// The verdict on all properties together: false if one is false, true if all are. `None` if
    /// there are only estimates.
    #[must_use]
    pub fn verdict(&self) -> Option<CheckVerdict> {
        match self.answers() {
            AnswerCounts { broken: 1.., .. } => Some(CheckVerdict::False),
            AnswerCounts { open: 1.., .. } => Some(CheckVerdict::Inconclusive),
            AnswerCounts { holds: 1.., .. } => Some(CheckVerdict::True),
            AnswerCounts { .. } => None,
        }
    }

    /// How many executions there were. A question about several at once judges tuples of them, and one
    /// about some systems only judges those. No execution is in two groups.
    #[must_use]
    pub fn executions(&self) -> usize {
        let mut most: BTreeMap<Option<&str>, usize> = BTreeMap::new();
        for report in self.questions() {
            let count = report.judged.len() * report.tuple.len().max(1);
            let known = most.entry(report.group.as_deref()).or_default();
            *known = count.max(*known);
        }
        most.values().sum()
    }

    /// The only property that is asked of several groups.
    #[must_use]
    pub fn of_groups(&self) -> Option<&str> {
        let is_grouped = self.questions().all(|report| report.group.is_some());
        let asked = self.first.asked();
        let is_only = self.questions().all(|report| report.asked() == asked);
        (is_grouped && is_only).then_some(asked)
    }

    /// Why there are no more executions, which is the same for all questions.
    #[must_use]
    pub fn stopped(&self) -> CheckStopReason {
        self.first.stopped
    }
}
