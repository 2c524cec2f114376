//! A figure in a file of its own.

use super::{Drawing, DrawnShape, Figure};
use crate::report::escaped;
use std::fmt::Write as _;

/// How figures look, wherever they are. Its colours are those of theme.css.
const STYLE: &str = include_str!("../../web/src/figure/figure.css");
const THEME: &str = include_str!("../../web/src/theme.css");

/// The style of a figure in a file of its own: light, and without variables, which programs that draw
/// SVG for paper do not know.
#[must_use]
pub fn standalone_style() -> String {
    let mut style = String::new();
    let mut rest = STYLE;
    // Comments are for those who read the source.
    while let Some((before, after)) = rest.split_once("/*") {
        style.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    style.push_str(rest);
    for (name, light) in light_colours() {
        style = style.replace(&format!("var({name})"), light);
    }
    let style = style.replace("var(--font)", "sans-serif");
    style.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// "--ink" and "#1a1d21", of every colour that has a light and a dark form.
fn light_colours() -> impl Iterator<Item = (&'static str, &'static str)> {
    THEME.lines().filter_map(|line| {
        let (name, value) = line.trim().split_once(": light-dark(")?;
        let light = value.split(", ").next()?;
        Some((name, light.trim_end_matches([')', ';'])))
    })
}

/// The file.
pub(super) fn svg(figure: &Figure) -> String {
    let Drawing { width, height, .. } = figure.wide;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fathom-figure\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n\
         <desc>{}</desc>\n<style>{}</style>\n<path class=\"paper\" d=\"M0 0H{width}V{height}H0Z\"/>\n",
        escaped(&figure.title),
        escaped(&figure.says),
        standalone_style(),
    );
    shapes(&mut text, &figure.wide);
    text.push_str("</svg>\n");
    text
}

/// The shapes of a drawing, an element each.
pub(super) fn shapes(text: &mut String, drawing: &Drawing) {
    for shape in &drawing.shapes {
        let _ = match shape {
            DrawnShape::Path { class, d } => writeln!(text, "<path class=\"{class}\" d=\"{d}\"/>"),
            DrawnShape::Text { class, x, y, text: words } => {
                writeln!(
                    text,
                    "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>",
                    escaped(words)
                )
            }
        };
    }
}

impl Drawing {
    /// The shapes as elements of SVG, for a document that brings the style along.
    pub(crate) fn elements(&self) -> String {
        let mut text = String::new();
        shapes(&mut text, self);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_its_own_has_no_variables() {
        let style = standalone_style();
        assert!(style.contains("#0072b2"), "{style}");
        assert!(!style.contains("var("), "{style}");
        assert!(!style.contains("/*"), "{style}");
    }
}
