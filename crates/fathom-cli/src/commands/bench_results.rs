//! Results that benches keep in `target/fathom`: listed, shown and compared like sessions.

use super::written;
use crate::arguments::{Color, OutputArguments};
use crate::failure::{Failure, Outcome};
use crate::output;
use fathom_analyze::Document;
use fathom_bench::results::{Kept, Results};
use fathom_render::View;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Those of the project that the user is in.
fn here() -> Option<Results> {
    Results::of_project(&std::env::current_dir().ok()?)
}

/// All that are kept; none if there is no project here.
pub(super) fn all() -> Result<Vec<Kept>, Failure> {
    let Some(results) = here() else { return Ok(Vec::new()) };
    results.all().map_err(|error| {
        Failure::input(format!("{} cannot be read: {error}", results.folder().display()))
    })
}

/// An entry of the list in JSON.
pub(super) fn entry(kept: &Kept) -> Value {
    json!({
        "id": kept.address(),
        "suite": kept.suite,
        "name": kept.name,
        "written": kept.written,
        "file": kept.file.display().to_string(),
    })
}

/// The file that a word means: a JSON file, or "SUITE@NAME".
pub(super) fn file(word: &str) -> Option<PathBuf> {
    let path = Path::new(word);
    if word.ends_with(".json") && path.is_file() {
        return Some(path.to_path_buf());
    }
    here()?.find(word).map(|kept| kept.file)
}

/// Shows results of a bench.
pub(super) fn show(
    file: &Path,
    arguments: &OutputArguments,
    color: Color,
) -> Result<Outcome, Failure> {
    let problem = |error: String| Failure::input(format!("{}: {error}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| problem(error.to_string()))?;
    let report = Document::read(&text).map_err(problem)?;
    let view = View {
        quiet: arguments.quiet,
        verbose: arguments.verbose,
        time_unit: arguments.time_unit,
        ..View::default()
    };
    written::write(&report, arguments, color, || {
        fathom_bench::page(&report, &view, output::width())
    })?;
    Ok(Outcome::Done)
}
