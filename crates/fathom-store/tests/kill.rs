//! kill -9 at any moment: every run that was acknowledged is there, and none is half there.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use harness::{Random, child, child_folder, open, run, seed, session};
use std::io::{BufRead, BufReader, Write, stdout};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// In a child: appends for ever, and says each number after its commit.
#[test]
fn child_that_appends_until_it_is_killed() {
    let Some(folder) = child_folder() else { return };
    let mut store = open(&folder);
    let id = store.begin(&session(None)).unwrap();
    let mut out = stdout();
    for number in 1.. {
        store.append(id, &run(id.0, number)).unwrap();
        writeln!(out, "\nkept {id} {number}").unwrap();
        out.flush().unwrap();
        if number % 10 == 0 {
            store.set_plan(id, &format!("{{\"after\":{number}}}")).unwrap();
        }
    }
}

#[test]
fn no_acknowledged_run_is_lost() {
    let mut random = Random(seed(20_251_115));
    let folder = tempfile::tempdir().unwrap();
    let mut kept = Vec::new();
    for _ in 0..40 {
        // Sometimes there is nothing yet, so that making the store is interrupted too.
        if random.below(8) == 0 {
            for file in std::fs::read_dir(folder.path()).unwrap() {
                std::fs::remove_file(file.unwrap().path()).unwrap();
            }
            kept.clear();
        }
        let mut victim = child("child_that_appends_until_it_is_killed", folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(victim.stdout.take().unwrap()).lines();
        let reader = thread::spawn(move || {
            let numbers = lines.map_while(Result::ok).filter_map(|line| {
                let rest = line.strip_prefix("kept ")?.to_string();
                let (id, number) = rest.split_once(' ')?;
                Some((id.parse::<i64>().ok()?, number.parse::<u64>().ok()?))
            });
            numbers.last()
        });
        thread::sleep(Duration::from_micros(random.below(60_000)));
        victim.kill().unwrap();
        victim.wait().unwrap();
        kept.extend(reader.join().unwrap());

        let store = open(folder.path());
        let list = store.list().unwrap();
        for &(id, acknowledged) in &kept {
            let listed = list.iter().find(|listed| listed.id.0 == id).unwrap();
            assert!(listed.runs >= acknowledged, "{} of {acknowledged} are there", listed.runs);
            assert_eq!(listed.live, None);
        }
        for listed in &list {
            let runs = store.runs(listed.id).unwrap();
            assert_eq!(runs.len() as u64, listed.runs);
            for (index, found) in runs.iter().enumerate() {
                assert_eq!(*found, run(listed.id.0, index as u64 + 1));
            }
        }
        drop(store);
        let database = folder.path().join("sessions.db");
        let checked = rusqlite::Connection::open(database).unwrap();
        let verdict: String =
            checked.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(verdict, "ok");
    }
    assert!(kept.iter().any(|(_, number)| *number > 10), "the children got somewhere: {kept:?}");
}
