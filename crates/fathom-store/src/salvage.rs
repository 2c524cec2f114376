//! Putting what can be read of a damaged store into a new one.
//!
//! Only under the exclusive [`crate::lock::FolderLock`]. The new store is made under another name
//! (`sessions.db.new`), renamed when it is complete (`sessions.db.salvaged`), and takes its place
//! after the damaged one was moved away; if Fathom is killed in between, the next opening goes on
//! from there.

use crate::carve::{CarvedRow, carve};
use crate::check::Trouble;
use crate::connect::{self, PAGE};
use crate::fields::values;
use crate::files::{self, Files};
use crate::pages::{Pages, bytes_at};
use crate::session_row::{self, SessionRow};
use crate::write::{restore_run, write_session};
use crate::{StoreError, schema};
use rusqlite::{Connection, OptionalExtension, Transaction};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// What became of a damaged store. Its text is two lines for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SalvageReport {
    /// Where the damaged file is kept.
    pub kept_as: PathBuf,
    /// How many sessions are in the new store.
    pub sessions: u64,
    /// Of these, how many are known by their runs only.
    pub unknown_sessions: u64,
    /// How many runs are in the new store.
    pub runs: u64,
    /// How many runs are missing between others. Those missing at the end of a session, and
    /// sessions that are completely lost, cannot be counted.
    pub lost_runs: u64,
}

impl fmt::Display for SalvageReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "the session store was damaged; the damaged file is kept as {}",
            self.kept_as.display()
        )?;
        let plural = |count: u64, noun: &str| match count {
            1 => format!("1 {noun}"),
            _ => format!("{count} {noun}s"),
        };
        let runs = plural(self.runs, "run");
        write!(f, "Salvaged {runs} of {}", plural(self.sessions, "session"))?;
        match self.lost_runs {
            0 => write!(f, "; no gaps were found")?,
            lost => write!(f, "; at least {} lost", plural(lost, "run"))?,
        }
        match self.unknown_sessions {
            0 => Ok(()),
            n => write!(f, "; what {} measured is unknown", plural(n, "session")),
        }
    }
}

/// Something went wrong while salvaging.
enum Failure {
    Io(io::Error),
    Trouble(Trouble),
    Store(StoreError),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        Failure::Trouble(error.into())
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        Failure::Trouble(trouble)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}

/// Replaces a damaged store by a new one with everything that can be read.
pub(crate) fn salvage(files: &Files) -> Result<SalvageReport, StoreError> {
    let new = discard_unfinished(files)?;
    let report = fill(files, &new).map_err(|failure| match failure {
        Failure::Io(error) => StoreError::io(&new, error),
        Failure::Trouble(trouble) => trouble.into_error(files),
        Failure::Store(error) => error,
    });
    let mut report = match report {
        Ok(report) => report,
        Err(error) => {
            // It may be what fills the disk.
            let _ = discard_unfinished(files);
            return Err(error);
        }
    };
    let moved = |error| StoreError::io(&files.folder, error);
    fs::rename(&new, files.salvaged()).map_err(moved)?;
    report.kept_as = finish(files)?;
    // Everything was read; there is nothing to suspect any more.
    let _ = fs::remove_file(files.suspect());
    Ok(report)
}

/// Moves the damaged files away and the complete new one into their place. The database goes
/// first: that it is missing is how the next opening knows where a killed Fathom stopped.
pub(crate) fn finish(files: &Files) -> Result<PathBuf, StoreError> {
    let failed = |error| StoreError::io(&files.folder, error);
    let kept = files.damaged();
    for (from, to) in [
        (files.database.clone(), kept.clone()),
        (files::log(&files.database), files::log(&kept)),
        (files::log_index(&files.database), files::log_index(&kept)),
    ] {
        match fs::rename(from, to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    fs::rename(files.salvaged(), &files.database).map_err(failed)?;
    sync_folder(files);
    Ok(kept)
}

/// Gives a new, closed store its name.
pub(crate) fn put_in_place(files: &Files) -> Result<(), StoreError> {
    fs::rename(files.new_database(), &files.database)
        .map_err(|error| StoreError::io(&files.folder, error))?;
    sync_folder(files);
    Ok(())
}

/// Removes what a Fathom that was killed left unfinished; returns the name to begin with.
pub(crate) fn discard_unfinished(files: &Files) -> Result<PathBuf, StoreError> {
    let new = files.new_database();
    let rest = [files::log(&new), files::log_index(&new), files::journal(&new)];
    for path in rest.iter().chain([&new]) {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::io(path, error));
            }
            _ => {}
        }
    }
    Ok(new)
}

/// Whether the header claims a format that SQLite only reads. Reading the file directly is safe
/// under the exclusive lock only: closing it takes away the locks of this process.
pub(crate) fn header_forbids_writing(files: &Files) -> bool {
    let mut header = [0; 20];
    File::open(&files.database)
        .and_then(|file| file.read_exact_at(&mut header, 0))
        .is_ok_and(|()| header.iter().skip(18).any(|version| *version > 2))
}

/// Without it a power cut could undo the renaming. Where folders cannot be synced, nothing helps.
fn sync_folder(files: &Files) {
    if let Ok(folder) = File::open(&files.folder) {
        let _ = folder.sync_all();
    }
}

fn fill(files: &Files, new: &Path) -> Result<SalvageReport, Failure> {
    let mut connection = connect::to_new(new)?;
    schema::migrate(&mut connection)?;
    let transaction = connection.transaction()?;
    for size in page_sizes(files) {
        let pages = Pages::open(&files.database, &files::log(&files.database), size)?;
        let mut any = false;
        carve(&pages, |found| {
            any = true;
            keep(&transaction, found)
        })?;
        if any {
            break;
        }
    }
    let report = tidy(&transaction)?;
    transaction.commit()?;
    connect::keep_log(&connection)?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(report)
}

/// The size of pages that Fathom writes, then the one that the header says.
fn page_sizes(files: &Files) -> Vec<usize> {
    let mut sizes = vec![PAGE];
    let mut header = [0; 18];
    let read = File::open(&files.database).and_then(|file| file.read_exact_at(&mut header, 0));
    if let (Ok(()), Some(size)) = (read, bytes_at(&header, 16).map(u16::from_be_bytes)) {
        // 65536 does not fit and is written as 1.
        let size = if size == 1 { 65_536 } else { usize::from(size) };
        if size.is_power_of_two() && size >= 512 && size != PAGE {
            sizes.push(size);
        }
    }
    sizes
}

/// Runs never change, so that any copy is right. Of a session's copies the newest counts.
fn keep(transaction: &Transaction<'_>, found: CarvedRow) -> Result<(), Failure> {
    match found {
        CarvedRow::Run(values) => {
            restore_run(transaction, &values)?;
        }
        CarvedRow::Session(row) => {
            let known: Option<i64> = transaction
                .prepare_cached("SELECT revision FROM sessions WHERE id = ?1")?
                .query_row([row.id], |row| row.get(0))
                .optional()?;
            if known.is_none_or(|revision| revision <= row.revision) {
                write_session(transaction, &row.encode()?)?;
            }
        }
    }
    Ok(())
}

/// Removed sessions lose their runs again, runs without a session get one, gaps are counted.
fn tidy(transaction: &Transaction<'_>) -> Result<SalvageReport, Failure> {
    transaction
        .execute("DELETE FROM runs WHERE session IN (SELECT id FROM sessions WHERE removed)", [])?;
    let orphans = pairs(
        transaction,
        "SELECT session, max(subject) FROM runs \
         WHERE session NOT IN (SELECT id FROM sessions) GROUP BY session",
    )?;
    for &(id, subject) in &orphans {
        write_session(transaction, &SessionRow::unknown(id, subject.cast_unsigned()).encode()?)?;
    }
    let gaps = pairs(
        transaction,
        "SELECT id, (SELECT coalesce(max(number) - count(*), 0) FROM runs WHERE session = id) \
         FROM sessions WHERE NOT removed",
    )?;
    let mut lost_runs = 0_u64;
    for &(id, gap) in &gaps {
        let gap = gap.max(0).cast_unsigned();
        lost_runs = lost_runs.saturating_add(note_lost(transaction, id, gap)?);
    }
    let runs: i64 = transaction.query_row("SELECT count(*) FROM runs", [], |row| row.get(0))?;
    Ok(SalvageReport {
        kept_as: PathBuf::new(),
        sessions: gaps.len() as u64,
        unknown_sessions: orphans.len() as u64,
        runs: runs.max(0).cast_unsigned(),
        lost_runs,
    })
}

/// Writes down how many runs a session misses; returns how many of them are newly lost.
fn note_lost(connection: &Connection, id: i64, gap: u64) -> Result<u64, Failure> {
    let row = {
        let mut query = connection.prepare_cached("SELECT * FROM sessions WHERE id = ?1")?;
        let mut rows = query.query([id])?;
        match rows.next()? {
            Some(row) => SessionRow::decode(&values(row, session_row::COLUMNS)?)
                .map_err(|flaw| Failure::from(Trouble::from(flaw)))?,
            None => return Ok(0),
        }
    };
    if row.lost == gap {
        return Ok(0);
    }
    let before = row.lost;
    let row = SessionRow { lost: gap, revision: row.revision.saturating_add(1), ..row };
    write_session(connection, &row.encode()?)?;
    Ok(gap.saturating_sub(before))
}

fn pairs(transaction: &Transaction<'_>, query: &str) -> Result<Vec<(i64, i64)>, rusqlite::Error> {
    let mut query = transaction.prepare(query)?;
    query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_forbids_writing_above_version_2() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of(folder.path());
        assert!(!header_forbids_writing(&files), "there is no file");
        let forbids = |write: u8, read: u8| {
            let mut header = [0_u8; 20];
            (header[18], header[19]) = (write, read);
            fs::write(&files.database, header).unwrap();
            header_forbids_writing(&files)
        };
        assert!(!forbids(1, 1) && !forbids(2, 2));
        assert!(forbids(3, 2) && forbids(2, 3) && forbids(255, 255));
        fs::write(&files.database, [9; 19]).unwrap();
        assert!(!header_forbids_writing(&files), "too short for a header");
    }

    #[test]
    fn what_is_unfinished_is_removed_or_the_reason_told() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of(folder.path());
        let new = files.new_database();
        assert_eq!(discard_unfinished(&files).unwrap(), new);
        for path in [new.clone(), files::log(&new), files::log_index(&new), files::journal(&new)] {
            fs::write(&path, "half").unwrap();
        }
        discard_unfinished(&files).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // A folder of that name is no file of Fathom's, and stays.
        fs::create_dir(&new).unwrap();
        assert!(discard_unfinished(&files).is_err());
        assert!(new.is_dir());
    }
}
