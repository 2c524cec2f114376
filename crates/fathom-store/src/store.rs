//! The store itself, and the numbers it gives.

use crate::StoreError;
use crate::check::Trouble;
use crate::files::Files;
use crate::lock::FolderLock;
use crate::pace::Pace;
use crate::process::Process;
use fathom_record::SessionId;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The number of a run in its session, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunNumber(pub u64);

impl fmt::Display for RunNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Sessions and their runs in a file. Several Fathoms may have it open at once.
#[derive(Debug)]
pub struct Store {
    // Before the lock, because fields are dropped in their order.
    pub(crate) connection: Connection,
    pub(crate) files: Files,
    pub(crate) pace: Pace,
    pub(crate) process: Process,
    /// The sessions this store may append to, and whether they are finished.
    pub(crate) held: BTreeMap<SessionId, Held>,
    _lock: Option<FolderLock>,
}

/// A session that this store may append to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    /// It was finished before and is until another run comes.
    pub(crate) finished: bool,
}

impl Store {
    pub(crate) fn new(connection: Connection, files: Files, lock: Option<FolderLock>) -> Store {
        Store {
            connection,
            files,
            pace: Pace::default(),
            process: Process::this(),
            held: BTreeMap::new(),
            _lock: lock,
        }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.files.database
    }

    /// What an error of SQLite means for the user. Damage is noted for the next opening.
    pub(crate) fn failed(&self, what: &'static str, error: rusqlite::Error) -> StoreError {
        let error = StoreError::sqlite(&self.files.database, what, error);
        if matches!(error, StoreError::Damaged { .. }) {
            self.suspect();
        }
        error
    }

    /// As [`Store::failed`], for what was read.
    pub(crate) fn trouble(&self, trouble: Trouble) -> StoreError {
        let error = trouble.into_error(&self.files);
        if matches!(error, StoreError::Damaged { .. }) {
            self.suspect();
        }
        error
    }

    /// Where this cannot be noted, nothing could be salvaged either.
    fn suspect(&self) {
        let _ = std::fs::write(self.files.suspect(), b"");
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // A claim that cannot be taken back ends with the process.
        let held: Vec<SessionId> = self.held.keys().copied().collect();
        for id in held {
            let _ = self.release(id);
        }
    }
}
