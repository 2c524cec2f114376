//! The same where words are not bytes: enough to compile. Nothing is linked again in reduced mode.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

pub(super) fn word(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

pub(super) fn bytes(word: &OsStr) -> &[u8] {
    word.as_encoded_bytes()
}

pub(super) fn make_executable(_script: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn parent_id() -> u32 {
    0
}
