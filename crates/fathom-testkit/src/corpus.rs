//! The corpus of the fuzzer: inputs that every test run replays.

use crate::repository;
use std::{fs, io};

/// Fewer files mean that the folder has moved.
const FEWEST: usize = 5;

/// Gives every file in `testdata/fuzz/TARGET` to the check of that target, which panics if something
/// does not hold.
///
/// # Errors
/// The folder cannot be read, or has too few files.
#[allow(clippy::print_stdout, reason = "shown if the test fails: the last name is the culprit")]
pub fn replay(target: &str, check: impl Fn(&[u8])) -> io::Result<()> {
    let folder = repository::testdata().join("fuzz").join(target);
    let entries = fs::read_dir(&folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    files.sort();
    if files.len() < FEWEST {
        let words = format!("{} has only {} files", folder.display(), files.len());
        return Err(io::Error::other(words));
    }
    for file in files {
        println!("{}", file.display());
        check(&fs::read(&file)?);
    }
    Ok(())
}
