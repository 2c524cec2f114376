//! The value that a share of executions keeps to, in words.

use super::{counted, noun};
use fathom_property::{Answer, CheckReport, Stopped, ValueMethod};
use fathom_record::TimeUnit;
use fathom_render::percent;
use fathom_render::quantity::{Rounding, Scale};
use fathom_stats::quantile::spa::Direction;

/// The answer.
pub(super) fn sentence(report: &CheckReport, time_unit: Option<TimeUnit>) -> String {
    let Answer::Value { expression, unit, question, value } = &report.answer else {
        return String::new();
    };
    let (share, many) = (percent(report.probability.get()), noun(report, 2));
    let how = match question.direction {
        Direction::Below => "below",
        Direction::AtMost => "at most",
        Direction::Above => "above",
        Direction::AtLeast => "at least",
    };
    let Some(estimate) = value.value else {
        return format!("Nothing is known of {expression}: no {} gave it.", noun(report, 1));
    };
    let scale = Scale::new(unit, estimate, time_unit).for_interval(estimate, Some(value.interval));
    let about = scale.with_unit(estimate, Rounding::Nearest);
    let sure = percent(report.confidence.get());
    if value.interval == fathom_stats::Interval::EVERYTHING {
        return format!(
            "{share} of {many} have {expression} {how} about {about}; {} are too few to say how \
             sure that is.",
            value.samples
        );
    }
    let ends = scale.ends(Some(value.interval), true);
    if !value.interval.is_finite() {
        return format!(
            "{share} of {many} have {expression} {how} about {about}; that value is {ends}, sure \
             at {sure}."
        );
    }
    format!("{share} of {many} have {expression} {how} {about} ({ends}, sure at {sure}).")
}

/// What explains the answer.
pub(super) fn lines(report: &CheckReport) -> Vec<String> {
    let Answer::Value { question, value, .. } = &report.answer else { return Vec::new() };
    let mut lines = Vec::new();
    let coverage = percent((value.coverage * 1e4).floor() / 1e4);
    let confidence = percent(report.confidence.get());
    lines.push(match question.method {
        ValueMethod::Exact if value.interval.is_finite() => format!(
            "{}; the interval lies between two of their values and covers with {coverage}, \
             whatever the distribution",
            counted(report, value.samples)
        ),
        ValueMethod::Anytime if value.interval.is_finite() => format!(
            "{}; the interval lies between two of their values and holds at every look, whatever \
             the distribution",
            counted(report, value.samples)
        ),
        ValueMethod::Spa if value.interval.is_finite() => format!(
            "{}; the paper's interval, each end at {confidence} for itself: together they cover \
             with {coverage} only",
            counted(report, value.samples)
        ),
        _ => counted(report, value.samples),
    });
    if !value.interval.is_finite() {
        let needed = question.samples_needed();
        if needed > value.samples {
            lines.push(format!("both ends need {needed} at least: --runs {needed}"));
        }
    }
    if value.unknown > 0 {
        lines.push(format!(
            "of {} the value is not known; the interval holds whatever it is",
            counted(report, value.unknown)
        ));
    }
    match report.stopped {
        Stopped::MaxRuns => lines.push(
            "not yet as narrow as --precision asks when the budget was spent; --max-runs allows \
             more"
                .to_string(),
        ),
        Stopped::MaxTime => {
            lines.push("not yet as narrow as asked when the time was over".to_string());
        }
        _ => {}
    }
    lines
}
