//! One of several runs.

use crate::{Mask, RunEntry, SourceError, TargetRange, TraceSource};
use fathom_record::trace::Samples;

/// Traces as if they had only one run: what can be said at once, while others are still aligned.
pub struct OneRun<'s> {
    source: &'s dyn TraceSource,
    runs: &'s [RunEntry],
}

impl<'s> OneRun<'s> {
    /// The run of this id; `None` if there is none.
    #[must_use]
    pub fn new(source: &'s dyn TraceSource, run: &str) -> Option<OneRun<'s>> {
        let place = source.runs().iter().position(|entry| entry.id == run)?;
        let runs = source.runs().get(place..=place)?;
        Some(OneRun { source, runs })
    }
}

impl TraceSource for OneRun<'_> {
    fn runs(&self) -> &[RunEntry] {
        self.runs
    }

    fn common(&self) -> Option<&str> {
        self.source.common()
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        self.source.samples(run, metric)
    }

    fn mask(&self, run: &str) -> Option<Mask> {
        self.source.mask(run)
    }

    fn except(&self, run: &str) -> Vec<TargetRange> {
        self.source.except(run)
    }

    fn whole_run(&self, run: &str, bytes: usize) -> Option<Result<Vec<Samples>, SourceError>> {
        self.source.whole_run(run, bytes)
    }
}
