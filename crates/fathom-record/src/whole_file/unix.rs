//! Permissions and kinds of files, as Unix has them.

use std::fs::{File, FileType, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

pub(super) fn is_socket(kind: FileType) -> bool {
    kind.is_socket()
}

/// Creates a file that at most its owner may use until it has the permissions of the `old` one.
pub(super) fn create(path: &Path, old: Option<&Permissions>) -> io::Result<File> {
    let mode = old.map_or(0o666, |old| old.mode() & 0o600);
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// Gives a file the permissions of the one that it will replace.
pub(super) fn set_permissions(file: &File, old: &Permissions) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(old.mode() & 0o777))
}
