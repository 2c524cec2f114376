//! Traces: many metrics of one program over time, in one or several runs.
//!
//! A [`Manifest`] says which [`TraceMetric`]s were recorded in which run by which sampler. The
//! numbers are [`Rows`] while they are recorded, a time interval and a value per metric, and
//! [`Samples`] when they are read back, one metric of one run. What was not seen is missing and
//! stays so; counters are kept raw.

mod grid;
mod manifest;
mod metric;
mod rows;
mod samples;
mod value;

pub use manifest::{
    Clock, Manifest, ManifestError, ProbeCost, SamplerEntry, TRACE_SCHEMA, TraceRun,
};
pub use metric::{Kind, Layer, Number, TraceMetric};
pub use rows::Rows;
pub use samples::{Rate, Samples};
pub use value::{Value, Values};
