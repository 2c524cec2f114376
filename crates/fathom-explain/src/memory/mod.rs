//! What need not be worked out again for the next question about the same traces.

mod held;
mod shelf;
mod whole_runs;

pub(crate) use held::Held;
pub(crate) use shelf::Shelf;
pub(crate) use whole_runs::WholeRuns;

use crate::align::{OwnRows, Pair, PairKey, RowsKey};
use fathom_record::trace::Samples;
use std::fmt;

/// Remembers what does not depend on the windows: samples that were read, metrics on their own rows,
/// and the warps between runs with what they say of themselves.
///
/// [`explain_with`](crate::explain_with) and its kin answer with a memory as they do without, byte for
/// byte, only sooner. Several threads may ask at once. A question that is stopped leaves behind what it
/// had finished, and no warp is made twice at a time.
///
/// A memory is for one set of traces, whose samples stay as they are: it goes by the names of runs and
/// metrics. One of the runs alone, as [`OneRun`](crate::OneRun) has it, is the same set.
pub struct Memory {
    /// By run and metric.
    pub(crate) samples: Shelf<(String, String), Samples>,
    pub(crate) whole_runs: WholeRuns,
    pub(crate) rows: Shelf<RowsKey, OwnRows>,
    pub(crate) pairs: Shelf<PairKey, Pair>,
}

/// What a memory keeps unless it is told.
const USUAL: usize = 2 << 30;

impl Memory {
    /// Keeps no more than about so many bytes: half of them samples, a quarter rows and a quarter
    /// warps, each without those that nobody asked for the longest. With 0 it keeps nothing.
    #[must_use]
    pub fn new(bytes: usize) -> Memory {
        Memory {
            samples: Shelf::new(bytes / 2),
            whole_runs: WholeRuns::default(),
            rows: Shelf::new(bytes / 4),
            pairs: Shelf::new(bytes / 4),
        }
    }

    /// About how many bytes are kept now.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.samples.bytes() + self.rows.bytes() + self.pairs.bytes()
    }
}

impl Default for Memory {
    /// Of two gibibytes.
    fn default() -> Memory {
        Memory::new(USUAL)
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("samples", &self.samples)
            .field("rows", &self.rows)
            .field("pairs", &self.pairs)
            .finish()
    }
}
