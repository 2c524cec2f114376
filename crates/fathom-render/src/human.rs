//! The report for people: the answer, the picture, what was done, what to watch out for.

use crate::layout::{FAINT, STRONG, push_warning, push_wrapped, visible};
use crate::methods_table::{firsts, methods_table};
use crate::notes::{notes, of_session, warnings_first};
use crate::picture::{self, Axis};
use crate::quantity::{Rounding, Scale};
use crate::sentence::Words;
use crate::shell_startup::Untold;
use crate::subject_table::comparison;
use crate::trail;
use crate::view::View;
use crate::work_line;
use fathom_analyze::clean::{Labelled, Steadiness};
use fathom_analyze::{Estimate, Levels, Report, Subject, WorkEstimate};
use fathom_record::Metric;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// A page for a report, in `width` columns.
#[must_use]
pub fn render(report: &Report, view: &View, width: usize) -> String {
    let page = match report.subjects.as_slice() {
        [subject] => one(subject, view, width),
        subjects if subjects.iter().any(|subject| subject.work.is_some()) => {
            let pages: Vec<String> =
                subjects.iter().map(|subject| one(subject, view, width)).collect();
            pages.join(if view.is_quiet() { "" } else { "\n" })
        }
        subjects => several(subjects, view, width),
    };
    let mut text = warnings_first(report, view, width);
    text.push_str(&page);
    if !view.is_quiet() {
        for line in of_session(report, view) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    text
}

/// The metric, where it is not the time that everybody expects.
fn metric_of(subject: &Subject) -> Option<Metric> {
    let metric = Metric::parse(subject.series.metric()?).ok()?;
    let is_said = subject.series.name().ends_with(&metric.to_string());
    (metric != Metric::WallTime && !is_said).then_some(metric)
}

fn one(subject: &Subject, view: &View, width: usize) -> String {
    if let Some(work) = &subject.work {
        return of_work(subject, work, view, width);
    }
    let mut text = String::new();
    for sentence in sentences(subject, view) {
        push_wrapped(&mut text, &sentence, "", STRONG, width);
    }
    if view.is_quiet() {
        return text;
    }
    if let Some(estimate) = subject.estimates.first() {
        let scale = scale_of(subject, estimate, view);
        text.push_str(&picture_of(subject, estimate, &scale, width));
        text.push_str(&strip_of(subject, view, width));
    }
    text.push_str(&methods_table(subject, view, width));
    text.push('\n');
    for note in notes(subject, view) {
        push_wrapped(&mut text, &note, "  ", FAINT, width);
    }
    for estimate in firsts(&subject.estimates) {
        let scale = scale_of(subject, estimate, view);
        for line in trail::asides(subject, estimate, &scale) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    for warning in &subject.warnings {
        push_warning(&mut text, &warning.said(view.front_end), width);
    }
    text
}

/// The answers in words, one for each statistic: "sort takes 12.41 s (median, 95% CI 12.38 to
/// 12.47 s)."
#[must_use]
pub fn sentences(subject: &Subject, view: &View) -> Vec<String> {
    let name = visible(subject.series.name());
    if let Some(work) = &subject.work {
        return vec![work_line::sentence(&name, work, view)];
    }
    let metric = metric_of(subject);
    let in_words = |estimate: &Estimate| {
        let scale = scale_of(subject, estimate, view);
        if let Some(untold) = Untold::of(subject, estimate, view.time_unit) {
            return untold.sentence(&name, metric.as_ref(), &scale);
        }
        let words = Words { estimate, scale: &scale };
        match &metric {
            Some(metric) => words.sentence_on(&name, metric),
            None => words.sentence(&name, subject.series.unit()),
        }
    };
    firsts(&subject.estimates).map(in_words).collect()
}

/// What was done to the data, in the order it was done: "1000 samples; first 120 are warm-up
/// (excluded); 9 outliers flagged (kept); lag-1 autocorrelation 0.63, effective sample size 220".
#[must_use]
pub fn trail(subject: &Subject, view: &View) -> String {
    trail::trail(subject, view.assume_independent)
}

/// What kind of dependence the samples show, and what to do about it; `None` where none shows.
#[must_use]
pub fn dependence_kind(subject: &Subject) -> Option<String> {
    trail::dependence_kind(subject, false)
}

/// What other tools print first, of all samples: "mean 12.43 ± 0.31 ms, range 11.90 to 13.22 ms".
#[must_use]
pub fn mean_and_range(subject: &Subject, view: &View) -> Option<String> {
    crate::notes::mean_and_range(subject, view)
}

/// What the samples before the steady state are, in words: "warm-up".
#[must_use]
pub fn left_out(labelled: &Labelled) -> Option<&'static str> {
    trail::left_out(labelled)
}

fn of_work(subject: &Subject, work: &WorkEstimate, view: &View, width: usize) -> String {
    let mut text = String::new();
    for sentence in sentences(subject, view) {
        push_wrapped(&mut text, &sentence, "", STRONG, width);
    }
    if view.is_quiet() {
        return text;
    }
    text.push('\n');
    let plot = work_line::plot(subject, work, view, width);
    for line in &plot {
        let _ = writeln!(text, "{line}");
    }
    if !plot.is_empty() {
        text.push('\n');
    }
    for note in work_line::notes(subject, work, view) {
        push_wrapped(&mut text, &note, "  ", FAINT, width);
    }
    for warning in &subject.warnings {
        push_warning(&mut text, &warning.said(view.front_end), width);
    }
    text
}

/// The series in time, where there is something to see in it, or where asked.
fn strip_of(subject: &Subject, view: &View, width: usize) -> String {
    let Some(labelled) = subject.labelled.as_ref().filter(|_| subject.levels == Levels::Values)
    else {
        return String::new();
    };
    let points: &[usize] = match &labelled.steadiness {
        Steadiness::Found(state) => &state.change_points,
        _ => &[],
    };
    let (start, outliers) = (labelled.start(), labelled.outliers());
    let is_plain = start == 0 && outliers.is_empty() && points.is_empty();
    if (is_plain && !view.is_verbose()) || subject.series.len() < 2 {
        return String::new();
    }
    let (bars, marks) = picture::strip(
        subject.series.values(),
        start,
        outliers,
        points,
        width.min(64).saturating_sub(10),
    );
    let legend = [
        (start > 0, "· excluded"),
        (!outliers.is_empty(), "! outliers"),
        (!points.is_empty(), "| change point"),
    ]
    .iter()
    .filter(|(is_shown, _)| *is_shown)
    .map(|(_, text)| *text)
    .collect::<Vec<_>>()
    .join("  ");
    let mut text = format!("\n  {FAINT}by time{FAINT:#} {bars}\n");
    if !marks.is_empty() {
        let _ = writeln!(text, "          {marks}\n          {FAINT}{legend}{FAINT:#}");
    }
    text
}

fn picture_of(subject: &Subject, estimate: &Estimate, scale: &Scale, width: usize) -> String {
    let mut sorted = subject.series.values().to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some((&low, &high)) = sorted.first().zip(sorted.last()) else { return String::new() };
    if low == high {
        // All values are the same; a warning says so, and a single bar says nothing.
        return String::new();
    }
    const WIDEST: usize = 48;
    let Some(axis) = Axis::of(&sorted, WIDEST) else { return String::new() };
    let left = scale.number(low, Rounding::Nearest);
    let mut right = scale.with_unit(axis.high, Rounding::Nearest);
    let beyond = picture::beyond(&sorted, axis);
    if beyond > 0 {
        let far = scale.with_unit(high, Rounding::Nearest);
        let _ = write!(right, ", {beyond} more up to {far}");
    }
    let room = width.saturating_sub(left.width() + right.width() + 4);
    let axis = Axis { width: room.clamp(10, WIDEST), ..axis };
    let margin = " ".repeat(left.width());
    format!(
        "\n  {FAINT}{left}{FAINT:#} {} {FAINT}{right}{FAINT:#}\n  {margin} {}\n",
        picture::histogram(&sorted, axis),
        picture::whisker(estimate.value, estimate.interval(), axis),
    )
}

fn several(subjects: &[Subject], view: &View, width: usize) -> String {
    let mut text = String::new();
    let statistics = subjects.first().map_or(0, |subject| subject.estimates.len());
    for index in 0..statistics {
        if index > 0 {
            text.push('\n');
        }
        text.push_str(&comparison(subjects, index, view, width));
    }
    if view.is_quiet() {
        return text;
    }
    text.push('\n');
    for subject in subjects {
        let name = visible(subject.series.name());
        let notes = notes(subject, view);
        if view.is_verbose() {
            for note in notes {
                push_wrapped(&mut text, &format!("{name}: {note}"), "  ", FAINT, width);
            }
        } else {
            push_wrapped(&mut text, &format!("{name}: {}", notes.join("; ")), "  ", FAINT, width);
        }
        for estimate in &subject.estimates {
            let scale = scale_of(subject, estimate, view);
            for line in trail::asides(subject, estimate, &scale) {
                push_wrapped(&mut text, &format!("{name}: {line}"), "  ", FAINT, width);
            }
        }
        for warning in &subject.warnings {
            let warning = format!("{name}: {}", warning.said(view.front_end));
            push_warning(&mut text, &warning, width);
        }
    }
    text
}

/// How the numbers of an estimate are written.
#[must_use]
pub fn scale_of(subject: &Subject, estimate: &Estimate, view: &View) -> Scale {
    Scale::new(subject.series.unit(), estimate.value, view.time_unit)
        .for_interval(estimate.value, estimate.interval())
}
