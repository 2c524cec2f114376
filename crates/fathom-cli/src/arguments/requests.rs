//! From the command line to requests: what was typed, without how the answer is shown.

mod analyze;
mod check;
mod compare;
mod explain;
mod measuring;
mod metric_store;
mod properties_file;
mod record;
mod run;
mod study_file;
#[cfg(test)]
mod tests;
mod words;

pub(super) use compare::{READ_FOR_FILES, READ_FOR_FUNCTIONS};
pub(super) use explain::READ_FOR_SUGGESTIONS;
pub(crate) use words::{check_of_words, request_of_words};
