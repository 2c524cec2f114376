//! Where things are in the checkout.

use std::io;
use std::path::{Path, PathBuf};

/// The top folder of the checkout this crate was built from.
#[must_use]
pub fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").components().collect()
}

/// The folder with test data.
#[must_use]
pub fn testdata() -> PathBuf {
    top().join("testdata")
}

/// The Rust files of a folder and of those below it, in order.
///
/// # Errors
/// A folder cannot be read.
pub fn rust_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The folders of the crates, each with its name, in order.
///
/// # Errors
/// The folder of crates cannot be read.
pub fn crates() -> io::Result<Vec<(String, PathBuf)>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(top().join("crates"))? {
        let entry = entry?;
        all.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    all.sort();
    Ok(all)
}
