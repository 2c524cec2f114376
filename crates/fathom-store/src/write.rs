//! Everything that changes the store.

use crate::check::Trouble;
use crate::fields::values;
use crate::session_row::{self, SessionRow};
use crate::store::Held;
use crate::{RunNumber, SessionId, Store, StoreError, check_name, claim, run_row};
use fathom_record::{Run, Session};
use rusqlite::types::Value;
use rusqlite::{Connection, Transaction, TransactionBehavior, params_from_iter};
use std::time::Instant;

/// Whether a commit waits for the disk; see [`crate::pace`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    Always,
    WhenDue,
}

/// A run that is there is never written over.
const INSERT_RUN: &str = "INSERT INTO runs VALUES \
    (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)";
/// Salvaging finds the same run more than once.
const RESTORE_RUN: &str = "INSERT OR REPLACE INTO runs VALUES \
    (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)";
const WRITE_SESSION: &str = "INSERT OR REPLACE INTO sessions VALUES \
    (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";

impl Store {
    /// Writes down a new session and takes it for measuring. Other sessions of its name keep theirs; the
    /// newest is the one that the name means.
    pub fn begin(&mut self, session: &Session) -> Result<SessionId, StoreError> {
        self.begin_after(session, |_, _| Ok(()))
    }

    /// The same, if no other session has its name.
    pub fn begin_with_new_name(&mut self, session: &Session) -> Result<SessionId, StoreError> {
        self.begin_after(session, |transaction, store| {
            let name = session.name.as_deref().unwrap_or_default();
            match store.all_named(transaction, name)?.pop() {
                Some(id) => Err(StoreError::NameTaken { name: name.to_string(), id }),
                None => Ok(()),
            }
        })
    }

    /// The same; sessions that have its name lose it, and keep their numbers.
    pub fn begin_taking_name(&mut self, session: &Session) -> Result<SessionId, StoreError> {
        self.begin_after(session, |transaction, store| {
            let name = session.name.as_deref().unwrap_or_default();
            for id in store.all_named(transaction, name)? {
                store.edit(transaction, id, |mut row| {
                    row.session.name = None;
                    row
                })?;
            }
            Ok(())
        })
    }

    fn begin_after(
        &mut self,
        session: &Session,
        first: impl FnOnce(&Transaction<'_>, &Store) -> Result<(), StoreError>,
    ) -> Result<SessionId, StoreError> {
        session.name.as_deref().map_or(Ok(()), check_name)?;
        let process = self.process.clone();
        let id = self.change("beginning a session", Wait::Always, |transaction, store| {
            first(transaction, store)?;
            let failed = |error| store.failed("beginning a session", error);
            // Removed sessions leave their row, so no id is given twice.
            let last: Option<i64> = transaction
                .query_row("SELECT max(id) FROM sessions", [], |row| row.get(0))
                .map_err(failed)?;
            let id = SessionId(last.unwrap_or(0).saturating_add(1));
            write_session(transaction, &SessionRow::new(id.0, session).encode()?)
                .map_err(failed)?;
            claim::record(transaction, id, &process).map_err(failed)?;
            Ok(id)
        })?;
        self.held.insert(id, Held { finished: false });
        Ok(id)
    }

    /// Keeps a run of a session that this store began or claimed. It is committed before this
    /// returns: whatever happens to Fathom then, the run is there.
    pub fn append(&mut self, id: SessionId, run: &Run) -> Result<RunNumber, StoreError> {
        let held = *self.held.get(&id).ok_or(StoreError::NotClaimed { id })?;
        let number = self.change("appending a run", Wait::WhenDue, |transaction, store| {
            let failed = |error| store.failed("appending a run", error);
            if held.finished {
                store.edit(transaction, id, |row| SessionRow { outcome: None, ..row })?;
            }
            let number = insert_next(transaction, id, run, failed)?;
            Ok(RunNumber(number.cast_unsigned()))
        })?;
        self.held.insert(id, Held { finished: false });
        Ok(number)
    }

    /// Keeps the plan of a session being measured, instead of the one before: how it is to go on
    /// after an interruption. The text is the caller's.
    pub fn set_plan(&mut self, id: SessionId, plan: &str) -> Result<(), StoreError> {
        if !self.held.contains_key(&id) {
            return Err(StoreError::NotClaimed { id });
        }
        self.change("saving the plan", Wait::WhenDue, |transaction, store| {
            store.edit(transaction, id, |row| SessionRow { plan: Some(plan.to_string()), ..row })
        })
    }

    /// Says that a session being measured is complete, and lets go of it. When this returns,
    /// everything is on disk.
    pub fn finish(&mut self, id: SessionId, outcome: &str) -> Result<(), StoreError> {
        if !self.held.contains_key(&id) {
            return Err(StoreError::NotClaimed { id });
        }
        self.change("finishing a session", Wait::Always, |transaction, store| {
            store.edit(transaction, id, |row| SessionRow {
                outcome: Some(outcome.to_string()),
                ..row
            })
        })?;
        self.release(id)
    }

    /// Names a session, or takes its name away.
    pub fn set_name(&mut self, id: SessionId, name: Option<&str>) -> Result<(), StoreError> {
        name.map_or(Ok(()), check_name)?;
        self.change("naming a session", Wait::Always, |transaction, store| {
            store.edit(transaction, id, |mut row| {
                row.session.name = name.map(str::to_string);
                row
            })
        })
    }

    /// Removes a session and its runs, unless another process is measuring it.
    pub fn remove(&mut self, id: SessionId) -> Result<(), StoreError> {
        let ours = self.held.contains_key(&id);
        self.change("removing a session", Wait::Always, |transaction, store| {
            store.row(transaction, id)?;
            if let Some(pid) = store.claimant(transaction, id)?.filter(|_| !ours) {
                return Err(StoreError::Claimed { id, pid });
            }
            store.edit(transaction, id, SessionRow::remains)?;
            for delete in
                ["DELETE FROM runs WHERE session = ?1", "DELETE FROM claims WHERE session = ?1"]
            {
                transaction
                    .execute(delete, [id.0])
                    .map_err(|error| store.failed("removing a session", error))?;
            }
            Ok(())
        })?;
        self.held.remove(&id);
        Ok(())
    }

    /// One transaction: all of it or nothing. It is immediate, because one that reads first and
    /// writes later cannot wait for another that does the same.
    pub(crate) fn change<T>(
        &mut self,
        what: &'static str,
        wait: Wait,
        act: impl FnOnce(&Transaction<'_>, &Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let sync = wait == Wait::Always || self.pace.is_due(Instant::now());
        let done = {
            let store = &*self;
            let failed = |error| store.failed(what, error);
            let level = if sync { "FULL" } else { "NORMAL" };
            // Not inside the transaction, where SQLite does not allow it.
            store.connection.pragma_update(None, "synchronous", level).map_err(failed)?;
            let transaction =
                Transaction::new_unchecked(&store.connection, TransactionBehavior::Immediate)
                    .map_err(failed)?;
            let done = act(&transaction, store)?;
            transaction.commit().map_err(failed)?;
            done
        };
        if sync {
            self.pace.synced(Instant::now());
        }
        Ok(done)
    }

    /// The sessions that have this name, the newest last.
    fn all_named(&self, connection: &Connection, name: &str) -> Result<Vec<SessionId>, StoreError> {
        let failed = |error| self.failed("looking for a name", error);
        let text = "SELECT id FROM sessions WHERE NOT removed AND name = ?1 ORDER BY id";
        let mut query = connection.prepare_cached(text).map_err(failed)?;
        let ids = query.query_map([name], |row| Ok(SessionId(row.get(0)?))).map_err(failed)?;
        ids.collect::<Result<_, _>>().map_err(failed)
    }

    /// The row of a session that was not removed.
    pub(crate) fn row(
        &self,
        connection: &Connection,
        id: SessionId,
    ) -> Result<SessionRow, StoreError> {
        let found = find(connection, id).map_err(|trouble| self.trouble(trouble))?;
        match found.filter(|row| !row.removed) {
            Some(row) => Ok(row),
            None => Err(self.no_such(&id.to_string())),
        }
    }

    fn edit(
        &self,
        transaction: &Transaction<'_>,
        id: SessionId,
        change: impl FnOnce(SessionRow) -> SessionRow,
    ) -> Result<(), StoreError> {
        let mut row = change(self.row(transaction, id)?);
        row.revision = row.revision.saturating_add(1);
        write_session(transaction, &row.encode()?)
            .map_err(|error| self.failed("changing a session", error))
    }
}

fn find(connection: &Connection, id: SessionId) -> Result<Option<SessionRow>, Trouble> {
    let mut query = connection.prepare_cached("SELECT * FROM sessions WHERE id = ?1")?;
    let mut rows = query.query([id.0])?;
    match rows.next()? {
        Some(row) => Ok(Some(SessionRow::decode(&values(row, session_row::COLUMNS)?)?)),
        None => Ok(None),
    }
}

fn insert_next(
    transaction: &Transaction<'_>,
    id: SessionId,
    run: &Run,
    failed: impl Fn(rusqlite::Error) -> StoreError,
) -> Result<i64, StoreError> {
    let last: Option<i64> = transaction
        .prepare_cached("SELECT max(number) FROM runs WHERE session = ?1")
        .and_then(|mut query| query.query_row([id.0], |row| row.get(0)))
        .map_err(&failed)?;
    let number = last.unwrap_or(0).saturating_add(1);
    let values = run_row::encode(id.0, number, run)?;
    transaction
        .prepare_cached(INSERT_RUN)
        .and_then(|mut insert| insert.execute(params_from_iter(&values)))
        .map_err(failed)?;
    Ok(number)
}

/// Puts a run back that salvaging found.
pub(crate) fn restore_run(
    connection: &Connection,
    values: &[Value],
) -> Result<(), rusqlite::Error> {
    connection.prepare_cached(RESTORE_RUN)?.execute(params_from_iter(values))?;
    Ok(())
}

pub(crate) fn write_session(
    connection: &Connection,
    values: &[Value],
) -> Result<(), rusqlite::Error> {
    connection.prepare_cached(WRITE_SESSION)?.execute(params_from_iter(values))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Timestamp;
    use fathom_record::{Ending, Environment, Phase, Reading, Usage};
    use std::time::Duration;

    fn store() -> (tempfile::TempDir, Store, SessionId) {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap().store;
        let session = Session {
            arguments: vec![],
            request: None,
            folder: String::new(),
            name: None,
            started: 0,
            seed: 0,
            environment: Environment::of_this_build(),
            subjects: vec![],
        };
        let id = store.begin(&session).unwrap();
        (folder, store, id)
    }

    fn run(readings: usize) -> Run {
        let reading = |n| Reading { name: format!("counter {n}"), value: 1.5 };
        Run {
            subject: 0,
            phase: Phase::Measured,
            place: None,
            began: Timestamp::ZERO,
            ending: Ending::Exited(0),
            usage: Usage::default(),
            readings: (0..readings).map(reading).collect(),
        }
    }

    fn level(store: &Store) -> i64 {
        store.connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap()
    }

    const NORMAL: i64 = 1;
    const FULL: i64 = 2;

    #[test]
    fn a_commit_waits_for_the_disk_once_a_second_and_at_the_ends() {
        let (_folder, mut store, id) = store();
        assert_eq!(level(&store), FULL, "a session begins on disk");
        // As if time stood still since, and then as if a second had passed.
        store.pace.synced(Instant::now() + Duration::from_secs(3600));
        store.append(id, &run(0)).unwrap();
        assert_eq!(level(&store), NORMAL);
        store.pace = crate::pace::Pace::default();
        store.append(id, &run(0)).unwrap();
        assert_eq!(level(&store), FULL);
        store.pace.synced(Instant::now() + Duration::from_secs(3600));
        store.append(id, &run(0)).unwrap();
        assert_eq!(level(&store), NORMAL);
        store.finish(id, "done").unwrap();
        assert_eq!(level(&store), FULL);
    }

    #[test]
    fn the_file_keeps_a_write_ahead_log() {
        let (_folder, store, _) = store();
        let mode: String =
            store.connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
    }

    #[test]
    fn a_full_disk_keeps_what_was_committed_and_goes_on_when_there_is_room() {
        let (folder, mut store, id) = store();
        store.connection.pragma_update(None, "max_page_count", 40).unwrap();
        let mut kept = 0;
        let error = loop {
            match store.append(id, &run(50)) {
                Ok(number) => kept = number.0,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, StoreError::Full { .. }), "{error}");
        assert!(kept > 10);
        assert!(matches!(store.append(id, &run(50)), Err(StoreError::Full { .. })));
        assert_eq!(store.runs(id).unwrap().len() as u64, kept);
        let other = Store::open(folder.path()).unwrap();
        assert_eq!(other.salvage, None);
        assert_eq!(other.store.runs(id).unwrap().len() as u64, kept);
        store.connection.pragma_update(None, "max_page_count", 4000).unwrap();
        assert_eq!(store.append(id, &run(50)).unwrap().0, kept + 1);
    }
}
