//! Everything that only reads the store.

use crate::check::Trouble;
use crate::fields::values;
use crate::name::LAST;
use crate::process::Process;
use crate::sequence::Sequence;
use crate::session_row::{self, SessionRow};
use crate::{SessionId, Store, StoreError, run_row};
use fathom_record::{ListedSession, Run, Session};
use rusqlite::Row;

/// The last run of each session is found by its key, so that a list does not read every run.
const LIST: &str = "\
    SELECT sessions.*, runs.number, runs.began_ns, runs.wall_ns, claims.pid, claims.born, \
        claims.boot \
    FROM sessions \
    LEFT JOIN runs ON runs.session = sessions.id AND runs.number = \
        (SELECT max(number) FROM runs WHERE session = sessions.id) \
    LEFT JOIN claims ON claims.session = sessions.id \
    WHERE NOT sessions.removed AND (?1 IS NULL OR sessions.id = ?1) \
    ORDER BY sessions.id";

impl Store {
    /// All sessions, the newest last.
    pub fn list(&self) -> Result<Vec<ListedSession>, StoreError> {
        self.listed_where(None).map_err(|trouble| self.trouble(trouble))
    }

    /// One session as the list has it.
    pub fn listed(&self, id: SessionId) -> Result<ListedSession, StoreError> {
        let mut found = self.listed_where(Some(id)).map_err(|trouble| self.trouble(trouble))?;
        found.pop().ok_or_else(|| self.no_such(&id.to_string()))
    }

    fn listed_where(&self, id: Option<SessionId>) -> Result<Vec<ListedSession>, Trouble> {
        let mut query = self.connection.prepare_cached(LIST)?;
        let mut rows = query.query([id.map(|id| id.0)])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            list.push(listed(row)?);
        }
        Ok(list)
    }

    /// What a session set out to measure.
    pub fn session(&self, id: SessionId) -> Result<Session, StoreError> {
        Ok(self.row(&self.connection, id)?.session)
    }

    /// The plan that [`Store::set_plan`] saved last.
    pub fn plan(&self, id: SessionId) -> Result<Option<String>, StoreError> {
        Ok(self.row(&self.connection, id)?.plan)
    }

    /// The runs of a session in their order.
    pub fn runs(&self, id: SessionId) -> Result<Vec<Run>, StoreError> {
        let lost = self.row(&self.connection, id)?.lost;
        self.read_runs(id, lost).map_err(|trouble| self.trouble(trouble))
    }

    fn read_runs(&self, id: SessionId, lost: u64) -> Result<Vec<Run>, Trouble> {
        let mut query = self
            .connection
            .prepare_cached("SELECT * FROM runs WHERE session = ?1 ORDER BY number")?;
        let mut rows = query.query([id.0])?;
        let mut runs = Vec::new();
        let mut sequence = Sequence::new(id.0, lost);
        while let Some(row) = rows.next()? {
            let row = run_row::decode(&values(row, run_row::COLUMNS)?)?;
            sequence.next(row.session, row.number)?;
            runs.push(row.run);
        }
        sequence.end()?;
        Ok(runs)
    }

    /// The newest session with this name.
    pub fn find_named(&self, name: &str) -> Result<Option<SessionId>, StoreError> {
        self.newest("SELECT max(id) FROM sessions WHERE NOT removed AND name = ?1", [name])
    }

    /// The session that a user means: by its id, its name, or as "last".
    pub fn resolve(&self, text: &str) -> Result<SessionId, StoreError> {
        let found = if text == LAST {
            self.newest("SELECT max(id) FROM sessions WHERE NOT removed", [])?
        } else if let Ok(id) = text.parse::<i64>() {
            self.newest(
                "SELECT id FROM sessions WHERE NOT removed AND id = ?1 UNION SELECT NULL \
                ORDER BY 1 DESC LIMIT 1",
                [id],
            )?
        } else {
            self.find_named(text)?
        };
        found.ok_or_else(|| self.no_such(text))
    }

    fn newest(
        &self,
        query: &str,
        parameters: impl rusqlite::Params,
    ) -> Result<Option<SessionId>, StoreError> {
        let id: Result<Option<i64>, _> =
            self.connection.query_row(query, parameters, |row| row.get(0));
        id.map(|id| id.map(SessionId)).map_err(|error| self.failed("looking for a session", error))
    }

    /// The error for a session that is not there; it names those that are.
    pub(crate) fn no_such(&self, wanted: &str) -> StoreError {
        const MOST: usize = 8;
        let list = match self.list() {
            Ok(list) => list,
            Err(error) => return error,
        };
        let shown = list.iter().rev().take(MOST).map(|listed| match &listed.session.name {
            Some(name) => format!("{} ({name})", listed.id),
            None => listed.id.to_string(),
        });
        let shown = shown.collect::<Vec<_>>().join(", ");
        let there = match list.len() {
            0 => "No session is saved yet: `fathom run` and `fathom compare` create them."
                .to_string(),
            n if n > MOST => {
                format!("The newest of {n} are {shown}. `fathom list` shows all of them.")
            }
            _ => format!("The saved sessions are {shown}. `fathom list` shows them."),
        };
        StoreError::NoSuchSession { wanted: wanted.to_string(), there }
    }
}

fn listed(row: &Row<'_>) -> Result<ListedSession, Trouble> {
    let SessionRow { id, session, outcome, lost, .. } =
        SessionRow::decode(&values(row, session_row::COLUMNS)?)?;
    let column = |offset: usize| session_row::COLUMNS + offset;
    let last: Option<i64> = row.get(column(0))?;
    let nanoseconds = |offset| -> Result<u64, rusqlite::Error> {
        let value: Option<i64> = row.get(column(offset))?;
        Ok(value.unwrap_or(0).cast_unsigned())
    };
    let ended = nanoseconds(1)?.saturating_add(nanoseconds(2)?);
    let live = match row.get::<_, Option<u32>>(column(3))? {
        Some(pid) => {
            let process = Process { pid, born: row.get(column(4))?, boot: row.get(column(5))? };
            process.lives().then_some(pid)
        }
        None => None,
    };
    Ok(ListedSession {
        id: SessionId(id),
        runs: last.unwrap_or(0).cast_unsigned().saturating_sub(lost),
        lost,
        finished: outcome,
        last_activity: session.started.saturating_add(ended / 1_000_000_000),
        live,
        session,
    })
}
