//! Configurations compared in a study, in words.

use crate::layout::visible;
use crate::percent;
use fathom_property::decide::ErrorSharing;
use fathom_property::{JointReport, Study, StudyComparison};
use fathom_stats::Interval;

/// How far a comparison is indented; the ratios below its mean are more.
pub(super) const INDENT: &str = "  ";

/// The interval of a ratio, which lies above 0.
pub(super) fn ends(Interval { lower, upper }: Interval) -> String {
    match (lower > 0.0, upper.is_finite()) {
        (true, true) => format!("{lower:.4} to {upper:.4}"),
        (true, false) => format!("at least {lower:.4}"),
        (false, true) => format!("at most {upper:.4}"),
        (false, false) => "no interval: too few executions, or too many failed".to_string(),
    }
}

/// A comparison: the geometric mean, and the ratio in each cell. Each line has its indent.
pub(super) fn lines(
    joint: &JointReport,
    study: &Study,
    comparison: &StudyComparison,
) -> Vec<(&'static str, String)> {
    let question = study.questions.get(comparison.question).map_or("", String::as_str);
    // A part of the error has many digits.
    let sure = percent((comparison.confidence.get() * 1e4).round() / 1e4);
    let sure = match joint.sharing {
        ErrorSharing::Shared => {
            format!("{sure} CI each, together {}", { percent(joint.first.confidence.get()) })
        }
        ErrorSharing::PerQuestion => format!("{sure} CI"),
    };
    let axis = comparison.axis.and_then(|axis| study.axes.get(axis));
    let value = |place: usize| axis.and_then(|axis| axis.values.get(place)).map_or("", |v| v);
    let what = match axis {
        Some(axis) => format!(
            "{} at {}={} relative to {}",
            visible(question),
            visible(&axis.name),
            visible(value(comparison.value)),
            visible(value(comparison.baseline))
        ),
        None => visible(question),
    };
    let others: Vec<&str> = study
        .axes
        .iter()
        .enumerate()
        .filter(|(place, _)| Some(*place) != comparison.axis)
        .map(|(_, axis)| axis.name.as_str())
        .collect();
    let mut lines = Vec::new();
    if let Some(mean) = comparison.mean {
        lines.push((
            INDENT,
            format!(
                "{what}: {mean:.4}x, geometric mean over {} ({}; {sure}).",
                visible(&others.join(", ")),
                ends(comparison.interval)
            ),
        ));
    }
    for ratio in &comparison.ratios {
        let Some(cell) = study.cells.get(ratio.cell) else { continue };
        let place: Vec<String> = (0..study.axes.len())
            .filter(|axis| Some(*axis) != comparison.axis)
            .map(|axis| visible(study.value(cell, axis)))
            .collect();
        let found = match ratio.ratio {
            Some(found) => format!("{found:.4}x ({})", ends(ratio.interval)),
            None => "unknown: an estimate is unknown or not above 0".to_string(),
        };
        lines.push(match (comparison.mean, place.is_empty()) {
            (Some(_), _) => ("    ", format!("{}: {found}", place.join(", "))),
            (None, true) => (INDENT, format!("{what}: {found}; {sure}.")),
            (None, false) => (INDENT, format!("{what} in {}: {found}; {sure}.", place.join(", "))),
        });
    }
    lines
}
