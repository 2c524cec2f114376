//! What holds of any input that should be executions.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod any_input;

use std::fmt::Write;
use std::path::Path;

use fathom_formats::{
    ObservationFormat, ObservationOptions, observations_from_bytes, one_from_bytes,
};
use fathom_record::Observation;
use proptest::prelude::*;

/// Reads under every format and none.
fn read_every_way(bytes: &[u8]) {
    for format in ObservationFormat::all().map(Some).chain([None]) {
        for columns in [vec![], vec!["1".to_string()], vec!["time".to_string(), "a".to_string()]] {
            let options = ObservationOptions { format, columns, ..ObservationOptions::default() };
            let one = one_from_bytes("fuzz", bytes, &options);
            match observations_from_bytes("fuzz", bytes, &options) {
                Ok(seen) => {
                    assert!(!seen.is_empty());
                    assert_eq!(one.is_ok(), seen.len() == 1);
                    seen.iter().for_each(is_sound);
                }
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.starts_with("fuzz") && text.contains(". "), "{text}");
                    assert!(one.is_err());
                }
            }
        }
    }
}

/// What is read can be kept and read again.
fn is_sound(seen: &Observation) {
    for scalar in seen.scalars().values() {
        assert!(!scalar.value.is_infinite());
    }
    let latest = seen.signals().values().filter_map(|signal| signal.times().last());
    let latest = latest.chain(seen.events().values().filter_map(|events| events.times().last()));
    for &time in latest {
        assert!(seen.end().is_some_and(|end| time <= end));
    }
    let text = serde_json::to_string(seen).unwrap();
    let again: Observation = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
}

/// The small files of the tests, to be cut and changed.
fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/observations");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|path| path.is_file() && path.extension().is_none_or(|kind| kind != "md"));
    assert!(files.len() > 8);
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

#[test]
fn every_truncation_is_read_or_refused() {
    for seed in seeds() {
        for end in 0..seed.len().min(900) {
            read_every_way(&seed[..end]);
        }
    }
}

/// Nothing is quadratic: these take minutes if it is, and about a second each if not.
#[test]
fn large_files() {
    let rows = 200_000;
    let mut table = "time_ms,power[W],temp,ipc,queue\n".to_string();
    let mut events = "run,time,event,latency\n".to_string();
    let mut scalars = "a,b,c\n".to_string();
    let mut lines = String::new();
    for i in 0..rows {
        writeln!(table, "{i},{}.5,{},{}.25,", i % 100, i % 7, i % 3).unwrap();
        writeln!(events, "{},{i},{},{i}", i / 20, ["R", "S", "error"][i % 3]).unwrap();
        writeln!(scalars, "{i},{},", i % 10).unwrap();
        writeln!(lines, "{{\"t\":{i},\"power\":{},\"load\":{{\"cpu\":{i}}}}}", i % 9).unwrap();
    }
    let (mut new_attributes, mut new_events, mut new_signals) =
        (String::new(), String::new(), String::new());
    for i in 0..20_000 {
        writeln!(new_attributes, "{{\"t\":{i},\"event\":\"R\",\"a{i}\":1}}").unwrap();
        writeln!(new_events, "{{\"t\":{i},\"run\":{i},\"event\":\"R{i}\"}}").unwrap();
        writeln!(new_signals, "{{\"t\":{i},\"run\":{i},\"x{i}\":1}}").unwrap();
    }
    for (what, text) in [("attributes", new_attributes), ("events", new_events)] {
        let read = observations_from_bytes("x", text.as_bytes(), &ObservationOptions::default());
        assert!(read.unwrap_err().to_string().contains(&format!("more different {what} than fit")));
    }
    let header: Vec<String> = (0..20_000).map(|i| format!("c{i}")).collect();
    let wide = format!("time,{}\n0,{}\n", header.join(","), vec!["1"; header.len()].join(","));
    let mut gem5 = String::new();
    for dump in 1..=100 {
        gem5.push_str("\n---------- Begin Simulation Statistics ----------\n");
        writeln!(gem5, "finalTick {dump}000 # (Tick)").unwrap();
        for i in 0..2000 {
            writeln!(gem5, "system.cpu{i}.ipc {i}.5 # d").unwrap();
        }
        gem5.push_str("\n---------- End Simulation Statistics   ----------\n");
    }
    for (what, text, executions) in [
        ("table", table, 1),
        ("events of many runs", events, rows / 20),
        ("a row per execution", scalars, rows),
        ("lines", lines, 1),
        ("a signal and run per line", new_signals, 20_000),
        ("wide", wide, 1),
        ("gem5", gem5, 1),
    ] {
        let begun = std::time::Instant::now();
        let read =
            observations_from_bytes("x", text.as_bytes(), &ObservationOptions::default()).unwrap();
        println!("{what}: {:?}", begun.elapsed());
        assert_eq!(read.len(), executions, "{what}");
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in any_input::bytes()) {
        read_every_way(&bytes);
    }

    /// Words that formats are made of get further than arbitrary letters.
    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(vec![
        "time", "run", "event", "[ms]", ",", ";", "\n", "\n", "0", "1", "-2", "3.5", "nan", "inf", "\"", "{", "}", "[", "]", ":",
        "{\"t\":", "\"event\":\"R\"", "\"a\"", "null", "true", "#", " ", "\t", "e9", "(W)", "_ms",
        "---------- Begin Simulation Statistics\n", "---------- End Simulation Statistics\n", "finalTick ", "a::b | 1 | 2",
    ]), 0..40)) {
        read_every_way(words.concat().as_bytes());
    }

    #[test]
    fn any_change_to_a_file(bytes in any_input::changed(seeds())) {
        read_every_way(&bytes);
    }

    /// Signals come back to the bit, from tables and from lines.
    #[test]
    fn signals_come_back(
        steps in prop::collection::vec((1e-3..1e3f64, prop::option::of(prop::num::f64::NORMAL)), 2..40),
    ) {
        let mut table = "time,x\n".to_string();
        let mut lines = String::new();
        let (mut now, mut times) = (0.0, Vec::new());
        for (step, value) in &steps {
            now += step;
            times.push(now);
            let cell = value.map_or(String::new(), |value| format!("{value:e}"));
            writeln!(table, "{now:e},{cell}").unwrap();
            let value = value.map_or("null".to_string(), |value| format!("{value:e}"));
            writeln!(lines, "{{\"x\":{value},\"time\":{now:e}}}").unwrap();
        }
        for text in [table, lines] {
            let options = ObservationOptions::default();
            let seen = one_from_bytes("x", text.as_bytes(), &options).unwrap();
            let signal = &seen.signals()["x"];
            prop_assert_eq!(signal.times(), &times);
            for (read, (_, written)) in signal.values().iter().zip(&steps) {
                let written = written.unwrap_or(f64::NAN);
                prop_assert!(read.to_bits() == written.to_bits() || read.is_nan() && written.is_nan());
            }
        }
    }
}
