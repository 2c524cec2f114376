//! The value that a share of executions keeps to, in words.

use super::{alike, counted, independence, noun};
use fathom_property::{Answer, CheckReport, Stopped, ValueAnswer, ValueMethod, ValueQuestion};
use fathom_record::TimeUnit;
use fathom_render::percent;
use fathom_render::quantity::{Rounding, Scale};
use fathom_stats::Interval;
use fathom_stats::quantile::spa::Direction;

/// The answer.
pub(super) fn sentence(report: &CheckReport, time_unit: Option<TimeUnit>) -> String {
    let Answer::Value { expression, question, value, .. } = &report.answer else {
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
            true => format!("; {} are too few to say how sure that is", value.samples),
            false => format!("{because}, too few to say how sure that is"),
        };
        return format!("{share} of {whose} have {expression} {how} about {about}{few}{of_all}.");
    }
    if !value.interval.is_finite() {
        return format!(
            "{share} of {whose} have {expression} {how} about {about}; that value is {ends}, sure \
             at {sure}{because}{of_all}."
        );
    }
    format!(
        "{share} of {whose} have {expression} {how} {about} ({ends}, sure at {sure}){because}{of_all}."
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
    let none = || format!("Nothing is known of {expression}: no {} gave it", noun(report, 1));
    let Some(estimate) = value.estimate else { return none() };
    if value.unknown == value.samples {
        return none();
    }
    let interval = match value.interval == Interval::EVERYTHING {
        true => String::new(),
        false => {
            format!(
                "; of all {whose} it is {}, sure at {sure}",
                scale.ends(Some(value.interval), true)
            )
        }
    };
    let is_number = |end: f64| end.is_finite();
    if !is_number(estimate.lower) && estimate.lower == estimate.upper {
        return format!(
            "There is no value that {share} of {whose} have {expression} {how}: too many failed\
             {interval}"
        );
    }
    let between = match (is_number(estimate.lower), is_number(estimate.upper)) {
        (false, false) => "could be anything".to_string(),
        _ => format!("is {}", scale.ends(Some(estimate), true)),
    };
    format!(
        "The value that {share} of {whose} have {expression} {how} depends on those of which it is \
         not known: by these {} it {between}{interval}",
        value.samples
    )
}

/// The bounds for all executions, where those that failed are left out.
fn of_all(report: &CheckReport, scale: &Scale) -> String {
    let Some(Answer::Value { value, .. }) = &report.of_all else { return String::new() };
    match value.interval == Interval::EVERYTHING {
        true => "; with those that failed it is open".to_string(),
        false => {
            format!("; with those that failed it is {}", scale.ends(Some(value.interval), true))
        }
    }
}

fn scale(report: &CheckReport, value: &ValueAnswer, time_unit: Option<TimeUnit>) -> Scale {
    let Answer::Value { unit, .. } = &report.answer else {
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
    let Answer::Value { question, value, .. } = &report.answer else { return Vec::new() };
    let mut lines = Vec::new();
    let coverage = percent((value.coverage * 1e4).floor() / 1e4);
    let confidence = percent(report.confidence.get());
    let count = counted(report, value.samples);
    lines.push(match question.method {
        _ if !value.interval.is_finite() => count,
        ValueMethod::Exact if value.dependence.is_some() => format!(
            "{count}; the interval lies between two of their values, and is that of as many \
             independent ones as they are worth"
        ),
        ValueMethod::Exact => format!(
            "{count}; the interval lies between two of their values and covers with {coverage}, \
             whatever the distribution"
        ),
        ValueMethod::Anytime => format!(
            "{count}; the interval lies between two of their values and holds at every look, \
             whatever the distribution"
        ),
        ValueMethod::Spa => format!(
            "{count}; the paper's interval, each end at {confidence} for itself: together they \
             cover with {coverage} only"
        ),
    });
    if !value.interval.is_finite() && !report.is_one_execution() {
        // Planned anew, their number is fixed again.
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
                true => format!("both ends need {needed} at least"),
                false => format!("both ends need {needed} at least: --runs {all}"),
            });
        }
    }
    if value.unknown > 0 {
        lines.push(format!(
            "of {} the value is not known; the interval holds whatever it is",
            counted(report, value.unknown)
        ));
    }
    lines.extend(independence(report));
    lines.extend(failures(report));
    lines.extend(ended(report));
    lines
}

/// The first that failed, and why.
fn failures(report: &CheckReport) -> Option<String> {
    let (judged, reason) = report.judged.iter().find_map(|judged| match &judged.result {
        fathom_property::JudgedAs::Failed(reason) => Some((judged, reason)),
        _ => None,
    })?;
    Some(format!("the first that failed, {}, {reason}", super::verdict::name(judged)))
}

/// Whether the clock or the user ended it before the number that was fixed.
fn is_shorter_than_planned(report: &CheckReport) -> bool {
    matches!(report.stopped, Stopped::MaxTime | Stopped::Interrupted) && !report.asks_precision
}

/// Why there are no more executions, where that is not what was asked for.
fn ended(report: &CheckReport) -> Option<String> {
    let line = match (report.stopped, report.asks_precision) {
        (Stopped::MaxRuns, true) => {
            "not yet as narrow as --precision asks when the budget was spent; --max-runs allows more"
        }
        (Stopped::MaxTime, true) => "not yet as narrow as asked when the time was over",
        _ if is_shorter_than_planned(report) => {
            "fewer were made than planned; how many then depends on how long they took, so the \
             interval is one that holds at every number"
        }
        _ => return None,
    };
    Some(line.to_string())
}
