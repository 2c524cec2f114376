//! Connections to the file.

use crate::check::Trouble;
use crate::error::Cause;
use crate::files::Files;
use rusqlite::{Connection, OpenFlags};
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// How long a statement waits for other Fathoms.
pub(crate) const BUSY: Duration = Duration::from_secs(10);

/// Bytes of a page; salvaging needs to know it when the header is gone.
pub(crate) const PAGE: usize = 4096;

/// Opens an existing file for writing.
pub(crate) fn for_writing(files: &Files) -> Result<Connection, Trouble> {
    let connection = open(&files.database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    prepare(&connection)?;
    if connection.is_readonly("main")? {
        return Err(Trouble::ReadOnly);
    }
    Ok(connection)
}

/// Opens an existing file for reading. Writing is tried first, because only a process that may
/// write can use the log of a Fathom that was killed.
pub(crate) fn for_reading(files: &Files) -> Result<Connection, Trouble> {
    let writable = for_writing(files);
    match &writable {
        Err(Trouble::ReadOnly) => {}
        Err(Trouble::Sqlite(error))
            if matches!(Cause::of(error), Cause::CannotOpen | Cause::ReadOnly) => {}
        _ => return writable,
    }
    let uri = |query| open(&uri_of(&files.database, query), OpenFlags::SQLITE_OPEN_READ_ONLY);
    let plain = uri("mode=ro").map_err(Trouble::from).and_then(|connection| {
        prepare(&connection)?;
        Ok(connection)
    });
    match plain {
        // SQLite wants to make files for the log even to read. Without a log nothing is missed
        // by telling it that nobody writes; with one, the newest runs would be.
        Err(Trouble::Sqlite(error))
            if matches!(Cause::of(&error), Cause::CannotOpen | Cause::ReadOnly) =>
        {
            if files.has_log() {
                return Err(Trouble::ReadOnlyLog);
            }
            let connection = uri("immutable=1")?;
            prepare(&connection)?;
            Ok(connection)
        }
        plain => plain,
    }
}

/// Makes a file that does not exist yet.
pub(crate) fn to_new(path: &Path) -> Result<Connection, rusqlite::Error> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    connection.pragma_update(None, "page_size", PAGE as i64)?;
    prepare(&connection)?;
    Ok(connection)
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection, rusqlite::Error> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

fn prepare(connection: &Connection) -> Result<(), rusqlite::Error> {
    // What was removed is overwritten: salvaging must not find it again.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // SQLite opens lazily: this is the first statement that reads the file and its log.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}

/// Makes the file keep a write-ahead log; it remembers.
pub(crate) fn keep_log(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
}

/// A `file:` address: every byte that could mean something else is escaped.
fn uri_of(path: &Path, query: &str) -> std::path::PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut uri = String::from("file://");
    for &byte in absolute.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(char::from(byte));
            }
            other => {
                let _ = write!(uri, "%{other:02x}");
            }
        }
    }
    uri.push('?');
    uri.push_str(query);
    uri.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_escape_what_would_end_the_path() {
        let uri = uri_of(Path::new("/a b/50%?#ü/x.db"), "mode=ro");
        assert_eq!(uri.to_str().unwrap(), "file:///a%20b/50%25%3f%23%c3%bc/x.db?mode=ro");
    }
}
