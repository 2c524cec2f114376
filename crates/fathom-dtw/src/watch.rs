//! Progress, and the wish to stop.

use crate::WarpError;
use std::cell::Cell;
use std::ops::ControlFlow;

/// How far an alignment is.
///
/// An alignment is one sweep over all cells, which this counts. With a path, a small part of them
/// is visited again: then `done` stays at `total`, but the watcher is still asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpProgress {
    /// Cells that have been computed.
    pub done: u64,
    /// Cells of both series, or of the band.
    pub total: u64,
}

/// What is told about progress after every few rows, and may answer that it is enough.
pub type Watcher<'a> = &'a (dyn Fn(WarpProgress) -> ControlFlow<()> + Sync);

/// The watcher of one alignment.
pub(crate) struct Watch<'a> {
    watcher: Option<Watcher<'a>>,
    done: Cell<u64>,
    total: u64,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(watcher: Option<Watcher<'a>>) -> Self {
        Self { watcher, done: Cell::new(0), total: 0 }
    }

    /// This many cells will be computed, some perhaps again.
    pub(crate) fn expect(&mut self, cells: u64) {
        self.total = cells;
    }

    /// Some more cells have been computed.
    pub(crate) fn advance(&self, cells: u64) -> Result<(), WarpError> {
        let Some(watcher) = self.watcher else { return Ok(()) };
        let done = self.done.get().saturating_add(cells).min(self.total);
        self.done.set(done);
        match watcher(WarpProgress { done, total: self.total }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(WarpError::Stopped),
        }
    }
}
