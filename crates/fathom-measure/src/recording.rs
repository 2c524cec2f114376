//! Records traces: what a program does while it runs, from probes and from its own output.
//!
//! [`offers`] tries what this machine has, [`plan`] spreads it over runs, and a [`Recorder`] makes the
//! runs: [`Recorder::record`] starts a command, [`Recorder::attach`] observes a process that runs.
//! In each run every sampler is a thread with a schedule, and has a thread that writes: sampling
//! waits for nobody. [`RecordingSummary`](fathom_record::trace::RecordingSummary) says what it cost.

pub mod application;
mod application_rows;
mod attached;
mod common_metric;
#[cfg(test)]
mod fake;
mod groups;
mod lateness;
mod left_running;
mod live;
mod observers;
mod offer;
mod pace;
mod plan_error;
mod planned_cost;
mod progress;
mod record_error;
mod recorder;
mod run;
mod sampler;
mod schedule;
mod selection;
mod slot;
mod writer;

pub use attached::find_process;
pub use groups::{RecordingOptions, plan};
pub use offer::{Offer, OfferedMetrics, offers};
pub use plan_error::{LEAST_INTERVAL, PlanError};
pub use progress::RecordingProgress;
pub use record_error::RecordError;
pub use recorder::Recorder;
