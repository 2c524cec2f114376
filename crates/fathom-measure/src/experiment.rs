//! An experiment: numbered executions of one or several systems, near or far, each of which can
//! be repeated from its seed.

mod fleet;
mod recipe;

pub use fleet::{ExecutionFailure, Fleet, FleetError, Performed, Ticket};
pub use recipe::{Recipe, System};
