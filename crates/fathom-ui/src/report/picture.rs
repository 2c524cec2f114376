//! Small pictures that need no script: their colours come from the style sheet.

mod histogram;
mod interval;
mod line;
mod outline;

pub(super) use histogram::histogram;
pub(super) use interval::{Axis, interval};
pub(super) use line::{Line, line};
pub(super) use outline::outline;

use super::html::Html;

/// Where a value lies between two others, from 0 to 1; in the middle if those are the same.
fn share(value: f64, low: f64, high: f64) -> f64 {
    // Halves first: the difference of large values would overflow.
    let length = high / 2.0 - low / 2.0;
    if length > 0.0 { ((value / 2.0 - low / 2.0) / length).clamp(0.0, 1.0) } else { 0.5 }
}

/// The least and the greatest of what was seen.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|value| value.is_finite()).fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    })
}

/// Appends lines through points, broken where there is none. A point alone is a dot.
fn path(html: &mut Html, points: impl Iterator<Item = Option<(f64, f64)>>) {
    let mut is_open = false;
    let mut alone: Option<(f64, f64)> = None;
    let dot = |html: &mut Html, alone: Option<(f64, f64)>| {
        if alone.is_some() {
            html.markup("h.01");
        }
    };
    html.markup("<path d=\"");
    for point in points {
        match point {
            Some((x, y)) => {
                html.markup(if is_open { "L" } else { "M" }).place(x).markup(" ").place(y);
                alone = if is_open { None } else { Some((x, y)) };
                is_open = true;
            }
            None => {
                dot(html, alone.take());
                is_open = false;
            }
        }
    }
    dot(html, alone);
    html.markup("\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_where_nothing_was_seen() {
        let mut html = Html::default();
        let points =
            [Some((0.0, 1.0)), Some((1.0, 2.0)), None, Some((3.0, 3.0)), None, Some((5.0, 5.5))];
        path(&mut html, points.into_iter());
        assert_eq!(html.as_str(), "<path d=\"M0 1L1 2M3 3h.01M5 5.5h.01\"/>");
    }

    #[test]
    fn extreme_values_stay_within() {
        assert_eq!(share(0.0, f64::MIN, f64::MAX), 0.5);
        assert_eq!(share(3.0, 3.0, 3.0), 0.5);
        assert_eq!(share(9.0, 0.0, 3.0), 1.0);
        assert_eq!(range([f64::NAN, 2.0, f64::INFINITY, -1.0].into_iter()), Some((-1.0, 2.0)));
        assert_eq!(range(std::iter::empty()), None);
    }
}
