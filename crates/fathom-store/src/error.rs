//! Why a store cannot do what was requested, as messages for the user.

use crate::SessionId;
use rusqlite::{ErrorCode, ffi};
use std::io;
use std::path::{Path, PathBuf};

/// What to do when a place cannot be written.
const ELSEWHERE: &str = "To save sessions in another folder, use --session-dir DIR; to measure \
                         without saving, use --no-save.";

/// Why a store cannot do what was requested. Its text is a complete message to print after
/// "error: ".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No folder was named, and the environment names none.
    #[error(
        "there is no folder for sessions: neither XDG_DATA_HOME nor HOME is an absolute path. \
         {ELSEWHERE}"
    )]
    NoFolder,
    /// The folder cannot be made or read.
    #[error("cannot use {} for sessions: {source}. {ELSEWHERE}", path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The store or its folder cannot be written.
    #[error("cannot write {}: it or its folder is read-only. {ELSEWHERE}", path.display())]
    ReadOnly {
        /// The store.
        path: PathBuf,
    },
    /// A store in a read-only folder has a log that cannot be read there.
    #[error(
        "cannot read {} in place: a killed Fathom left a log that must be applied first. Copy the \
         folder to a writable place, and use the copy with --session-dir DIR.",
        path.display()
    )]
    ReadOnlyLog {
        /// The store.
        path: PathBuf,
    },
    /// The disk, a quota or a limit on the size of files is full.
    #[error(
        "cannot write {}: the disk is full, or a quota or limit is reached ({what}). Everything \
         measured before is saved. Free some space and run `fathom resume`. {ELSEWHERE}",
        path.display()
    )]
    Full {
        /// The store.
        path: PathBuf,
        /// The error of SQLite or the system.
        what: String,
    },
    /// Other Fathoms kept the store busy for too long.
    #[error(
        "{} is busy: another program wrote to it for more than 10 s. Try again when it has \
         finished.",
        path.display()
    )]
    Busy {
        /// The store.
        path: PathBuf,
    },
    /// It is damaged, and another Fathom has it open.
    #[error(
        "{} is damaged ({what}), and another Fathom has it open. Stop that one and try again; \
         Fathom then salvages what can be read.",
        path.display()
    )]
    InUse {
        /// The store.
        path: PathBuf,
        /// The damage.
        what: String,
    },
    /// It is damaged, and was not salvaged: the folder is read-only, or the damage was found later.
    #[error(
        "{} is damaged ({what}). `fathom list` salvages what can be read when no other Fathom has \
         it open. If the folder is read-only, copy it and use the copy with --session-dir DIR.",
        path.display()
    )]
    Damaged {
        /// The store.
        path: PathBuf,
        /// The damage.
        what: String,
    },
    /// A newer Fathom made it.
    #[error(
        "{} was written by a newer Fathom (store version {found}; this one reads up to {known}). \
         Update Fathom, or use another folder with --session-dir DIR.",
        path.display()
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest this Fathom can read.
        known: i64,
    },
    /// It is another program's database.
    #[error(
        "{} is another program's database, not Fathom's. Nothing was changed. Use another folder \
         with --session-dir DIR.",
        path.display()
    )]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// There is no such session.
    #[error("there is no session \"{}\". {there}", wanted.escape_debug())]
    NoSuchSession {
        /// What the user requested.
        wanted: String,
        /// What there is instead.
        there: String,
    },
    /// A name that would be taken for something else.
    #[error("a session cannot be named \"{}\": {why}. Choose another name.", name.escape_debug())]
    BadName {
        /// The name.
        name: String,
        /// Why not.
        why: &'static str,
    },
    /// Another session has the name.
    #[error(
        "the name \"{}\" belongs to session {id}. Choose another name, or move this one to the new \
         session with --force; session {id} then keeps its number and its runs.",
        name.escape_debug()
    )]
    NameTaken {
        /// The name.
        name: String,
        /// The newest session that has it.
        id: SessionId,
    },
    /// Another process measures this session.
    #[error("process {pid} is measuring session {id}. Wait until it finishes, or stop it.")]
    Claimed {
        /// The session.
        id: SessionId,
        /// The process.
        pid: u32,
    },
    /// Runs may be appended only to a session that this store began or claimed.
    #[error("session {id} is not open for measuring. Continue it with `fathom resume {id}`.")]
    NotClaimed {
        /// The session.
        id: SessionId,
    },
    /// A reading that cannot be saved.
    #[error("cannot save \"{}\": {value} is not a finite number", name.escape_debug())]
    NotFinite {
        /// The reading's name.
        name: String,
        /// Its value.
        value: f64,
    },
    /// Anything else.
    #[error("{}: {what} failed: {source}. {ELSEWHERE}", path.display())]
    Sqlite {
        /// The store.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// A session or run that cannot be written as JSON.
    #[error("cannot write a session or run as JSON: {0}")]
    Json(serde_json::Error),
}

impl StoreError {
    pub(crate) fn json(error: serde_json::Error) -> StoreError {
        StoreError::Json(error)
    }

    /// What an error of SQLite means for the user.
    pub(crate) fn sqlite(path: &Path, what: &'static str, source: rusqlite::Error) -> StoreError {
        let path = path.to_path_buf();
        match Cause::of(&source) {
            Cause::Damage => StoreError::Damaged { path, what: source.to_string() },
            Cause::Full => StoreError::Full { path, what: source.to_string() },
            Cause::ReadOnly | Cause::CannotOpen => StoreError::ReadOnly { path },
            Cause::Busy => StoreError::Busy { path },
            Cause::Other => StoreError::Sqlite { path, what, source },
        }
    }

    /// What an error of the file system means for the user.
    pub(crate) fn io(path: &Path, source: io::Error) -> StoreError {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => StoreError::Full { path, what: source.to_string() },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly { path }
            }
            _ => StoreError::Folder { path, source },
        }
    }
}

/// What is behind an error of SQLite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    Damage,
    Full,
    ReadOnly,
    CannotOpen,
    Busy,
    Other,
}

impl Cause {
    pub(crate) fn of(error: &rusqlite::Error) -> Cause {
        let rusqlite::Error::SqliteFailure(failure, _) = error else {
            return match error {
                // A value that is not of its column's type: STRICT tables let none in.
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::Utf8Error(..)
                | rusqlite::Error::InvalidColumnType(..) => Cause::Damage,
                _ => Cause::Other,
            };
        };
        match failure.code {
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Cause::Damage,
            ErrorCode::DiskFull => Cause::Full,
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Cause::ReadOnly,
            ErrorCode::CannotOpen => Cause::CannotOpen,
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Cause::Busy,
            ErrorCode::SystemIoFailure => match failure.extended_code {
                ffi::SQLITE_IOERR_SHORT_READ => Cause::Damage,
                // SQLite says "full" for ENOSPC only; a quota and a limit on the size of files
                // (`ulimit -f`) arrive as these.
                ffi::SQLITE_IOERR_WRITE
                | ffi::SQLITE_IOERR_TRUNCATE
                | ffi::SQLITE_IOERR_SHMSIZE => Cause::Full,
                _ => Cause::Other,
            },
            _ => Cause::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(code: i32) -> StoreError {
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        StoreError::sqlite(Path::new("/data/sessions.db"), "appending a run", error)
    }

    #[test]
    fn full_and_read_only_say_what_to_do() {
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_SHMSIZE] {
            let error = meaning(code);
            assert!(matches!(error, StoreError::Full { .. }), "{error}");
            assert!(error.to_string().contains("/data/sessions.db"), "{error}");
            assert!(error.to_string().contains("--session-dir DIR"), "{error}");
        }
        for code in [ffi::SQLITE_READONLY, ffi::SQLITE_CANTOPEN, ffi::SQLITE_READONLY_DIRECTORY] {
            let error = meaning(code);
            assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
            assert!(error.to_string().contains("--no-save"), "{error}");
        }
    }

    #[test]
    fn damage_is_not_taken_for_something_else() {
        for code in [
            ffi::SQLITE_CORRUPT,
            ffi::SQLITE_NOTADB,
            ffi::SQLITE_CORRUPT_INDEX,
            ffi::SQLITE_IOERR_SHORT_READ,
        ] {
            assert!(matches!(meaning(code), StoreError::Damaged { .. }));
        }
        assert!(matches!(meaning(ffi::SQLITE_IOERR_READ), StoreError::Sqlite { .. }));
        assert!(matches!(meaning(ffi::SQLITE_BUSY), StoreError::Busy { .. }));
    }

    #[test]
    fn every_error_of_sqlite_has_a_cause() {
        let failure =
            |code| Cause::of(&rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        for (code, cause) in [
            (ffi::SQLITE_CORRUPT, Cause::Damage),
            (ffi::SQLITE_FULL, Cause::Full),
            (ffi::SQLITE_IOERR_TRUNCATE, Cause::Full),
            (ffi::SQLITE_READONLY, Cause::ReadOnly),
            (ffi::SQLITE_PERM, Cause::ReadOnly),
            (ffi::SQLITE_CANTOPEN, Cause::CannotOpen),
            (ffi::SQLITE_BUSY, Cause::Busy),
            (ffi::SQLITE_LOCKED, Cause::Busy),
            (ffi::SQLITE_IOERR_READ, Cause::Other),
            (ffi::SQLITE_MISUSE, Cause::Other),
        ] {
            assert_eq!(failure(code), cause, "{code}");
        }
        let kind = rusqlite::types::Type::Text;
        let wrong = rusqlite::Error::InvalidColumnType(0, "id".to_string(), kind);
        assert_eq!(Cause::of(&wrong), Cause::Damage);
        assert_eq!(Cause::of(&rusqlite::Error::IntegralValueOutOfRange(0, 7)), Cause::Damage);
        assert_eq!(Cause::of(&rusqlite::Error::QueryReturnedNoRows), Cause::Other);
    }

    #[test]
    fn errors_of_the_file_system_say_what_to_do() {
        let of = |kind| StoreError::io(Path::new("/data"), io::Error::from(kind));
        use io::ErrorKind::*;
        for kind in [StorageFull, QuotaExceeded, FileTooLarge] {
            assert!(matches!(of(kind), StoreError::Full { .. }), "{kind}");
        }
        for kind in [PermissionDenied, ReadOnlyFilesystem] {
            assert!(matches!(of(kind), StoreError::ReadOnly { .. }), "{kind}");
        }
        let StoreError::Folder { path, source } = of(NotADirectory) else { unreachable!() };
        assert_eq!((path.as_path(), source.kind()), (Path::new("/data"), NotADirectory));
    }
}
