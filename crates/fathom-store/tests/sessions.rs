//! What is kept is what is read back, by its id or name, from one process or many.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

use fathom_record::{BlockSlot, Ending, Phase, Reading, Run, Session, Span, Timestamp, Usage};
use fathom_store::{SessionId, Store, StoreError};
use harness::{child, child_folder, fill, open, run, session};
use proptest::prelude::*;
use std::fs;
use std::thread;

#[test]
fn everything_comes_back_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("made/on/demand");
    let mut store = open(&folder);
    let first = store.begin(&session(Some("before"))).unwrap();
    fill(&mut store, first, 100);
    store.set_plan(first, "{\"blocks\":3}").unwrap();
    store.set_plan(first, "{\"blocks\":4}").unwrap();
    store.finish(first, "precision").unwrap();
    let second = store.begin(&session(None)).unwrap();
    fill(&mut store, second, 3);
    drop(store);

    assert_eq!((first, second), (SessionId(1), SessionId(2)));
    assert!(!folder.join("sessions.db-wal").exists(), "a closed store has no log");
    let store = Store::open_existing(&folder).unwrap().unwrap().store;
    let list = store.list().unwrap();
    assert_eq!(list.iter().map(|listed| listed.id).collect::<Vec<_>>(), [first, second]);
    assert_eq!(list[0].session, session(Some("before")));
    assert_eq!(list[0].finished.as_deref(), Some("precision"));
    assert_eq!((list[0].runs, list[0].lost, list[0].live), (100, 0, None));
    let last = run(1, 100);
    let ended = (last.began + last.usage.wall - Timestamp::ZERO).nanoseconds() / 1_000_000_000;
    assert_eq!(list[0].last_activity, session(None).started + ended);
    assert_eq!((list[1].runs, &list[1].finished), (3, &None));
    assert_eq!(store.session(second).unwrap(), session(None));
    assert_eq!(store.plan(first).unwrap().as_deref(), Some("{\"blocks\":4}"));
    assert_eq!(store.plan(second).unwrap(), None);
    let runs: Vec<Run> = (1..=100).map(|number| run(1, number)).collect();
    assert_eq!(store.runs(first).unwrap(), runs);
    assert_eq!(store.listed(first).unwrap(), list[0]);
}

#[test]
fn a_session_is_found_by_id_name_or_as_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let message = store.resolve("last").unwrap_err().to_string();
    assert!(message.contains("No session is saved yet"), "{message}");

    let one = store.begin(&session(Some("main"))).unwrap();
    let two = store.begin(&session(Some("main"))).unwrap();
    let three = store.begin(&session(None)).unwrap();
    assert_eq!(store.resolve("main").unwrap(), two);
    assert_eq!(store.resolve("1").unwrap(), one);
    assert_eq!(store.resolve("last").unwrap(), three);
    assert_eq!(store.find_named("other").unwrap(), None);
    assert_eq!(
        store.resolve("mian").unwrap_err().to_string(),
        "there is no session \"mian\". The saved sessions are 3, 2 (main), 1 (main). `fathom \
         list` shows them."
    );
    for wanted in ["0", "4", "-1", "99999999999999999999", ""] {
        assert!(matches!(store.resolve(wanted), Err(StoreError::NoSuchSession { .. })));
    }
    store.set_name(three, Some("main")).unwrap();
    assert_eq!(store.resolve("main").unwrap(), three);
    store.set_name(three, None).unwrap();
    assert_eq!(store.resolve("main").unwrap(), two);
    assert!(matches!(store.set_name(three, Some("7")), Err(StoreError::BadName { .. })));
    assert!(matches!(store.begin(&session(Some("last"))), Err(StoreError::BadName { .. })));
    for _ in 0..20 {
        store.begin(&session(None)).unwrap();
    }
    let message = store.runs(SessionId(77)).unwrap_err().to_string();
    assert!(message.contains("The newest of 23 are 23, 22, 21, 20, 19, 18, 17, 16."), "{message}");
}

#[test]
fn a_removed_session_is_gone_and_its_id_is_not_given_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let keep = store.begin(&session(None)).unwrap();
    let gone = store.begin(&session(Some("x"))).unwrap();
    fill(&mut store, keep, 5);
    fill(&mut store, gone, 50);
    store.remove(gone).unwrap();
    assert!(matches!(store.append(gone, &run(2, 51)), Err(StoreError::NotClaimed { .. })));
    drop(store);
    let mut store = open(folder.path());
    assert_eq!(store.list().unwrap().len(), 1);
    assert_eq!(store.find_named("x").unwrap(), None);
    for refused in [store.runs(gone).err(), store.remove(gone).err(), store.claim(gone).err()] {
        assert!(matches!(refused, Some(StoreError::NoSuchSession { .. })));
    }
    assert_eq!(store.runs(keep).unwrap().len(), 5);
    assert_eq!(store.begin(&session(None)).unwrap(), SessionId(3));
}

#[test]
fn reading_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    assert!(Store::open_existing(&nowhere).unwrap().is_none());
    assert!(!nowhere.exists());
    assert!(Store::open_existing(folder.path()).unwrap().is_none());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_reading_that_is_not_finite_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let id = store.begin(&session(None)).unwrap();
    let reading = Reading { name: "rps".into(), value: f64::NAN };
    let bad = Run { readings: vec![reading], ..run(1, 1) };
    let message = store.append(id, &bad).unwrap_err().to_string();
    assert!(message.contains("cannot save \"rps\": NaN is not a finite number"), "{message}");
    assert_eq!(store.append(id, &run(1, 1)).unwrap().0, 1);
}

#[test]
fn a_resumed_session_is_unfinished_once_it_has_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    let id = store.begin(&session(None)).unwrap();
    fill(&mut store, id, 2);
    store.finish(id, "max_time").unwrap();
    assert!(matches!(store.append(id, &run(1, 3)), Err(StoreError::NotClaimed { .. })));
    assert!(matches!(store.set_plan(id, "{}"), Err(StoreError::NotClaimed { .. })));
    assert!(matches!(store.finish(id, "x"), Err(StoreError::NotClaimed { .. })));
    store.claim(id).unwrap();
    assert_eq!(store.listed(id).unwrap().finished.as_deref(), Some("max_time"));
    store.append(id, &run(1, 3)).unwrap();
    assert_eq!(store.listed(id).unwrap().finished, None);
    store.finish(id, "precision").unwrap();
    assert_eq!(store.listed(id).unwrap().finished.as_deref(), Some("precision"));
}

#[test]
fn a_session_is_measured_by_one_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut one = open(folder.path());
    let mut two = open(folder.path());
    let id = one.begin(&session(None)).unwrap();
    one.claim(id).unwrap();
    let pid = std::process::id();
    assert_eq!(two.listed(id).unwrap().live, Some(pid));
    for refused in [two.claim(id).unwrap_err(), two.remove(id).unwrap_err()] {
        assert!(matches!(refused, StoreError::Claimed { .. }));
        assert!(refused.to_string().contains(&format!("process {pid}")), "{refused}");
    }
    assert!(matches!(two.append(id, &run(1, 1)), Err(StoreError::NotClaimed { .. })));
    drop(one);
    assert_eq!(two.listed(id).unwrap().live, None);
    two.claim(id).unwrap();
    fill(&mut two, id, 1);
    two.finish(id, "done").unwrap();
    open(folder.path()).claim(id).unwrap();
}

/// In a child: leaves a claim behind as a crash does.
#[test]
fn child_that_dies_with_a_claim() {
    let Some(folder) = child_folder() else { return };
    let mut store = open(&folder);
    let id = store.begin(&session(None)).unwrap();
    fill(&mut store, id, 1);
    std::process::abort();
}

#[test]
fn a_dead_process_claims_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let status = child("child_that_dies_with_a_claim", folder.path()).output().unwrap().status;
    assert!(!status.success());
    let mut store = open(folder.path());
    let id = store.resolve("last").unwrap();
    assert_eq!(store.listed(id).unwrap().live, None);
    store.claim(id).unwrap();
    assert_eq!(store.append(id, &run(1, 2)).unwrap().0, 2);
}

const WRITERS: u64 = 4;
const EACH: u64 = 150;

/// In a child: one of several that write at the same time.
#[test]
fn child_that_appends() {
    let Some(folder) = child_folder() else { return };
    let mut store = open(&folder);
    let id = store.begin(&session(None)).unwrap();
    fill(&mut store, id, EACH);
    store.finish(id, "done").unwrap();
}

#[test]
fn nothing_is_lost_when_several_processes_and_threads_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // They also race to make the store.
    let children: Vec<_> =
        (0..WRITERS).map(|_| child("child_that_appends", folder.path()).spawn().unwrap()).collect();
    let threads: Vec<_> = (0..WRITERS)
        .map(|_| {
            let folder = folder.path().to_path_buf();
            thread::spawn(move || {
                let mut store = open(&folder);
                let id = store.begin(&session(None)).unwrap();
                fill(&mut store, id, EACH);
                store.finish(id, "done").unwrap();
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let store = open(folder.path());
    let list = store.list().unwrap();
    assert_eq!(list.len() as u64, 2 * WRITERS);
    for listed in list {
        let expected: Vec<Run> = (1..=EACH).map(|number| run(listed.id.0, number)).collect();
        assert_eq!(store.runs(listed.id).unwrap(), expected);
        assert_eq!(listed.finished.as_deref(), Some("done"));
    }
}

#[test]
fn newer_and_foreign_files_are_refused_and_not_touched() {
    for (sql, part) in [
        ("PRAGMA application_id = 0x4674686d; PRAGMA user_version = 9;", "Update Fathom"),
        ("PRAGMA application_id = 77;", "another program's database"),
        ("", "another program's database"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sessions.db");
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE things (x); INSERT INTO things VALUES (1);").unwrap();
        other.execute_batch(sql).unwrap();
        other.close().unwrap();
        let before = fs::read(&path).unwrap();
        let write = Store::open(folder.path()).unwrap_err().to_string();
        let read = Store::open_existing(folder.path()).unwrap_err().to_string();
        assert!(write.contains(part) && write.contains("sessions.db"), "{write}");
        assert_eq!(write, read);
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn an_older_file_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let old = rusqlite::Connection::open(folder.path().join("sessions.db")).unwrap();
    // Version 0: a database without tables, here with pages of another size.
    old.execute_batch("PRAGMA page_size = 1024; VACUUM;").unwrap();
    old.close().unwrap();
    assert!(folder.path().join("sessions.db").metadata().unwrap().len() > 0);
    let mut store = open(folder.path());
    let id = store.begin(&session(None)).unwrap();
    fill(&mut store, id, 60);
    drop(store);
    assert_eq!(open(folder.path()).runs(id).unwrap().len(), 60);
}

fn any_run() -> impl Strategy<Value = Run> {
    let ending = prop_oneof![
        any::<i32>().prop_map(Ending::Exited),
        any::<i32>().prop_map(Ending::Signalled),
        Just(Ending::TimedOut),
    ];
    let usage = any::<[u64; 8]>().prop_map(|n| Usage {
        wall: Span::from_nanoseconds(n[0]),
        user: Span::from_nanoseconds(n[1]),
        system: Span::from_nanoseconds(n[2]),
        peak_memory: n[3],
        minor_faults: n[4],
        major_faults: n[5],
        voluntary_switches: n[6],
        involuntary_switches: n[7],
    });
    let value = any::<f64>().prop_filter("finite", |value| value.is_finite());
    let reading = (any::<String>(), value).prop_map(|(name, value)| Reading { name, value });
    let place = any::<Option<(usize, usize)>>()
        .prop_map(|place| place.map(|(block, slot)| BlockSlot { block, slot }));
    let phase = prop_oneof![Just(Phase::Warmup), Just(Phase::Measured), Just(Phase::EmptyShell)];
    let readings = prop::collection::vec(reading, 0..5);
    (any::<usize>(), phase, place, any::<i64>(), ending, usage, readings).prop_map(
        |(subject, phase, place, began, ending, usage, readings)| Run {
            subject,
            phase,
            place,
            began: Timestamp::from_nanoseconds(began),
            ending,
            usage,
            readings,
        },
    )
}

fn any_session() -> impl Strategy<Value = Session> {
    let texts = || prop::collection::vec(any::<String>(), 0..4);
    let name = prop::option::of("[a-z][a-z0-9 .äß'\"-]{5,12}");
    (texts(), any::<String>(), name, any::<u64>(), any::<u64>(), texts()).prop_map(
        |(arguments, folder, name, started, seed, subjects)| Session {
            arguments,
            folder,
            name,
            started,
            seed,
            subjects,
            ..session(None)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_kept_is_read_back(
        session in any_session(),
        runs in prop::collection::vec(any_run(), 0..30),
        plan in any::<String>(),
        outcome in any::<String>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut store = open(folder.path());
        let id = store.begin(&session).unwrap();
        for run in &runs {
            store.append(id, run).unwrap();
        }
        store.set_plan(id, &plan).unwrap();
        store.finish(id, &outcome).unwrap();
        drop(store);
        let store = open(folder.path());
        prop_assert_eq!(store.runs(id).unwrap(), runs);
        prop_assert_eq!(store.plan(id).unwrap(), Some(plan));
        let listed = store.listed(id).unwrap();
        prop_assert_eq!(listed.session, session);
        prop_assert_eq!(listed.finished, Some(outcome));
    }
}
