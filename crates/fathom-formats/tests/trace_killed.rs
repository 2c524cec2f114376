//! A writer that is killed at any moment leaves everything that it appended.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod trace_kit;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use trace_kit::{begin, checked_rows, manifest, metrics, names, rows};

/// Set for the process that is killed: its folder.
const FOLDER: &str = "FATHOM_TEST_KILLED_FOLDER";
const FILES: [&str; 3] = ["run-1.fast.parquet", "run-2.fast.parquet", "run-3.fast.parquet"];
const APPENDS: u64 = 50;
const ROWS: u64 = 20;

/// The process that is killed: not a test of its own.
#[test]
fn writes_until_it_is_killed() {
    let Ok(path) = std::env::var(FOLDER) else { return };
    let folder =
        fathom_formats::trace::TraceFolder::create(Path::new(&path), manifest(&FILES)).unwrap();
    let mut output = std::io::stdout();
    let metrics = metrics();
    for (run, file) in FILES.iter().enumerate() {
        let mut writer = folder.writer(file).unwrap();
        for n in 0..APPENDS {
            writer.append(&rows(&metrics, n * ROWS, ROWS)).unwrap();
            // One write: a kill cuts no line.
            output
                .write_all(format!("\nsaved {} {}\n", run + 1, (n + 1) * ROWS).as_bytes())
                .unwrap();
        }
        writer.finish().unwrap();
    }
}

/// xorshift: moments that differ and are the same every time.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn what_was_appended_is_read_after_a_kill() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..60 {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("trace");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "writes_until_it_is_killed", "--nocapture"])
            .env(FOLDER, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut saved = BTreeMap::new();
        let mut note = |line: &str| {
            let mut words = line.split(' ');
            if words.next() == Some("saved") {
                let run: u64 = words.next().unwrap().parse().unwrap();
                saved.insert(run, words.next().unwrap().parse::<u64>().unwrap());
            }
        };
        // Anywhere among the appends, half of the time near the end of a run, where files are merged.
        let seed = state;
        let appends = match random(&mut state) % 2 {
            0 => random(&mut state) % (APPENDS * 3),
            _ => APPENDS * (1 + random(&mut state) % 3),
        };
        let mut seen = 0;
        while seen < appends {
            let Some(line) = lines.next() else { break };
            let line = line.unwrap();
            seen += u64::from(line.starts_with("saved"));
            note(&line);
        }
        std::thread::sleep(Duration::from_micros(random(&mut state) % 2000));
        child.kill().unwrap();
        lines.for_each(|line| note(&line.unwrap_or_default()));
        child.wait().unwrap();
        if !path.join("manifest.json").exists() {
            assert!(saved.is_empty());
            continue;
        }
        for run in 1..=3 {
            let read = checked_rows(&path, &format!("run-{run}"));
            let saved = saved.get(&run).copied().unwrap_or(0);
            assert!(
                (saved..=saved + ROWS).contains(&read),
                "seed {seed:#x}: run {run}: {saved} saved, {read} read, {:?}",
                names(&path)
            );
        }
    }
}

/// All that is in a folder.
type State = BTreeMap<String, Vec<u8>>;

fn state(path: &Path) -> State {
    names(path)
        .into_iter()
        .map(|name| (name.clone(), std::fs::read(path.join(name)).unwrap()))
        .collect()
}

fn assert_readable(state: &State, rows: std::ops::RangeInclusive<u64>) {
    let place = tempfile::tempdir().unwrap();
    for (name, bytes) in state {
        std::fs::write(place.path().join(name), bytes).unwrap();
    }
    let read = checked_rows(place.path(), "run-1");
    assert!(rows.contains(&read), "{read} rows instead of {rows:?}: {:?}", state.keys());
}

/// Every state between two appends: new files are cut under their temporary names, then there; old
/// ones go one by one after that.
fn assert_all_between(before: &State, after: &State, rows: std::ops::RangeInclusive<u64>) {
    let mut now = before.clone();
    for (name, bytes) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        let temporary = format!(".{name}.tmp");
        for cut in [0, 4, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
            now.insert(temporary.clone(), bytes[..cut].to_vec());
            assert_readable(&now, rows.clone());
        }
        now.remove(&temporary);
        now.insert(name.clone(), bytes.clone());
        assert_readable(&now, rows.clone());
    }
    let gone: Vec<&String> = before.keys().filter(|name| !after.contains_key(*name)).collect();
    for from_the_end in [false, true] {
        let mut now = now.clone();
        let mut gone = gone.clone();
        if from_the_end {
            gone.reverse();
        }
        for name in gone {
            now.remove(name);
            assert_readable(&now, rows.clone());
        }
    }
}

#[test]
fn every_state_between_two_appends_is_readable() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("trace");
    let (_folder, mut writer) = begin(&path, "run-1.fast.parquet");
    let metrics = metrics();
    let mut before = state(&path);
    for n in 0..40 {
        writer.append(&rows(&metrics, n * 3, 3)).unwrap();
        let after = state(&path);
        assert_all_between(&before, &after, n * 3..=n * 3 + 3);
        before = after;
    }
    writer.finish().unwrap();
    assert_all_between(&before, &state(&path), 120..=120);
}
