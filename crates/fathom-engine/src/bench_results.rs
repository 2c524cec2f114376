//! Results that benches keep in `target/fathom`: listed, shown and compared like sessions.

use crate::EngineError;
use fathom_analyze::{Document, Report};
use fathom_bench::for_the_program::results::Results;
use fathom_record::SavedResult;
use std::path::{Path, PathBuf};

/// Those of the project that the user is in.
fn here() -> Option<Results> {
    Results::of_project(&std::env::current_dir().ok()?)
}

/// All results of the project that the user is in; none if there is no project.
///
/// # Errors
/// Their folder cannot be read.
pub fn bench_results() -> Result<Vec<SavedResult>, EngineError> {
    let Some(results) = here() else { return Ok(Vec::new()) };
    results.all().map_err(|error| {
        let folder = results.folder().display();
        EngineError::file(format!("{folder} cannot be read: {error}"), error)
    })
}

/// The file that a word means: a JSON file, or "SUITE@NAME".
#[must_use]
pub fn bench_result_file(word: &str) -> Option<PathBuf> {
    let path = Path::new(word);
    if word.ends_with(".json") && path.is_file() {
        return Some(path.to_path_buf());
    }
    here()?.find(word).map(|kept| kept.file)
}

/// The results that "SUITE@NAME" means.
pub(crate) fn find(word: &str) -> Option<SavedResult> {
    here()?.find(word)
}

/// Removes results, with the executable that was saved with them.
pub(crate) fn remove(saved: &SavedResult) -> Result<(), EngineError> {
    let failed = |error| {
        EngineError::file(format!("{} cannot be deleted: {error}", saved.file.display()), error)
    };
    here().map_or(Ok(()), |results| results.remove(&saved.suite, &saved.name)).map_err(failed)
}

/// The report in a file that Fathom wrote.
///
/// # Errors
/// It cannot be read, or it is not a report.
pub fn saved_report(file: &Path) -> Result<Report, EngineError> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| EngineError::file(format!("{}: {error}", file.display()), error))?;
    Document::read(&text)
        .map_err(|error| EngineError::usage(format!("{}: {error}", file.display())))
}
