//! What was done to the data, what else runs cost, how measuring ended.

use crate::human::scale_of;
use crate::known::brief_condition;
use crate::layout::{WARNING, push_wrapped};
use crate::picture;
use crate::quantity::{Rounding, Scale, quick};
use crate::sentence::coverage_percent;
use crate::shell_startup::subtracted;
use crate::trail;
use crate::view::View;
use fathom_analyze::{Estimate, IntervalOutcome, Report, Spread, StopReason, Subject};
use fathom_record::{Metric, Unit};

/// The session, and the cost of measuring.
pub(crate) fn of_session(report: &Report, view: &View) -> Vec<String> {
    if !view.is_verbose() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if let Some(id) = report.session {
        lines.push(format!("session {id}, seed {}", report.seed));
    }
    if let Some(cost) = report.overhead_per_run {
        let cost = quick(cost, &Unit::SECONDS);
        lines.push(format!(
            "measuring and saving a run took {cost} more than the run itself (not timed)"
        ));
    }
    lines
}

/// Why measuring stopped, where that is not plain.
fn ending(subject: &Subject) -> Option<String> {
    let half_width = subject.estimates.first().and_then(|estimate| {
        // What cannot be told from the shell is measured by whole runs.
        let untold = subject.startup.filter(|_| !subject.is_told_from_shell(estimate));
        let whole = untold.map_or(0.0, |startup| startup.median);
        let share = 0.5 * estimate.interval()?.width() / (estimate.value + whole).abs();
        let of = if untold.is_some() { " of the shell's start-up time" } else { "" };
        share.is_finite().then(|| format!("{:.1}%{of}", 100.0 * share))
    });
    let within = half_width.map(|share| format!("the interval within ±{share}"));
    Some(match (subject.stopped, within) {
        (StopReason::Precision, Some(within)) => format!("stopped with {within}"),
        (StopReason::MaxTime, Some(within)) => format!("time limit reached with {within}"),
        (StopReason::MaxRuns, Some(within)) => format!("run limit reached with {within}"),
        (StopReason::MaxTime, None) => "time limit reached".to_string(),
        (StopReason::MaxRuns, None) => "run limit reached".to_string(),
        (StopReason::Interrupted, _) => "interrupted".to_string(),
        _ => return None,
    })
}

/// What was done to the data.
pub(crate) fn notes(subject: &Subject, view: &View) -> Vec<String> {
    let trail = trail::trail(subject, view.assume_independent);
    let mut notes = vec![match ending(subject) {
        Some(ending) => format!("{trail}; {ending}"),
        None => trail,
    }];
    notes.extend(
        trail::dependence_kind(subject, view.is_verbose()).filter(|_| !view.assume_independent),
    );
    notes.extend(mean_and_range(subject, view));
    notes.extend(subtracted(subject, view.time_unit));
    notes.extend(costs(subject, view));
    if !view.is_verbose() {
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
pub(crate) fn costs(subject: &Subject, view: &View) -> Option<String> {
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
                if view.is_verbose() =>
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
            let name =
                shown(&resource.metric).filter(|_| resource.median > 0.0 || view.is_verbose())?;
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
        IntervalOutcome::Interval { ranks: Some(ranks), .. } => {
            let rank = |end: Option<usize>| end.map_or("none".to_string(), |end| end.to_string());
            format!(
                "{statistic} by {method}: order statistics {} and {} of {n_used}, coverage {}{}",
                rank(ranks.lower),
                rank(ranks.upper),
                coverage_percent(ranks.coverage, 2),
                brief_condition(estimate.if_independent)
            )
        }
        IntervalOutcome::Interval { .. } => {
            format!("{statistic} by {method} from {n_used} samples, coverage approximate")
        }
        IntervalOutcome::Declined { .. } => format!("{statistic} by {method}: no interval"),
    }
}

/// What other tools print first, of all samples: "mean 12.43 ± 0.31 ms, range 11.90 to 13.22 ms".
pub(crate) fn mean_and_range(subject: &Subject, view: &View) -> Option<String> {
    let spread = subject.spread.filter(|_| subject.series.len() > 1)?;
    let scale = scale_of_spread(subject, &spread, view);
    let show = |value: f64| scale.number(value, Rounding::Nearest);
    let counted = subject.labelled.as_ref().map_or(0, |labelled| labelled.start());
    let is_part = counted > 0 || subject.estimates.iter().any(|one| one.with_everything.is_some());
    let all =
        if is_part { format!("all {} samples: ", subject.series.len()) } else { String::new() };
    Some(format!(
        "{all}mean {} ± {}, range {} to {}",
        show(spread.mean),
        scale.with_unit(spread.sd, Rounding::Nearest),
        show(spread.smallest),
        scale.with_unit(spread.largest, Rounding::Nearest)
    ))
}

fn scale_of_spread(subject: &Subject, spread: &Spread, view: &View) -> Scale {
    let [_, middle, _] = spread.quartiles;
    Scale::new(subject.series.unit(), middle, view.time_unit).for_interval(middle, None)
}

fn spread(subject: &Subject, view: &View) -> Option<String> {
    let spread = subject.spread?;
    let [first, middle, third] = spread.quartiles;
    let scale = scale_of_spread(subject, &spread, view);
    let show = |value: f64| scale.number(value, Rounding::Nearest);
    Some(format!(
        "quartiles {}, {}, {}; skewness {:.2}",
        show(first),
        show(middle),
        scale.with_unit(third, Rounding::Nearest),
        spread.skewness
    ))
}

/// What is wrong with the whole session, at the top of the page: it is about everything that follows.
pub(crate) fn warnings_first(report: &Report, view: &View, width: usize) -> String {
    let mut text = String::new();
    if view.is_quiet() || report.warnings.is_empty() {
        return text;
    }
    for warning in &report.warnings {
        push_wrapped(
            &mut text,
            &format!("warning: {}", warning.said(view.front_end)),
            "",
            WARNING,
            width,
        );
    }
    text.push('\n');
    text
}
