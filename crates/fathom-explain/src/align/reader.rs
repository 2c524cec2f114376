//! Traces, and what is remembered of them.

use super::error::AlignError;
use super::readable::{checked, read};
use super::rows::{OwnRows, RowsKey, own_rows};
use crate::{ExplainCache, RunEntry, TraceSource};
use fathom_record::trace::Samples;
use std::sync::Arc;

/// Reads what is not remembered.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'r> {
    pub(crate) source: &'r dyn TraceSource,
    pub(super) cache: &'r ExplainCache,
}

impl<'r> Reader<'r> {
    pub(crate) fn new(source: &'r dyn TraceSource, cache: &'r ExplainCache) -> Reader<'r> {
        Reader { source, cache }
    }

    /// A metric of a run, as [`read`] has it.
    pub(crate) fn samples(self, run: &str, metric: &str) -> Result<Arc<Samples>, AlignError> {
        let key = (run.to_string(), metric.to_string());
        if let Some(samples) = self.cache.samples.get(&key) {
            return Ok(samples);
        }
        self.cache.whole_runs.when_due(run, || self.read_whole(run, &key));
        self.cache.samples.get_or(key, || read(self.source, run, metric))
    }

    /// Reads all metrics of a run into memory; `false` if that cannot be done. What is wrong with one
    /// of them is told when it is asked for.
    fn read_whole(self, run: &str, wanted: &(String, String)) -> bool {
        let samples = &self.cache.samples;
        // Another thread may have read it meanwhile.
        if samples.get(wanted).is_some() {
            return true;
        }
        // Two runs fit, so that threads that have come to the next one do not push out this one.
        let Some(Ok(whole)) = self.source.whole_run(run, samples.limit() / 2) else { return false };
        for one in whole {
            let key = (run.to_string(), one.metric.name.clone());
            if let Ok(one) = checked(one, run) {
                samples.put(key, one);
            }
        }
        true
    }

    /// A metric of a run on rows of its own, as [`own_rows`] has it.
    pub(super) fn rows(
        self,
        run: &RunEntry,
        metric: &str,
        beside: Option<&str>,
    ) -> Result<Arc<OwnRows>, AlignError> {
        let (id, beside_id) = (run.id.clone(), beside.map(str::to_string));
        let metric_id = metric.to_string();
        let key = RowsKey { run: id, metric: metric_id, beside: beside_id, is_masked: true };
        self.cache.rows.get_or(key, || {
            let mask = self.source.mask(&run.id).unwrap_or_default();
            Ok(own_rows(self, run, metric, beside)?.without(&mask))
        })
    }

    /// The metric that runs are aligned by. Rows that do not count are left out if every run can say
    /// which they are: a part that is missing from one run only would not be found in the other.
    pub(super) fn common_rows(
        self,
        run: &RunEntry,
        metric: &str,
    ) -> Result<Arc<OwnRows>, AlignError> {
        if self.source.runs().iter().all(|one| self.source.mask(&one.id).is_some()) {
            return self.rows(run, metric, None);
        }
        self.all_rows(run, metric)
    }

    /// A metric of a run on rows of its own, whether they count or not.
    pub(super) fn all_rows(self, run: &RunEntry, metric: &str) -> Result<Arc<OwnRows>, AlignError> {
        let (id, metric_id) = (run.id.clone(), metric.to_string());
        let key = RowsKey { run: id, metric: metric_id, beside: None, is_masked: false };
        self.cache.rows.get_or(key, || own_rows(self, run, metric, None))
    }
}

/// Reads a metric as [`read`] does, unless it is remembered.
///
/// # Errors
/// If it cannot be read, or its rows cannot be put on a grid; with the run, the metric and the row.
pub fn read_with(
    source: &dyn TraceSource,
    run: &str,
    metric: &str,
    cache: &ExplainCache,
) -> Result<Arc<Samples>, AlignError> {
    Reader::new(source, cache).samples(run, metric)
}
