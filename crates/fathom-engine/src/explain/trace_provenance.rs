//! Where traces are from, for the record.

use crate::provenance;
use fathom_record::{Environment, Provenance};
use std::path::PathBuf;

/// Where traces are from.
#[derive(Debug, Clone)]
pub(super) struct TraceProvenance {
    pub(super) paths: Vec<PathBuf>,
    /// As the recording says it.
    pub(super) measured: Option<Box<Provenance>>,
}

impl TraceProvenance {
    /// Of two sets of traces.
    pub(super) fn after(self, first: TraceProvenance) -> TraceProvenance {
        let paths = first.paths.into_iter().chain(self.paths).collect();
        TraceProvenance { paths, measured: first.measured.or(self.measured) }
    }

    /// Reads the files once more, for their hashes: only a document asks for that.
    pub(super) fn environment(&self) -> Environment {
        let mut files = Vec::new();
        for path in &self.paths {
            let entries = path.is_dir().then(|| std::fs::read_dir(path).ok()).flatten();
            let Some(entries) = entries else {
                files.push(path.clone());
                continue;
            };
            let in_folder = entries.flatten().map(|entry| entry.path());
            let is_hidden = |path: &PathBuf| {
                path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'))
            };
            let mut in_folder: Vec<PathBuf> =
                in_folder.filter(|path| path.is_file() && !is_hidden(path)).collect();
            in_folder.sort();
            files.extend(in_folder);
        }
        Environment { measured: self.measured.clone(), ..provenance::of_files(files, None) }
    }
}
