//! Other tools' measurement files, read as [`Series`](fathom_record::Series), and executions, read
//! as [`Observation`](fathom_record::Observation)s ([`read_observations`]).
//!
//! The kind of a file is detected from its content, never from its name; [`ReadOptions::format`]
//! forces it. Nothing is skipped silently: what cannot be read is a [`ReadError`] that says where
//! it is and what to do. Each format documents what it always skips: comment lines of text files,
//! warm-ups and calibration of pyperf, aggregates of Google Benchmark, `base/` of criterion.
//!
//! ```
//! use fathom_formats::{ReadOptions, read_bytes};
//! let text = b"before_ms,after_ms\n10.5,9.25\n10.75,9.5\n";
//! let series = read_bytes("runs.csv", text, &ReadOptions::default())?.series;
//! assert_eq!(series[1].name(), "after_ms");
//! assert_eq!(series[1].unit().symbol(), "ms");
//! assert_eq!(series[1].values(), [9.25, 9.5]);
//! # Ok::<(), fathom_formats::ReadError>(())
//! ```

mod contents;
mod criterion;
mod criterion_folder;
mod csv_columns;
mod csv_delimiter;
mod csv_notation;
mod csv_records;
mod csv_table;
mod decimal_mark;
mod decode;
mod detect;
mod error;
mod fathom_json;
mod format;
mod gem5;
mod gem5_dumps;
mod google_benchmark;
mod hyperfine;
mod json;
mod json_kind;
mod json_shape;
mod json_table;
mod metrics;
mod nearest;
mod number;
mod numbers;
mod observations;
mod pyperf;
mod read;
mod table_column;
pub mod trace;
pub mod trace_imports;

pub use contents::Contents;
pub use decimal_mark::{DecimalMark, UnknownDecimalMark};
pub use detect::detect;
pub use error::ReadError;
pub use format::{Format, UnknownFormat};
pub use observations::{
    Attempt, AttemptSlot, Attempts, FailedExecution, FileAttempts, Groups, ObservationFormat,
    ObservationOptions, RowsAre, Together, UnknownObservationFormat, holds_executions,
    observations_from_bytes, observed, one_cut_short_from_bytes, one_from_bytes,
    read_attempts_by_file, read_observations, read_one, read_one_cut_short,
};
pub use read::{ReadOptions, read_bytes, read_path};
