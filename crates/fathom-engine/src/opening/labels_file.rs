//! Where labels of metrics are kept.

use crate::SessionFolder;
use fathom_request::TraceFiles;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Where labels of these traces are kept: next to Fathom's own recordings, else in the folder of
/// sessions, so that nothing is written among other people's files. `None` without a home.
#[must_use]
pub fn labels_file(traces: &TraceFiles, sessions: &SessionFolder) -> Option<PathBuf> {
    let paths = traces.paths.as_slice();
    if let [folder] = paths
        && folder.join("manifest.json").exists()
    {
        return Some(folder.join("labels.json"));
    }
    let mut hasher = DefaultHasher::new();
    for path in paths {
        path.canonicalize().unwrap_or_else(|_| path.clone()).hash(&mut hasher);
    }
    let first = paths.first().and_then(|path| Path::new(path).file_stem());
    let name =
        first.map_or_else(|| "traces".to_string(), |name| name.to_string_lossy().into_owned());
    let folder = sessions.path().ok()?;
    Some(folder.join("labels").join(format!("{name}-{:016x}.json", hasher.finish())))
}
