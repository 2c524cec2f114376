//! What requests are conducted with.

use crate::{EngineError, Saving, Watch};
use fathom_measure::{Laboratory, Local};

/// Conducts requests.
pub struct Engine<'a> {
    /// Where commands run; this machine, from this folder, if it is not set.
    pub laboratory: Option<&'a mut dyn Laboratory>,
    /// Whether sessions are saved, and where.
    pub saving: Saving,
    /// Told how far it is.
    pub watch: &'a mut dyn Watch,
    /// The command that asked, for the record; the request's own if it is not set.
    pub command_line: Option<String>,
}

impl<'a> Engine<'a> {
    /// Conducts on this machine and saves sessions where the user's are.
    pub fn new(watch: &'a mut dyn Watch) -> Engine<'a> {
        Engine { laboratory: None, saving: Saving::default(), watch, command_line: None }
    }
}

/// This machine, from this folder.
pub(crate) fn local() -> Result<Local, EngineError> {
    let folder = working_folder()?;
    // Not current_exe(): a binary that was replaced meanwhile still runs as it was.
    Ok(Local::start("/proc/self/exe".as_ref(), &folder)?)
}

/// The folder that the user is in.
pub(crate) fn working_folder() -> Result<std::path::PathBuf, EngineError> {
    std::env::current_dir()
        .map_err(|error| EngineError::file(format!("the working folder is gone ({error})"), error))
}
