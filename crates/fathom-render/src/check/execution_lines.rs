//! Executions in words: what they are called, what came of them, and how to repeat them.

use crate::layout::visible;
use crate::quantity::{Rounding, Scale};
use fathom_property::{CheckReport, Judged, JudgedAs, PropertyAnswer, Truth};
use fathom_record::{TimeUnit, Unit};
use std::sync::Arc;

/// An execution that violates the property, and how to repeat it.
pub(super) fn counterexample(
    report: &CheckReport,
    time_unit: Option<TimeUnit>,
    again: &dyn Fn(&Judged) -> Vec<String>,
) -> Vec<String> {
    let Some(judged) = report.counterexample() else { return Vec::new() };
    let name = name(judged);
    let mut lines = vec![match &judged.result {
        JudgedAs::Failed(reason) => format!("false in {name}, which {reason}"),
        JudgedAs::Property { robustness, decided_by, at, .. } => {
            let margin = robustness.sure().filter(|margin| margin.is_finite());
            let by =
                margin.zip(decided_by.as_deref()).map_or(String::new(), |(margin, (unit, _))| {
                    let least = if robustness.known().is_none() { "at least " } else { "" };
                    format!(", misses by {least}{}", short(margin.abs(), unit, time_unit))
                });
            let is_all = match &report.answer {
                PropertyAnswer::Verdict { property, .. } => {
                    decided_by.as_deref().is_none_or(|(_, part)| part == property)
                }
                PropertyAnswer::Value { .. } => true,
            };
            let part = match decided_by.as_deref() {
                Some((_, part)) if !is_all => format!(" in `{part}`"),
                _ => String::new(),
            };
            let when = at.as_deref().map_or(String::new(), |(time, unit)| {
                format!(", at time {}", short(*time, unit, time_unit))
            });
            format!("worst: {name}{by}{part}{when}")
        }
        JudgedAs::Value(_) => return Vec::new(),
    }];
    lines.extend(again(judged).iter().map(|command| to_repeat(command)));
    lines
}

/// The execution that misses by most, or comes nearest to it.
pub(super) fn worst(
    report: &CheckReport,
    time_unit: Option<TimeUnit>,
    again: &dyn Fn(&Judged) -> Vec<String>,
) -> Vec<String> {
    let known = || report.judged.iter().filter_map(Known::of);
    // Margins in different units cannot be ranked.
    let mut units = known().map(|one| one.unit);
    let first = units.next();
    let is_one_unit = units.all(|unit| Some(unit) == first);
    let by_margin = |a: &Known<'_>, b: &Known<'_>| {
        (a.margin.total_cmp(&b.margin)).then(a.is_true.cmp(&b.is_true))
    };
    let Some(Known { judged, margin, is_true, unit, part, at }) =
        known().min_by(by_margin).filter(|_| is_one_unit)
    else {
        return Vec::new();
    };
    let amount = short(margin.abs(), unit, time_unit);
    let whole = match &report.answer {
        PropertyAnswer::Verdict { property, .. } => property == part,
        PropertyAnswer::Value { .. } => true,
    };
    let of = if whole { String::new() } else { format!(" in `{part}`") };
    let when = at.map_or(String::new(), |(time, unit)| {
        format!(", at time {}", short(*time, unit, time_unit))
    });
    let mut lines = vec![if !is_true {
        format!("worst: {}, misses by {amount}{of}{when}", name(judged))
    } else {
        format!("closest to false: {}, holds by {amount}{of}{when}", name(judged))
    }];
    lines.extend(again(judged).iter().map(|command| to_repeat(command)));
    lines
}

/// How to run it again. The command may have names from elsewhere in it.
pub(super) fn to_repeat(command: &str) -> String {
    format!("to repeat: {}", visible(command))
}

/// An execution whose truth and margin are known.
struct Known<'a> {
    judged: &'a Judged,
    margin: f64,
    is_true: bool,
    unit: &'a str,
    part: &'a str,
    at: Option<&'a (f64, Arc<str>)>,
}

impl<'a> Known<'a> {
    fn of(judged: &'a Judged) -> Option<Known<'a>> {
        let JudgedAs::Property { truth, robustness, decided_by, at } = &judged.result else {
            return None;
        };
        let is_true = match truth {
            Truth::True => true,
            Truth::False => false,
            Truth::Vacuous | Truth::Unknown => return None,
        };
        let margin = robustness.known().filter(|value| value.is_finite())?;
        let (unit, part) = decided_by.as_deref()?;
        Some(Known { judged, margin, is_true, unit, part, at: at.as_deref() })
    }
}

/// Every execution, a line each.
pub(super) fn every_execution(report: &CheckReport, time_unit: Option<TimeUnit>) -> Vec<String> {
    report.judged.iter().map(|judged| one_execution(judged, time_unit)).collect()
}

pub(super) fn one_execution(judged: &Judged, time_unit: Option<TimeUnit>) -> String {
    let name = name(judged);
    let seeds: Vec<String> = judged.seeds.iter().map(u32::to_string).collect();
    let seeds =
        if seeds.is_empty() { String::new() } else { format!(", seed {}", seeds.join(" ")) };
    let result = match &judged.result {
        JudgedAs::Property { truth, robustness, decided_by, .. } => {
            let truth = truth.name();
            let unit = decided_by.as_deref().map_or("", |(unit, _)| unit.as_str());
            match robustness.known().filter(|value| value.is_finite()) {
                Some(value) => format!("{truth}, robustness {}", short(value, unit, time_unit)),
                None => truth.to_string(),
            }
        }
        JudgedAs::Value(bounds) => match bounds.known() {
            Some(value) => format!("{value}"),
            None => "unknown".to_string(),
        },
        JudgedAs::Failed(reason) => format!("failed: {reason}"),
    };
    let cut = if judged.is_cut { ", cut short" } else { "" };
    format!("{name}{seeds}: {result}{cut}")
}

/// Four digits without zeros at the end.
pub(super) fn short(value: f64, unit: &str, time_unit: Option<TimeUnit>) -> String {
    let text = Scale::new(&Unit::parse(unit), value, time_unit).with_unit(value, Rounding::Nearest);
    let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
    let number = match number.contains('.') && !number.contains('e') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    };
    if unit.is_empty() { number.to_string() } else { format!("{number} {unit}") }
}

/// What an execution or a tuple is called: its file, or its number.
pub(super) fn name(judged: &Judged) -> String {
    match (&judged.source, &*judged.runs) {
        (Some(source), _) => source.to_string(),
        (None, [run]) => format!("run {run}"),
        (None, runs) => {
            let numbers: Vec<String> = runs.iter().map(u64::to_string).collect();
            format!("runs {}", numbers.join(" and "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short() {
        assert_eq!(short(0.02, "", None), "0.02");
        assert_eq!(short(2.0, "W", None), "2 W");
        assert_eq!(short(20.0 / 3.0, "cycles", None), "6.667 cycles");
        assert_eq!(short(1200.0, "", None), "1200");
    }
}
