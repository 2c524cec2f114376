//! Traces in a folder: `manifest.json` and one Parquet file per run and sampler.
//!
//! [`TraceFolder`] and [`SamplerWriter`] write one while a program runs: what was appended is in
//! complete files, whatever happens to the writer. [`Trace`] reads one, also while it is written and
//! after its writer was killed. [`read_parquet_table`] reads Parquet files that others wrote.
//! `docs/trace-format.md` says what is in the folder.

mod chunks;
mod column;
mod csv;
mod error;
mod folder;
mod footer;
mod foreign_column;
mod foreign_parquet;
mod foreign_time;
mod layout;
mod merge;
mod pages;
mod parquet_file;
mod part_name;
mod pieces;
mod recorded;
mod sampler_writer;
mod scan;
mod size_limit;
mod table;

pub use error::TraceError;
pub use folder::TraceFolder;
pub use foreign_parquet::{ParquetOptions, ParquetTable, read_parquet_table};
pub use recorded::Trace;
pub use sampler_writer::SamplerWriter;

/// The name of the manifest in its folder.
pub const MANIFEST: &str = "manifest.json";

/// The column of the times where rows start.
const START: &str = "start_ns";
/// The column of the times where rows end.
const END: &str = "end_ns";
