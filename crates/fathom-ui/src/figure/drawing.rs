//! What a figure is made of: outlines and texts.

use serde::Serialize;
use std::fmt::Write as _;

/// How wide figures are drawn: for paper and screens, and for phones.
pub(crate) const WIDTHS: [f64; 2] = [880.0, 340.0];

/// A figure as it is drawn at one width.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drawing {
    /// In pixels.
    pub width: f64,
    /// In pixels.
    pub height: f64,
    /// What is drawn, in order.
    pub shapes: Vec<DrawnShape>,
    /// What can be pointed at.
    pub marks: Vec<Mark>,
}

/// An outline or a text. Its looks follow from its class.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DrawnShape {
    /// An outline.
    Path {
        /// How it looks.
        class: &'static str,
        /// In the words of SVG.
        d: String,
    },
    /// A text.
    Text {
        /// How it looks.
        class: &'static str,
        /// Where.
        x: f64,
        /// Where.
        y: f64,
        /// Which.
        text: String,
    },
}

/// Something that can be pointed at.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// Where.
    pub y: f64,
}

/// A drawing that is being made.
#[derive(Debug)]
pub(crate) struct Sketch {
    pub(crate) width: f64,
    pub(crate) height: f64,
    shapes: Vec<DrawnShape>,
    marks: Vec<Mark>,
}

/// Tenths of a pixel: sharper than eyes, and short.
fn px(place: f64) -> f64 {
    // Adding zero turns -0 into 0.
    if place.is_finite() { (place * 10.0).round() / 10.0 + 0.0 } else { 0.0 }
}

impl Sketch {
    pub(crate) fn new(width: f64, height: f64) -> Sketch {
        Sketch { width, height, shapes: Vec::new(), marks: Vec::new() }
    }

    pub(crate) fn is_narrow(&self) -> bool {
        self.width < 600.0
    }

    pub(crate) fn finish(self) -> Drawing {
        let Sketch { width, height, shapes, marks } = self;
        Drawing { width, height, shapes, marks }
    }

    /// Something that can be pointed at.
    pub(crate) fn mark(&mut self, x: f64, y: f64) {
        self.marks.push(Mark { x: px(x), y: px(y) });
    }

    /// An outline; an empty one is left out.
    pub(crate) fn path(&mut self, class: &'static str, d: String) {
        if !d.is_empty() {
            self.shapes.push(DrawnShape::Path { class, d });
        }
    }

    pub(crate) fn text(&mut self, class: &'static str, x: f64, y: f64, text: impl Into<String>) {
        self.shapes.push(DrawnShape::Text { class, x: px(x), y: px(y), text: text.into() });
    }

    pub(crate) fn line(&mut self, class: &'static str, from: (f64, f64), to: (f64, f64)) {
        let (x, y) = (px(from.0), px(from.1));
        let (to_x, to_y) = (px(to.0), px(to.1));
        self.path(class, format!("M{x} {y}L{to_x} {to_y}"));
    }

    /// The area between two corners.
    pub(crate) fn area(&mut self, class: &'static str, from: (f64, f64), to: (f64, f64)) {
        let (x, y, right, bottom) = (px(from.0), px(from.1), px(to.0), px(to.1));
        self.path(class, format!("M{x} {y}H{right}V{bottom}H{x}Z"));
    }

    /// Points of almost no length, which a round stroke makes dots of: one path for thousands.
    pub(crate) fn dots(&mut self, class: &'static str, points: &[(f64, f64)]) {
        self.each(class, points, |x, y| format!("M{x} {y}h.01"));
    }

    pub(crate) fn crosses(&mut self, class: &'static str, points: &[(f64, f64)], size: f64) {
        let (s, d) = (size, 2.0 * size);
        self.each(class, points, |x, y| {
            format!("M{} {}l{d} {d}m0 -{d}l-{d} {d}", px(x - s), px(y - s))
        });
    }

    pub(crate) fn rings(&mut self, class: &'static str, points: &[(f64, f64)], radius: f64) {
        let (r, d) = (radius, 2.0 * radius);
        self.each(class, points, |x, y| {
            format!("M{} {y}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0", px(x - r))
        });
    }

    /// Arrows whose tips are the points, upwards or downwards.
    pub(crate) fn arrows(&mut self, class: &'static str, points: &[(f64, f64)], is_up: bool) {
        let back = if is_up { 8 } else { -8 };
        self.each(class, points, |x, y| format!("M{x} {y}l4 {back}h-8Z"));
    }

    fn each(
        &mut self,
        class: &'static str,
        points: &[(f64, f64)],
        outline: impl Fn(f64, f64) -> String,
    ) {
        let mut d = String::new();
        let mut last = None;
        for &(x, y) in points {
            let place = (px(x), px(y));
            // Many executions may lie on one pixel.
            if last != Some(place) {
                d.push_str(&outline(place.0, place.1));
                last = Some(place);
            }
        }
        self.path(class, d);
    }

    /// A line through points, broken where there is none.
    pub(crate) fn through(
        &mut self,
        class: &'static str,
        points: impl IntoIterator<Item = Option<(f64, f64)>>,
    ) {
        let mut d = String::new();
        let mut is_open = false;
        for point in points {
            if let Some((x, y)) = point {
                let how = if is_open { 'L' } else { 'M' };
                let _ = write!(d, "{how}{} {}", px(x), px(y));
                if !is_open {
                    // A point alone is a dot.
                    d.push_str("h.01");
                }
            }
            is_open = point.is_some();
        }
        self.path(class, d);
    }

    /// Stairs: each height holds from its place to the next one, the last one to `end`.
    pub(crate) fn stairs(&mut self, class: &'static str, steps: &[(f64, f64)], end: f64) {
        let mut d = String::new();
        for (place, &(x, y)) in steps.iter().enumerate() {
            let until = steps.get(place + 1).map_or(end, |next| next.0);
            match place {
                0 => _ = write!(d, "M{} {}H{}", px(x), px(y), px(until)),
                _ => _ = write!(d, "V{}H{}", px(y), px(until)),
            }
        }
        self.path(class, d);
    }

    /// An interval along x with an estimate; ends beyond the axis are arrows.
    pub(crate) fn interval(&mut self, y: f64, ends: [(f64, bool); 2], estimate: Option<f64>) {
        let [(low, is_low_open), (high, is_high_open)] = ends;
        self.line("interval", (low, y), (high, y));
        for (x, is_open, side) in [(low, is_low_open, -1.0), (high, is_high_open, 1.0)] {
            if is_open {
                let back = px(-8.0 * side);
                self.path("solid", format!("M{} {}l{back} 4v-8Z", px(x + 4.0 * side), px(y)));
            } else {
                self.line("interval cap", (x, y - 5.0), (x, y + 5.0));
            }
        }
        if let Some(x) = estimate {
            self.dots("dot estimate", &[(x, y)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(draw: impl FnOnce(&mut Sketch)) -> Vec<DrawnShape> {
        let mut sketch = Sketch::new(100.0, 50.0);
        draw(&mut sketch);
        sketch.finish().shapes
    }

    #[test]
    fn lines_break_where_nothing_was_seen() {
        let points = [Some((0.0, 1.0)), Some((1.0, 2.0)), None, Some((3.0, 3.04))];
        let shapes = drawn(|sketch| sketch.through("line", points));
        assert_eq!(
            shapes,
            [DrawnShape::Path { class: "line", d: "M0 1h.01L1 2M3 3h.01".to_string() }]
        );
    }

    #[test]
    fn what_has_no_number_is_not_in_the_file() {
        let shapes = drawn(|sketch| {
            sketch.text("label", f64::NAN, f64::INFINITY, "a");
            sketch.dots("dot", &[]);
        });
        assert_eq!(
            shapes,
            [DrawnShape::Text { class: "label", x: 0.0, y: 0.0, text: "a".to_string() }]
        );
    }

    #[test]
    fn points_on_one_pixel_are_drawn_once() {
        let shapes = drawn(|sketch| sketch.dots("dot", &[(1.0, 1.0), (1.01, 1.0), (2.0, 1.0)]));
        assert_eq!(shapes, [DrawnShape::Path { class: "dot", d: "M1 1h.01M2 1h.01".to_string() }]);
    }
}
