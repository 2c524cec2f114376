//! The vocabulary that every room of Fathom shares: what was measured ([`Series`]), in what
//! ([`Unit`]), when, where and with what ([`Environment`], [`Provenance`]), a [`Session`] of [`Run`]s and what can be asked of them
//! ([`Metric`]), what was seen of one execution over time ([`Observation`]), [`trace`]s of
//! many metrics, moments and lengths of time ([`Timestamp`], [`Span`]), facts about the machine
//! ([`finding`]), what is wrong and what to do about it ([`Advice`]), what is saved ([`ListedSession`],
//! [`SavedResult`]), Fathom's own JSON ([`own_json`]), and files and folders that are there whole or
//! not at all ([`whole_file`], [`whole_folder`]).
//!
//! Everything depends on this crate, so it stays light and holds no statistics.

mod advice;
#[cfg(feature = "commands")]
mod calendar;
mod decimal;
mod environment;
pub mod finding;
pub mod foreign_text;
pub mod in_words;
#[cfg(feature = "commands")]
mod listed_session;
mod metric;
mod more_needed;
mod nearest;
#[cfg(feature = "commands")]
mod observation;
pub mod own_json;
mod provenance;
mod run;
mod saved_result;
mod series;
mod session;
pub mod shell;
mod startup;
mod throughput;
mod time;
#[cfg(feature = "commands")]
pub mod trace;
pub mod typed;
mod unit;
mod utc;
pub mod whole_file;
#[cfg(feature = "commands")]
pub mod whole_folder;

pub use advice::{Advice, AdvisedOption, FrontEnd, Remedy};
#[cfg(feature = "commands")]
pub use calendar::CalendarMoment;
pub use decimal::Decimal;
pub use environment::Environment;
#[cfg(feature = "commands")]
pub use listed_session::ListedSession;
pub use metric::{Metric, MetricError};
pub use more_needed::MoreNeeded;
pub use nearest::{listed, nearest};
#[cfg(feature = "commands")]
pub use observation::{
    Attribute, Certainty, Events, MergeError, OBSERVATION_SCHEMA, Observation, ObservationError,
    Scalar, Shape, Signal, WrittenObservation,
};
pub use provenance::{InputFile, ProgramFile, Provenance};
pub use run::{BlockSlot, Ending, Phase, Reading, Run, Usage};
pub use saved_result::SavedResult;
pub use series::{Series, SeriesError};
pub use session::{Session, SessionId};
pub use startup::Startup;
pub use throughput::Throughput;
pub use time::{Span, Timestamp};
pub use unit::{TimeUnit, Unit};
pub use utc::utc;
