//! Traces that other tools wrote, read as runs of metrics over time.
//!
//! The kind of a file is detected from its content; [`ImportOptions::format`] forces it. Nothing is
//! skipped silently: what cannot be read is a [`ReadError`](crate::ReadError) that says where it is
//! and what to do, and what is left out by definition is said in [`ImportedRun::notes`].
//!
//! | format | what is read | samplers |
//! | --- | --- | --- |
//! | `csv` | a time column first, or a start and an end, and a metric per column | `csv` |
//! | `parquet` | a column of times, or of starts and ends, and a metric per column of numbers | `parquet` |
//! | `perf-stat` | `perf stat -I 1000 -x,`, with any separator and any aggregation | `perf` |
//! | `prometheus` | JSON of range queries, one response or several | `prometheus`, one per set of times |
//! | `netdata` | `format=csv`, `tsv`, `json`, with `jsonwrap`, and `json2` | `netdata` |
//! | `gc-log` | OpenJDK's `-Xlog:gc*,safepoint` | `pauses`, `concurrent`, `heap`, `safepoints` |
//!
//! Times count from the run's origin. Where the source has wall time, the origin is its
//! first moment (of a garbage collection log, the start of the virtual machine), and
//! [`ImportedRun::clock`] says when that was; its monotonic time is 0, since no source says it. Other
//! times stay as they are.
//!
//! ```
//! use fathom_formats::trace_imports::{ImportOptions, read_trace_bytes};
//! use fathom_record::Timestamp;
//! let table = b"time_ms,latency [ms],requests_total\n0,1.5,10\n10,,17\n";
//! let run = read_trace_bytes("web.csv", table, &ImportOptions::default())?;
//! let (name, rows) = &run.samplers[0];
//! assert_eq!((run.id.as_str(), name.as_str()), ("web", "csv"));
//! assert_eq!(rows.ends(), [0, 10_000_000].map(Timestamp::from_nanoseconds));
//! assert_eq!(rows.metrics()[0].unit.symbol(), "ms");
//! assert_eq!(rows.columns()[0].get(1).real(), None);
//! # Ok::<(), fathom_formats::ReadError>(())
//! ```

mod cell;
mod column;
mod date_time;
mod detect;
mod exported;
mod format;
mod gc_decorations;
mod gc_log;
mod gc_message;
mod gc_sizes;
mod naming;
mod netdata;
mod options;
mod pattern;
mod perf_line;
mod perf_stat;
mod prometheus;
mod prometheus_json;
mod prometheus_times;
mod read;
mod run;
mod short_names;
mod sparse;
mod stored_series;
mod table;
mod table_time;
mod timeline;
mod together;

pub use detect::detect;
pub use exported::EXPORTED;
pub use format::{ImportFormat, UnknownImportFormat};
pub use options::ImportOptions;
pub use pattern::matches as name_matches;
pub use read::{read_trace_bytes, read_trace_file};
pub use run::ImportedRun;
pub use stored_series::StoredSeries;
pub use together::{read_trace_folder, read_traces};
