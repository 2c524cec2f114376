//! What can go wrong with a journal.

use std::io;
use std::path::{Path, PathBuf};

/// Why executions cannot be kept or read back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The system refuses.
    #[error("{} cannot be {what}: {source}; {}", path.display(), what_to_do(path, source))]
    File {
        /// "opened", "written".
        what: &'static str,
        /// The journal.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Somebody else has it open.
    #[error(
        "{} is in use by another Fathom; wait until it is done, or end it first",
        path.display()
    )]
    InUse {
        /// The journal.
        path: PathBuf,
    },
    /// A line is not what was written.
    #[error(
        "line {line} of {} is damaged: {flaw}; delete that line, and the execution is performed \
         again",
        path.display()
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// Which, from 1.
        line: u64,
        /// What is wrong with it.
        flaw: String,
    },
}

fn what_to_do(path: &Path, error: &io::Error) -> String {
    let folder = path.parent().unwrap_or(path).display();
    match error.kind() {
        io::ErrorKind::StorageFull => format!(
            "the disk is full: make room in {folder}, then go on with `fathom resume`; what was \
             kept until now is safe"
        ),
        io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => format!(
            "you may not write more: make room in {folder} or raise the limit (quota, ulimit -f), \
             then go on with `fathom resume`; what was kept until now is safe"
        ),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            format!("{folder} must be a folder that you may write to")
        }
        _ => format!("check {folder}"),
    }
}
