//! A damaged store is recognised, reported and salvaged, and never gives a wrong run.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use fathom_record::{Reading, Run, Session};
use fathom_store::{OpenedStore, SalvageReport, SessionId, Store, StoreError};
use harness::stores::{
    PAGE, change, closed_store, copy_of, database, killed_store, runs_in, total,
};
use harness::{open, run, session};
use std::fs;
use std::path::Path;

fn salvaged(folder: &Path) -> (Store, SalvageReport) {
    let OpenedStore { store, salvage } = Store::open(folder).unwrap();
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
fn a_page_that_denies_its_last_row_is_damage() {
    let folder = closed_store();
    change(&database(&folder), |bytes| {
        let page = kinds(bytes).iter().position(|&kind| kind == 0x0a).unwrap();
        bytes[page * PAGE + 4] -= 1;
    });
    salvaged(folder.path());
}

#[test]
fn a_page_written_over_another_is_damage() {
    let whole = closed_store();
    let pages = kinds(&fs::read(database(&whole)).unwrap());
    let leaves: Vec<usize> = (0..pages.len()).filter(|&n| pages[n] == 0x0a).collect();
    for pair in leaves.windows(2) {
        for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            let folder = copy_of(whole.path());
            change(&database(&folder), |bytes| {
                bytes.copy_within(from * PAGE..(from + 1) * PAGE, to * PAGE);
            });
            salvaged(folder.path());
        }
    }
}

#[test]
fn a_header_that_forbids_writing_is_damage() {
    let folder = closed_store();
    change(&database(&folder), |bytes| bytes[18] = 5);
    let store = Store::open_existing(folder.path()).unwrap().unwrap().store;
    assert_eq!(runs_in(&store).len(), total());
    drop(store);
    let (store, _) = salvaged(folder.path());
    assert_eq!(runs_in(&store).len(), total());
}

#[test]
fn rows_of_any_length_are_found() {
    // Around the lengths at which SQLite moves a part of a row to other pages.
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let long = |length| Session { folder: "x".repeat(length), ..session(None) };
    let lengths = (3650..3950).chain((7600..8100).step_by(9));
    let sessions: Vec<Session> = lengths.map(long).collect();
    let named = |length| Reading { name: "y".repeat(length), value: 1.0 };
    let of_length = |length| Run { readings: vec![named(length)], ..run(1, 7) };
    let lengths = (700..1050).chain((4700..5300).step_by(7));
    let runs: Vec<Run> = lengths.map(of_length).collect();
    let ids: Vec<SessionId> = sessions.iter().map(|s| store.begin(s).unwrap()).collect();
    for run in &runs {
        store.append(ids[0], run).unwrap();
    }
    drop(store);
    change(&database(&folder), |bytes| bytes[..16].fill(0));
    let OpenedStore { store, salvage } = Store::open(folder.path()).unwrap();
    let report = salvage.unwrap();
    assert_eq!((report.sessions as usize, report.runs as usize), (sessions.len(), runs.len()));
    assert!(store.runs(ids[0]).unwrap() == runs);
    for (id, session) in ids.iter().zip(&sessions) {
        assert!(store.session(*id).unwrap() == *session);
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
        let OpenedStore { store, salvage } = Store::open(folder.path()).unwrap();
        let report = salvage.unwrap();
        assert_eq!(runs_in(&store).len(), total(), "{damage}: {report}");
        assert_eq!(report.runs as usize, total(), "the removed session stays removed: {report}");
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
    assert!(error.to_string().contains("Stop that one"), "{error}");
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
    // Reading the row gives an error; the rest can be read.
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

#[test]
fn an_undamaged_store_is_not_salvaged() {
    let closed = closed_store();
    assert_eq!(runs_in(&open(closed.path())).len(), total());
    let killed = killed_store();
    assert_eq!(runs_in(&open(killed.path())).len(), total());
}
