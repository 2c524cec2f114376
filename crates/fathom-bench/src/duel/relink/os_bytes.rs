//! Words as the bytes that the system has, and what else a recipe needs of Unix.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

pub(super) fn word(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

pub(super) fn bytes(word: &OsStr) -> &[u8] {
    word.as_bytes()
}

/// Makes a script one that can be started.
pub(super) fn make_executable(script: &Path) -> io::Result<()> {
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755))
}

/// The process that started this one.
pub(super) fn parent_id() -> u32 {
    std::os::unix::process::parent_id()
}
