//! Ratios as numbers, and over an axis on which 1 is marked.
//!
//! ```
//! use fathom_render::ratio::{RatioAxis, ratio_text};
//! use fathom_stats::RatioInterval;
//!
//! let interval = RatioInterval::new(1.02, 1.08);
//! let axis = RatioAxis::of([interval], 20).unwrap();
//! assert_eq!(ratio_text(1.05, interval), "1.050");
//! assert_eq!(axis.line(1.05, interval), "┆    ├──────●──────┤");
//! assert_eq!(axis.legend(), "1              1.080");
//! ```

use crate::layout::{FAINT, Side, padded, shortened, visible};
use crate::quantity::{Rounding, Scale};
use crate::statistic_sentence::named;
use fathom_analyze::compare::Comparison;
use fathom_record::Unit;
use fathom_stats::{Interval, RatioInterval};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The digits that a ratio's interval supports, to four decimals at most. An interval that leaves
/// out 1 has more if its end would read as 1 otherwise.
#[must_use]
pub fn scale_of_ratio(ratio: f64, interval: RatioInterval) -> Scale {
    let Interval { lower, upper } = interval.ends();
    let nearest = (lower - 1.0).abs().min((upper - 1.0).abs());
    let half = if interval.contains(1.0) { f64::INFINITY } else { 10.0 * nearest };
    let half = (0.5 * interval.width()).min(half).max(2e-3 * ratio);
    let wider = Interval { lower: ratio - half, upper: ratio + half };
    Scale::new(&Unit::Unknown, ratio, None).for_interval(ratio, Some(wider))
}

/// "1.012".
#[must_use]
pub fn ratio_text(ratio: f64, interval: RatioInterval) -> String {
    scale_of_ratio(ratio, interval).number(ratio, Rounding::Nearest)
}

/// "1.008 to 1.016", with the digits of the ratio.
#[must_use]
pub fn ratio_ends(ratio: f64, interval: RatioInterval) -> String {
    scale_of_ratio(ratio, interval).ends(Some(interval.ends()), false)
}

/// The interval that a reader of [`ratio_ends`] takes it for: it contains the true one.
#[must_use]
pub fn ends_as_shown(ratio: f64, interval: RatioInterval) -> RatioInterval {
    let scale = scale_of_ratio(ratio, interval);
    let shown = |end: f64, rounding| match scale.number(end, rounding).parse() {
        Ok(shown) if end.is_finite() => shown,
        _ => end,
    };
    let Interval { lower, upper } = interval.ends();
    RatioInterval::new(shown(lower, Rounding::Down), shown(upper, Rounding::Up))
}

/// A logarithmic axis that shows intervals of ratios, and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioAxis {
    low: f64,
    high: f64,
    width: usize,
    /// The narrowest interval, which says how many digits the ends have.
    narrowest: f64,
}

impl RatioAxis {
    /// An axis of `width` columns that shows all intervals with an end on both sides; `None` if
    /// there is nothing to show.
    #[must_use]
    pub fn of(
        intervals: impl IntoIterator<Item = RatioInterval>,
        width: usize,
    ) -> Option<RatioAxis> {
        let start = (1.0_f64, 1.0_f64, f64::INFINITY);
        let (low, high, narrowest) = intervals.into_iter().filter(RatioInterval::is_finite).fold(
            start,
            |(low, high, narrowest), interval| {
                (
                    low.min(interval.lower()),
                    high.max(interval.upper()),
                    narrowest.min(interval.width()),
                )
            },
        );
        (low < high && width > 0).then_some(RatioAxis { low, high, width, narrowest })
    }

    fn column(&self, ratio: f64) -> usize {
        let share = (ratio.ln() - self.low.ln()) / (self.high.ln() - self.low.ln());
        (share * (self.width - 1) as f64).round() as usize
    }

    /// Where a ratio and its interval lie relative to 1; blank if the interval has an open end.
    #[must_use]
    pub fn line(&self, ratio: f64, interval: RatioInterval) -> String {
        if !interval.is_finite() {
            return String::new();
        }
        let (from, to) = (self.column(interval.lower()), self.column(interval.upper()));
        let (at, one) = (self.column(ratio), self.column(1.0));
        let line: String = (0..self.width)
            .map(|column| match column {
                c if c == at => '●',
                c if c == from && from < to => '├',
                c if c == to && from < to => '┤',
                c if c > from && c < to => '─',
                c if c == one => '┆',
                _ => ' ',
            })
            .collect();
        line.trim_end().to_string()
    }

    /// What goes under the lines: the axis's ends, and where nothing changes.
    #[must_use]
    pub fn legend(&self) -> String {
        let RatioAxis { low, high, width, narrowest } = *self;
        // The digits and the rounding of the words, so that both say the same of an end.
        let narrow = RatioInterval::new(high - 0.5 * narrowest, high + 0.5 * narrowest);
        let scale = scale_of_ratio(high, narrow);
        let left = scale.number(low, Rounding::Down);
        let right = scale.number(high, Rounding::Up);
        let mut axis = vec![' '; width + right.width()];
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
        write_at(self.column(1.0).min(width - 1), "1");
        if low < 1.0 {
            write_at(0, &left);
        }
        if high > 1.0 {
            write_at(width.saturating_sub(right.width()), &right);
        }
        axis.into_iter().collect::<String>().trim_end().to_string()
    }
}

/// The ratios over one axis on which 1 is marked, a line each, in `width` columns; empty if there
/// is nothing to show.
#[must_use]
pub fn ratios(comparisons: &[Comparison], width: usize) -> String {
    let shown: Vec<&Comparison> = comparisons
        .iter()
        // Many quantiles have a table with a picture of its own.
        .filter(|found| found.interval.is_finite() && found.quantiles.is_empty())
        .collect();
    let several = shown.len() > 1;
    let label = |found: &Comparison| match several {
        true => format!("{} / reference", shortened(&visible(&found.subject), 20)),
        false if found.statistic.is_median() => "ratio".to_string(),
        false => format!("ratio of {}", named(found.statistic)),
    };
    let labels: Vec<String> = shown.iter().map(|found| label(found)).collect();
    let numbers: Vec<String> =
        shown.iter().map(|found| ratio_text(found.ratio, found.interval)).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| text.width()).max().unwrap_or(0);
    let (label_width, number_width) = (widest(&labels), widest(&numbers));
    let room = width.saturating_sub(label_width + number_width + 10).clamp(12, 48);
    let Some(axis) = RatioAxis::of(shown.iter().map(|found| found.interval), room) else {
        return String::new();
    };
    let mut text = String::from("\n");
    for ((found, label), number) in shown.iter().zip(&labels).zip(&numbers) {
        let _ = writeln!(
            text,
            "  {}  {}  {}",
            padded(label, label_width, Side::Left),
            padded(number, number_width, Side::Right),
            axis.line(found.ratio, found.interval)
        );
    }
    let indent = " ".repeat(label_width + number_width + 6);
    let _ = writeln!(text, "{indent}{FAINT}{}{FAINT:#}", axis.legend());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_share_an_axis_with_one() {
        let (faster, slower) = (RatioInterval::new(0.5, 0.6), RatioInterval::new(1.5, 2.0));
        let axis = RatioAxis::of([faster, slower], 21).unwrap();
        assert_eq!(axis.line(0.55, faster), "├●─┤      ┆");
        assert_eq!(axis.line(1.8, slower), "          ┆     ├─●─┤");
        assert_eq!(axis.legend(), "0.500     1     2.000");
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        let open = RatioInterval::new(0.9, f64::INFINITY);
        let broken = RatioInterval::new(-1.0, 2.0);
        assert_eq!(RatioAxis::of([open, broken, RatioInterval::new(1.0, 1.0)], 20), None);
        let known = RatioInterval::new(0.9, 1.2);
        assert_eq!(RatioAxis::of([known], 0), None);
        let axis = RatioAxis::of([known, open], 20).unwrap();
        assert_eq!(axis.line(1.0, open), "");
        assert_eq!(axis.line(f64::NAN, known).chars().next(), Some('●'));
        for width in 1..12 {
            let axis = RatioAxis::of([known], width).unwrap();
            assert!(axis.line(1.05, known).width() <= width);
            let _ = axis.legend();
        }
    }
}
