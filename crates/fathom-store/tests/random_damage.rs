//! Damage at random places: no wrong run, nothing lost silently, no panic.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use fathom_record::Run;
use fathom_store::{OpenedStore, Store};
use harness::stores::{
    PAGE, change, closed_store, copy_of, database, killed_store, runs_in, total,
};
use harness::{Random, open, run, seed};
use std::fs;

/// Damages a file at random: bits, bytes, stretches, whole pages, its end.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let length = bytes.len() as u64;
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len() as u64) as usize;
        match random.below(7) {
            0 | 1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = random.next() as u8,
            3 => {
                let end = bytes.len().min(at + random.below(200) as usize);
                bytes[at..end].fill(random.next() as u8);
            }
            4 => {
                let end = bytes.len().min(at + random.below(9000) as usize);
                bytes[at..end].iter_mut().for_each(|byte| *byte = random.next() as u8);
            }
            5 => {
                // The first hundred bytes are few among many, and the worst to lose.
                let at = random.below(100.min(bytes.len() as u64)) as usize;
                bytes[at] ^= 1 << random.below(8);
            }
            _ if random.below(3) == 0 => bytes.truncate(random.below(length) as usize),
            _ => {
                let from = at / PAGE * PAGE;
                let to = random.below(bytes.len() as u64) as usize / PAGE * PAGE;
                let page: Vec<u8> = bytes[from..].iter().copied().take(PAGE).collect();
                let end = bytes.len().min(to + page.len());
                bytes[to..end].copy_from_slice(&page[..end - to]);
            }
        }
    }
}

#[test]
fn no_damage_to_a_closed_store_gives_a_wrong_run_or_loses_one_silently() {
    let mut random = Random(seed(4));
    let whole = closed_store();
    let mut unnoticed = 0;
    for case in 0..300 {
        let folder = copy_of(whole.path());
        change(&database(&folder), |bytes| damage(bytes, &mut random));
        let opened = match random.below(2) {
            0 => Store::open(folder.path()),
            _ => Store::open_existing(folder.path()).map(Option::unwrap),
        };
        let OpenedStore { store, salvage } =
            opened.unwrap_or_else(|error| panic!("{case}: {error}"));
        let there = runs_in(&store);
        if salvage.is_none() {
            unnoticed += 1;
            assert_eq!(there.len(), total(), "case {case}");
        }
        drop(store);
        // A header that forbids writing does not hinder a reader; a writer mends it.
        let again = Store::open(folder.path()).unwrap();
        assert_eq!(runs_in(&again.store), there, "case {case}");
        assert!(salvage.is_none() || again.salvage.is_none(), "case {case}");
        if let Some(report) = again.salvage {
            let forbids = fs::read(report.kept_as).unwrap();
            assert!(forbids[18] > 2, "case {case}: {:?}", &forbids[..100]);
        }
    }
    // Bits in unused places change nothing; most places are used.
    assert!(unnoticed < 150, "{unnoticed}");
}

#[test]
fn no_damage_to_a_killed_store_or_its_log_gives_a_wrong_run() {
    let mut random = Random(seed(5));
    let whole = killed_store();
    for case in 0..200 {
        let folder = copy_of(whole.path());
        let log = folder.path().join("sessions.db-wal");
        match random.below(3) {
            0 => change(&database(&folder), |bytes| damage(bytes, &mut random)),
            1 => change(&log, |bytes| damage(bytes, &mut random)),
            _ => {
                change(&database(&folder), |bytes| damage(bytes, &mut random));
                change(&log, |bytes| damage(bytes, &mut random));
            }
        }
        let opened = Store::open(folder.path()).unwrap_or_else(|error| panic!("{case}: {error}"));
        let there = runs_in_killed(&opened.store);
        drop(opened);
        assert_eq!(runs_in_killed(&open(folder.path())), there, "case {case}");
    }
}

/// As [`runs_in`], for a store that may have gone back in time: SQLite ends a log at its first
/// bad frame, as it must after a crash. So the session removed last may be back.
fn runs_in_killed(store: &Store) -> usize {
    let mut count = 0;
    for listed in store.list().unwrap() {
        let id = listed.id.0;
        let written: Vec<Run> = (1..=220).map(|number| run(id, number)).collect();
        let found = store.runs(listed.id).unwrap();
        assert!(found.iter().all(|run| written.contains(run)));
        count += found.len();
    }
    count
}
