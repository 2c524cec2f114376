//! Folders of traces: made of other tools' files, summed up, written as tables.

mod export;
mod import;
mod summaries;

pub use export::{AlignedExport, ExportChoice, export, export_table};
pub use import::{Import, import};
pub use summaries::{MetricEntry, TraceSummaries, TracesDocument, is_traces, summaries};
