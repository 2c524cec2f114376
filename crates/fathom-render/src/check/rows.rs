//! A check as a table: its executions for programs, its answer for documents.

use super::share::{Round, digits};
use crate::layout::Side::{self, Left, Right};
use crate::quantity::{Rounding, Scale};
use crate::{Table, percent};
use fathom_property::{CheckReport, Judged, JudgedAs, PropertyAnswer};
use fathom_record::TimeUnit;

/// Of the longer table; the shorter one has as many as it needs.
const SIDES: &[Side] = &[Left, Right, Right, Right, Right, Right, Right, Right, Right, Right];

/// The table of a report.
pub(super) fn table(report: &CheckReport, time_unit: Option<TimeUnit>) -> Table {
    let mut records = vec![
        [
            "runs",
            "seeds",
            "source",
            "truth",
            "robustness",
            "robustness_unit",
            "value",
            "failure",
            "cut",
        ]
        .map(String::from)
        .to_vec(),
    ];
    records.extend(report.judged.iter().map(record));
    let tally = report.tally();
    let (head, cells): (Vec<&str>, Vec<String>) = match &report.answer {
        PropertyAnswer::Verdict { property, summary } => (
            vec![
                "property",
                "probability",
                "confidence",
                "verdict",
                "samples",
                "true",
                "share",
                "unknown",
                "failed",
                "cut",
            ],
            vec![
                property.clone(),
                percent(report.probability.get()),
                percent(report.confidence.get()),
                summary.verdict.name().to_string(),
                summary.counts.samples().to_string(),
                summary.counts.counted_true().to_string(),
                format!(
                    "{} to {}",
                    digits(summary.interval.lower, Round::Down),
                    digits(summary.interval.upper, Round::Up)
                ),
                tally.unknown.to_string(),
                tally.failed.to_string(),
                tally.cut.to_string(),
            ],
        ),
        PropertyAnswer::Value { expression, unit, value, .. } => {
            let scale = Scale::new(unit, value.value.unwrap_or(0.0), time_unit)
                .for_interval(value.value.unwrap_or(0.0), Some(value.interval));
            (
                vec![
                    "expression",
                    "probability",
                    "confidence",
                    "value",
                    "interval",
                    "samples",
                    "unknown",
                    "failed",
                    "cut",
                ],
                vec![
                    expression.clone(),
                    percent(report.probability.get()),
                    percent(report.confidence.get()),
                    value
                        .value
                        .map_or(String::new(), |value| scale.with_unit(value, Rounding::Nearest)),
                    scale.ends(Some(value.interval), true),
                    value.samples.to_string(),
                    value.unknown.to_string(),
                    tally.failed.to_string(),
                    tally.cut.to_string(),
                ],
            )
        }
    };
    // A rule of another length makes no table in Markdown.
    let sides = SIDES.get(..head.len()).unwrap_or(SIDES);
    let head = head.into_iter().map(String::from).collect();
    Table { records, cells: vec![head, cells], sides, notes: Vec::new() }
}

fn record(judged: &Judged) -> Vec<String> {
    let joined = |numbers: Vec<String>| numbers.join(" ");
    let mut record = vec![
        joined(judged.runs.iter().map(u64::to_string).collect()),
        joined(judged.seeds.iter().map(u32::to_string).collect()),
        judged.source.as_ref().map(ToString::to_string).unwrap_or_default(),
    ];
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let rest = match &judged.result {
        JudgedAs::Property { truth, robustness, decided_by, .. } => {
            let unit = decided_by.as_deref().map_or("", |(unit, _)| unit);
            [
                truth.name().into(),
                number(robustness.known()),
                unit.into(),
                String::new(),
                String::new(),
            ]
        }
        JudgedAs::Value(bounds) => {
            [String::new(), String::new(), String::new(), number(bounds.known()), String::new()]
        }
        JudgedAs::Failed(reason) => {
            [String::new(), String::new(), String::new(), String::new(), reason.clone()]
        }
    };
    record.extend(rest);
    record.push(if judged.is_cut { "cut".to_string() } else { String::new() });
    record
}
