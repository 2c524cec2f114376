//! Any bytes are a Parquet table, ours or another program's, or an error that says what is wrong.
//!
//! Used by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/parquet.rs`.

use fathom_formats::trace::{MANIFEST, ParquetOptions, Trace, TraceError, read_parquet_table};
use fathom_formats::trace_imports::{ImportFormat, ImportOptions, read_trace_file};
use fathom_record::Environment;
use fathom_record::foreign_text::is_steering;
use fathom_record::trace::{Manifest, SamplerEntry, TRACE_SCHEMA, TraceRun};
use std::fs;
use std::path::Path;

pub(crate) fn check(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let file = folder.path().join("run-1.fast.parquet");
    fs::write(&file, bytes).expect("room for the file");
    as_foreign_table(&file);
    as_our_part(folder.path());
}

fn as_foreign_table(file: &Path) {
    match read_parquet_table(file, &ParquetOptions::default()) {
        Ok(table) => {
            let rows = table.rows;
            assert!(rows.ends().is_sorted());
            let mut pairs = rows.starts().iter().zip(rows.ends());
            assert!(pairs.all(|(start, end)| start <= end));
            assert!(!rows.metrics().is_empty());
            for (metric, column) in rows.metrics().iter().zip(rows.columns()) {
                assert_eq!((metric.number, column.len()), (column.number(), rows.len()));
                assert!(column.reals().flatten().all(f64::is_finite));
            }
        }
        Err(error) => is_fit(&error),
    }
    let options = ImportOptions { format: Some(ImportFormat::Parquet), ..Default::default() };
    match read_trace_file(file, &options) {
        Ok(run) => {
            for (sampler, rows) in &run.samplers {
                assert!(!rows.is_empty() && !rows.metrics().is_empty(), "{sampler}");
            }
        }
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains(". ") && !text.contains(is_steering), "{text:?}");
        }
    }
}

/// As the file of a sampler in a trace folder.
fn as_our_part(folder: &Path) {
    let text = manifest().write().expect("our manifest is right");
    fs::write(folder.join(MANIFEST), text).expect("room for the manifest");
    let trace = Trace::open(folder).expect("our manifest is right");
    if let Err(error) = trace.metrics_of("run-1") {
        is_fit(&error);
    }
    match trace.all_samples("run-1") {
        Ok(all) => {
            for samples in all {
                assert_eq!(samples.starts.len(), samples.ends.len());
                assert_eq!(samples.values.len(), samples.ends.len());
                assert!(samples.ends.is_sorted());
            }
            let mut text = Vec::new();
            if let Err(error) = trace.write_csv("run-1", "fast", &mut text) {
                is_fit(&error);
            }
        }
        Err(error) => is_fit(&error),
    }
}

fn manifest() -> Manifest {
    let sampler = SamplerEntry {
        name: "fast".to_string(),
        file: "run-1.fast.parquet".to_string(),
        interval: None,
        rows: 0,
        missed: 0,
        lateness: None,
        cpu_share: None,
        probes: Vec::new(),
    };
    let run = TraceRun {
        id: "run-1".to_string(),
        group: "process".to_string(),
        clock: None,
        ended: None,
        ending: None,
        samplers: vec![sampler],
        notes: Vec::new(),
    };
    Manifest {
        schema: TRACE_SCHEMA.to_string(),
        command: Vec::new(),
        started: 0,
        environment: Environment::of_this_build(),
        common: None,
        metrics: Vec::new(),
        derived: Vec::new(),
        runs: vec![run],
    }
}

fn is_fit(error: &TraceError) {
    let text = error.to_string();
    assert!(!text.is_empty() && !text.contains(is_steering), "{text:?}");
}
