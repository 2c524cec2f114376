//! What holds of any input.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod any_input;

use std::path::Path;

use fathom_formats::{Format, ReadOptions, read_bytes};
use proptest::prelude::*;

/// Reads under every format and none; what succeeds must hold finite numbers only.
fn read_every_way(bytes: &[u8]) {
    let formats = Format::ALL.into_iter().map(Some).chain([None]);
    for format in formats {
        for columns in [vec![], vec!["1".to_string()], vec!["time".to_string(), "a::b".to_string()]]
        {
            let options = ReadOptions { format, columns, ..ReadOptions::default() };
            match read_bytes("fuzz", bytes, &options).map(|contents| contents.series) {
                Ok(series) => {
                    assert!(!series.is_empty());
                    for series in series {
                        assert!(series.len() > 0);
                        assert!(series.values().iter().all(|value| value.is_finite()));
                    }
                }
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.starts_with("fuzz") && text.contains(". "), "{text}");
                }
            }
        }
    }
}

/// A small file of every kind, to be cut and changed.
fn seeds() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/formats");
    let files = [
        "numbers/wrapped.txt",
        "csv/semicolon-bom-crlf.csv",
        "csv/text-column.csv",
        "hyperfine/v1-failing.json",
        "pyperf/sort.json.gz",
        "fathom/analyze.json",
        "criterion/0.8/alone/new/sample.json",
        "criterion/0.2/fib/new/sample.json",
    ];
    let mut seeds: Vec<Vec<u8>> =
        files.iter().map(|file| std::fs::read(root.join(file)).unwrap()).collect();
    seeds.push(
        b"\n---------- Begin Simulation Statistics ----------\na::b 1 2% 3% # x (Second)\nt | 1 2% 3% | 4\n\n---------- End Simulation Statistics   ----------\n"
            .to_vec(),
    );
    seeds.push(
        br#"{"context":{},"benchmarks":[{"name":"a","run_type":"iteration","real_time":1.5,"time_unit":"ns","k":2}]}"#
            .to_vec(),
    );
    seeds.push(
        br#"{"schema_version":2,"results":[{"command":"x","measurements":[{"time_wall_clock":{"value":1,"unit":"second"}}]}]}"#
            .to_vec(),
    );
    seeds
}

#[test]
fn every_truncation_is_read_or_refused() {
    for seed in seeds() {
        for end in 0..seed.len().min(1500) {
            read_every_way(&seed[..end]);
        }
    }
}

/// Nothing is quadratic: these take minutes if it is, and well under a second each if not.
#[test]
fn large_files() {
    let words: Vec<String> =
        (0..1_000_000).map(|i| format!("{}.{:03}", i % 977, i % 1000)).collect();
    let lines = words.join("\n");
    let wide = words.get(..20_000).unwrap();
    let header: Vec<String> = (0..wide.len()).map(|i| format!("c{i}")).collect();
    for (what, text, series, values) in [
        ("plain", lines.clone(), 1, words.len()),
        ("column", format!("time_ms\n{lines}\n"), 1, words.len()),
        ("one line", words.join(","), 1, words.len()),
        ("wide", format!("{}\n{}\n", header.join(","), wide.join(",")), wide.len(), 1),
        ("wide, no header", format!("{0}\n{0}\n", wide.join(",")), wide.len(), 2),
    ] {
        let begun = std::time::Instant::now();
        let read = read_bytes("x", text.as_bytes(), &ReadOptions::default()).unwrap().series;
        println!("{what}: {:?}", begun.elapsed());
        assert_eq!((read.len(), read[0].len()), (series, values), "{what}");
    }
}

/// What fuzzing started from, and what it found.
#[test]
fn the_fuzzers_corpus_is_read_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz/read_bytes");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        read_every_way(&std::fs::read(entry.unwrap().path()).unwrap());
        files += 1;
    }
    assert!(files > 5, "{files}");
}

proptest! {
    #[test]
    fn any_bytes(bytes in any_input::bytes()) {
        read_every_way(&bytes);
    }

    /// Letters that formats are made of get further than arbitrary ones.
    #[test]
    fn any_text(text in "[0-9.eE+na,;\t\n\"# \\[\\]{}:|%(-]{0,80}") {
        read_every_way(text.as_bytes());
    }

    #[test]
    fn any_change_to_a_real_file(bytes in any_input::changed(seeds())) {
        read_every_way(&bytes);
    }

    #[test]
    fn numbers_come_back_bit_for_bit(
        values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO, 1..40),
    ) {
        let words: Vec<String> = values.iter().map(|value| format!("{value:e}")).collect();
        let words_plain: Vec<String> = values.iter().map(ToString::to_string).collect();
        let texts = [
            words.join("\n"),
            words.join(" "),
            words.join(","),
            words_plain.join("\r\n"),
            format!("time\n{}\n", words.join("\n")),
            format!("a;b\n{}\n", words.iter().map(|word| format!("1;\"{word}\"\n")).collect::<String>()),
            format!("[[{}],[{}]]", vec!["1"; words.len()].join(","), words.join(",")),
        ];
        for text in texts {
            let series = read_bytes("x", text.as_bytes(), &ReadOptions::default()).unwrap().series;
            let last = series.last().unwrap();
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(last.values()), bits(&values), "{}", text);
        }
    }
}
