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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_next_to_our_recordings_and_never_among_files_of_others() {
        let made = tempfile::tempdir().unwrap();
        let at = |name: &str| made.path().join(name);
        std::fs::create_dir(at("ours")).unwrap();
        std::fs::write(at("ours").join("manifest.json"), "{}").unwrap();
        std::fs::write(at("a.csv"), "").unwrap();
        let sessions = SessionFolder(Some(at("sessions")));
        let of = |paths: &[PathBuf]| {
            let traces = TraceFiles { paths: paths.to_vec(), ..TraceFiles::default() };
            labels_file(&traces, &sessions).unwrap()
        };
        assert_eq!(of(&[at("ours")]), at("ours").join("labels.json"));
        let [one, two] = [of(&[at("a.csv")]), of(&[at("a.csv"), at("ours")])];
        for file in [&one, &two] {
            assert_eq!(file.parent(), Some(at("sessions").join("labels").as_path()));
            assert!(file.file_name().unwrap().to_string_lossy().starts_with("a-"), "{file:?}");
        }
        assert_ne!(one, two);
        assert_eq!(of(&[at("ours").join("..").join("a.csv")]), one, "the same file");
    }
}
