//! Which metrics take no part, and why.

use crate::change::without_rounding;
use crate::{Question, Sequence};
use std::fmt;
use std::ops::Range;

/// Fewer values than these within the windows have no shape, unless the windows are that short.
const FEWEST_WITHIN: usize = 3;

/// Why a metric takes no part. Says so as a sentence without its full stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Exclusion {
    /// It is the target itself.
    Target,
    /// It has no value in any row.
    NeverSeen,
    /// It has too few values within the windows.
    FewWithin {
        /// This many.
        seen: usize,
    },
    /// It has one value only, everywhere.
    Constant {
        /// This one.
        value: f64,
    },
    /// It has one value only, within the windows and in the baseline, if there is one.
    ConstantHere {
        /// This one.
        value: f64,
        /// Whether anything was seen in the baseline.
        is_compared: bool,
    },
}

impl Exclusion {
    /// Why a metric takes no part in a question; `None` if it does.
    ///
    /// A metric that is constant within the windows has no shape there, but if the baseline has any
    /// other value it changed, and takes part.
    #[must_use]
    pub fn of(question: &Question, metric: &Sequence, is_target: bool) -> Option<Exclusion> {
        if is_target {
            return Some(Exclusion::Target);
        }
        let mut everywhere = metric.seen().map(without_rounding);
        let Some(first) = everywhere.next() else { return Some(Exclusion::NeverSeen) };
        if everywhere.all(|value| value == first) {
            return Some(Exclusion::Constant { value: first });
        }
        let mut within = question.windows.iter().flat_map(|window| values(metric, window));
        let seen = question.windows.iter().flat_map(|window| values(metric, window)).count();
        if seen < FEWEST_WITHIN.min(question.asked()) {
            return Some(Exclusion::FewWithin { seen });
        }
        let value = within.next()?;
        if within.any(|other| other != value) {
            return None;
        }
        let mut before = question.baseline.iter().flat_map(|rows| values(metric, rows)).peekable();
        let is_compared = before.peek().is_some();
        before.all(|other| other == value).then_some(Exclusion::ConstantHere { value, is_compared })
    }
}

/// What was seen in some rows, without what rounding adds.
fn values<'m>(metric: &'m Sequence, rows: &Range<usize>) -> impl Iterator<Item = f64> + 'm {
    let rows = rows.start..rows.end.min(metric.len());
    rows.filter_map(|row| metric.get(row)).map(without_rounding)
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exclusion::Target => f.write_str("the target itself"),
            Exclusion::NeverSeen => f.write_str("no values"),
            Exclusion::FewWithin { seen: 0 } => f.write_str("no values in the window"),
            Exclusion::FewWithin { seen: 1 } => f.write_str("only 1 value in the window"),
            Exclusion::FewWithin { seen } => write!(f, "only {seen} values in the window"),
            Exclusion::Constant { value } => write!(f, "constant at {}", Short(*value)),
            Exclusion::ConstantHere { value, is_compared: true } => {
                write!(f, "constant at {} in the window and in the baseline", Short(*value))
            }
            Exclusion::ConstantHere { value, is_compared: false } => {
                write!(f, "constant at {} in the window, with no baseline", Short(*value))
            }
        }
    }
}

/// A number to read: at most ten digits that count, with an exponent if it is very large or small.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = format!("{:.9e}", self.0).parse().unwrap_or(self.0);
        if rounded == 0.0 || (1e-4..1e15).contains(&rounded.abs()) {
            // Without the sign of -0.
            write!(f, "{}", rounded + 0.0)
        } else {
            write!(f, "{rounded:e}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Segments};
    use fathom_record::Span;

    fn question(windows: &[Range<usize>], baseline: Option<Range<usize>>) -> Question {
        Question {
            grid: Grid::even(10, Span::from_nanoseconds(1)).unwrap(),
            target: Sequence::from((0..10).map(f64::from).collect::<Vec<_>>()),
            windows: windows.to_vec(),
            baseline,
            segments: Segments::Auto,
            pattern: None,
        }
    }

    fn said(metric: &[f64]) -> Option<String> {
        let question = question(std::slice::from_ref(&(5..9)), Some(0..5));
        let found = Exclusion::of(&question, &Sequence::from(metric.to_vec()), false);
        found.map(|reason| reason.to_string())
    }

    #[test]
    fn each_reason_is_a_sentence() {
        const GAP: f64 = f64::NAN;
        assert_eq!(said(&[GAP; 10]).unwrap(), "no values");
        assert_eq!(said(&[4096.0; 10]).unwrap(), "constant at 4096");
        assert_eq!(said(&[1e300; 10]).unwrap(), "constant at 1e300");
        assert_eq!(said(&[-0.0; 10]).unwrap(), "constant at 0");
        assert_eq!(said(&[0.1 + 0.2; 10]).unwrap(), "constant at 0.3");
        let before = [1.0, 2.0, 3.0, 4.0, 5.0, GAP, GAP, GAP, GAP, 1.0];
        assert_eq!(said(&before).unwrap(), "no values in the window");
        let few = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, GAP, 7.0, GAP, 1.0];
        assert_eq!(said(&few).unwrap(), "only 2 values in the window");
        let after = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0];
        assert_eq!(said(&after).unwrap(), "constant at 1 in the window and in the baseline");
    }

    #[test]
    fn another_level_is_a_change() {
        assert_eq!(said(&[1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0]), None);
        assert_eq!(said(&[1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]), None);
        assert_eq!(said(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0]), None);
    }

    #[test]
    fn without_a_baseline_a_constant_window_says_nothing() {
        let metric = Sequence::from(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.0, 6.0, 6.0, 1.0]);
        let question = question(std::slice::from_ref(&(5..9)), None);
        let reason = Exclusion::of(&question, &metric, false).unwrap().to_string();
        assert_eq!(reason, "constant at 6 in the window, with no baseline");
        assert_eq!(Exclusion::of(&question, &metric, true), Some(Exclusion::Target));
    }

    #[test]
    fn short_windows_need_no_more_values_than_they_have_rows() {
        let metric = Sequence::from(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.0, 7.0, 6.0, 1.0]);
        let question = question(std::slice::from_ref(&(5..7)), Some(0..5));
        assert_eq!(Exclusion::of(&question, &metric, false), None);
    }
}
