//! A program's own metrics while it is recorded.
//!
//! An [`ApplicationPlan`] says where the program speaks ([`AppSource`]) and what is sought in its
//! lines ([`AppMetric`], or all numbers of lines that are JSON). For every run:
//!
//! ```no_run
//! # use fathom_measure::recording::application::*;
//! # fn run(plan: &ApplicationPlan) -> Result<(), ApplicationError> {
//! let mut prepared = plan.prepare()?; // before the command starts
//! let variables = prepared.variables(); // for the command: FATHOM_PIPE
//! let output = prepared.take_output(); // Some(file): the command's standard output goes there
//! let (sender, said) = std::sync::mpsc::sync_channel(ROOM);
//! let listening = prepared.start(&sender)?; // a thread per source; start the command now
//! drop(sender); // so that `said` ends when the last listener does
//! // ... while the command runs: said.recv_timeout(...), said.try_iter()
//! // ... drop `output` when the command has it, then, when the command has ended:
//! let heard: Vec<Heard> = listening.finish(); // reads what is left, ends the threads
//! // ... take what is still in `said`
//! # Ok(()) }
//! ```
//!
//! Listeners never wait for the receiver of the channel: if it is full, rows are dropped and
//! counted ([`Heard::dropped`]). Times are those of arrival, on the monotonic clock; times within a
//! line or a sample are ignored.

mod endpoint;
mod escape_codes;
mod exposition;
#[cfg(any(test, fuzzing))]
mod fuzzing;
mod heard;
mod http;
mod json_members;
mod line_search;
mod lines;
mod listener;
mod listening;
mod log_file;
mod metric;
mod pass_on;
mod plan;
#[cfg(test)]
mod properties;
mod registry;
mod scrape;
mod source;
mod stream;

pub use endpoint::{Endpoint, EndpointError};
#[cfg(any(test, fuzzing))]
pub(crate) use fuzzing::{check_answer, check_lines};
pub use heard::{Example, Heard};
pub use lines::LONGEST_LINE;
pub use listening::{Listening, Prepared};
pub use metric::{AppMetric, AppMetricError};
pub use pass_on::PassOn;
pub use plan::{ApplicationError, ApplicationPlan};
pub use source::{AppSource, PIPE_VARIABLE};

use fathom_record::trace::{Kind, TraceMetric, Value};
use fathom_record::{Span, TimeUnit, Timestamp, Unit};
use std::sync::Arc;

/// The name before every metric of a program: `app.latency`. Also its probe's and its sampler's.
pub const PROBE: &str = "app";

/// How many rows the channel should have room for: about as many as a fast program prints in the
/// tenth of a second for which the receiver may be busy.
pub const ROOM: usize = 65_536;

/// The most metrics that one run takes from JSON lines and endpoints together. Names may hold
/// numbers that never repeat; a file with a column for each would be of no use.
pub const MOST_METRICS: usize = 1_000;

/// What the program said at one moment: one row.
///
/// Either all readings are [`Kind::Event`]s or none is.
#[derive(Debug, Clone, PartialEq)]
pub struct ApplicationRow {
    /// When it arrived, on the monotonic clock. Rows of one source come in order; those of several
    /// may be a little out of order.
    pub at: Timestamp,
    /// Each metric at most once.
    pub readings: Vec<(Arc<TraceMetric>, Value)>,
}

impl ApplicationRow {
    /// When it began, if it is an event: a pause of 3 ms began 3 ms before it was reported. What
    /// has no duration begins when it ends. `None` for gauges and counters.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast saturates, and a negative duration is none"
    )]
    pub fn began(&self) -> Option<Timestamp> {
        let events = || self.readings.iter().filter(|(metric, _)| metric.kind == Kind::Event);
        events().next()?;
        let longest = events()
            .filter_map(|(metric, value)| match metric.unit {
                Unit::Time(unit) => Some(unit.convert(value.real()?, TimeUnit::Nanoseconds)),
                _ => None,
            })
            .fold(0.0, f64::max);
        Some(self.at - Span::from_nanoseconds(longest as u64))
    }
}
