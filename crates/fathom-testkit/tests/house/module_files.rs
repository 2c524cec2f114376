//! A module is the file of its name: `name.rs`, with `name/` next to it, and never `name/mod.rs`.

use fathom_testkit::repository;
use std::path::PathBuf;

#[test]
fn modules_are_files_of_their_name() {
    let mut files: Vec<PathBuf> = Vec::new();
    for (_, folder) in repository::crates().unwrap() {
        files.extend(repository::rust_files(&folder.join("src")).unwrap());
    }
    files.retain(|path| path.file_name().is_some_and(|name| name == "mod.rs"));
    assert!(
        files.is_empty(),
        "move each to the file of its module's name, x/mod.rs to x.rs: {files:?}"
    );
}
