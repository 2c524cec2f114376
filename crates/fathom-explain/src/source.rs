//! Where traces come from.

use crate::{Mask, TargetRange};
use fathom_record::trace::{Samples, TraceMetric};
use std::error::Error;

/// Why samples could not be read.
pub type SourceError = Box<dyn Error + Send + Sync>;

/// A run and what it has.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEntry {
    /// Unique.
    pub id: String,
    /// Its metrics, in their order, each once.
    pub metrics: Vec<TraceMetric>,
}

/// Traces that are read a metric at a time, because all together may be too many.
pub trait TraceSource: Sync {
    /// The runs, in their order.
    fn runs(&self) -> &[RunEntry];

    /// The metric by which runs are aligned, if the recording names one.
    fn common(&self) -> Option<&str>;

    /// The rows of one metric in one run. Called from several threads.
    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError>;

    /// What of a run's time counts for nothing. `None` if the run cannot say: then it is what counts for
    /// nothing in the run of the selection, carried over.
    fn mask(&self, run: &str) -> Option<Mask> {
        let _ = run;
        Some(Mask::default())
    }

    /// Parts of the target that count for nothing, if the selection is made in this run.
    fn except(&self, run: &str) -> Vec<TargetRange> {
        let _ = run;
        Vec::new()
    }

    /// All metrics of a run at once, where that is faster than one after the other and they take no
    /// more than about `bytes`; `None` where it is not.
    fn whole_run(&self, run: &str, bytes: usize) -> Option<Result<Vec<Samples>, SourceError>> {
        let _ = (run, bytes);
        None
    }
}
