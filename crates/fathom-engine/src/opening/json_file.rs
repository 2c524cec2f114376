//! Documents that Fathom wrote, read again.

use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The words after `fathom` of a command line.
pub(super) fn words(command_line: &str) -> Option<Vec<String>> {
    let words = shlex::split(command_line)?;
    (words.first()? == "fathom").then(|| words[1..].to_vec())
}

/// The JSON object in a file, if that is what is in it.
pub(super) fn document(file: &Path) -> Option<Value> {
    let mut opened = File::open(file).ok()?;
    let mut first = [0];
    opened.read_exact(&mut first).ok()?;
    // Tables may be larger than memory.
    if first != *b"{" {
        return None;
    }
    let mut text = String::from("{");
    opened.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}
