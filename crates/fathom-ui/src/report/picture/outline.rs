//! A metric in a few columns, as the terminal draws it.

use super::{path, range, share};
use crate::report::html::Html;
use fathom_explain::Outline;

const WIDTH: f64 = 140.0;
const HEIGHT: f64 = 24.0;
const MARGIN: f64 = 2.0;

/// The picture of a metric; the windows are shaded.
#[allow(clippy::cast_precision_loss, reason = "a few columns")]
pub(in crate::report) fn outline(values: &[Option<f64>], layout: Outline) -> Html {
    let columns = layout.columns().max(1) as f64;
    let x = |column: f64| WIDTH * column / columns;
    let mut html = Html::default();
    html.markup("<svg class=\"outline\" viewBox=\"0 0 140 24\" aria-hidden=\"true\">");
    html.markup("<rect class=\"window\" y=\"0\" height=\"24\" x=\"").place(x(layout.before as f64));
    html.markup("\" width=\"").place(x(layout.within as f64)).markup("\"/>");
    if let Some((low, high)) = range(values.iter().copied().flatten()) {
        let room = HEIGHT - 2.0 * MARGIN;
        let points = values.iter().enumerate().map(|(n, value)| {
            let y = HEIGHT - MARGIN - room * share((*value)?, low, high);
            Some((x(n as f64 + 0.5), y))
        });
        path(&mut html, points);
    }
    html.markup("</svg>");
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_shaded_and_the_line_is_scaled() {
        let layout = Outline { before: 1, within: 2, after: 1 };
        let html = outline(&[Some(1.0), Some(3.0), None, Some(2.0)], layout);
        let text = html.as_str();
        assert!(text.contains("x=\"35\" width=\"70\""), "{text}");
        assert!(text.contains("d=\"M17.5 22L52.5 2M122.5 12h.01\""), "{text}");
    }

    #[test]
    fn nothing_seen_draws_no_line() {
        let html = outline(&[None, None], Outline { before: 0, within: 2, after: 0 });
        assert!(!html.as_str().contains("path"));
    }
}
