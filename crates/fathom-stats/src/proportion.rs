//! Proportions: is something true of at least a share F of all executions, and what is the share?
//!
//! Every rule decides by two numbers, the samples and the successes among them, so that its errors
//! can be computed exactly ([`Horizon`]) instead of being believed.
//!
//! | rule | decides | its error |
//! | --- | --- | --- |
//! | [`Rule::anytime`] | at any number of samples | at most 1 − C, however often one looks |
//! | [`Rule::exact`] | at one number, fixed beforehand | at most 1 − C there |
//! | [`Rule::wald`] | at any number of samples | at most 1 − C, except for shares near F |
//! | [`Rule::spa`] | at any number of samples | a half or more near F: to compare with the paper |

mod evidence;
#[cfg(feature = "proportions")]
mod further;
#[cfg(feature = "proportions")]
mod horizon;
#[cfg(feature = "proportions")]
mod interval;
#[cfg(feature = "proportions")]
mod limits;
#[cfg(feature = "proportions")]
mod plan;
#[cfg(feature = "proportions")]
mod reached;
#[cfg(feature = "proportions")]
mod rule;
#[cfg(feature = "proportions")]
mod wald;

pub use evidence::{LogEvidence, log_evidence};
#[cfg(feature = "proportions")]
pub use further::{FURTHEST, further_samples};
#[cfg(feature = "proportions")]
pub use horizon::{ErrorBracket, Horizon, Operating};
#[cfg(feature = "proportions")]
pub use interval::{anytime_bounds, anytime_interval, exact_bounds, exact_interval};
#[cfg(feature = "proportions")]
pub use limits::{Boundaries, Limits};
#[cfg(feature = "proportions")]
pub use plan::{PLANNED_AT_MOST, SampleSizePlan};
#[cfg(feature = "proportions")]
pub use reached::ReachedConfidence;
#[cfg(feature = "proportions")]
pub use rule::{Claim, Decision, Rule};
#[cfg(feature = "proportions")]
pub use wald::IndifferenceError;
