//! Whether a file is an execution's own, or one that was there before.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Kernels stamp files with a clock that ticks; two writes within a tick look the same.
const TICK: Duration = Duration::from_millis(20);

/// The files to read after an execution, as they were before it. A path without `{dir}` may hold
/// what an earlier execution wrote, which must not be taken for this one's.
#[derive(Debug)]
pub(super) struct FilesBefore {
    files: Vec<(PathBuf, Stamp)>,
}

/// What changes when a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: (u64, u64),
    length: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    fn of(about: &Metadata) -> Stamp {
        Stamp {
            inode: (about.dev(), about.ino()),
            length: about.len(),
            modified: (about.mtime(), about.mtime_nsec()),
            changed: (about.ctime(), about.ctime_nsec()),
        }
    }
}

impl FilesBefore {
    /// Looks at the files. If one was written a moment ago it waits a moment, so that a write to
    /// come will show.
    pub(super) fn look<'a>(paths: impl Iterator<Item = &'a Path>) -> FilesBefore {
        let mut files = Vec::new();
        let mut youngest: Option<Duration> = None;
        for path in paths {
            // A folder need not change when files in it do.
            let Some(about) = path.metadata().ok().filter(Metadata::is_file) else { continue };
            let age =
                about.modified().ok().and_then(|at| SystemTime::now().duration_since(at).ok());
            youngest = youngest.into_iter().chain(age).min();
            files.push((path.to_path_buf(), Stamp::of(&about)));
        }
        if let Some(wait) = youngest.and_then(|age| TICK.checked_sub(age)) {
            std::thread::sleep(wait);
        }
        FilesBefore { files }
    }

    /// Whether a file is as it was.
    pub(super) fn is_unchanged(&self, path: &Path, now: &Metadata) -> bool {
        self.files.iter().any(|(other, stamp)| other == path && *stamp == Stamp::of(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_what_was_written_since_is_new() {
        let folder = tempfile::tempdir().unwrap();
        let [same, rewritten, replaced, new] =
            ["same", "rewritten", "replaced", "new"].map(|name| folder.path().join(name));
        for path in [&same, &rewritten, &replaced] {
            fs::write(path, "1").unwrap();
        }
        let paths = [&same, &rewritten, &replaced, &new];
        let before = FilesBefore::look(paths.iter().map(|path| path.as_path()));
        fs::write(&rewritten, "1").unwrap();
        fs::write(folder.path().join("other"), "1").unwrap();
        fs::rename(folder.path().join("other"), &replaced).unwrap();
        fs::write(&new, "1").unwrap();
        let unchanged = paths.map(|path| before.is_unchanged(path, &path.metadata().unwrap()));
        assert_eq!(unchanged, [true, false, false, false]);
    }
}
