//! The value that a share of executions stays within, in words.

use super::{alike, counted, independence, noun};
use crate::percent;
use crate::quantity::{Rounding, Scale};
use fathom_property::decide::ErrorSharing;
use fathom_property::{
    CheckReport, CheckStopReason, PropertyAnswer, ValueAnswer, ValueMethod, ValueQuestion,
};
use fathom_record::TimeUnit;
use fathom_stats::Interval;
use fathom_stats::quantile::spa::Direction;

/// The answer.
pub(super) fn sentence(report: &CheckReport, time_unit: Option<TimeUnit>) -> String {
    let PropertyAnswer::Value { expression, question, value, .. } = &report.answer else {
        return String::new();
    };
    let (share, many) = (percent(report.probability.get()), noun(report, 2));
    let whose = match report.of_all {
        Some(_) => format!("{many} that succeed"),
        None => many,
    };
    let how = match question.direction {
        Direction::Below => "below",
        Direction::AtMost => "at most",
        Direction::Above => "above",
        Direction::AtLeast => "at least",
    };
    let scale = scale(report, value, time_unit);
    let sure = percent(report.confidence.get());
    let because = alike(report).map_or(String::new(), |alike| format!("; {alike}"));
    let of_all = of_all(report, &scale);
    let ends = scale.ends(Some(value.interval), true);
    let Some(estimate) = value.value else {
        let known = no_estimate(report, value, &scale, expression, &whose, how);
        return format!("{known}{of_all}.");
    };
    let about = scale.with_unit(estimate, Rounding::Nearest);
    if value.interval == Interval::EVERYTHING {
        let few = match because.is_empty() {
            true => format!("; {} are not enough data for a {sure} CI", value.samples),
            false => format!("{because}, not enough data for a {sure} CI"),
        };
        return format!("{share} of {whose} have {expression} {how} about {about}{few}{of_all}.");
    }
    if !value.interval.is_finite() {
        return format!(
            "{share} of {whose} have {expression} {how} about {about} ({ends} with {sure} \
             confidence){because}{of_all}."
        );
    }
    format!(
        "{share} of {whose} have {expression} {how} {about} ({sure} CI {ends}){because}{of_all}."
    )
}

/// What is known where unknown or failed executions decide the value: no number would be right.
fn no_estimate(
    report: &CheckReport,
    value: &ValueAnswer,
    scale: &Scale,
    expression: &str,
    whose: &str,
    how: &str,
) -> String {
    let share = percent(report.probability.get());
    let sure = percent(report.confidence.get());
    let none = || format!("No data for {expression}: no {} reported it", noun(report, 1));
    let Some(estimate) = value.estimate else { return none() };
    if value.unknown == value.samples {
        return none();
    }
    let interval = match value.interval == Interval::EVERYTHING {
        true => String::new(),
        false => {
            format!(
                "; for all {whose}, it is {} with {sure} confidence",
                scale.ends(Some(value.interval), true)
            )
        }
    };
    let is_number = |end: f64| end.is_finite();
    if !is_number(estimate.lower) && estimate.lower == estimate.upper {
        return format!(
            "No value of {expression} holds for {share} of {whose} ({how}): too many failed\
             {interval}"
        );
    }
    let between = match (is_number(estimate.lower), is_number(estimate.upper)) {
        (false, false) => "could be anything".to_string(),
        _ => format!("is {}", scale.ends(Some(estimate), true)),
    };
    format!(
        "The value of {expression} for {share} of {whose} ({how}) depends on those without a known \
         value: from these {} it {between}{interval}",
        value.samples
    )
}

/// The bounds for all executions, where those that failed are left out.
fn of_all(report: &CheckReport, scale: &Scale) -> String {
    let Some(PropertyAnswer::Value { value, .. }) = &report.of_all else { return String::new() };
    match value.interval == Interval::EVERYTHING {
        true => "; including the failed ones, it is unknown".to_string(),
        false => {
            format!("; including the failed ones, it is {}", scale.ends(Some(value.interval), true))
        }
    }
}

pub(super) fn scale(
    report: &CheckReport,
    value: &ValueAnswer,
    time_unit: Option<TimeUnit>,
) -> Scale {
    let PropertyAnswer::Value { unit, .. } = &report.answer else {
        return Scale::new(&fathom_record::Unit::Unknown, 0.0, time_unit);
    };
    let ends = value.estimate.map(|range| [range.lower, range.upper]);
    let ends = [value.value, Some(value.interval.lower), Some(value.interval.upper)]
        .into_iter()
        .flatten()
        .chain(ends.into_iter().flatten());
    let typical = ends.into_iter().find(|end| end.is_finite()).unwrap_or(0.0);
    Scale::new(unit, typical, time_unit).for_interval(typical, Some(value.interval))
}

/// What explains the answer.
pub(super) fn lines(report: &CheckReport) -> Vec<String> {
    let PropertyAnswer::Value { question, value, .. } = &report.answer else { return Vec::new() };
    let mut lines = Vec::new();
    let coverage = percent((value.coverage * 1e4).floor() / 1e4);
    let confidence = percent(report.confidence.get());
    let count = counted(report, value.samples);
    lines.push(match question.method {
        _ if !value.interval.is_finite() => count,
        // The coverage of its own interval is more than the confidence of all of them together.
        ValueMethod::Exact if report.sharing == Some(ErrorSharing::Shared) => {
            format!("{count}; the interval uses order statistics, for any distribution")
        }
        ValueMethod::Exact if value.dependence.is_some() => {
            format!("{count}; the interval uses order statistics and the effective sample size")
        }
        ValueMethod::Exact => format!(
            "{count}; the interval uses order statistics: coverage {coverage}, for any distribution"
        ),
        ValueMethod::Anytime => format!(
            "{count}; the interval uses order statistics and holds at every look, for any \
             distribution"
        ),
        ValueMethod::Spa => format!(
            "{count}; the SPA paper's interval: each end alone holds with {confidence}, both \
             together cover only {coverage}"
        ),
    });
    if !value.interval.is_finite() && !report.is_one_execution() {
        // If it is planned again, their number is fixed again.
        let planned = match is_shorter_than_planned(report) {
            true => ValueQuestion { method: ValueMethod::Exact, ..*question },
            false => *question,
        };
        let needed = planned.samples_needed_like(value);
        if needed > value.samples && value.samples > 0 {
            // Those that do not count have to be made too.
            let all = (needed * report.judged.len()).div_ceil(value.samples.max(1));
            let is_given = report.judged.iter().any(|judged| judged.source.is_some());
            lines.push(match is_given {
                true => format!("a two-sided interval needs at least {needed}"),
                false => format!("a two-sided interval needs at least {needed}: --runs {all}"),
            });
        }
    }
    if value.unknown > 0 {
        lines.push(format!(
            "{} without a known value; the interval holds whatever it is",
            counted(report, value.unknown)
        ));
    }
    lines.extend(independence(report));
    lines.extend(ended(report));
    lines
}

/// Whether the clock or the user ended it before the number that was fixed.
fn is_shorter_than_planned(report: &CheckReport) -> bool {
    matches!(report.stopped, CheckStopReason::MaxTime | CheckStopReason::Interrupted)
        && !report.asks_precision
}

/// Why there are no more executions, where that is not what was asked for.
fn ended(report: &CheckReport) -> Option<String> {
    let line = match (report.stopped, report.asks_precision) {
        (CheckStopReason::MaxRuns, true) => {
            "--precision not reached within the budget; raise --max-runs"
        }
        (CheckStopReason::MaxTime, true) => "--precision not reached within the time limit",
        _ if is_shorter_than_planned(report) => {
            "fewer executions than planned, and their number depends on how long they took, so the \
             interval is one that holds at any number"
        }
        _ => return None,
    };
    Some(line.to_string())
}
