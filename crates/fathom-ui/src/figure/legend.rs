//! What the marks of a figure mean, written above it.

use super::Sketch;

/// A mark and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegendEntry {
    /// How it looks: the class of its shape.
    pub class: &'static str,
    /// How it is drawn.
    pub sign: LegendSign,
    /// What it means.
    pub text: String,
}

/// How a mark is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegendSign {
    /// A dot.
    Dot,
    /// A cross.
    Cross,
    /// A ring.
    Ring,
    /// An arrow downwards.
    Arrow,
    /// A line.
    Line,
    /// An area.
    Area,
}

impl LegendEntry {
    pub(crate) fn new(
        class: &'static str,
        sign: LegendSign,
        text: impl Into<String>,
    ) -> LegendEntry {
        LegendEntry { class, sign, text: text.into() }
    }
}

/// The height of a row.
const ROW: f64 = 17.0;
/// About the width of a letter at 11 pixels.
const LETTER: f64 = 5.9;

impl Sketch {
    /// How high the legend of these entries is.
    pub(crate) fn legend_height(width: f64, entries: &[LegendEntry]) -> f64 {
        rows(width, entries).iter().map(|(row, _)| row + 1).max().unwrap_or(0) as f64 * ROW
    }

    /// Writes the legend at the top.
    pub(crate) fn legend(&mut self, entries: &[LegendEntry]) {
        let places = rows(self.width, entries);
        for (entry, (row, x)) in entries.iter().zip(places) {
            let y = row as f64 * ROW + 8.0;
            let middle = (x + 8.0, y);
            match entry.sign {
                LegendSign::Dot => self.dots(entry.class, &[middle]),
                LegendSign::Cross => self.crosses(entry.class, &[middle], 3.5),
                LegendSign::Ring => self.rings(entry.class, &[middle], 3.5),
                LegendSign::Arrow => self.arrows(entry.class, &[(x + 8.0, y + 4.0)], false),
                LegendSign::Line => self.line(entry.class, (x, y), (x + 16.0, y)),
                LegendSign::Area => self.area(entry.class, (x, y - 5.0), (x + 16.0, y + 5.0)),
            }
            self.text("label start", x + 21.0, y + 3.5, entry.text.clone());
        }
    }
}

/// In which row each entry stands, and where.
fn rows(width: f64, entries: &[LegendEntry]) -> Vec<(usize, f64)> {
    let (mut row, mut x) = (0, 2.0);
    let mut all = Vec::with_capacity(entries.len());
    for entry in entries {
        let long = 21.0 + LETTER * entry.text.chars().count() as f64 + 14.0;
        if x > 2.0 && x + long > width {
            (row, x) = (row + 1, 2.0);
        }
        all.push((row, x));
        x += long;
    }
    all
}
