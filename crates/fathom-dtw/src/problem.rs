//! Two series and how to align them, checked.

use crate::band::Band;
use crate::error::{WarpError, WhichSeries};
use crate::kernel::Engine;
use crate::watch::Watch;
use std::ops::Range;

/// Two series and how to align them, checked. Rows are samples of x, columns samples of y.
pub(crate) struct Problem<'a> {
    pub(crate) x: &'a [f64],
    /// With as many zeros after it as a strip has rows, as its first row is ahead of its last.
    y: Vec<f64>,
    pub(crate) columns: usize,
    pub(crate) penalty: f64,
    pub(crate) band: Option<Band>,
    /// Whether the path may start and end at any column.
    pub(crate) free: bool,
    pub(crate) engine: Engine,
    pub(crate) watch: Watch<'a>,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(
        x: &'a [f64],
        y: &[f64],
        engine: Engine,
        watch: Watch<'a>,
    ) -> Result<Self, WarpError> {
        check(x, WhichSeries::X)?;
        check(y, WhichSeries::Y)?;
        let mut padded = Vec::with_capacity(y.len() + engine.height());
        padded.extend_from_slice(y);
        padded.resize(y.len() + engine.height(), 0.0);
        Ok(Self {
            x,
            y: padded,
            columns: y.len(),
            penalty: 0.0,
            band: None,
            free: false,
            engine,
            watch,
        })
    }

    /// Tells the watcher how many cells there will be.
    pub(crate) fn count_cells(&mut self) {
        let rows = self.x.len();
        let cells = match &self.band {
            Some(band) => (0..rows).map(|row| band.columns(row).len() as u64).sum(),
            None => (rows as u64).saturating_mul(self.columns as u64),
        };
        self.watch.expect(cells);
    }

    /// The values of y that a strip's first row meets.
    pub(crate) fn met(&self, columns: Range<usize>) -> &[f64] {
        self.y.get(columns).unwrap_or_default()
    }

    /// The columns of a row that may be used.
    pub(crate) fn columns_of(&self, row: usize) -> Range<usize> {
        self.band.as_ref().map_or(0..self.columns, |band| band.columns(row))
    }

    /// What is above the first row, beginning left of its first column: a path starts from a zero.
    pub(crate) fn top(&self) -> Vec<f64> {
        let mut top = vec![if self.free { 0.0 } else { f64::INFINITY }; self.columns + 1];
        if let Some(corner) = top.first_mut() {
            *corner = 0.0;
        }
        top
    }

    /// What is left of the first column.
    pub(crate) fn left(&self) -> Vec<f64> {
        vec![f64::INFINITY; self.x.len()]
    }
}

fn check(values: &[f64], series: WhichSeries) -> Result<(), WarpError> {
    if values.is_empty() {
        return Err(WarpError::Empty { series });
    }
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => {
            let value = values.get(index).copied().unwrap_or(f64::NAN);
            Err(WarpError::NotFinite { series, index, value })
        }
    }
}
