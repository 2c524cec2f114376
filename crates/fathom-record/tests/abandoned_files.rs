//! A process that is about to end leaves no half file. Alone in its process: nothing can be written
//! there afterwards.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fathom_record::whole_file::{NewFile, abandon_all};
use std::io::Write;

#[test]
fn unfinished_files_are_deleted_and_the_old_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result");
    let mut first = NewFile::create(&path).unwrap();
    first.write_all(b"old").unwrap();
    first.complete(false).unwrap();
    let mut second = NewFile::create(&path).unwrap();
    second.write_all(b"half").unwrap();
    abandon_all();
    let names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, ["result"]);
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    // Dropping it would wait for ever.
    std::mem::forget(second);
}
