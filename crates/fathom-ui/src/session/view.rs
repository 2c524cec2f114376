//! All of a session, as it is looked at.

use super::{ComparisonView, GrowthView, SessionOptions, SubjectView, WorkLineView};
use fathom_analyze::Report;
use fathom_analyze::compare::{Comparison, Design, Verdict};
use fathom_record::Unit;
use fathom_render::percent;
use fathom_render::verdict::Quantity;
use serde::Serialize;

/// A session with its pictures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionView {
    /// The question's answer.
    pub verdict: VerdictView,
    /// The command that measured.
    pub command_line: String,
    /// How it was analysed.
    pub options: SessionOptions,
    /// Why options do not touch the comparison, where there is one.
    pub options_note: Option<String>,
    /// Every subject.
    pub subjects: Vec<SubjectView>,
    /// Every comparison with the reference.
    pub comparisons: Vec<ComparisonView>,
    /// Every function that was measured with several sizes.
    pub growth: Vec<GrowthView>,
    /// Every command or series whose runs have amounts of work.
    pub work_lines: Vec<WorkLineView>,
    /// What may be wrong with the machine, each with what to do.
    pub warnings: Vec<String>,
}

/// The answer in words, and how to colour it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerdictView {
    /// In words.
    pub sentence: String,
    /// How to colour it.
    pub tone: Tone,
}

/// What an answer means to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// It got better.
    Better,
    /// It got worse.
    Worse,
    /// It did not change.
    Same,
    /// The data do not tell.
    Unsure,
    /// Neither good nor bad.
    Plain,
}

/// What there is to see in a report that was made with these options.
#[must_use]
pub fn view(report: &Report, options: &SessionOptions) -> SessionView {
    let found = report.comparisons.as_deref().unwrap_or_default();
    let subjects: Vec<SubjectView> =
        report.subjects.iter().map(|one| SubjectView::of(one, options.confidence)).collect();
    let comparisons: Vec<ComparisonView> =
        found.iter().map(|one| ComparisonView::of(one, report, options.confidence)).collect();
    let sentence = if comparisons.is_empty() {
        joined(subjects.iter().map(|one| one.sentence.as_str()))
    } else {
        joined(comparisons.iter().map(|one| one.sentence.as_str()))
    };
    SessionView {
        verdict: VerdictView { sentence, tone: tone(report, found) },
        command_line: report.command_line.clone(),
        options: options.clone(),
        options_note: options_note(found),
        subjects,
        comparisons,
        growth: GrowthView::all(report),
        work_lines: WorkLineView::all(report),
        warnings: report.warnings.iter().map(ToString::to_string).collect(),
    }
}

fn joined<'a>(sentences: impl Iterator<Item = &'a str>) -> String {
    sentences.collect::<Vec<_>>().join(" ")
}

/// The worst of all comparisons: one that got worse matters more than one that is open, and that more
/// than what got better.
fn tone(report: &Report, comparisons: &[Comparison]) -> Tone {
    let lower_is_better = match Quantity::of(report.subjects.first()) {
        Quantity::Time => true,
        // Which direction is good is unknown for other metrics, except memory.
        Quantity::Other(_) => {
            report.subjects.first().is_some_and(|subject| *subject.series.unit() == Unit::Bytes)
        }
    };
    let has = |verdict: Verdict| comparisons.iter().any(|one| one.verdict == verdict);
    let is_worse = has(Verdict::Slower) || has(Verdict::Mixed);
    let changed = is_worse || has(Verdict::Faster);
    if comparisons.is_empty() || (changed && !lower_is_better) {
        Tone::Plain
    } else if is_worse {
        Tone::Worse
    } else if has(Verdict::Inconclusive) {
        Tone::Unsure
    } else if has(Verdict::Faster) {
        Tone::Better
    } else {
        Tone::Same
    }
}

fn options_note(comparisons: &[Comparison]) -> Option<String> {
    let paired = comparisons.iter().find(|one| matches!(one.design, Design::Paired(_)))?;
    Some(format!(
        "The comparison's confidence, {}, was fixed before measuring and planned its interim looks. \
         Options change the estimates of the subjects, not the verdict.",
        percent(paired.confidence.get())
    ))
}
