//! Where labels of metrics are kept.

use crate::SessionFolder;
use fathom_request::TraceFiles;
use sha2::{Digest, Sha256};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::iter;
use std::os::unix::ffi::OsStrExt;
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
    let first = paths.first().and_then(|path| Path::new(path).file_stem());
    let name =
        first.map_or_else(|| "traces".to_string(), |name| name.to_string_lossy().into_owned());
    let folder = sessions.path().ok()?.join("labels");
    let whole = paths.iter().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone()));
    let of_store =
        traces.store.iter().flat_map(|store| iter::once(&store.address).chain(&store.matches));
    let whole: Vec<PathBuf> = whole.chain(of_store.map(PathBuf::from)).collect();
    let [file, before] = [digest(&whole), digest_before(&whole)]
        .map(|digest| folder.join(format!("{name}-{digest:016x}.json")));
    if before.exists() && !file.exists() && std::fs::rename(&before, &file).is_err() {
        // The folder may not be written to; its labels can still be read.
        return Some(before);
    }
    Some(file)
}

/// Tells files of the same name in different folders apart. The same for every version of Fathom: the
/// first 8 bytes of the SHA-256 of each path with its length before it.
fn digest(paths: &[PathBuf]) -> u64 {
    let mut hash = Sha256::new();
    for path in paths {
        let bytes = path.as_os_str().as_bytes();
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    hash.finalize().iter().take(8).fold(0, |digest, &byte| digest << 8 | u64::from(byte))
}

/// What named these files before November 2026. Another release of Rust may compute another number.
fn digest_before(paths: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        path.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels_of(paths: &[PathBuf], sessions: &Path) -> PathBuf {
        let traces = TraceFiles { paths: paths.to_vec(), ..TraceFiles::default() };
        labels_file(&traces, &SessionFolder(Some(sessions.to_path_buf()))).unwrap()
    }

    #[test]
    fn labels_are_next_to_our_recordings_and_never_among_files_of_others() {
        let made = tempfile::tempdir().unwrap();
        let at = |name: &str| made.path().join(name);
        std::fs::create_dir(at("ours")).unwrap();
        std::fs::write(at("ours").join("manifest.json"), "{}").unwrap();
        std::fs::write(at("a.csv"), "").unwrap();
        let of = |paths: &[PathBuf]| labels_of(paths, &at("sessions"));
        assert_eq!(of(&[at("ours")]), at("ours").join("labels.json"));
        let [one, two] = [of(&[at("a.csv")]), of(&[at("a.csv"), at("ours")])];
        for file in [&one, &two] {
            assert_eq!(file.parent(), Some(at("sessions").join("labels").as_path()));
            assert!(file.file_name().unwrap().to_string_lossy().starts_with("a-"), "{file:?}");
        }
        assert_ne!(one, two);
        assert_eq!(of(&[at("ours").join("..").join("a.csv")]), one, "the same file");
    }

    #[test]
    fn the_name_is_the_same_for_every_version() {
        // As Python's hashlib says:
        // sha256(len(path).to_bytes(8, "little") + path + ...).hexdigest()[:16]
        let of = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let file = labels_of(&paths, Path::new("/nowhere"));
            file.file_name().unwrap().to_string_lossy().into_owned()
        };
        assert_eq!(of(&["/nowhere/a.csv"]), "a-bdecfddf81d6b40d.json");
        assert_eq!(of(&["/nowhere/a.csv", "/nowhere/b c.csv"]), "a-0d3630ba33050b7d.json");
        assert_eq!(of(&[]), "traces-e3b0c44298fc1c14.json");
    }

    #[test]
    fn a_file_that_an_earlier_version_named_is_found() {
        let made = tempfile::tempdir().unwrap();
        let (trace, folder) = (made.path().join("a.csv"), made.path().join("labels"));
        std::fs::write(&trace, "").unwrap();
        std::fs::create_dir(&folder).unwrap();
        let whole = trace.canonicalize().unwrap();
        let before = folder.join(format!("a-{:016x}.json", digest_before(&[whole])));
        std::fs::write(&before, "before").unwrap();
        let file = labels_of(std::slice::from_ref(&trace), made.path());
        assert_ne!(file, before);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
        assert!(!before.exists(), "it has the new name from now on");
        // What is saved under the new name counts.
        std::fs::write(&before, "a leftover").unwrap();
        assert_eq!(labels_of(&[trace], made.path()), file);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
    }
}
