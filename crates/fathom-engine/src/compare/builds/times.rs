//! When each file of the tree got its content, kept from session to session.
//!
//! Cargo rebuilds what has files younger than its last build, and a tree that was just checked out
//! is all young. So files whose content is what it was in the tree before get the time they had
//! then, as if the tree had stayed and git had changed only what differs: then cargo builds what
//! changed between the two revisions, and nothing if it is the same.

use super::git::{Git, GitError};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Paths in the tree, with mode and hash of the content, and a time.
type Times = BTreeMap<PathBuf, (String, Duration)>;

/// Gives the files of a tree that was just checked out their times, and keeps them in `record`.
/// Nothing is lost where that fails: cargo builds more.
pub(super) fn restore(tree: &Path, record: &Path) {
    let before = read(record);
    // Where something goes wrong half-way, no record is better than a wrong one.
    let _ = std::fs::remove_file(record);
    if let Ok(contents) = contents(tree)
        && let Some(times) = given(tree, contents, &before)
    {
        let _ = write(record, &times);
    }
}

/// What is checked out.
fn contents(tree: &Path) -> Result<BTreeMap<PathBuf, String>, GitError> {
    let list = Git::in_folder(tree).ask(&["ls-tree", "-r", "-z", "--full-tree", "HEAD"])?;
    let entries = list.split(|byte| *byte == 0).filter_map(|entry| {
        let tab = entry.iter().position(|byte| *byte == b'\t')?;
        let (content, path) = (&entry[..tab], &entry[tab + 1..]);
        // Links are not built, and what they lead to has its own entry. Nor does git say what is
        // in a submodule.
        let is_file = content.starts_with(b"100");
        is_file.then(|| {
            let path = PathBuf::from(OsString::from_vec(path.to_vec()));
            (path, String::from_utf8_lossy(content).replace(' ', ":"))
        })
    });
    Ok(entries.collect())
}

fn given(tree: &Path, contents: BTreeMap<PathBuf, String>, before: &Times) -> Option<Times> {
    let mut times = Times::new();
    for (path, content) in contents {
        // A sparse checkout leaves files out.
        let Ok(file) = File::open(tree.join(&path)) else { continue };
        let time = match before.get(&path) {
            Some((was, time)) if *was == content => {
                file.set_modified(UNIX_EPOCH + *time).ok()?;
                *time
            }
            _ => age(file.metadata().and_then(|about| about.modified()))?,
        };
        times.insert(path, (content, time));
    }
    Some(times)
}

fn age(time: io::Result<SystemTime>) -> Option<Duration> {
    time.ok()?.duration_since(UNIX_EPOCH).ok()
}

/// `content nanoseconds path`, each ended by a NUL, because a path may have any other byte.
fn write(record: &Path, times: &Times) -> io::Result<()> {
    let mut bytes = Vec::new();
    for (path, (content, time)) in times {
        bytes.extend_from_slice(format!("{content} {} ", time.as_nanos()).as_bytes());
        bytes.extend_from_slice(path.as_os_str().as_bytes());
        bytes.push(0);
    }
    std::fs::write(record, bytes)
}

fn read(record: &Path) -> Times {
    let bytes = std::fs::read(record).unwrap_or_default();
    bytes.split(|byte| *byte == 0).filter_map(entry).collect()
}

fn entry(bytes: &[u8]) -> Option<(PathBuf, (String, Duration))> {
    let mut parts = bytes.splitn(3, |byte| *byte == b' ');
    let content = String::from_utf8(parts.next()?.to_vec()).ok()?;
    let nanoseconds = std::str::from_utf8(parts.next()?).ok()?.parse().ok()?;
    let path = PathBuf::from(OsString::from_vec(parts.next()?.to_vec()));
    Some((path, (content, Duration::from_nanos(nanoseconds))))
}
