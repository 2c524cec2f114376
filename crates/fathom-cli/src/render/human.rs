//! The report for people: the answer, the picture, what was done, what to watch out for.

use super::layout::{FAINT, STRONG, WARNING, padded, push_wrapped, shortened, visible};
use super::picture::{self, Axis};
use super::quantity::{Rounding, Scale};
use super::sentence::{Words, coverage_percent, percent, work_sentence};
use super::trail;
use super::view::View;
use fathom_analyze::clean::Steadiness;
use fathom_analyze::{
    Estimate, Levels, Method, Outcome, Report, Spread, Statistic, Stopped, Subject, WorkEstimate,
};
use fathom_record::{Metric, Unit};
use fathom_stats::Probability;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Renders a report in `width` columns.
pub(crate) fn render(report: &Report, view: &View, width: usize) -> String {
    let mut text = match report.subjects.as_slice() {
        [subject] => one(subject, view, width),
        subjects if subjects.iter().any(|subject| subject.work.is_some()) => {
            subjects.iter().map(|subject| one(subject, view, width)).collect()
        }
        subjects => several(subjects, view, width),
    };
    if !view.quiet {
        for line in of_session(report, view) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
        for warning in &report.warnings {
            push_wrapped(&mut text, &format!("warning: {warning}"), "  ", WARNING, width);
        }
    }
    text
}

/// The session, and what it cost to measure: for those who want to know.
pub(super) fn of_session(report: &Report, view: &View) -> Vec<String> {
    if !view.verbose {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if let Some(id) = report.session {
        lines.push(format!("session {id}, seed {}", report.seed));
    }
    if let Some(cost) = report.overhead_per_run {
        let cost = quick(cost, &Unit::SECONDS);
        lines.push(format!("measuring and keeping a run cost {cost} besides the run, untimed"));
    }
    lines
}

/// Why measuring stopped, where that is not plain.
fn ending(subject: &Subject) -> Option<String> {
    let half_width = subject.estimates.first().and_then(|estimate| {
        let share = 0.5 * estimate.interval()?.width() / estimate.value.abs();
        share.is_finite().then(|| format!("{:.1}%", 100.0 * share))
    });
    let within = half_width.map(|share| format!("the interval within {share}"));
    Some(match (subject.stopped, within) {
        (Stopped::Precision, Some(within)) => format!("stopped with {within}"),
        (Stopped::MaxTime, Some(within)) => format!("out of time with {within}"),
        (Stopped::MaxRuns, Some(within)) => format!("as many runs as allowed, {within}"),
        (Stopped::MaxTime, None) => "out of time".to_string(),
        (Stopped::MaxRuns, None) => "as many runs as allowed".to_string(),
        (Stopped::Interrupted, _) => "interrupted".to_string(),
        _ => return None,
    })
}

/// A number for a line that is soon gone.
pub(crate) fn quick(value: f64, unit: &Unit) -> String {
    Scale::new(unit, value, None).with_unit(value, Rounding::Nearest)
}

fn one(subject: &Subject, view: &View, width: usize) -> String {
    if let Some(work) = &subject.work {
        return of_work(subject, work, view, width);
    }
    let mut text = String::new();
    let name = visible(subject.series.name());
    let scales: Vec<Scale> =
        subject.estimates.iter().map(|estimate| scale_of(subject, estimate, view)).collect();
    for (estimate, scale) in subject.estimates.iter().zip(&scales) {
        let sentence = Words { estimate, scale }.sentence(&name, subject.series.unit());
        push_wrapped(&mut text, &sentence, "", STRONG, width);
    }
    if view.quiet {
        return text;
    }
    if let (Some(estimate), Some(scale)) = (subject.estimates.first(), scales.first()) {
        text.push_str(&picture_of(subject, estimate, scale, width));
        text.push_str(&strip_of(subject, view, width));
    }
    text.push('\n');
    for note in notes(subject, view) {
        push_wrapped(&mut text, &note, "  ", FAINT, width);
    }
    for (estimate, scale) in subject.estimates.iter().zip(&scales) {
        for line in trail::asides(subject, estimate, scale) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    for warning in &subject.warnings {
        push_wrapped(&mut text, &format!("warning: {warning}"), "  ", WARNING, width);
    }
    text
}

fn of_work(subject: &Subject, work: &WorkEstimate, view: &View, width: usize) -> String {
    let name = visible(subject.series.name());
    let found = &work.found;
    let rate = Scale::new(&Unit::Other(work.rate_unit()), found.rate, None)
        .for_interval(found.rate, Some(found.rate_interval));
    let setup = Scale::new(&work.time, found.setup, view.time_unit)
        .for_interval(found.setup, Some(found.setup_interval));
    let mut text = String::new();
    push_wrapped(&mut text, &work_sentence(&name, work, &rate, &setup), "", STRONG, width);
    if view.quiet {
        return text;
    }
    text.push('\n');
    let straight = found.curvature_p.map_or(String::new(), |p| format!(", curvature p = {p:.2}"));
    let interval = found.setup_interval;
    let note = format!(
        "{} runs, worth {:.0}; set-up {} to {}{straight}",
        work.n_used,
        found.effective,
        setup.number(interval.lower, Rounding::Down),
        setup.with_unit(interval.upper, Rounding::Up),
    );
    push_wrapped(&mut text, &note, "  ", FAINT, width);
    for warning in &subject.warnings {
        push_wrapped(&mut text, &format!("warning: {warning}"), "  ", WARNING, width);
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
    if (is_plain && !view.verbose) || subject.series.len() < 2 {
        return String::new();
    }
    let (bars, marks) =
        picture::strip(subject.series.values(), start, outliers, points, width.min(64) - 10);
    let legend = [
        (start > 0, "· not counted"),
        (!outliers.is_empty(), "! outliers"),
        (!points.is_empty(), "| change"),
    ]
    .iter()
    .filter(|(is_shown, _)| *is_shown)
    .map(|(_, text)| *text)
    .collect::<Vec<_>>()
    .join("  ");
    let mut text = format!("\n  {FAINT}in time{FAINT:#} {bars}\n");
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
        let _ = write!(right, ", {beyond} more to {far}");
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
    if view.quiet {
        return text;
    }
    text.push('\n');
    for subject in subjects {
        let name = visible(subject.series.name());
        let notes = notes(subject, view);
        if view.verbose {
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
            push_wrapped(&mut text, &format!("warning: {name}: {warning}"), "  ", WARNING, width);
        }
    }
    text
}

/// One statistic of all subjects under a heading.
fn comparison(subjects: &[Subject], index: usize, view: &View, width: usize) -> String {
    let first = subjects.iter().find_map(|subject| subject.estimates.get(index));
    let Some(first) = first else { return String::new() };
    let heading = heading(subjects, first);
    format!("{STRONG}{heading}{STRONG:#}\n\n{}", table(subjects, index, view, width))
}

/// One statistic of all subjects, a line each, over one axis.
pub(super) fn table(subjects: &[Subject], index: usize, view: &View, width: usize) -> String {
    let rows: Vec<(&Subject, &Estimate)> = subjects
        .iter()
        .filter_map(|subject| Some((subject, subject.estimates.get(index)?)))
        .collect();
    let scale = |subject: &Subject, estimate| scale_of(subject, estimate, view);
    let cells: Vec<[String; 3]> = rows
        .iter()
        .map(|(subject, estimate)| {
            let scale = scale(subject, estimate);
            [
                shortened(&visible(subject.series.name()), 28),
                scale.with_unit(estimate.value, Rounding::Nearest),
                format!("({})", scale.ends(estimate.interval(), false)),
            ]
        })
        .collect();
    let column = |place: usize| cells.iter().map(|row| row[place].width()).max().unwrap_or(0);
    let widths = [column(0), column(1), column(2)];
    let used: usize = widths.iter().sum::<usize>() + 8;
    let axis = shared_axis(&rows, width.saturating_sub(used).min(32));

    let mut text = String::new();
    for (row, (subject, _)) in cells.iter().zip(&rows) {
        let [name, value, ends] = row;
        let line = format!(
            "  {}  {}  {}",
            padded(name, widths[0], true),
            padded(value, widths[1], false),
            padded(ends, widths[2], true)
        );
        let bars = match axis {
            Some(axis) if !view.quiet => {
                format!("  {}", picture::histogram(subject.series.values(), axis))
            }
            _ => String::new(),
        };
        let _ = writeln!(text, "{}", format!("{line}{bars}").trim_end());
    }
    if let (Some(axis), false) = (axis, view.quiet) {
        let unit = subjects.first().map(|subject| subject.series.unit().clone());
        let ends = unit.map(|unit| Scale::new(&unit, axis.high, view.time_unit));
        if let Some(scale) = ends {
            let low = scale.number(axis.low, Rounding::Nearest);
            let high = scale.with_unit(axis.high, Rounding::Nearest);
            let gap = axis.width.saturating_sub(low.width() + high.width()).max(1);
            let _ = writeln!(
                text,
                "{}{FAINT}{low}{}{high}{FAINT:#}",
                " ".repeat(used),
                " ".repeat(gap)
            );
        }
    }
    text
}

fn heading(subjects: &[Subject], estimate: &Estimate) -> String {
    let name = match (estimate.property, estimate.statistic) {
        (Some(property), _) => {
            format!("Thresholds kept by {} of executions", percent(property.proportion.get()))
        }
        (None, Statistic::Mean) => "Means".to_string(),
        (None, Statistic::HarmonicMean) => "Harmonic means".to_string(),
        (None, Statistic::Quantile(p)) if p == Probability::HALF => "Medians".to_string(),
        (None, statistic) => statistic.to_string(),
    };
    let sure = match estimate.method {
        Method::Spa => "with SPA's intervals".to_string(),
        Method::Bca | Method::Z => format!("each about {}", percent(estimate.confidence.get())),
        _ => format!("each sure at {}", percent(estimate.confidence.get())),
    };
    format!("{name} of {} subjects, {sure}:", subjects.len())
}

/// An axis for all subjects, if they are in the same unit and the picture would show anything.
fn shared_axis(rows: &[(&Subject, &Estimate)], width: usize) -> Option<Axis> {
    const NARROWEST: usize = 8;
    let (first, _) = rows.first()?;
    if width < NARROWEST || rows.iter().any(|(row, _)| row.series.unit() != first.series.unit()) {
        return None;
    }
    let axes = rows.iter().map(|(subject, _)| {
        let mut sorted = subject.series.values().to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Axis::of(&sorted, width)
    });
    axes.flatten().reduce(Axis::union).filter(|axis| axis.high > axis.low)
}

fn scale_of(subject: &Subject, estimate: &Estimate, view: &View) -> Scale {
    Scale::new(subject.series.unit(), estimate.value, view.time_unit)
        .for_interval(estimate.value, estimate.interval())
}

/// What was done to the data.
fn notes(subject: &Subject, view: &View) -> Vec<String> {
    let trail = trail::trail(subject, view.assume_independent);
    let mut notes = vec![match ending(subject) {
        Some(ending) => format!("{trail}; {ending}"),
        None => trail,
    }];
    notes.extend(costs(subject, view));
    if !view.verbose {
        return notes;
    }
    notes.extend(subject.estimates.iter().map(detail));
    notes.extend(spread(subject, view));
    if let (Some(flagged), Some(estimate)) = (
        subject.labelled.as_ref().and_then(|labelled| labelled.flagged.as_ref()),
        subject.estimates.first(),
    ) {
        notes.extend(trail::outlier_detail(flagged, &scale_of(subject, estimate, view)));
    }
    let correlogram = subject.autocorrelation.as_ref().and_then(|found| found.correlogram.as_ref());
    if let Some(coefficients) = correlogram.filter(|coefficients| !coefficients.is_empty()) {
        const LAGS: usize = 50;
        let bars = picture::correlogram(coefficients, LAGS);
        notes.push(format!("autocorrelation from lag 1: {bars}"));
    }
    notes
}

/// What a run cost besides what is judged: "user 9.8 ms, system 1.2 ms, peak memory 3.4 MB".
pub(super) fn costs(subject: &Subject, view: &View) -> Option<String> {
    let judged = subject.series.metric();
    let shown = |metric: &Metric| {
        let name = match metric {
            Metric::WallTime => "wall",
            Metric::UserTime => "user",
            Metric::SystemTime => "system",
            Metric::PeakMemory => "peak memory",
            Metric::MinorFaults
            | Metric::MajorFaults
            | Metric::VoluntarySwitches
            | Metric::InvoluntarySwitches
                if view.verbose =>
            {
                ""
            }
            Metric::Counter(name) | Metric::Printed(name) => name,
            _ => return None,
        };
        (judged != Some(metric.to_string().as_str())).then(|| name.to_string())
    };
    let costs: Vec<String> = subject
        .resources
        .iter()
        .filter_map(|resource| {
            let name = shown(&resource.metric).filter(|_| resource.median > 0.0 || view.verbose)?;
            let scale = Scale::new(&resource.metric.unit(), resource.median, view.time_unit);
            let is_count = matches!(resource.metric.unit(), Unit::Other(_))
                && resource.median.fract() == 0.0
                && resource.median < 1e6;
            let value = if is_count {
                format!("{:.0} {}", resource.median, resource.metric.unit())
            } else {
                scale.with_unit(resource.median, Rounding::Nearest)
            };
            Some(match (name.as_str(), &resource.metric) {
                ("", Metric::MinorFaults) => format!("minor {value}"),
                ("", Metric::MajorFaults) => format!("major {value}"),
                ("", Metric::VoluntarySwitches) => format!("voluntary {value}"),
                ("", Metric::InvoluntarySwitches) => format!("involuntary {value}"),
                (name, _) => format!("{name} {value}"),
            })
        })
        .collect();
    (!costs.is_empty()).then(|| costs.join(", "))
}

fn detail(estimate: &Estimate) -> String {
    let Estimate { statistic, method, n_used, .. } = estimate;
    match &estimate.outcome {
        Outcome::Interval { ranks: Some(ranks), .. } => {
            let rank = |end: Option<usize>| end.map_or("none".to_string(), |end| end.to_string());
            format!(
                "{statistic} by {method}: order statistics {} and {} of {n_used}, which cover {}",
                rank(ranks.lower),
                rank(ranks.upper),
                coverage_percent(ranks.coverage, 2)
            )
        }
        Outcome::Interval { .. } => {
            format!("{statistic} by {method} from {n_used} samples; coverage is approximate")
        }
        Outcome::Declined { .. } => format!("{statistic} by {method}: no interval"),
    }
}

fn spread(subject: &Subject, view: &View) -> Vec<String> {
    let Some(Spread { smallest, quartiles, largest, mean, sd, skewness }) = subject.spread else {
        return Vec::new();
    };
    let [first, middle, third] = quartiles;
    let scale =
        Scale::new(subject.series.unit(), middle, view.time_unit).for_interval(middle, None);
    let show = |value: f64| scale.number(value, Rounding::Nearest);
    let with_unit = |value: f64| scale.with_unit(value, Rounding::Nearest);
    vec![
        format!(
            "min {}, quartiles {} {} {}, max {}",
            show(smallest),
            show(first),
            show(middle),
            show(third),
            with_unit(largest)
        ),
        format!(
            "mean {}, standard deviation {}, skewness {skewness:.2}",
            show(mean),
            with_unit(sd)
        ),
    ]
}
