//! Opening a store: making it, checking it, salvaging it.

use crate::check::{Trouble, check};
use crate::files::Files;
use crate::lock::FolderLock;
use crate::salvage::{self, SalvageReport};
use crate::{Store, StoreError, connect, schema};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// A store that was opened.
#[derive(Debug)]
pub struct OpenedStore {
    /// The store.
    pub store: Store,
    /// What was salvaged, if it was damaged.
    pub salvage: Option<SalvageReport>,
}

/// What the caller is going to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Write,
    Read,
}

/// The smallest page that SQLite knows.
const SHORTEST: u64 = 512;

/// What an attempt to open ended in.
enum Attempt {
    Done(Box<Store>),
    Missing,
    Trouble(Trouble),
}

impl Store {
    /// Opens the store in `folder`, and makes both if they do not exist. A damaged store is
    /// salvaged.
    pub fn open(folder: &Path) -> Result<OpenedStore, StoreError> {
        let files = Files::of(folder);
        fs::create_dir_all(folder).map_err(|error| StoreError::io(folder, error))?;
        let mut salvage = None;
        loop {
            match attempt(&files, Purpose::Write)? {
                Attempt::Done(store) => return Ok(OpenedStore { store: *store, salvage }),
                Attempt::Missing => make(&files, &mut salvage)?,
                Attempt::Trouble(trouble) => mend(&files, trouble, &mut salvage)?,
            }
        }
    }

    /// Opens the store in `folder` to read it; `None` if there is none. Makes nothing, and reads
    /// in a read-only folder too. A damaged store is salvaged where the folder can be written.
    pub fn open_existing(folder: &Path) -> Result<Option<OpenedStore>, StoreError> {
        let files = Files::of(folder);
        let mut salvage = None;
        loop {
            match attempt(&files, Purpose::Read)? {
                Attempt::Done(store) => return Ok(Some(OpenedStore { store: *store, salvage })),
                // A Fathom was killed between moving the damaged store away and putting the
                // new one in its place.
                Attempt::Missing if files.salvaged().exists() => make(&files, &mut salvage)?,
                Attempt::Missing => return Ok(None),
                Attempt::Trouble(trouble) => mend(&files, trouble, &mut salvage)?,
            }
        }
    }
}

fn attempt(files: &Files, purpose: Purpose) -> Result<Attempt, StoreError> {
    let lock = FolderLock::shared(files, purpose == Purpose::Write)?;
    match files.database.try_exists() {
        Ok(true) => {}
        Ok(false) => return Ok(Attempt::Missing),
        Err(error) => return Err(StoreError::io(&files.database, error)),
    }
    match checked(files, purpose) {
        Ok(connection) => Ok(Attempt::Done(Box::new(Store::new(connection, files.clone(), lock)))),
        Err(trouble) => Ok(Attempt::Trouble(trouble)),
    }
}

/// A connection to a file that was found to be whole and of this version.
fn checked(files: &Files, purpose: Purpose) -> Result<Connection, Trouble> {
    // SQLite takes a file with next to no content for a new database and throws away its log.
    // Ours are never that short: they get their name when they are whole.
    if files.database.metadata().is_ok_and(|file| file.len() < SHORTEST) {
        return Err(Trouble::Damaged("the file is cut off".into()));
    }
    let unclean = files.has_log();
    let mut connection = match purpose {
        Purpose::Write => connect::for_writing(files)?,
        Purpose::Read => connect::for_reading(files)?,
    };
    if schema::version(&connection)? < schema::current() {
        schema::migrate(&mut connection)?;
    }
    if purpose == Purpose::Write {
        connect::keep_log(&connection)?;
    }
    check(&connection, files, unclean)?;
    Ok(connection)
}

/// Makes a store where there is none.
fn make(files: &Files, salvage: &mut Option<SalvageReport>) -> Result<(), StoreError> {
    let Some(_lock) = FolderLock::exclusive(files)? else {
        return Err(StoreError::Busy { path: files.database.clone() });
    };
    // Another may have been faster. The lock is ours now.
    if files.database.exists() {
        return Ok(());
    }
    if files.salvaged().exists() {
        salvage::finish(files)?;
        return Ok(());
    }
    if files.has_log() {
        *salvage = Some(salvage::salvage(files)?);
        return Ok(());
    }
    let path = salvage::discard_unfinished(files)?;
    let failed = |error| StoreError::sqlite(&path, "creating the store", error);
    let mut connection = connect::to_new(&path).map_err(failed)?;
    schema::migrate(&mut connection).map_err(|trouble| trouble.into_error(files))?;
    connect::keep_log(&connection).map_err(failed)?;
    connection.close().map_err(|(_, error)| failed(error))?;
    salvage::put_in_place(files)
}

/// Salvages a damaged store; any other trouble is the caller's.
fn mend(
    files: &Files,
    trouble: Trouble,
    salvage: &mut Option<SalvageReport>,
) -> Result<(), StoreError> {
    // A header may say that the file must not be written; then it looks like one of a read-only
    // folder until it is looked at closely.
    if !matches!(trouble, Trouble::Damaged(_) | Trouble::ReadOnly) || salvage.is_some() {
        return Err(trouble.into_error(files));
    }
    let lock = match FolderLock::exclusive(files) {
        Ok(lock) => lock,
        // The folder is read-only: the damage counts, not that we cannot lock.
        Err(StoreError::ReadOnly { .. }) => return Err(trouble.into_error(files)),
        Err(other) => return Err(other),
    };
    let Some(_lock) = lock else {
        return Err(match trouble {
            Trouble::Damaged(what) => StoreError::InUse { path: files.database.clone(), what },
            other => other.into_error(files),
        });
    };
    // Another process may have salvaged it meanwhile; now that it is closed, look again.
    match checked(files, Purpose::Write) {
        Ok(_) => return Ok(()),
        Err(Trouble::Damaged(_)) => {}
        Err(Trouble::ReadOnly) if salvage::header_forbids_writing(files) => {}
        // It may be read but not written; what reading found is what matters.
        Err(Trouble::ReadOnly) => return Err(trouble.into_error(files)),
        Err(other) => return Err(other.into_error(files)),
    }
    *salvage = Some(salvage::salvage(files)?);
    Ok(())
}
