//! A metric over time, large.

use super::{path, range, share};
use crate::report::html::Html;

/// Room for the labels of the axis.
const LEFT: f64 = 80.0;
const WIDTH: f64 = 876.0;
const TOP: f64 = 8.0;
const HEIGHT: f64 = 120.0;

/// A value per moment, `None` where nothing was seen.
type Values<'a> = &'a [Option<f64>];

/// What is drawn.
pub(in crate::report) struct Line<'a> {
    /// What it is, for people who cannot see it.
    pub(in crate::report) about: &'a str,
    /// In seconds, in order.
    pub(in crate::report) time: &'a [f64],
    /// A value per moment.
    pub(in crate::report) values: Values<'a>,
    /// The range of the values, where a moment represents several.
    pub(in crate::report) reach: Option<(Values<'a>, Values<'a>)>,
    /// Stretches of time that are shaded.
    pub(in crate::report) windows: &'a [(f64, f64)],
    /// A number with its unit, as on the axis.
    pub(in crate::report) words: &'a dyn Fn(f64) -> String,
    /// A moment, as it stands under the axis.
    pub(in crate::report) moment: &'a dyn Fn(f64) -> String,
}

/// The picture; `None` if nothing was seen.
pub(in crate::report) fn line(line: &Line<'_>) -> Option<Html> {
    let (start, end) = range(line.time.iter().copied())?;
    let (lows, highs) = line.reach.unwrap_or((line.values, line.values));
    let seen = [line.values, lows, highs].into_iter().flatten().copied().flatten();
    let (low, high) = range(seen)?;
    let x = |time: f64| LEFT + WIDTH * share(time, start, end);
    let y = |value: f64| TOP + HEIGHT * (1.0 - share(value, low, high));
    let points = |values: Values<'_>| -> Vec<Option<(f64, f64)>> {
        let pairs = line.time.iter().zip(values);
        pairs.map(|(time, value)| Some((x(*time), y((*value)?)))).collect()
    };
    let mut html = Html::default();
    html.markup("<svg class=\"line\" viewBox=\"0 0 960 150\" role=\"img\"><title>");
    html.text(line.about).markup("</title>");
    for &(from, to) in line.windows {
        let (from, to) = (x(from), x(to));
        html.markup("<rect class=\"window\" y=\"0\" height=\"132\" x=\"").place(from);
        html.markup("\" width=\"").place((to - from).max(1.0)).markup("\"/>");
    }
    if line.reach.is_some() {
        html.markup("<g class=\"reach\">");
        let bars =
            points(lows).into_iter().zip(points(highs)).filter_map(|(low, high)| low.zip(high));
        html.markup("<path d=\"");
        for ((x, low), (_, high)) in bars {
            html.markup("M").place(x).markup(" ").place(low).markup("V").place(high);
        }
        html.markup("\"/></g>");
    }
    path(&mut html, points(line.values).into_iter());
    let mut label = |x: f64, y: f64, class: &'static str, text: &str| {
        html.markup("<text class=\"").markup(class).markup("\" x=\"").place(x);
        html.markup("\" y=\"").place(y).markup("\">").text(text).markup("</text>");
    };
    label(LEFT - 8.0, TOP + 4.0, "to", &(line.words)(high));
    label(LEFT - 8.0, TOP + HEIGHT + 4.0, "to", &(line.words)(low));
    label(LEFT, 146.0, "from", &(line.moment)(start));
    label(LEFT + WIDTH, 146.0, "to", &(line.moment)(end));
    html.markup("</svg>\n");
    Some(html)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(values: &[Option<f64>], about: &str) -> Option<Html> {
        line(&Line {
            about,
            time: &[0.0, 1.0, 2.0],
            values,
            reach: None,
            windows: &[(1.0, 2.0)],
            words: &|value| format!("{value} ms"),
            moment: &|time| format!("{time} s"),
        })
    }

    #[test]
    fn axes_are_named_and_the_window_is_shaded() {
        let html = drawn(&[Some(1.0), None, Some(5.0)], "<latency>").unwrap();
        let text = html.as_str();
        assert!(text.contains("<title>&lt;latency&gt;</title>"), "{text}");
        assert!(text.contains("x=\"518\" width=\"438\""), "{text}");
        for words in ["5 ms", "1 ms", "0 s", "2 s", "M80 128h.01M956 8h.01"] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn nothing_seen_is_no_picture() {
        assert_eq!(drawn(&[None, None, None], ""), None);
    }
}
