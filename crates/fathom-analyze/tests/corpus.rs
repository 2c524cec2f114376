//! Every file of the fuzzer's corpus goes through the pipeline.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "corpus/decode.rs"]
mod decode;

use std::fs;
use std::path::PathBuf;

/// The files' names and bytes, in order.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz/analyze_pipeline");
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().display().to_string(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn every_input_ends_with_an_answer() {
    let files = corpus();
    assert!(files.len() >= 25, "only {} files: the corpus is not where it was", files.len());
    for (name, bytes) in files {
        // Shown if the test fails: the last name is the culprit.
        println!("{name}");
        assert!(decode::decode(&bytes).is_some(), "it holds no values");
        decode::check(&bytes);
    }
}

/// A corpus that all goes the same way tests little.
#[test]
fn the_corpus_reaches_every_method_side_and_level() {
    let requests: Vec<_> = corpus().iter().filter_map(|(_, bytes)| decode::decode(bytes)).collect();
    for method in fathom_analyze::Method::ALL {
        let reached = requests.iter().any(|(_, request)| {
            request.statistics.iter().any(|&statistic| request.method_for(statistic) == method)
        });
        assert!(reached, "no file uses {method:?}");
    }
    for sides in [fathom_stats::Sides::Both, fathom_stats::Sides::Lower, fathom_stats::Sides::Upper]
    {
        assert!(requests.iter().any(|(_, request)| request.sides == sides), "{sides:?}");
    }
    for pooled in [false, true] {
        let reached = requests.iter().any(|(series, request)| {
            series.execution_sizes().is_some() && request.assume_independent == pooled
        });
        assert!(reached, "no file has executions with assume_independent = {pooled}");
    }
}
