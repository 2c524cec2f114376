//! What can go wrong with a journal.

use fathom_record::foreign_text::escaped;
use std::io;
use std::path::{Path, PathBuf};

/// Why executions cannot be saved or read back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The system refuses.
    #[error("{} cannot be {what}: {source}. {}", path.display(), what_to_do(path, source))]
    File {
        /// "opened", "written".
        what: &'static str,
        /// The journal.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process has it open.
    #[error(
        "{} is in use by another Fathom. Wait until it finishes, or stop it first.",
        path.display()
    )]
    InUse {
        /// The journal.
        path: PathBuf,
    },
    /// A line is not what was written.
    #[error(
        "{}:{line}: damaged line: {}. Delete the line, and Fathom repeats that execution.",
        path.display(),
        escaped(flaw)
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
            "The disk is full: free some space in {folder}, then continue with `fathom resume`. \
             Everything saved so far is safe."
        ),
        io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => format!(
            "A limit is reached: free some space in {folder} or raise the limit (quota, ulimit \
             -f), then continue with `fathom resume`. Everything saved so far is safe."
        ),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            format!("Make {folder} writable for you.")
        }
        _ => format!("Check {folder}."),
    }
}
