//! Any bytes under every format are series, or an error that says what is wrong.
#![no_main]

use fathom_formats::{Format, ReadOptions, detect, read_bytes};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect("fuzz.csv", bytes);
    let formats = std::iter::once(None).chain(Format::ALL.map(Some));
    for format in formats {
        // A column that is not there takes the way of the suggestions.
        for columns in [Vec::new(), vec!["time".to_string()]] {
            let options = ReadOptions { format, columns, ..ReadOptions::default() };
            match read_bytes("fuzz.csv", bytes, &options).map(|contents| contents.series) {
                Ok(series) => {
                    assert!(!series.is_empty(), "nothing was read, and nothing said");
                    for one in series {
                        assert!(one.len() > 0 && one.values().iter().all(|x| x.is_finite()));
                    }
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
});
