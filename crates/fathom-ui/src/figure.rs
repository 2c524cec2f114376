//! Figures that are the same in the page, in a report without scripts, and in a file of their own.
//!
//! A [`Figure`] is drawn here, once for wide screens and paper and once for phones. The page only
//! puts its [`DrawnShape`]s into an SVG element, so that what is downloaded is what was seen.

mod axis;
mod drawing;
mod legend;
mod standalone;

pub(crate) use axis::{Axis, Upright};
pub use drawing::{Drawing, DrawnShape, Mark};
pub(crate) use drawing::{Sketch, WIDTHS};
pub use legend::{LegendEntry, LegendSign};
pub use standalone::standalone_style;

use serde::Serialize;

/// A figure with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Its name in files and tests: "margins", "signals-1".
    pub id: String,
    /// What stands above it.
    pub title: String,
    /// What there is to see, as a sentence.
    pub says: String,
    /// For paper and wide screens.
    pub wide: Drawing,
    /// For phones.
    pub narrow: Drawing,
    /// What is read out at each mark, in their order.
    pub readings: Vec<String>,
    /// What the reader should know.
    pub note: Option<String>,
    /// The numbers behind it.
    pub table: FigureTable,
}

/// The numbers behind a figure.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FigureTable {
    /// What the columns are.
    pub head: Vec<String>,
    /// A row for each mark or line.
    pub rows: Vec<Vec<String>>,
}

impl FigureTable {
    /// A table with this head.
    pub(crate) fn with_head(head: &[&str]) -> FigureTable {
        FigureTable { head: head.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }
}

impl Figure {
    /// The figure as an SVG file of its own, in light colours.
    #[must_use]
    pub fn svg(&self) -> String {
        standalone::svg(self)
    }
}
