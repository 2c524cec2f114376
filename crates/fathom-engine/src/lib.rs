//! Conducts what is asked of Fathom, for any front end.
//!
//! An [`Engine`] takes a request and gives an [`Answer`]: it measures or reads, keeps what it measured
//! in a session, decides when there is enough, and makes the report. It knows no command line, no
//! terminal and no colours; how far it is goes to a [`Watch`].
//!
//! Commands are started by a small server, which is this same program executed again. So a program
//! that uses the engine begins its `main` with [`serve_if_asked`].

mod analyze;
mod answer;
mod bench_results;
mod check;
mod compare;
mod deleting;
pub mod demo;
pub mod doctor;
mod engine;
mod error;
pub mod explain;
mod measuring;
mod provenance;
mod run;
mod saved_session;

pub mod opening;
pub mod record;
mod saving;
mod session_list;
mod sessions;
mod stores;
#[cfg(test)]
mod tests;
pub mod traces;
mod watch;

pub use answer::{Answer, Gates};
pub use bench_results::{bench_result_file, bench_results, saved_report};
pub use check::{CheckAnswer, CheckPlanDocument, perform_execution};
pub use deleting::Deleted;
pub use engine::{Engine, ReadWords};
pub use error::{EngineError, ErrorKind};
pub use fathom_sys::spawner::serve_if_asked;
pub use saved_session::SavedSession;
pub use saving::{Saving, SessionFolder};
pub use session_list::{BenchEntry, SessionEntry, SessionListDocument};
pub use sessions::{ResumeOptions, SessionReport};
pub use watch::Watch;
