//! Sessions kept in SQLite, durable run by run.
//!
//! A [`Store`] is the file `sessions.db` in a folder of the caller's choice. Every [`Run`] is
//! committed before [`Store::append`] returns, so that a kill, a full disk or a crash costs at
//! most the run in progress. Every row carries a checksum; a damaged file is recognised when it
//! is opened, kept under another name, and what can still be read is put into a new one
//! ([`SalvageReport`]).
//!
//! ```
//! use fathom_record::{Ending, Environment, Phase, Run, Session, Span, Timestamp, Usage};
//! use fathom_store::Store;
//!
//! # let folder = tempfile::tempdir()?;
//! let mut store = Store::open(folder.path())?.store;
//! let id = store.begin(&Session {
//!     arguments: vec!["run".into(), "true".into()],
//!     request: None,
//!     folder: "/".into(),
//!     name: None,
//!     started: 1_700_000_000,
//!     seed: 1,
//!     environment: Environment::of_this_build(),
//!     subjects: vec!["true".into()],
//! })?;
//! store.append(id, &Run {
//!     subject: 0,
//!     phase: Phase::Measured,
//!     place: None,
//!     began: Timestamp::ZERO,
//!     ending: Ending::Exited(0),
//!     usage: Usage { wall: Span::from_nanoseconds(500_000), ..Usage::default() },
//!     readings: vec![],
//! })?;
//! store.finish(id, "max_runs")?;
//! assert_eq!(store.runs(store.resolve("last")?)?.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The files in the folder:
//!
//! | file | what it is |
//! | --- | --- |
//! | `sessions.db` | the store |
//! | `sessions.db-wal`, `-shm` | SQLite's log and its index, while a Fathom is at work or was killed |
//! | `sessions.lock` | empty; locked while the store is open, so that nobody salvages it meanwhile |
//! | `sessions.db.new`, `.salvaged` | a store in the making |
//! | `sessions.db.damaged-1` | a damaged store, kept |
//! | `sessions.db.suspect` | a read found damage: the next opening checks everything |
//!
//! [`Run`]: fathom_record::Run

mod carve;
mod check;
mod checksum;
mod claim;
mod connect;
mod error;
mod fields;
mod files;
mod folder;
mod lock;
mod name;
mod open;
mod pace;
mod pages;
mod process;
mod read;
mod run_row;
mod salvage;
mod schema;
mod sequence;
mod session_row;
mod store;
mod write;

pub use error::StoreError;
pub use fathom_record::{ListedSession, SessionId};
pub use folder::default_folder;
pub use name::check_name;
pub use open::OpenedStore;
pub use salvage::SalvageReport;
pub use store::{RunNumber, Store};
