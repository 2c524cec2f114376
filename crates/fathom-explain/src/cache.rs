//! What need not be worked out again for the next question about the same traces.

mod bounded_cache;
mod held;
mod whole_runs;

pub(crate) use bounded_cache::BoundedCache;
pub(crate) use held::Held;
pub(crate) use whole_runs::WholeRuns;

use crate::align::{OwnRows, Pair, PairKey, RowsKey};
use fathom_record::trace::Samples;
use std::fmt;

/// Keeps what does not depend on the windows: samples that were read, metrics on their own rows,
/// and the warps between runs with their quality.
///
/// [`explain_with`](crate::explain_with) and its kin answer with a cache as they do without, byte for
/// byte, only sooner. Several threads may ask at once. A question that is stopped leaves behind what it
/// had finished, and no warp is made twice at a time.
///
/// A cache is for one set of traces, whose samples stay as they are: it goes by the names of runs and
/// metrics. One of the runs alone, as [`OneRun`](crate::OneRun) has it, is the same set.
pub struct ExplainCache {
    /// By run and metric.
    pub(crate) samples: BoundedCache<(String, String), Samples>,
    pub(crate) whole_runs: WholeRuns,
    pub(crate) rows: BoundedCache<RowsKey, OwnRows>,
    pub(crate) pairs: BoundedCache<PairKey, Pair>,
}

/// What a cache keeps unless it is told.
const USUAL: usize = 2 << 30;

impl ExplainCache {
    /// Keeps no more than about this many bytes: half of them samples, a quarter rows and a quarter
    /// warps, each without the least recently used. With 0 it keeps nothing.
    #[must_use]
    pub fn new(bytes: usize) -> ExplainCache {
        ExplainCache {
            samples: BoundedCache::new(bytes / 2),
            whole_runs: WholeRuns::default(),
            rows: BoundedCache::new(bytes / 4),
            pairs: BoundedCache::new(bytes / 4),
        }
    }

    /// About how many bytes are kept now.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.samples.bytes() + self.rows.bytes() + self.pairs.bytes()
    }
}

impl Default for ExplainCache {
    /// Of two gibibytes.
    fn default() -> ExplainCache {
        ExplainCache::new(USUAL)
    }
}

impl fmt::Debug for ExplainCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExplainCache")
            .field("samples", &self.samples)
            .field("rows", &self.rows)
            .field("pairs", &self.pairs)
            .finish()
    }
}
