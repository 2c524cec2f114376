//! The tables, their versions, and whether a file is ours.

use crate::check::Trouble;
use rusqlite::{Connection, TransactionBehavior};

/// "Fthm": the application id in SQLite's header.
pub(crate) const APPLICATION: i64 = 0x4674_686d;

/// The steps from each version to the next: from an empty file to version 1, and so on. The
/// number of steps is the version this Fathom writes.
///
/// Version 2 holds the request next to the words of the command line; see `session_row.rs`.
///
/// A new version must change the text of some table, because a header that says one version over
/// the tables of another counts as damage.
pub(crate) const STEPS: &[&str] = &[
    "
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    name TEXT,
    started INTEGER NOT NULL,
    folder TEXT NOT NULL,
    seed INTEGER NOT NULL,
    arguments TEXT NOT NULL,
    environment TEXT NOT NULL,
    subjects TEXT NOT NULL,
    plan TEXT,
    outcome TEXT,
    lost INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE runs (
    session INTEGER NOT NULL,
    number INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    phase TEXT NOT NULL,
    block INTEGER,
    slot INTEGER,
    began_ns INTEGER NOT NULL,
    ending TEXT NOT NULL,
    ending_value INTEGER,
    wall_ns INTEGER NOT NULL,
    user_ns INTEGER NOT NULL,
    system_ns INTEGER NOT NULL,
    peak_memory INTEGER NOT NULL,
    minor_faults INTEGER NOT NULL,
    major_faults INTEGER NOT NULL,
    voluntary_switches INTEGER NOT NULL,
    involuntary_switches INTEGER NOT NULL,
    readings TEXT,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE claims (
    session INTEGER PRIMARY KEY,
    pid INTEGER NOT NULL,
    born INTEGER NOT NULL,
    boot TEXT NOT NULL
) STRICT;
",
    "
ALTER TABLE sessions RENAME COLUMN arguments TO asked;
",
];

/// The version this Fathom writes.
pub(crate) fn current() -> i64 {
    STEPS.len() as i64
}

/// The tables of a file: their kind, name and text.
type Tables = Vec<(String, String, Option<String>)>;

fn tables(connection: &Connection) -> Result<Tables, rusqlite::Error> {
    let mut query = connection
        .prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name, type")?;
    query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
}

/// The tables a file of this version must have.
fn expected(version: i64) -> Result<Tables, rusqlite::Error> {
    let model = Connection::open_in_memory()?;
    for step in STEPS.iter().take(usize::try_from(version).unwrap_or(0)) {
        model.execute_batch(step)?;
    }
    tables(&model)
}

fn pragma(connection: &Connection, name: &str) -> Result<i64, rusqlite::Error> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// The version of a file of ours, or why it cannot be used.
pub(crate) fn version(connection: &Connection) -> Result<i64, Trouble> {
    let application = pragma(connection, "application_id")?;
    let version = pragma(connection, "user_version")?;
    let tables = tables(connection)?;
    let ours = application == APPLICATION;
    if tables == expected(current())? {
        // All our tables under a header that says something else.
        return match ours && version == current() {
            true => Ok(version),
            false => Err(Trouble::Damaged("its header is wrong".into())),
        };
    }
    if ours && version > current() {
        return Err(Trouble::Newer(version));
    }
    if application == 0 && version == 0 && tables.is_empty() {
        return Ok(0);
    }
    if !ours {
        return Err(Trouble::NotOurs);
    }
    match tables == expected(version)? {
        true => Ok(version),
        false => Err(Trouble::Damaged("its tables are not those of its version".into())),
    }
}

/// Brings a file up to date. Another Fathom may be about to do the same: the transaction decides
/// what to do.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), Trouble> {
    migrate_by(connection, STEPS)
}

fn migrate_by(connection: &mut Connection, steps: &[&str]) -> Result<(), Trouble> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = pragma(&transaction, "user_version")?;
    for step in steps.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", steps.len() as i64)?;
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{run_row, session_row};

    #[test]
    fn an_empty_file_becomes_one_of_the_current_version() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert_eq!(version(&connection).unwrap(), 0);
        migrate(&mut connection).unwrap();
        assert_eq!(version(&connection).unwrap(), current());
        migrate(&mut connection).unwrap();
        assert_eq!(version(&connection).unwrap(), current());
    }

    #[test]
    fn only_the_missing_steps_are_made() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate_by(&mut connection, &["CREATE TABLE a (x)"]).unwrap();
        migrate_by(&mut connection, &["CREATE TABLE a (x)", "CREATE TABLE b (x)"]).unwrap();
        assert_eq!(pragma(&connection, "user_version").unwrap(), 2);
        assert_eq!(tables(&connection).unwrap().len(), 2);
    }

    #[test]
    fn a_failed_step_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert!(migrate_by(&mut connection, &["CREATE TABLE a (x)", "CREATE nonsense"]).is_err());
        assert_eq!(pragma(&connection, "user_version").unwrap(), 0);
        assert!(tables(&connection).unwrap().is_empty());
    }

    #[test]
    fn newer_and_foreign_files_are_told_apart_from_damage() {
        let of = |sql: &str| {
            let mut connection = Connection::open_in_memory().unwrap();
            migrate(&mut connection).unwrap();
            connection.execute_batch(sql).unwrap();
            version(&connection).unwrap_err()
        };
        let newer = of("CREATE TABLE more (x); PRAGMA user_version = 7");
        assert!(matches!(newer, Trouble::Newer(7)), "{newer:?}");
        let foreign = of("CREATE TABLE more (x); PRAGMA application_id = 5");
        assert!(matches!(foreign, Trouble::NotOurs), "{foreign:?}");
        for damage in [
            "PRAGMA user_version = 257",
            "PRAGMA application_id = 5",
            "DROP TABLE claims",
            "PRAGMA user_version = 0; DROP TABLE claims",
        ] {
            let trouble = of(damage);
            assert!(matches!(trouble, Trouble::Damaged(_)), "{damage}: {trouble:?}");
        }
    }

    #[test]
    fn the_rows_have_as_many_columns_as_their_tables() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        let columns = |table: &str| {
            connection.prepare(&format!("SELECT * FROM {table}")).unwrap().column_count()
        };
        assert_eq!(columns(run_row::TABLE), run_row::COLUMNS);
        assert_eq!(columns(session_row::TABLE), session_row::COLUMNS);
    }
}
