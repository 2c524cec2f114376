//! Ratios as numbers, and over an axis on which 1 is marked.

use super::layout::{FAINT, padded, shortened, visible};
use super::quantity::{Rounding, Scale};
use fathom_analyze::compare::Comparison;
use fathom_record::Unit;
use fathom_stats::Interval;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The digits that a ratio's interval supports, to four decimals at most.
pub(super) fn scale_of_ratio(ratio: f64, interval: Interval) -> Scale {
    let half = (0.5 * interval.width()).max(2e-3 * ratio);
    let wider = Interval { lower: ratio - half, upper: ratio + half };
    Scale::new(&Unit::Unknown, ratio, None).for_interval(ratio, Some(wider))
}

pub(super) fn ratio_text(ratio: f64, interval: Interval) -> String {
    scale_of_ratio(ratio, interval).number(ratio, Rounding::Nearest)
}

pub(super) fn ratio_ends(comparison: &Comparison) -> String {
    let Comparison { ratio, interval, .. } = comparison;
    scale_of_ratio(*ratio, *interval).ends(Some(*interval), false)
}

/// The ratios over one axis on which 1 is marked.
pub(super) fn ratios(comparisons: &[Comparison], width: usize) -> String {
    let shown: Vec<&Comparison> =
        comparisons.iter().filter(|comparison| comparison.interval.is_finite()).collect();
    if shown.is_empty() {
        return String::new();
    }
    let low = shown.iter().map(|found| found.interval.lower).fold(1.0, f64::min);
    let high = shown.iter().map(|found| found.interval.upper).fold(1.0, f64::max);
    if low >= high {
        return String::new();
    }
    let several = shown.len() > 1;
    let label = |found: &Comparison| match several {
        true => format!("{} / reference", shortened(&visible(&found.subject), 20)),
        false => "ratio".to_string(),
    };
    let labels: Vec<String> = shown.iter().map(|found| label(found)).collect();
    let numbers: Vec<String> =
        shown.iter().map(|found| ratio_text(found.ratio, found.interval)).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| text.width()).max().unwrap_or(0);
    let (label_width, number_width) = (widest(&labels), widest(&numbers));
    let room = width.saturating_sub(label_width + number_width + 10).clamp(12, 48);
    let place = |ratio: f64| {
        let share = (ratio.ln() - low.ln()) / (high.ln() - low.ln());
        (share * (room - 1) as f64).round() as usize
    };
    let one = place(1.0);
    let mut text = String::from("\n");
    for ((found, label), number) in shown.iter().zip(&labels).zip(&numbers) {
        let (from, to) = (place(found.interval.lower), place(found.interval.upper));
        let at = place(found.ratio);
        let line: String = (0..room)
            .map(|column| match column {
                c if c == at => '●',
                c if c == from && from < to => '├',
                c if c == to && from < to => '┤',
                c if c > from && c < to => '─',
                c if c == one => '┆',
                _ => ' ',
            })
            .collect();
        let _ = writeln!(
            text,
            "  {}  {}  {}",
            padded(label, label_width, true),
            padded(number, number_width, false),
            line.trim_end()
        );
    }
    // The axis: its ends, and where nothing changes.
    let indent = label_width + number_width + 6;
    let scale = Scale::new(&Unit::Unknown, high, None)
        .for_interval(high, Some(Interval { lower: low, upper: high }));
    let left = scale.number(low, Rounding::Nearest);
    let right = scale.number(high, Rounding::Nearest);
    let mut axis = vec![' '; room + right.width()];
    let mut write_at = |column: usize, label: &str| {
        let end = column + label.width();
        let is_free = axis
            .get(column.saturating_sub(1)..(end + 1).min(axis.len()))
            .is_some_and(|part| part.iter().all(|c| *c == ' '));
        if is_free {
            for (cell, letter) in axis.iter_mut().skip(column).zip(label.chars()) {
                *cell = letter;
            }
        }
    };
    write_at(one.min(room - 1), "1");
    if low < 1.0 {
        write_at(0, &left);
    }
    if high > 1.0 {
        write_at((room).saturating_sub(right.width()), &right);
    }
    let axis: String = axis.into_iter().collect();
    let _ = writeln!(text, "{}{FAINT}{}{FAINT:#}", " ".repeat(indent), axis.trim_end());
    text
}
