//! A comparison for people: the verdict in words, the subjects over one axis, the ratio.

use crate::assumption_notes::assumption_notes;
use crate::comparison_notes::{Spent, gate_line, how_measured, of_batches, settle, single_looks};
use crate::human::scale_of;
use crate::layout::{FAINT, STRONG, WARNING, push_warning, push_wrapped, styled, visible};
use crate::medians_note::medians_note;
use crate::percent::percent;
use crate::quantile_table::quantile_table;
use crate::ratio::ratios;
use crate::shell_startup::subtracted;
use crate::view::View;
use crate::{notes, subject_table};
use fathom_analyze::clean::Labelled;
use fathom_analyze::compare::{Comparison, Design, GateOutcome};
use fathom_analyze::{Report, Statistic, StopReason, Subject};
use fathom_record::{FrontEnd, Unit};

use crate::verdict_sentence::{Quantity, sentence};

/// What the renderer needs besides the report.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Circumstances {
    /// How long measuring took, where it was done now.
    pub seconds: Option<f64>,
}

/// A page for a report with comparisons, in `width` columns.
#[must_use]
pub fn render(
    report: &Report,
    comparisons: &[Comparison],
    circumstances: Circumstances,
    view: &View,
    width: usize,
) -> String {
    let mut text = notes::warnings_first(report, view, width);
    let quantity = Quantity::of(report.subjects.first());
    for comparison in comparisons {
        push_wrapped(&mut text, &sentence(comparison, quantity), "", STRONG, width);
        if let Some(line) = settle(comparison, spent(report, circumstances), view.front_end) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
        for (gate, outcome) in &comparison.gates {
            let line = gate_line(comparison, *gate, *outcome, view.front_end);
            let style = if *outcome == GateOutcome::Passed { FAINT } else { WARNING };
            push_wrapped(&mut text, &line, "  ", style, width);
        }
    }
    if view.is_quiet() {
        return text;
    }
    text.push('\n');
    text.push_str(&heading(report, comparisons));
    text.push_str(&subject_table::table(&report.subjects, 0, view, width));
    text.push_str(&ratios(comparisons, width));
    for comparison in comparisons {
        let unit = report.subjects.first().map_or(&Unit::SECONDS, |one| one.series.unit());
        let table = quantile_table(comparison, unit, quantity, view.time_unit, width);
        if !table.is_empty() {
            text.push('\n');
            text.push_str(&table);
        }
    }
    text.push('\n');
    for line in notes(report, comparisons, circumstances, view) {
        push_wrapped(&mut text, &line, "  ", FAINT, width);
    }
    for line in warnings(report, comparisons, view.front_end) {
        push_warning(&mut text, &line, width);
    }
    text
}

/// What the table shows of each subject, where that is something else than its median, or where the
/// comparison is about something else.
fn heading(report: &Report, comparisons: &[Comparison]) -> String {
    let is_median = comparisons.iter().all(|found| found.statistic.is_median());
    let estimate = report.subjects.iter().find_map(|subject| subject.estimates.first());
    let Some(estimate) = estimate.filter(|_| !is_median) else { return String::new() };
    let heading = format!("  {} ({} CI)", estimate.statistic, percent(estimate.confidence.get()));
    styled(&heading, FAINT) + "\n"
}

fn spent(report: &Report, circumstances: Circumstances) -> Spent {
    let stopped = report.subjects.first().map(|subject| subject.stopped);
    Spent { seconds: circumstances.seconds, stopped }
}

/// Why the medians of a comparison, as the page shows them, do not divide to its ratio.
pub(crate) fn of_medians(report: &Report, comparison: &Comparison, view: &View) -> Option<String> {
    let shown = |name: &str| {
        let subject = report.subjects.iter().find(|subject| subject.series.name() == name)?;
        let estimate = subject.estimates.first()?;
        Some((scale_of(subject, estimate, view).as_shown(estimate.value), subject.series.unit()))
    };
    let (reference, unit) = shown(&comparison.reference)?;
    let (subject, _) = shown(&comparison.subject)?;
    medians_note(comparison, [reference, subject], unit, view.time_unit)
}

fn notes(
    report: &Report,
    comparisons: &[Comparison],
    circumstances: Circumstances,
    view: &View,
) -> Vec<String> {
    let mut notes = Vec::new();
    for comparison in comparisons {
        let several = comparisons.len() > 1;
        let name =
            if several { format!("{}: ", visible(&comparison.subject)) } else { String::new() };
        let mut lines = how_measured(comparison, circumstances.seconds);
        lines.extend(of_batches(comparison, &report.subjects));
        lines.extend(of_medians(report, comparison, view));
        if view.is_verbose() {
            lines.extend(single_looks(comparison));
            lines.extend(assumption_notes(comparison));
        }
        notes.extend(lines.into_iter().map(|line| format!("{name}{line}")));
    }
    // In the order of the table, and once where all have the same.
    let mut of_shell: Vec<String> = Vec::new();
    for subject in &report.subjects {
        if let Some(line) =
            subtracted(subject, view.time_unit).filter(|line| !of_shell.contains(line))
        {
            of_shell.push(line);
        }
    }
    notes.extend(of_shell);
    notes.extend(flagged(report));
    if report.subjects.iter().any(|subject| subject.stopped == StopReason::Interrupted) {
        notes.push("interrupted: these are the results up to that point".to_string());
    }
    notes.extend(notes::of_session(report, view));
    for subject in &report.subjects {
        let name = visible(subject.series.name());
        let mut lines: Vec<String> = notes::mean_and_range(subject, view).into_iter().collect();
        lines.extend(notes::costs(subject, view).filter(|_| view.is_verbose()));
        notes.extend(lines.into_iter().map(|line| format!("{name}: {line}")));
    }
    notes
}

/// How many runs were flagged, and what became of them. A verdict of pairs counts them all.
fn flagged(report: &Report) -> Option<String> {
    let labelled = || report.subjects.iter().filter_map(|subject| subject.labelled.as_ref());
    let flagged: usize = labelled().map(|labelled| labelled.outliers().len()).sum();
    let runs: usize = report.subjects.iter().map(|subject| subject.series.len()).sum();
    let is_removed =
        |labelled: &Labelled| labelled.flagged.as_ref().is_some_and(|flagged| flagged.applied);
    let is_paired = report
        .comparisons
        .iter()
        .flatten()
        .any(|comparison| matches!(comparison.design, Design::Paired(_)));
    let what = match (labelled().any(is_removed), is_paired) {
        (true, true) => "removed from the medians, not from the ratio",
        (true, false) => "removed",
        (false, _) => "kept",
    };
    (flagged > 0).then(|| format!("{flagged} of {runs} runs flagged as outliers ({what})"))
}

fn warnings(report: &Report, comparisons: &[Comparison], front_end: FrontEnd) -> Vec<String> {
    // Subjects with the same trouble share a line.
    let mut shared: Vec<(String, Vec<String>)> = Vec::new();
    for subject in &report.subjects {
        let name = visible(subject.series.name());
        for warning in subject.warnings.iter().map(|warning| warning.said(front_end)) {
            match shared.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, names)) => names.push(name.clone()),
                None => shared.push((warning, vec![name.clone()])),
            }
        }
    }
    let of_comparisons: Vec<String> = comparisons
        .iter()
        .filter(|comparison| !is_said_of_subjects(report, comparison))
        .flat_map(|comparison| comparison.warnings.iter().map(|warning| warning.said(front_end)))
        .collect();
    let of_subjects =
        shared.into_iter().map(|(warning, names)| format!("{}: {warning}", names.join(", ")));
    of_subjects.chain(of_comparisons).collect()
}

/// Whether the subjects say themselves what their comparison warns of: why a median has no interval.
fn is_said_of_subjects(report: &Report, comparison: &Comparison) -> bool {
    let has_none = |subject: &Subject| {
        let mut estimates = subject.estimates.iter();
        estimates.any(|one| one.statistic == Statistic::MEDIAN && one.interval().is_none())
    };
    let sides = [comparison.reference.as_str(), comparison.subject.as_str()];
    let mut compared = report.subjects.iter().filter(|one| sides.contains(&one.series.name()));
    matches!(comparison.design, Design::Unpaired { .. }) && compared.any(has_none)
}
