//! Executions on a Slurm cluster: job arrays through sbatch, results as files in a folder that all
//! nodes see, squeue for what gives no result. Accounting (sacct) is not needed.
//!
//! A [`SlurmFleet`] submits `PROGRAM perform-execution FOLDER BATCH INDEX`, for which
//! [`perform_task`] is the work.

mod fate;
mod fleet;
#[cfg(any(test, fuzzing))]
mod fuzzing;
mod job_details;
mod ledger;
mod options;
mod pace;
mod queue;
mod refusal;
mod session_folder;
mod submission;
mod task;
mod tool;

pub use fleet::{Loss, SlurmFleet};
#[cfg(any(test, fuzzing))]
pub(crate) use fuzzing::check as check_files;
pub use options::{MemorySize, SbatchOption, SlurmName, SlurmOptionError, SlurmOptions, TimeLimit};
pub use pace::Pace;
pub use task::{TaskError, perform_task};
