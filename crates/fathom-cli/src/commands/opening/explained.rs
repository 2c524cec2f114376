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
    let reading = &open.reading;
    let option = match more.target {
        Some(_) => "--target",
        None if reading.trace_time_unit.is_some() => "--trace-time-unit",
        None if !reading.counters.is_empty() => "--counter",
        None => return Ok(Some(found)),
    };
    Err(Failure::input(format!(
        "{word} holds its own question, `{}`, so {option} cannot be used with it",
        found.command_line
    )))
}
