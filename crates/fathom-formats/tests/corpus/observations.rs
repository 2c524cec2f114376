//! Any bytes are executions, or an error that says what is wrong.
//!
//! Used by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/observations.rs`.

use fathom_formats::{
    ObservationFormat, ObservationOptions, ReadError, RowsAre, observations_from_bytes,
    one_cut_short_from_bytes, one_from_bytes,
};
use fathom_record::Observation;
use fathom_record::foreign_text::is_steering;

/// Reads the bytes as what they look like, and as one more format.
pub(crate) fn check(bytes: &[u8]) {
    let chosen = options(bytes);
    read(bytes, &ObservationOptions::default());
    read(bytes, &chosen);
    match one_cut_short_from_bytes("fuzz", bytes, &ObservationOptions::default()) {
        Ok(seen) => is_sound(&seen),
        Err(error) => is_fit(&error),
    }
}

/// Options that follow from a sum of the bytes. So a real file is a seed as it is, and each change to
/// it tries other options.
fn options(bytes: &[u8]) -> ObservationOptions {
    let mut sum = bytes.iter().fold(0_usize, |sum, &byte| sum.wrapping_mul(31) + usize::from(byte));
    let mut choice = |among: usize| {
        let chosen = sum % among;
        sum /= among;
        chosen
    };
    let formats: Vec<_> = ObservationFormat::all().map(Some).chain([None]).collect();
    ObservationOptions {
        format: formats[choice(formats.len())],
        columns: match choice(3) {
            0 => vec![],
            1 => vec!["1".to_string()],
            _ => vec!["time".to_string(), "a".to_string()],
        },
        rows: [None, Some(RowsAre::Executions), Some(RowsAre::Samples)][choice(3)],
        group_by: [None, None, Some("a".to_string())][choice(3)].clone(),
    }
}

fn read(bytes: &[u8], options: &ObservationOptions) {
    let one = one_from_bytes("fuzz", bytes, options);
    match observations_from_bytes("fuzz", bytes, options) {
        Ok(seen) => {
            assert!(!seen.is_empty());
            assert_eq!(one.is_ok(), seen.len() == 1);
            seen.iter().for_each(is_sound);
        }
        Err(error) => {
            is_fit(&error);
            assert!(one.is_err());
        }
    }
}

/// What is read can be written and read again.
fn is_sound(seen: &Observation) {
    for scalar in seen.scalars().values() {
        assert!(!scalar.value.is_infinite());
    }
    let latest = seen.signals().values().filter_map(|signal| signal.times().last());
    let latest = latest.chain(seen.events().values().filter_map(|events| events.times().last()));
    for &time in latest {
        assert!(seen.end().is_some_and(|end| time <= end));
    }
    let text = serde_json::to_string(seen).expect("an execution is JSON");
    let again: Observation = serde_json::from_str(&text).expect("our own JSON reads back");
    assert_eq!(serde_json::to_string(&again).expect("an execution is JSON"), text);
}

fn is_fit(error: &ReadError) {
    let text = error.to_string();
    assert!(text.starts_with("fuzz") && text.contains(". "), "{text:?}");
    assert!(!text.contains(is_steering), "{text:?}");
}
