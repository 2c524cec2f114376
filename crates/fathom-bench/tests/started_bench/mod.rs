//! What tests of a bench executable share that start it as a process.

use std::path::PathBuf;
use std::process::Output;

/// A copy of this program in a target folder of its own.
pub(crate) fn copy_in_target_folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let deps = folder.path().join("target/release/deps");
    std::fs::create_dir_all(&deps).unwrap();
    std::fs::write(folder.path().join("target/CACHEDIR.TAG"), "").unwrap();
    let executable = deps.join("demo-0123456789abcdef");
    std::fs::copy(std::env::current_exe().unwrap(), &executable).unwrap();
    (folder, executable)
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
