//! What must hold of any bytes in a file of HotSpot counters.

use super::hsperfdata::Prologue;
use std::collections::HashSet;

/// Panics if something does not hold.
pub(crate) fn check(bytes: &[u8]) {
    match Prologue::read(bytes) {
        Ok(prologue) => {
            let contents = prologue.contents(bytes);
            let mut names = HashSet::new();
            for entry in &contents.entries {
                let name = &entry.name;
                let is_fit = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
                assert!(is_fit && names.insert(name), "{name:?}");
                assert!(prologue.value(bytes, entry.offset).is_some(), "{name} is outside");
            }
            // The file may have changed since its entries were read.
            for length in [bytes.len() / 2, 32] {
                let shorter = bytes.get(..length).unwrap_or_default();
                for entry in &contents.entries {
                    let _ = prologue.value(shorter, entry.offset);
                }
            }
        }
        Err(odd) => assert!(!odd.to_string().is_empty()),
    }
}
