//! What was imported.

use crate::layout::{FAINT, STRONG, push_wrapped, visible};
use crate::plural;
use fathom_record::trace::Manifest;
use std::path::Path;

/// The page of a new folder in `width` columns.
#[must_use]
pub fn render_imported(manifest: &Manifest, folder: &Path, width: usize) -> String {
    let rows: u64 = manifest.runs.iter().flat_map(|run| &run.samplers).map(|one| one.rows).sum();
    let folder = visible(&folder.display().to_string());
    let sentence = format!(
        "Imported {} in {} to {folder}, {rows} rows.",
        plural(manifest.metrics.len(), "metric"),
        plural(manifest.runs.len(), "run"),
    );
    let mut text = String::new();
    push_wrapped(&mut text, &sentence, "", STRONG, width);
    for run in &manifest.runs {
        for note in &run.notes {
            let line = format!("{}: {}", visible(&run.id), visible(note));
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    text
}
