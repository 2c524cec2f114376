//! Stores with known content, to be damaged.

use super::{fill, open, run, session};
use fathom_record::Run;
use fathom_store::{SessionId, Store};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) const PAGE: usize = 4096;
pub(crate) const RUNS: [u64; 3] = [150, 220, 90];

/// A closed store with three sessions, the second finished and the first named, and a removed
/// fourth.
pub(crate) fn closed_store() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_sessions(&mut open(folder.path()));
    folder
}

pub(crate) fn write_sessions(store: &mut Store) {
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
pub(crate) fn killed_store() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    write_sessions(&mut store);
    let copy = tempfile::tempdir().unwrap();
    for name in ["sessions.db", "sessions.db-wal", "sessions.lock"] {
        fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    copy
}

pub(crate) fn copy_of(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    copy
}

pub(crate) fn database(folder: &TempDir) -> PathBuf {
    folder.path().join("sessions.db")
}

pub(crate) fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// Every run that the store gives, after checking that each is one that was written, in order.
pub(crate) fn runs_in(store: &Store) -> BTreeSet<(i64, u64)> {
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

pub(crate) fn total() -> usize {
    RUNS.iter().sum::<u64>() as usize
}
