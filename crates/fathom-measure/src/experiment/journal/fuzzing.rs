//! What must hold of any bytes in a journal.
#![allow(clippy::expect_used, reason = "a check fails by panicking")]

use super::read;
use crate::experiment::Performed;
use fathom_record::foreign_text::is_steering;
use std::collections::BTreeSet;
use std::path::Path;

/// Panics if something does not hold.
pub(crate) fn check(bytes: &[u8]) {
    match read(Path::new("fuzz"), bytes) {
        Ok(contents) => {
            let torn = contents.torn.as_ref().map_or(0, |torn| torn.bytes);
            assert_eq!(contents.length + torn, bytes.len() as u64, "bytes are lost");
            let numbers: BTreeSet<u64> =
                contents.performed.iter().map(|one| one.ticket.number).collect();
            assert_eq!(numbers.len(), contents.performed.len(), "one number counts twice");
            for performed in &contents.performed {
                let line = serde_json::to_string(performed).expect("it was JSON");
                let again: Performed = serde_json::from_str(&line).expect("our own JSON");
                assert_eq!(serde_json::to_string(&again).expect("it was JSON"), line);
            }
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains(is_steering), "{text:?}");
        }
    }
}
