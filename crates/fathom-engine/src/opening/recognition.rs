//! Whether files are traces or samples.

use crate::EngineError;
use fathom_formats::trace_imports::{ImportFormat, detect};
use std::io::Read;
use std::path::PathBuf;

/// Whether these are traces: folders, or files whose rows have a time.
///
/// # Errors
/// A file cannot be read.
pub fn are_traces(paths: &[PathBuf]) -> Result<bool, EngineError> {
    if paths.iter().any(|path| path.is_dir()) {
        return Ok(true);
    }
    // One of them decides: if the files disagree, reading them reports it.
    let Some(file) = paths.iter().find(|path| path.is_file()) else { return Ok(false) };
    if fathom_formats::holds_executions(file) {
        return Ok(true);
    }
    let mut head = Vec::new();
    let opened = std::fs::File::open(file);
    let read = opened.and_then(|file| file.take(1 << 16).read_to_end(&mut head));
    read.map_err(|error| EngineError::file(format!("{}: {error}", file.display()), error))?;
    Ok(match detect(&file.display().to_string(), &head) {
        Ok(ImportFormat::Csv) => begins_with_a_time(&head),
        Ok(_) => true,
        Err(_) => false,
    })
}

/// A table of traces has its time first, and more columns than that.
fn begins_with_a_time(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).to_lowercase();
    let mut cells = line.split([',', ';', '\t']);
    let first = cells.next().unwrap_or_default().trim().trim_matches('"').to_string();
    cells.next().is_some()
        && ["time", "start_ns", "t", "date"].iter().any(|one| first.contains(one))
}
