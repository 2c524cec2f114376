//! Traces: many metrics of one program over time, in one or several runs.
//!
//! A [`Manifest`] says which [`TraceMetric`]s were recorded in which run by which sampler. The
//! numbers are [`Rows`] while they are recorded, a time interval and a value per metric, and
//! [`Samples`] when they are read back, one metric of one run. What was not seen is missing and
//! stays so; counters are kept raw. A [`RecordingPlan`] says what would be recorded, a [`Recording`] what
//! was, and a [`RecordingSummary`] what that cost.

mod grid;
mod manifest;
mod metric;
mod plan;
mod recording;
mod rows;
mod samples;
mod summary;
mod value;

pub use manifest::{
    Clock, Manifest, ManifestError, MetricDefinition, ProbeCost, SamplerEntry, TRACE_SCHEMA,
    TraceRun,
};
pub use metric::{Kind, Layer, Number, TraceMetric};
pub use plan::{MOST_SHARE, PlannedProbe, PlannedRun, PlannedSampler, RecordingPlan};
pub use recording::{Recording, RunOutcome};
pub use rows::Rows;
pub use samples::{Rate, Samples};
pub use summary::{RecordingSummary, cost_in_words};
pub use value::{Value, Values};
