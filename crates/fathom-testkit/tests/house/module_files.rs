//! A module is the file of its name: `name.rs`, with `name/` next to it, and never `name/mod.rs`.

use fathom_testkit::repository;
use std::fs;
use std::path::{Path, PathBuf};

fn mod_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(mod_files(&path));
        } else if path.file_name().is_some_and(|name| name == "mod.rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn modules_are_files_of_their_name() {
    let crates = fs::read_dir(repository::top().join("crates")).unwrap();
    let found: Vec<PathBuf> =
        crates.flat_map(|entry| mod_files(&entry.unwrap().path().join("src"))).collect();
    assert!(
        found.is_empty(),
        "move each to the file of its module's name, x/mod.rs to x.rs: {found:?}"
    );
}
