//! A damaged store is recognised, reported and salvaged, and never gives a wrong run.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod common;

use common::{Random, fill, open, run, seed, session};
use fathom_record::Run;
use fathom_store::{Opened, SalvageReport, SessionId, Store, StoreError};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PAGE: usize = 4096;
const RUNS: [u64; 3] = [150, 220, 90];

/// A closed store with three sessions, of which the second was finished and the first named, and
/// a removed fourth.
fn closed_store() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_sessions(&mut open(folder.path()));
    folder
}

fn write_sessions(store: &mut Store) {
    for (index, count) in RUNS.into_iter().enumerate() {
        let id = store.begin(&session((index == 0).then_some("first"))).unwrap();
        fill(store, id, count);
        store.set_plan(id, &format!("{{\"n\":{count}}}")).unwrap();
    }
    store.finish(SessionId(2), "precision").unwrap();
    let removed = store.begin(&session(Some("removed"))).unwrap();
    fill(store, removed, 60);
    store.remove(removed).unwrap();
}

/// The files of a store whose Fathom was killed: much of it is in the log.
fn killed_store() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    write_sessions(&mut store);
    let copy = tempfile::tempdir().unwrap();
    for name in ["sessions.db", "sessions.db-wal", "sessions.lock"] {
        fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    copy
}

fn copy_of(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    copy
}

fn database(folder: &TempDir) -> PathBuf {
    folder.path().join("sessions.db")
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// Every run that the store gives, after checking that each is one that was written, in order.
fn runs_in(store: &Store) -> BTreeSet<(i64, u64)> {
    let mut there = BTreeSet::new();
    for listed in store.list().unwrap() {
        let id = listed.id.0;
        assert!((1..=3).contains(&id), "session {id} is there");
        if listed.session.arguments.is_empty() {
            assert!(listed.session.subjects[0].starts_with("unknown"));
        } else {
            assert_eq!(listed.session, session((id == 1).then_some("first")));
        }
        let written: Vec<Run> = (1..=RUNS[id as usize - 1]).map(|n| run(id, n)).collect();
        let mut from = 0;
        let found = store.runs(listed.id).unwrap();
        assert_eq!(found.len() as u64, listed.runs);
        for run in found {
            from += 1 + written[from..].iter().position(|w| *w == run).unwrap();
            there.insert((id, from as u64));
        }
    }
    there
}

fn total() -> usize {
    RUNS.iter().sum::<u64>() as usize
}

fn salvaged(folder: &Path) -> (Store, SalvageReport) {
    let Opened { store, salvage } = Store::open(folder).unwrap();
    let report = salvage.unwrap();
    assert!(report.kept_as.exists(), "{report}");
    assert_eq!(report.to_string().lines().count(), 2, "{report}");
    assert_eq!(report.runs as usize, runs_in(&store).len());
    (store, report)
}

/// The kind of each page of a tree.
fn kinds(bytes: &[u8]) -> Vec<u8> {
    (0..bytes.len() / PAGE).map(|n| bytes[n * PAGE + if n == 0 { 100 } else { 0 }]).collect()
}

#[test]
fn a_bad_page_loses_its_rows_only() {
    let whole = closed_store();
    let pages = kinds(&fs::read(database(&whole)).unwrap());
    let leaves: Vec<usize> = (0..pages.len()).filter(|&n| pages[n] == 0x0a).collect();
    assert!(leaves.len() > 5);
    let mut lost = 0;
    for &page in &leaves {
        let folder = copy_of(whole.path());
        change(&database(&folder), |bytes| bytes[page * PAGE..(page + 1) * PAGE].fill(0xa5));
        let (store, report) = salvaged(folder.path());
        let there = runs_in(&store);
        assert!(total() - there.len() < 60, "page {page}: {} of {}", there.len(), total());
        assert!(report.lost_runs as usize <= total() - there.len());
        assert_eq!(report.sessions, 3);
        lost += total() - there.len();
        // It goes on where it was: the same file, whole again.
        drop(store);
        let mut store = open(folder.path());
        assert_eq!(runs_in(&store), there);
        store.claim(SessionId(1)).unwrap();
        let last = there.range(..(2, 0)).next_back().unwrap().1;
        assert_eq!(store.append(SessionId(1), &run(1, last + 1)).unwrap().0, last + 1);
    }
    // Each row is in one page: one of the leaves, or one above them.
    assert!(lost > total() * 8 / 10 && lost <= total(), "{lost} in {} leaves", leaves.len());
}

#[test]
fn two_bad_pages_do_not_lose_what_is_between_them() {
    let folder = closed_store();
    change(&database(&folder), |bytes| {
        let pages = kinds(bytes);
        let leaves: Vec<usize> = (0..pages.len()).filter(|&n| pages[n] == 0x0a).collect();
        for page in [leaves[1], leaves[leaves.len() - 2]] {
            bytes[page * PAGE..(page + 1) * PAGE].fill(0);
        }
    });
    let (store, _) = salvaged(folder.path());
    assert!(total() - runs_in(&store).len() < 120);
}

#[test]
fn without_the_first_page_every_run_is_found() {
    for fill in [0x00, 0x53] {
        let folder = closed_store();
        change(&database(&folder), |bytes| bytes[..PAGE].fill(fill));
        let (store, report) = salvaged(folder.path());
        assert_eq!(runs_in(&store).len(), total());
        assert_eq!((report.sessions, report.unknown_sessions, report.lost_runs), (3, 0, 0));
        assert_eq!(store.listed(SessionId(2)).unwrap().finished.as_deref(), Some("precision"));
        assert_eq!(store.plan(SessionId(3)).unwrap().as_deref(), Some("{\"n\":90}"));
        assert_eq!(report.kept_as, folder.path().join("sessions.db.damaged-1"));
    }
}

#[test]
fn without_the_sessions_their_runs_are_kept_as_unknown_ones() {
    let folder = closed_store();
    change(&database(&folder), |bytes| {
        let pages = kinds(bytes);
        for page in (1..pages.len()).filter(|&n| pages[n] == 0x0d) {
            bytes[page * PAGE..(page + 1) * PAGE].fill(0xff);
        }
    });
    let (store, report) = salvaged(folder.path());
    assert_eq!((report.sessions, report.unknown_sessions), (3, 3));
    assert_eq!(runs_in(&store).len(), total());
    assert!(report.to_string().contains("3 sessions measured is unknown"), "{report}");
}

#[test]
fn an_empty_or_cut_off_file_is_damage() {
    for length in [0, 1, 50, 100, PAGE, PAGE + 1, 6 * PAGE, 20 * PAGE + 77] {
        let folder = closed_store();
        change(&database(&folder), |bytes| {
            assert!(bytes.len() > length, "{}", bytes.len());
            bytes.truncate(length);
        });
        let (_, report) = salvaged(folder.path());
        assert_eq!(report.kept_as.metadata().unwrap().len(), length as u64);
    }
}

#[test]
fn rows_in_the_log_are_salvaged_too() {
    // Where the log has a copy of the first page, SQLite needs no other.
    let folder = killed_store();
    change(&database(&folder), |bytes| bytes[..100].fill(9));
    assert_eq!(runs_in(&open(folder.path())).len(), total());

    for damage in ["missing", "empty"] {
        let folder = killed_store();
        match damage {
            "empty" => fs::write(database(&folder), b"").unwrap(),
            _ => fs::remove_file(database(&folder)).unwrap(),
        }
        let Opened { store, salvage } = Store::open(folder.path()).unwrap();
        let report = salvage.unwrap();
        assert_eq!(runs_in(&store).len(), total(), "{damage}: {report}");
        let mut log = report.kept_as.into_os_string();
        log.push("-wal");
        assert!(Path::new(&log).exists());
    }
}

#[test]
fn a_changed_number_is_noticed_though_sqlite_does_not() {
    let folder = closed_store();
    let database = database(&folder);
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection.execute("UPDATE runs SET wall_ns = wall_ns + 1 WHERE number = 77", []).unwrap();
    connection.close().unwrap();
    let (store, report) = salvaged(folder.path());
    assert_eq!(runs_in(&store).len(), total() - 3);
    assert_eq!(report.lost_runs, 3);
    let listed = store.listed(SessionId(1)).unwrap();
    assert_eq!((listed.runs, listed.lost), (149, 1));
    assert!(report.to_string().contains("at least 3 runs lost"), "{report}");
}

#[test]
fn in_a_large_store_a_changed_number_is_noticed_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let id = store.begin(&session(None)).unwrap();
    let large = |number| Run { readings: run(1, 40).readings, ..run(1, number) };
    for number in 1..=600 {
        store.append(id, &large(number)).unwrap();
    }
    store.finish(id, "done").unwrap();
    drop(store);
    let connection = rusqlite::Connection::open(database(&folder)).unwrap();
    connection.execute("UPDATE runs SET wall_ns = 1 WHERE number = 300", []).unwrap();
    connection.close().unwrap();
    let opened = Store::open_existing(folder.path()).unwrap().unwrap();
    assert_eq!(opened.salvage, None);
    assert_eq!(opened.store.list().unwrap()[0].runs, 600);
    let error = opened.store.runs(id).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    drop(opened);
    let opened = Store::open_existing(folder.path()).unwrap().unwrap();
    assert_eq!(opened.salvage.unwrap().runs, 599);
    let expected: Vec<Run> = (1..=600).filter(|&number| number != 300).map(large).collect();
    assert!(opened.store.runs(id).unwrap() == expected);
}

#[test]
fn damaged_stores_are_kept_one_beside_the_other() {
    let folder = closed_store();
    for number in 1..=3 {
        change(&database(&folder), |bytes| bytes[..16].fill(0));
        let (_, report) = salvaged(folder.path());
        assert_eq!(report.kept_as, folder.path().join(format!("sessions.db.damaged-{number}")));
        assert_eq!(report.lost_runs, 0);
    }
}

#[test]
fn reading_commands_salvage_too() {
    let folder = closed_store();
    change(&database(&folder), |bytes| bytes[..16].fill(0));
    let opened = Store::open_existing(folder.path()).unwrap().unwrap();
    assert_eq!(opened.salvage.unwrap().runs as usize, total());
    assert_eq!(runs_in(&opened.store).len(), total());
}

#[test]
fn a_store_that_another_has_open_is_not_replaced() {
    let folder = closed_store();
    let other = open(folder.path());
    let before = fs::read(database(&folder)).unwrap();
    // Not by fs::write: closing a file takes away this process's locks on it.
    let writer = rusqlite::Connection::open(database(&folder)).unwrap();
    writer.execute("UPDATE runs SET wall_ns = 5 WHERE session = 1 AND number = 9", []).unwrap();
    let error = Store::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    assert!(error.to_string().contains("end that one"), "{error}");
    assert_eq!(
        fs::read_dir(folder.path())
            .unwrap()
            .filter(|file| {
                file.as_ref().unwrap().file_name().to_string_lossy().contains("damaged")
            })
            .count(),
        0
    );
    assert_eq!(fs::metadata(database(&folder)).unwrap().len(), before.len() as u64);
    // Whoever reads the row is told; the rest can be read.
    let error = other.runs(SessionId(1)).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert_eq!(other.runs(SessionId(2)).unwrap().len(), 220);
    assert!(folder.path().join("sessions.db.suspect").exists());
    drop((other, writer));
    let (store, _) = salvaged(folder.path());
    assert_eq!(runs_in(&store).len(), total() - 1);
    assert!(!folder.path().join("sessions.db.suspect").exists());
}

#[test]
fn several_that_open_a_damaged_store_at_once_all_get_the_salvaged_one() {
    let folder = closed_store();
    change(&database(&folder), |bytes| bytes[..16].fill(0));
    let opened: Vec<Option<SalvageReport>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|_| {
                scope.spawn(|| {
                    let opened = Store::open(folder.path()).unwrap();
                    assert_eq!(runs_in(&opened.store).len(), total());
                    opened.salvage
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(opened.iter().flatten().count(), 1, "{opened:?}");
    assert!(!folder.path().join("sessions.db.damaged-2").exists());
}

#[test]
fn salvaging_that_was_killed_is_finished() {
    let folder = closed_store();
    change(&database(&folder), |bytes| bytes[..16].fill(0));
    let (store, _) = salvaged(folder.path());
    drop(store);
    // As if killed between the two renamings.
    fs::rename(database(&folder), folder.path().join("sessions.db.salvaged")).unwrap();
    fs::write(folder.path().join("sessions.db-wal"), b"of the damaged store").unwrap();
    let store = Store::open_existing(folder.path()).unwrap().unwrap().store;
    assert_eq!(runs_in(&store).len(), total());
    // As if killed while making one.
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sessions.db.new"), b"half a store").unwrap();
    assert!(Store::open_existing(folder.path()).unwrap().is_none());
    assert!(open(folder.path()).list().unwrap().is_empty());
    assert!(!folder.path().join("sessions.db.new").exists());
}

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
        let Opened { store, salvage } = opened.unwrap_or_else(|error| panic!("{case}: {error}"));
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

#[test]
fn an_undamaged_store_is_not_salvaged() {
    let closed = closed_store();
    assert_eq!(runs_in(&open(closed.path())).len(), total());
    let killed = killed_store();
    assert_eq!(runs_in(&open(killed.path())).len(), total());
}
