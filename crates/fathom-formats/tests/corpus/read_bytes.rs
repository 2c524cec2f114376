//! Any bytes are series, or an error that says what is wrong.
//!
//! Used by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/read_bytes.rs`.

use fathom_formats::{DecimalMark, Format, ReadError, ReadOptions, detect, read_bytes};
use fathom_record::Unit;
use fathom_record::foreign_text::is_steering;

/// Reads the bytes as what they look like, and as one more format.
pub(crate) fn check(bytes: &[u8]) {
    if let Err(error) = detect("fuzz.csv", bytes) {
        is_fit(&error);
    }
    let chosen = options(bytes);
    read(bytes, &ReadOptions::default());
    read(bytes, &ReadOptions { format: None, ..chosen.clone() });
    read(bytes, &chosen);
}

/// Options that follow from a sum of the bytes. So a real file is a seed as it is, and each change to
/// it tries other options.
fn options(bytes: &[u8]) -> ReadOptions {
    let mut sum = bytes.iter().fold(0_usize, |sum, &byte| sum.wrapping_mul(31) + usize::from(byte));
    let mut choice = |among: usize| {
        let chosen = sum % among;
        sum /= among;
        chosen
    };
    ReadOptions {
        format: Format::ALL.get(choice(Format::ALL.len())).copied(),
        // A column that does not exist reaches the suggestions.
        columns: match choice(3) {
            0 => vec![],
            1 => vec!["1".to_string()],
            _ => vec!["time".to_string(), "a::b".to_string()],
        },
        decimal: [None, Some(DecimalMark::Point), Some(DecimalMark::Comma)][choice(3)],
        has_columns: choice(2) == 1,
        unit: (choice(2) == 1).then_some(Unit::Bytes),
    }
}

fn read(bytes: &[u8], options: &ReadOptions) {
    match read_bytes("fuzz.csv", bytes, options) {
        Ok(contents) => {
            assert!(!contents.series.is_empty(), "nothing was read, and nothing said");
            for series in contents.series {
                assert!(series.len() > 0);
                assert!(series.values().iter().all(|value| value.is_finite()));
            }
        }
        Err(error) => is_fit(&error),
    }
}

fn is_fit(error: &ReadError) {
    let text = error.to_string();
    assert!(text.starts_with("fuzz.csv") && text.contains(". "), "{text:?}");
    assert!(!text.contains(is_steering), "{text:?}");
}
