//! Several questions as a table: a row for each.

use super::execution_lines::name;
use super::share::{Round, digits, range};
use super::value;
use crate::layout::Side::{self, Left, Right};
use crate::quantity::Rounding;
use crate::{Table, percent};
use fathom_property::decide::ErrorSharing;
use fathom_property::{CheckReport, JointReport, JudgedAs, PropertyAnswer};
use fathom_record::TimeUnit;

const SIDES: &[Side] = &[Left, Left, Right, Right, Right, Left];

const RECORD: [&str; 20] = [
    "name",
    "question",
    "kind",
    "probability",
    "confidence",
    "error",
    "verdict",
    "samples",
    "true",
    "unknown",
    "failed",
    "cut",
    "value",
    "lower",
    "upper",
    "unit",
    "worst_runs",
    "worst_seeds",
    "worst_source",
    "worst_margin",
];

/// The table.
pub(super) fn table(joint: &JointReport, time_unit: Option<TimeUnit>) -> Table {
    let sure = percent(joint.first.confidence.get());
    let mut records = vec![RECORD.map(String::from).to_vec()];
    let head = [
        "question",
        "verdict",
        "samples",
        "share or value",
        &format!("{sure} CI"),
        "worst execution",
    ];
    let mut cells = vec![head.map(String::from).to_vec()];
    for report in joint.questions() {
        records.push(record(report, joint.sharing));
        cells.push(row(report, time_unit));
    }
    // Programs find the values of each axis in columns of their own.
    if let Some(study) = &joint.study {
        for (place, record) in records.iter_mut().enumerate() {
            let values: Vec<String> = match place.checked_sub(1) {
                None => study.axes.iter().map(|axis| axis.name.clone()).collect(),
                Some(answer) => {
                    let (cell, _) = study.place_of(answer);
                    let value = |(cell, axis)| study.value(cell, axis).to_string();
                    let axes = (0..study.axes.len())
                        .filter_map(|axis| Some((study.cells.get(cell)?, axis)));
                    axes.map(value).collect()
                }
            };
            record.splice(0..0, values);
        }
    }
    let note = match joint.sharing {
        ErrorSharing::Shared => format!("{sure} confidence in all answers together."),
        ErrorSharing::PerQuestion => format!("{sure} confidence in each answer alone."),
    };
    Table { records, cells, sides: SIDES, notes: vec![note] }
}

fn row(report: &CheckReport, time_unit: Option<TimeUnit>) -> Vec<String> {
    let worst = report.worst().map(name).unwrap_or_default();
    let question = match &report.name {
        Some(name) => format!("{name}: {}", report.asked()),
        None => report.asked().to_string(),
    };
    match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => vec![
            question,
            summary.verdict.name().to_string(),
            summary.counts.samples().to_string(),
            summary.estimate.map_or_else(String::new, range),
            format!(
                "{} to {}",
                digits(summary.interval.lower, Round::Down),
                digits(summary.interval.upper, Round::Up)
            ),
            worst,
        ],
        PropertyAnswer::Value { value, .. } => {
            let scale = value::scale(report, value, time_unit);
            vec![
                question,
                "estimate".to_string(),
                value.samples.to_string(),
                value
                    .value
                    .map_or_else(String::new, |value| scale.with_unit(value, Rounding::Nearest)),
                scale.ends(Some(value.interval), true),
                worst,
            ]
        }
    }
}

fn record(report: &CheckReport, sharing: ErrorSharing) -> Vec<String> {
    let tally = report.tally();
    let error = match sharing {
        ErrorSharing::Shared => "shared",
        ErrorSharing::PerQuestion => "per_question",
    };
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let (kind, verdict, samples, satisfied, value, interval, unit) = match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => (
            "property",
            summary.verdict.name(),
            summary.counts.samples(),
            summary.counts.counted_true().to_string(),
            summary.estimate.filter(|range| range.lower >= range.upper).map(|range| range.lower),
            summary.interval,
            String::new(),
        ),
        PropertyAnswer::Value { value, unit, .. } => (
            "estimate",
            "",
            value.samples,
            String::new(),
            value.value,
            value.interval,
            unit.symbol().to_string(),
        ),
    };
    let worst = report.worst();
    let joined = |numbers: Vec<String>| numbers.join(" ");
    let margin = worst.and_then(|judged| match &judged.result {
        JudgedAs::Property { robustness, .. } => robustness.known(),
        JudgedAs::Value(bounds) => bounds.known(),
        JudgedAs::Failed(_) => None,
    });
    vec![
        report.name.clone().unwrap_or_default(),
        report.asked().to_string(),
        kind.to_string(),
        report.probability.get().to_string(),
        report.confidence.get().to_string(),
        error.to_string(),
        verdict.to_string(),
        samples.to_string(),
        satisfied,
        tally.unknown.to_string(),
        tally.failed.to_string(),
        tally.cut.to_string(),
        number(value),
        interval.lower.to_string(),
        interval.upper.to_string(),
        unit,
        joined(worst.map_or_else(Vec::new, |one| one.runs.iter().map(u64::to_string).collect())),
        joined(worst.map_or_else(Vec::new, |one| one.seeds.iter().map(u32::to_string).collect())),
        worst
            .and_then(|judged| judged.source.as_ref())
            .map(ToString::to_string)
            .unwrap_or_default(),
        number(margin),
    ]
}
