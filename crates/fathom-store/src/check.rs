//! Whether a file is ours, whole, and of this version.

use crate::error::Cause;
use crate::fields::{Flaw, values};
use crate::files::Files;
use crate::sequence::Sequence;
use crate::session_row::SessionRow;
use crate::{StoreError, run_row, schema, session_row};
use rusqlite::{Connection, ErrorCode};
use std::collections::BTreeMap;

/// Below this size every opening lets SQLite check its trees, at about 2 ms per megabyte.
const SMALL: u64 = 50 << 20;

/// Below this size every opening checks every row, at about 10 ms per megabyte. Above, a wrong row
/// is noticed when it is read; then the next opening checks everything.
const VERY_SMALL: u64 = 4 << 20;

/// Why a file cannot be used as it is.
#[derive(Debug)]
pub(crate) enum Trouble {
    Damaged(String),
    Newer(i64),
    NotOurs,
    ReadOnly,
    ReadOnlyLog,
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Trouble {
        // Our statements are right: if SQLite cannot make sense of one (its unspecific error), or
        // of the format's number in the header, then what it read is wrong.
        let senseless = error.sqlite_error_code() == Some(ErrorCode::Unknown);
        match Cause::of(&error) == Cause::Damage || senseless {
            true => Trouble::Damaged(error.to_string()),
            false => Trouble::Sqlite(error),
        }
    }
}

impl From<Flaw> for Trouble {
    fn from(flaw: Flaw) -> Trouble {
        Trouble::Damaged(flaw.to_string())
    }
}

impl Trouble {
    /// In words for the user, where it was not salvaged.
    pub(crate) fn into_error(self, files: &Files) -> StoreError {
        let path = files.database.clone();
        match self {
            Trouble::Damaged(what) => StoreError::Damaged { path, what },
            Trouble::Newer(found) => StoreError::Newer { path, found, known: schema::current() },
            Trouble::NotOurs => StoreError::NotOurs { path },
            Trouble::ReadOnly => StoreError::ReadOnly { path },
            Trouble::ReadOnlyLog => StoreError::ReadOnlyLog { path },
            Trouble::Sqlite(error) => StoreError::sqlite(&path, "opening", error),
        }
    }
}

/// Checks a file of the current version: the sessions always, everything else where it costs
/// little, or where there is reason to: it was not closed, or a read found damage before.
pub(crate) fn check(connection: &Connection, files: &Files, unclean: bool) -> Result<(), Trouble> {
    // One moment of the store: another Fathom may begin a session between two of these reads.
    let moment = connection.unchecked_transaction()?;
    let sessions = check_sessions(&moment)?;
    let suspect = files.suspect().exists();
    let reason = unclean || suspect;
    let size = files.database.metadata().map_or(0, |file| file.len());
    if reason || size < SMALL {
        check_trees(&moment)?;
    }
    if reason || size < VERY_SMALL {
        check_runs(&moment, &sessions)?;
    }
    if suspect {
        // Everything was right: whatever the read saw is gone. In a read-only folder it stays.
        let _ = std::fs::remove_file(files.suspect());
    }
    Ok(())
}

fn check_trees(connection: &Connection) -> Result<(), Trouble> {
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match verdict.as_str() {
        "ok" => Ok(()),
        other => Err(Trouble::Damaged(other.replace('\n', " "))),
    }
}

/// The sessions that were not removed, and how many of their runs are known to be lost.
fn check_sessions(connection: &Connection) -> Result<BTreeMap<i64, u64>, Trouble> {
    let mut query = connection.prepare("SELECT * FROM sessions")?;
    let mut rows = query.query([])?;
    let mut sessions = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let row = SessionRow::decode(&values(row, session_row::COLUMNS)?)?;
        if !row.removed {
            sessions.insert(row.id, row.lost);
        }
    }
    Ok(sessions)
}

fn check_runs(connection: &Connection, sessions: &BTreeMap<i64, u64>) -> Result<(), Trouble> {
    let mut query = connection.prepare("SELECT * FROM runs ORDER BY session, number")?;
    let mut rows = query.query([])?;
    // The table stands in the order of its key, so that this sorts nothing and sees what is there.
    let mut current: Option<(i64, Sequence)> = None;
    while let Some(row) = rows.next()? {
        let row = run_row::decode(&values(row, run_row::COLUMNS)?)?;
        let mut sequence = match current {
            Some((session, sequence)) if session == row.session => sequence,
            before => {
                if let Some((session, sequence)) = before {
                    sequence.end()?;
                    if session > row.session {
                        return Err(Flaw::Order { session: row.session }.into());
                    }
                }
                let lost = sessions.get(&row.session);
                let lost = lost.ok_or(Flaw::Orphans { session: row.session })?;
                Sequence::new(row.session, *lost)
            }
        };
        sequence.next(row.session, row.number)?;
        current = Some((row.session, sequence));
    }
    match current {
        Some((_, sequence)) => Ok(sequence.end()?),
        None => Ok(()),
    }
}
