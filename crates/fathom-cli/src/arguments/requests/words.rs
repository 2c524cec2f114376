//! Requests from words.
//!
//! Sessions and explanations of before November 2026 hold the words of the command line and no request.
//! This is the one place where stored words are still read; whatever is written today is data.

use crate::arguments::{Cli, Command};
use clap::Parser;
use fathom_request::Request;

/// The request that these words after `fathom` ask; `None` if they ask nothing that is kept.
pub(crate) fn request_of_words(words: &[String]) -> Result<Option<Request>, clap::Error> {
    let words = std::iter::once("fathom".to_string()).chain(words.iter().cloned());
    Ok(Cli::try_parse_from(words)?.command.request())
}

impl Command {
    /// What it asks, if that is a request.
    pub(crate) fn request(&self) -> Option<Request> {
        Some(match self {
            Command::Run(arguments) => Request::Run(Box::new(arguments.request())),
            Command::Compare(arguments) => Request::Compare(Box::new(arguments.request())),
            Command::Record(arguments) => arguments.request().into(),
            Command::Explain(arguments) => arguments.request(),
            Command::Analyze(arguments) => arguments.request().into(),
            _ => return None,
        })
    }
}
