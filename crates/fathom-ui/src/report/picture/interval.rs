//! An estimate and its interval, over an axis that others share.

use super::{range, share};
use crate::report::html::Html;

const WIDTH: f64 = 180.0;
const MARGIN: f64 = 8.0;

/// What the pictures of a table have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::report) struct Axis {
    low: f64,
    high: f64,
    /// A value that is marked: no difference.
    mark: Option<f64>,
}

impl Axis {
    /// From the least to the greatest of the values that are finite; `None` if none is.
    pub(in crate::report) fn of(
        values: impl Iterator<Item = f64>,
        mark: Option<f64>,
    ) -> Option<Axis> {
        let (low, high) = range(values.chain(mark))?;
        Some(Axis { low, high, mark })
    }

    fn x(&self, value: f64) -> f64 {
        MARGIN + (WIDTH - 2.0 * MARGIN) * share(value, self.low, self.high)
    }
}

/// A dot, and a line from the lower end to the upper; an end that is open has an arrow.
pub(in crate::report) fn interval(axis: Axis, value: f64, ends: Option<(f64, f64)>) -> Html {
    let mut html = Html::default();
    html.markup("<svg class=\"interval\" viewBox=\"0 0 180 16\" aria-hidden=\"true\">");
    if let Some(mark) = axis.mark {
        html.markup("<path class=\"mark\" d=\"M").place(axis.x(mark)).markup(" 0v16\"/>");
    }
    if let Some((lower, upper)) = ends {
        let start = if lower.is_finite() { axis.x(lower) } else { 0.0 };
        let end = if upper.is_finite() { axis.x(upper) } else { WIDTH };
        html.markup("<path d=\"M").place(start).markup(" 8H").place(end).markup("\"/>");
        html.markup("<path d=\"M").place(start);
        html.markup(if lower.is_finite() { " 4v8\"/>" } else { " 8l5 -4m-5 4l5 4\"/>" });
        html.markup("<path d=\"M").place(end);
        html.markup(if upper.is_finite() { " 4v8\"/>" } else { " 8l-5 -4m5 4l-5 4\"/>" });
    }
    if value.is_finite() {
        html.markup("<circle cy=\"8\" r=\"3.5\" cx=\"").place(axis.x(value)).markup("\"/>");
    }
    html.markup("</svg>");
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_drawn_where_they_are() {
        let axis = Axis::of([1.0, 3.0].into_iter(), None).unwrap();
        let html = interval(axis, 2.0, Some((1.0, 3.0)));
        let text = html.as_str();
        assert!(text.contains("M8 8H172"), "{text}");
        assert!(text.contains("cx=\"90\""), "{text}");
        assert!(!text.contains("mark"), "{text}");
    }

    #[test]
    fn open_ends_reach_the_edge() {
        let ends = [0.9, f64::NEG_INFINITY, f64::INFINITY];
        let axis = Axis::of(ends.into_iter(), Some(1.0)).unwrap();
        let html = interval(axis, 0.95, Some((f64::NEG_INFINITY, f64::INFINITY)));
        assert!(html.as_str().contains("M0 8H180"), "{}", html.as_str());
        assert!(html.as_str().contains("class=\"mark\" d=\"M172 0v16\""), "{}", html.as_str());
    }

    #[test]
    fn nothing_finite_has_no_axis() {
        assert_eq!(Axis::of([f64::INFINITY].into_iter(), None), None);
    }
}
