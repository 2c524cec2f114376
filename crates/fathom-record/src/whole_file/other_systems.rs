//! Where files have no permissions that a program should copy: Windows, for one.
//!
//! A new file inherits who may use it from its folder.

use std::fs::{File, FileType, OpenOptions, Permissions};
use std::io;
use std::path::Path;

pub(super) fn is_socket(_kind: FileType) -> bool {
    false
}

pub(super) fn create(path: &Path, _old: Option<&Permissions>) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

#[allow(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
pub(super) fn set_permissions(_file: &File, _old: &Permissions) -> io::Result<()> {
    Ok(())
}
