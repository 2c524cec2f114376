//! Where each cell of a region came from, in two bits.

use crate::kernel::Engine;
use crate::path::Step;
use std::ops::Range;

/// Where each cell of a region came from, in two bits.
pub(crate) struct Codes {
    engine: Engine,
    first_row: usize,
    strips: Vec<StripCodes>,
    bytes: Vec<u8>,
}

struct StripCodes {
    /// The column at which the strip began.
    origin: usize,
    /// Where its bytes begin.
    offset: usize,
}

impl Codes {
    /// Room for this many rows and columns from a first row on.
    pub(crate) fn new(engine: Engine, first_row: usize, rows: usize, columns: usize) -> Self {
        let strips = Vec::with_capacity(rows.div_ceil(engine.height()));
        let steps = columns + engine.height();
        let bytes = Vec::with_capacity(strips.capacity() * steps * engine.code_bytes());
        Self { engine, first_row, strips, bytes }
    }

    /// Bytes for a region without a band.
    pub(crate) fn size(engine: &Engine, rows: usize, columns: usize) -> usize {
        let steps = columns.saturating_add(engine.height());
        let strip =
            steps.saturating_mul(engine.code_bytes()).saturating_add(size_of::<StripCodes>());
        rows.div_ceil(engine.height()).saturating_mul(strip)
    }

    /// Makes room for the next strip.
    pub(crate) fn strip(&mut self, origin: usize, steps: usize) {
        let offset = self.bytes.len();
        self.strips.push(StripCodes { origin, offset });
        self.bytes.resize(offset + steps * self.engine.code_bytes(), 0);
    }

    /// Some bytes of the strip that was begun last.
    pub(crate) fn last_strip(&mut self, bytes: Range<usize>) -> &mut [u8] {
        let offset = self.strips.last().map_or(0, |strip| strip.offset);
        self.bytes.get_mut(offset + bytes.start..offset + bytes.end).unwrap_or_default()
    }

    /// The step by which the best path came to a cell.
    pub(crate) fn step_to(&self, row: usize, column: usize) -> Step {
        let height = self.engine.height();
        let (strip, q) = ((row - self.first_row) / height, (row - self.first_row) % height);
        let codes = self.strips.get(strip).and_then(|strip| {
            let step = (column + q).checked_sub(strip.origin)?;
            let from = strip.offset + step * self.engine.code_bytes();
            self.bytes.get(from..from + self.engine.code_bytes())
        });
        match self.engine.decode(codes.unwrap_or_default(), q) {
            (true, _) => Step::Both,
            (false, true) => Step::X,
            (false, false) => Step::Y,
        }
    }
}
