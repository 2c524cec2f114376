//! The metrics of an imported run, one by one.

use fathom_formats::trace_imports::ImportedRun;
use fathom_record::Timestamp;
use fathom_record::trace::Samples;
use std::sync::Arc;

/// Every metric of a run, in the order of its tables; those of one table share their times.
pub(crate) fn into_samples(run: ImportedRun) -> Vec<Samples> {
    let mut all = Vec::new();
    for (_, rows) in run.samplers {
        let starts: Arc<[Timestamp]> = rows.starts().into();
        let ends: Arc<[Timestamp]> = rows.ends().into();
        let metrics = Arc::clone(rows.metrics());
        for (metric, values) in metrics.iter().zip(rows.into_columns()) {
            all.push(Samples {
                metric: metric.clone(),
                starts: Arc::clone(&starts),
                ends: Arc::clone(&ends),
                values,
            });
        }
    }
    all
}

/// The same, of a run that is still needed.
pub(crate) fn samples_of(run: &ImportedRun) -> Vec<Samples> {
    into_samples(run.clone())
}
