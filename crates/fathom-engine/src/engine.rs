//! What requests are conducted with.

use crate::{EngineError, Saving, Watch};
use fathom_measure::{Laboratory, Local};
use fathom_record::shell;
use fathom_request::Request;
use std::path::{Path, PathBuf};

/// Conducts requests.
pub struct Engine<'a> {
    /// Where commands run; this machine if it is not set.
    pub laboratory: Option<&'a mut dyn Laboratory>,
    /// The folder that commands run in and relative paths start from; the process's own if it is not
    /// set. The process never changes its own: an engine may be one of several.
    pub folder: Option<PathBuf>,
    /// Whether sessions are saved, and where.
    pub saving: Saving,
    /// Told how far it is.
    pub watch: &'a mut dyn Watch,
    /// The words after `fathom` that asked, for the record; the request's own if they are not set.
    pub words: Option<Vec<String>>,
    /// Where each question of a check comes from, such as a line of a file, for errors about it; empty if
    /// its number says enough.
    pub places: Vec<String>,
    /// Whether tools that Fathom calls, such as cargo, are quiet.
    pub is_quiet: bool,
    /// Reads the words of sessions that hold no request: those of before November 2026.
    pub read_words: Option<&'a ReadWords>,
}

/// From the words after `fathom` to what they ask, or why they ask nothing.
pub type ReadWords = dyn Fn(&[String]) -> Result<Request, String> + Sync;

impl<'a> Engine<'a> {
    /// Conducts on this machine and saves sessions where the user's are.
    pub fn new(watch: &'a mut dyn Watch) -> Engine<'a> {
        Engine {
            laboratory: None,
            folder: None,
            saving: Saving::default(),
            watch,
            words: None,
            places: Vec::new(),
            is_quiet: false,
            read_words: None,
        }
    }

    /// The command that asked, for the record.
    pub(crate) fn asked_by(&self, request: &Request) -> String {
        match &self.words {
            Some(words) => command_line(words),
            None => request.command_line(),
        }
    }

    /// The folder that commands run in.
    pub(crate) fn working_folder(&self) -> Result<PathBuf, EngineError> {
        match &self.folder {
            Some(folder) => Ok(folder.clone()),
            None => std::env::current_dir().map_err(|error| {
                EngineError::file(format!("the working folder is gone ({error})"), error)
            }),
        }
    }

    /// Does something where commands run.
    pub(crate) fn with_laboratory<T>(
        &mut self,
        conduct: impl FnOnce(&mut Engine<'a>, &mut dyn Laboratory) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        match self.laboratory.take() {
            None => {
                let mut local = local(&self.working_folder()?)?;
                conduct(self, &mut local)
            }
            Some(laboratory) => {
                let conducted = conduct(self, laboratory);
                self.laboratory = Some(laboratory);
                conducted
            }
        }
    }
}

/// Words as they are typed after `fathom`.
pub(crate) fn command_line(words: &[String]) -> String {
    shell::line(std::iter::once("fathom").chain(words.iter().map(String::as_str)))
}

/// This machine, running commands in a folder.
pub(crate) fn local(folder: &Path) -> Result<Local, EngineError> {
    // Not current_exe(): a binary that was replaced meanwhile still runs as it was.
    Ok(Local::start("/proc/self/exe".as_ref(), folder)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_as_a_shell_needs_it() {
        let words = ["run", "sleep 1", "{seed}"].map(String::from);
        assert_eq!(command_line(&words), "fathom run 'sleep 1' '{seed}'");
    }
}
