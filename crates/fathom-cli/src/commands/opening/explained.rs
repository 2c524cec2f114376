//! The JSON of `fathom explain`: a question of traces, and its answer.

use crate::arguments::{OpenArguments, QuestionArguments, request_of_words};
use crate::failure::Failure;
use fathom_engine::opening::ExplanationFile;
use std::path::Path;

/// The explanation, if the words are a single such file. No other question can be combined with it,
/// nor other ways to read its traces.
pub(crate) fn explained(
    open: &OpenArguments,
    more: &QuestionArguments,
) -> Result<Option<ExplanationFile>, Failure> {
    let [word] = open.data.as_slice() else { return Ok(None) };
    let Some(found) = ExplanationFile::read(Path::new(word), &request_of_words)? else {
        return Ok(None);
    };
    let from = open.metric_store.address.as_ref().map(|_| "--from");
    let option = more.target.as_ref().map(|_| "--target").or(open.reading.given()).or(from);
    let Some(option) = option else { return Ok(Some(found)) };
    Err(Failure::input(format!(
        "{word} holds its own question, `{}`, so {option} cannot be used with it",
        found.command_line
    )))
}
