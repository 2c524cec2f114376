//! Requests from words.
//!
//! Sessions and explanations of before November 2026 hold the words of the command line and no request.
//! This is the one place where stored words are still read; whatever is written today is data.

use crate::arguments::{Cli, Command};
use clap::Parser;
use fathom_request::{CheckRequest, Request};

/// The request that these words after `fathom` ask.
///
/// # Errors
/// They ask nothing that can be kept, or are not known.
pub(crate) fn request_of_words(words: &[String]) -> Result<Request, String> {
    let words = std::iter::once("fathom".to_string()).chain(words.iter().cloned());
    let parsed = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
    parsed.command.request().ok_or_else(|| "its command is not a question".to_string())
}

/// The check that these words after `fathom` ask, with the questions of the file that they name.
///
/// # Errors
/// They are no check, or the file cannot be read.
pub(crate) fn check_of_words(words: &[String]) -> Result<CheckRequest, String> {
    let words = std::iter::once("fathom".to_string()).chain(words.iter().cloned());
    let parsed = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
    match parsed.command {
        Command::Check(arguments) => {
            arguments.asked().map(|(request, _)| request).map_err(|failure| failure.to_string())
        }
        _ => Err("its command is not a check".to_string()),
    }
}

impl Command {
    /// What it asks, if that is a request.
    pub(crate) fn request(&self) -> Option<Request> {
        Some(match self {
            Command::Run(arguments) => Request::Run(Box::new(arguments.request())),
            Command::Compare(arguments) => Request::Compare(Box::new(arguments.request())),
            Command::Check(arguments) => Request::Check(Box::new(arguments.request())),
            Command::Record(arguments) => arguments.request().into(),
            Command::Explain(arguments) => arguments.request().ok()?,
            Command::Analyze(arguments) => arguments.request().into(),
            _ => return None,
        })
    }
}
