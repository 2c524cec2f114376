//! Whether others have the store open.
//!
//! A damaged store may be replaced only while no process has it open: it would continue writing to
//! the file that was moved away. So every open store holds a shared lock on `sessions.lock`, and a
//! process that makes or replaces a store holds an exclusive one. The lock is SQLite's on an empty
//! database: it ends with the process, however that ends.

use crate::StoreError;
use crate::connect::BUSY;
use crate::error::Cause;
use crate::files::Files;
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::time::Duration;

/// How long to wait for others to close a damaged store: as long as it takes to open and look,
/// but not as long as it takes to measure.
const PATIENCE: Duration = Duration::from_secs(3);

/// Held while the store is open; dropping it lets go.
#[derive(Debug)]
pub(crate) struct FolderLock {
    connection: Connection,
}

impl FolderLock {
    /// Says that the store is open, and waits while it is being made or replaced. `create` makes
    /// the file if there is none; without it, and where the file cannot be opened, there is
    /// no lock.
    pub(crate) fn shared(files: &Files, create: bool) -> Result<Option<FolderLock>, StoreError> {
        if !create && !files.lock().exists() {
            return Ok(None);
        }
        // Reading takes the lock, and the transaction keeps it.
        let take = "BEGIN; SELECT count(*) FROM sqlite_schema;";
        match lock(files, create, take, BUSY) {
            Ok(lock) => Ok(Some(lock)),
            Err(error) if !create && Cause::of(&error) == Cause::CannotOpen => Ok(None),
            Err(error) => Err(StoreError::sqlite(&files.lock(), "locking", error)),
        }
    }

    /// Keeps all others out; `None` if another has the store open and does not close it soon.
    pub(crate) fn exclusive(files: &Files) -> Result<Option<FolderLock>, StoreError> {
        match lock(files, true, "BEGIN EXCLUSIVE;", PATIENCE) {
            // SQLite opens a file without write permission for reading, and a reader excludes no
            // one.
            Ok(lock) if lock.connection.is_readonly("main").unwrap_or(true) => {
                Err(StoreError::ReadOnly { path: files.lock() })
            }
            Ok(lock) => Ok(Some(lock)),
            Err(error) if Cause::of(&error) == Cause::Busy => Ok(None),
            Err(error) => Err(StoreError::sqlite(&files.lock(), "locking", error)),
        }
    }
}

fn lock(
    files: &Files,
    create: bool,
    take: &str,
    patience: Duration,
) -> Result<FolderLock, rusqlite::Error> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if create {
        flags |= OpenFlags::SQLITE_OPEN_CREATE;
    }
    let attempt = || {
        let connection = Connection::open_with_flags(files.lock(), flags)?;
        connection.busy_timeout(patience)?;
        connection.execute_batch(take)?;
        Ok(FolderLock { connection })
    };
    let taken = attempt();
    match taken {
        // No process can lock a file that is not a database: it may be removed.
        Err(error) if create && Cause::of(&error) == Cause::Damage => {
            let _ = fs::remove_file(files.lock());
            attempt()
        }
        taken => taken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_may_share_and_one_may_own() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of(folder.path());
        let one = FolderLock::shared(&files, true).unwrap().unwrap();
        let two = FolderLock::shared(&files, true).unwrap().unwrap();
        assert!(FolderLock::exclusive(&files).unwrap().is_none());
        drop((one, two));
        let owner = FolderLock::exclusive(&files).unwrap().unwrap();
        drop(owner);
        assert!(FolderLock::shared(&files, false).unwrap().is_some());
        assert_eq!(files.lock().metadata().unwrap().len(), 0);
    }

    #[test]
    fn a_lock_that_is_not_ours_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of(folder.path());
        fs::write(files.lock(), vec![7_u8; 5000]).unwrap();
        assert!(FolderLock::shared(&files, true).unwrap().is_some());
    }

    #[test]
    fn reading_makes_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of(folder.path());
        assert!(FolderLock::shared(&files, false).unwrap().is_none());
        assert!(!files.lock().exists());
    }
}
