//! Folders of traces: made of other tools' files, summed up, written as tables. And the metrics that
//! are computed from those of a run.

mod derived;
mod description;
mod export;
mod import;
mod imported_samples;
mod summaries;

pub(crate) use derived::{RunMetrics, compute, defined, resolve, tables};
pub(crate) use description::MetricDescriptions;
pub use export::{AlignedExport, ExportChoice, export, export_table};
pub use import::{Import, import};
pub(crate) use imported_samples::into_samples;
pub use summaries::{MetricEntry, TraceSummaries, TracesDocument, is_traces, summaries};
