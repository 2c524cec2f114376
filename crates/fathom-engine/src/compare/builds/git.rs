//! Questions and orders to git.

use crate::EngineError;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Git, working in a folder.
#[derive(Debug, Clone)]
pub(super) struct Git {
    folder: PathBuf,
}

/// Why git did not do it.
#[derive(Debug)]
pub(super) enum GitError {
    /// It could not be started.
    NotStarted(io::Error),
    /// What it says.
    Refused(String),
}

impl Git {
    pub(super) fn in_folder(folder: &Path) -> Git {
        Git { folder: folder.to_path_buf() }
    }

    /// What git answers, without the end of the last line.
    pub(super) fn ask<S: AsRef<OsStr>>(&self, words: &[S]) -> Result<Vec<u8>, GitError> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder);
        // Neither hooks nor a watcher of files: they are programs of the user's, made for the
        // user's own checkouts.
        command.args(["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"]);
        command.args(words).stdin(Stdio::null());
        // Git does not ask for a password; what needs one fails.
        command.env("GIT_TERMINAL_PROMPT", "0");
        // Git sets these for hooks; they would mean another repository or index than the folder's.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"] {
            command.env_remove(name);
        }
        let output = command.output().map_err(GitError::NotStarted)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
            let said = if said.is_empty() { output.status.to_string() } else { said };
            return Err(GitError::Refused(said));
        }
        let mut answer = output.stdout;
        if answer.last() == Some(&b'\n') {
            answer.pop();
        }
        Ok(answer)
    }

    /// An answer that is text.
    pub(super) fn ask_text<S: AsRef<OsStr>>(&self, words: &[S]) -> Result<String, GitError> {
        Ok(String::from_utf8_lossy(&self.ask(words)?).into_owned())
    }

    /// An answer that is a path.
    pub(super) fn ask_path<S: AsRef<OsStr>>(&self, words: &[S]) -> Result<PathBuf, GitError> {
        Ok(PathBuf::from(OsString::from_vec(self.ask(words)?)))
    }
}

impl GitError {
    /// The failure, where `what` could not be done.
    pub(super) fn failure(&self, what: &str) -> EngineError {
        match self {
            GitError::NotStarted(error) => not_started(error),
            GitError::Refused(said) => EngineError::usage(format!("{what}; git says:\n{said}")),
        }
    }
}

pub(super) fn not_started(error: &io::Error) -> EngineError {
    if error.kind() == io::ErrorKind::NotFound {
        return EngineError::usage("--rev needs git, and there is none in PATH; install it");
    }
    EngineError::usage(format!("--rev needs git, and it cannot be started: {error}"))
}
