//! An experiment: numbered executions of one or several systems, local or remote; each can be
//! repeated from its seed.

mod built_in;
mod completeness;
mod execution_metric;
mod fleet;
mod in_order;
mod journal;
mod kept_output;
mod local_fleet;
mod own_files;
mod performer;
mod recipe;
mod recorded;
mod scratch;
mod seeds;
mod sources;
mod worker;

pub use built_in::{bare_observation, built_in_names, costs_in, know_no_more_than_was_seen};
pub use execution_metric::ExecutionMetric;
pub use fleet::{ExecutionFailure, Fleet, FleetError, Performed, Ticket};
pub use in_order::InOrder;
#[cfg(any(test, fuzzing))]
pub(crate) use journal::check as check_journal;
pub use journal::{Journal, JournalError, OpenedJournal, Torn};
pub use local_fleet::LocalFleet;
pub use performer::{Performer, perform};
pub use recipe::{Recipe, System};
pub use recorded::ExecutionRecording;
pub use scratch::Scratch;
pub use seeds::seed_of;
