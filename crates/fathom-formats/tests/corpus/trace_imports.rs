//! Any bytes are a run of metrics over time, or an error that says what is wrong.
//!
//! Used by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/trace_imports.rs`.

use fathom_formats::ReadError;
use fathom_formats::trace_imports::{
    ImportFormat, ImportOptions, ImportedRun, detect, read_trace_bytes,
};
use fathom_record::TimeUnit;
use fathom_record::foreign_text::is_steering;
use fathom_record::trace::Kind;
use std::collections::BTreeSet;

/// Reads the bytes as what they look like, and as one more format.
pub(crate) fn check(bytes: &[u8]) {
    if let Err(error) = detect("fuzz", bytes) {
        is_fit(&error);
    }
    read(bytes, &ImportOptions::default());
    read(bytes, &options(bytes));
}

/// Options that follow from a sum of the bytes. So a real file is a seed as it is, and each change to
/// it tries other options.
fn options(bytes: &[u8]) -> ImportOptions {
    let mut sum = bytes.iter().fold(0_usize, |sum, &byte| sum.wrapping_mul(31) + usize::from(byte));
    let mut choice = |among: usize| {
        let chosen = sum % among;
        sum /= among;
        chosen
    };
    ImportOptions {
        format: ImportFormat::ALL.get(choice(ImportFormat::ALL.len())).copied(),
        time_unit: [None, Some(TimeUnit::Milliseconds), Some(TimeUnit::Nanoseconds)][choice(3)],
        counters: if choice(2) == 1 { vec!["a*".to_string()] } else { vec![] },
    }
}

fn read(bytes: &[u8], options: &ImportOptions) {
    match read_trace_bytes("fuzz", bytes, options) {
        Ok(run) => is_sound(&run),
        Err(error) => is_fit(&error),
    }
}

/// What readers of runs rely on.
fn is_sound(run: &ImportedRun) {
    assert!(!run.samplers.is_empty());
    let mut names = BTreeSet::new();
    for (sampler, rows) in &run.samplers {
        assert!(!rows.is_empty() && !rows.metrics().is_empty(), "{sampler}");
        assert!(rows.ends().is_sorted(), "{sampler}");
        let mut pairs = rows.starts().iter().zip(rows.ends());
        assert!(pairs.all(|(start, end)| start <= end), "{sampler}");
        for (metric, column) in rows.metrics().iter().zip(rows.columns()) {
            assert!(names.insert(metric.name.clone()), "{:?} twice", metric.name);
            assert!(!metric.name.is_empty());
            assert_eq!(metric.number, column.number());
            assert_eq!(column.len(), rows.len());
            assert!(column.reals().flatten().all(f64::is_finite));
            if metric.kind == Kind::Gauge {
                let starts = rows.starts().iter().skip(1);
                let follow = starts.zip(rows.ends()).all(|(start, end)| start == end);
                assert!(follow, "{:?}", metric.name);
            }
        }
    }
}

fn is_fit(error: &ReadError) {
    let text = error.to_string();
    assert!(text.starts_with("fuzz") && text.contains(". "), "{text:?}");
    assert!(!text.contains(is_steering), "{text:?}");
}
