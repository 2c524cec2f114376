//! Several subjects, a line each, over one axis.

use crate::human::scale_of;
use crate::known;
use crate::layout::{FAINT, STRONG, Side, padded, visible, widths};
use crate::percent::percent;
use crate::picture::{self, Axis};
use crate::quantity::{Rounding, Scale};
use crate::shell_startup::untold_cells;
use crate::short_names::shortened_apart;
use crate::view::View;
use fathom_analyze::{Estimate, Method, Statistic, Subject};
use fathom_stats::Probability;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// One statistic of all subjects under a heading.
pub(crate) fn comparison(subjects: &[Subject], index: usize, view: &View, width: usize) -> String {
    let first = subjects.iter().find_map(|subject| subject.estimates.get(index));
    let Some(first) = first else { return String::new() };
    let heading = heading(subjects, first);
    format!("{STRONG}{heading}{STRONG:#}\n\n{}", table(subjects, index, view, width))
}

/// One statistic of all subjects, a line each, over one axis.
pub(crate) fn table(subjects: &[Subject], index: usize, view: &View, width: usize) -> String {
    let rows: Vec<(&Subject, &Estimate)> = subjects
        .iter()
        .filter_map(|subject| Some((subject, subject.estimates.get(index)?)))
        .collect();
    let scale = |subject: &Subject, estimate| scale_of(subject, estimate, view);
    let names: Vec<String> =
        rows.iter().map(|(subject, _)| visible(subject.series.name())).collect();
    let cells: Vec<[String; 3]> = rows
        .iter()
        .zip(shortened_apart(&names, 28))
        .map(|((subject, estimate), name)| {
            let scale = scale(subject, estimate);
            let untold = untold_cells(subject, estimate, view.time_unit);
            let [value, ends] = untold.unwrap_or_else(|| {
                [
                    scale.with_unit(estimate.value, Rounding::Nearest),
                    known::ends(estimate, &scale, false),
                ]
            });
            let mark = if estimate.if_independent { "*" } else { "" };
            [name, value, format!("({ends}){mark}")]
        })
        .collect();
    let widths = widths(&cells);
    let used: usize = widths.iter().sum::<usize>() + 8;
    let axis = shared_axis(&rows, width.saturating_sub(used).min(32));

    let mut text = String::new();
    for (row, (subject, _)) in cells.iter().zip(&rows) {
        let [name, value, ends] = row;
        let line = format!(
            "  {}  {}  {}",
            padded(name, widths[0], Side::Left),
            padded(value, widths[1], Side::Right),
            padded(ends, widths[2], Side::Left)
        );
        let bars = match axis {
            Some(axis) if !view.is_quiet() => {
                format!("  {}", picture::histogram(subject.series.values(), axis))
            }
            _ => String::new(),
        };
        let _ = writeln!(text, "{}", format!("{line}{bars}").trim_end());
    }
    if let (Some(axis), false) = (axis, view.is_quiet()) {
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
    if rows.iter().any(|(_, estimate)| estimate.if_independent) {
        let _ = writeln!(
            text,
            "  {FAINT}* {}{FAINT:#}",
            known::condition(true).trim_start_matches(", ")
        );
    }
    text
}

fn heading(subjects: &[Subject], estimate: &Estimate) -> String {
    let name = match (estimate.property, estimate.statistic) {
        (Some(property), _) => {
            format!("Thresholds that {} of executions meet", percent(property.proportion.get()))
        }
        (None, Statistic::Mean) => "Means".to_string(),
        (None, Statistic::HarmonicMean) => "Harmonic means".to_string(),
        (None, Statistic::Quantile(p)) if p == Probability::HALF => "Medians".to_string(),
        (None, statistic) => statistic.to_string(),
    };
    let sure = match estimate.method {
        Method::Spa => "SPA intervals".to_string(),
        Method::Subsession => "subsession intervals".to_string(),
        Method::Bca | Method::Z => format!("approximate {} CI", percent(estimate.confidence.get())),
        _ => format!("{} CI", percent(estimate.confidence.get())),
    };
    format!("{name} of {} subjects ({sure}):", subjects.len())
}

/// An axis for all subjects, if they are in the same unit and the picture would show anything.
fn shared_axis(rows: &[(&Subject, &Estimate)], width: usize) -> Option<Axis> {
    /// Room for the numbers at both ends.
    const NARROWEST: usize = 16;
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
