//! Where sessions are saved, and whether.

use crate::EngineError;
use fathom_store::default_folder;
use std::path::PathBuf;

/// Whether a session is saved, and as what.
#[derive(Debug, Clone, Default)]
pub struct Saving {
    /// Nothing is kept on disk.
    pub is_off: bool,
    /// The session's name.
    pub name: Option<String>,
    /// Whether it takes the name from a session that has it already; else that is an error.
    pub takes_name: bool,
    /// Where.
    pub folder: SessionFolder,
}

impl Saving {
    /// Nothing is kept on disk.
    #[must_use]
    pub fn off() -> Saving {
        Saving { is_off: true, ..Saving::default() }
    }

    /// Whether the user asked for it by name, so that Fathom must not go on without.
    pub(crate) fn is_demanded(&self) -> bool {
        self.name.is_some() || self.folder.0.is_some()
    }
}

/// The folder of sessions: one that was named, or the user's data folder.
#[derive(Debug, Clone, Default)]
pub struct SessionFolder(pub Option<PathBuf>);

impl SessionFolder {
    /// Its path.
    ///
    /// # Errors
    /// None was named, and the user has no home.
    pub fn path(&self) -> Result<PathBuf, EngineError> {
        match &self.0 {
            Some(folder) => Ok(folder.clone()),
            None => Ok(default_folder(|name| std::env::var_os(name))?),
        }
    }
}
