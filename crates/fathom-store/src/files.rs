//! The names of the files in a store's folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The paths of one store.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    pub(crate) folder: PathBuf,
    pub(crate) database: PathBuf,
}

impl Files {
    pub(crate) fn of(folder: &Path) -> Files {
        Files { folder: folder.to_path_buf(), database: folder.join("sessions.db") }
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.folder.join("sessions.lock")
    }

    /// A store is made under this name and renamed when it is whole.
    pub(crate) fn new_database(&self) -> PathBuf {
        beside(&self.database, ".new")
    }

    /// What was salvaged, complete, until the damaged store is moved away.
    pub(crate) fn salvaged(&self) -> PathBuf {
        beside(&self.database, ".salvaged")
    }

    /// It exists where a read found damage.
    pub(crate) fn suspect(&self) -> PathBuf {
        beside(&self.database, ".suspect")
    }

    /// The first free name to keep a damaged store under.
    pub(crate) fn damaged(&self) -> PathBuf {
        let mut number = 1_u64;
        loop {
            let path = beside(&self.database, &format!(".damaged-{number}"));
            if !path.exists() && !log(&path).exists() {
                return path;
            }
            number += 1;
        }
    }

    /// Whether SQLite's log has content: a process is writing, or was killed.
    pub(crate) fn has_log(&self) -> bool {
        log(&self.database).metadata().is_ok_and(|file| file.len() > 0)
    }
}

/// SQLite's write-ahead log of a database.
pub(crate) fn log(database: &Path) -> PathBuf {
    beside(database, "-wal")
}

/// SQLite's index of the log.
pub(crate) fn log_index(database: &Path) -> PathBuf {
    beside(database, "-shm")
}

/// SQLite's journal of a database that has no log yet.
pub(crate) fn journal(database: &Path) -> PathBuf {
    beside(database, "-journal")
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}
