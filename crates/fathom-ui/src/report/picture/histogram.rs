//! How samples spread.

use crate::report::html::Html;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 40.0;

/// A bar for each count; `ends` are words for the outer edges.
#[allow(clippy::cast_precision_loss, reason = "a place in a picture")]
pub(in crate::report) fn histogram(about: &str, counts: &[usize], ends: [&str; 2]) -> Html {
    let width = WIDTH / counts.len().max(1) as f64;
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut html = Html::default();
    html.markup("<svg class=\"histogram\" viewBox=\"0 0 300 56\" role=\"img\"><title>").text(about);
    html.markup("</title><path class=\"bars\" d=\"");
    for (place, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        // What is there at all is seen.
        let height = (HEIGHT * count as f64 / most).max(0.5);
        html.markup("M").place(place as f64 * width).markup(" 40v").place(-height);
        html.markup("h").place(width).markup("v").place(height).markup("z");
    }
    html.markup("\"/><path d=\"M0 40h300\"/>");
    let [low, high] = ends;
    html.markup("<text class=\"from\" x=\"0\" y=\"53\">").text(low).markup("</text>");
    html.markup("<text class=\"to\" x=\"300\" y=\"53\">").text(high).markup("</text></svg>\n");
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_where_samples_are() {
        let html = histogram("<a>", &[1, 0, 4], ["1 ms", "2 ms"]);
        let text = html.as_str();
        assert!(text.contains("d=\"M0 40v-10h100v10zM200 40v-40h100v40z\""), "{text}");
        assert!(text.contains("<title>&lt;a&gt;</title>"), "{text}");
        assert!(text.contains("1 ms</text>") && text.contains("2 ms</text>"), "{text}");
    }

    #[test]
    fn one_among_many_is_still_seen() {
        let html = histogram("", &[1, 1_000_000], ["", ""]);
        assert!(html.as_str().contains("M0 40v-0.5h150v0.5z"), "{}", html.as_str());
    }
}
