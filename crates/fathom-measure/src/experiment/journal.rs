//! Executions on disk, so that a check that ends early can be resumed.

mod error;
#[cfg(any(test, fuzzing))]
mod fuzzing;

use super::Performed;
use fathom_sys::file_lock;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::JournalError;
#[cfg(any(test, fuzzing))]
pub(crate) use fuzzing::check;

/// The journal's name in its folder.
const NAME: &str = "observations.jsonl";

/// A file to which executions are added, one line of JSON each, in any order. Its first line is what
/// was asked, except in journals of before November 2026.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Of what is surely in it.
    length: u64,
}

/// A journal, and what was in it.
#[derive(Debug)]
pub struct OpenedJournal {
    /// To add more.
    pub journal: Journal,
    /// What was asked, if the journal says it.
    pub request: Option<Value>,
    /// The executions, as they were added. Of two with one number only the first.
    pub performed: Vec<Performed>,
    /// The end that had to be cut off.
    pub torn: Option<Torn>,
}

/// A last line that was not written to its end: Fathom or the machine ended in the middle of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torn {
    /// Which line, from 1.
    pub line: u64,
    /// How long it was, in bytes.
    pub bytes: u64,
}

impl Journal {
    /// Opens the journal in a folder, which is made if it is not there, and reads what is in it.
    /// No other process can open it until it is dropped. A torn last line is cut off.
    ///
    /// # Errors
    /// Files cannot be opened or read, another process has it open, or a line other than the last
    /// is damaged.
    pub fn open(folder: &Path) -> Result<OpenedJournal, JournalError> {
        let path = folder.join(NAME);
        let failed = |what| {
            let path = path.clone();
            move |source| JournalError::File { what, path, source }
        };
        fs::create_dir_all(folder).map_err(failed("created"))?;
        let options = File::options().read(true).append(true).create(true).clone();
        let file = options.open(&path).map_err(failed("opened"))?;
        if !lock(&file).map_err(failed("locked"))? {
            return Err(JournalError::InUse { path });
        }
        // The file's name is in the folder's own data.
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        if let Err(error) = synced
            // Some file systems cannot, and need not.
            && !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported)
        {
            return Err(failed("saved")(error));
        }
        let contents = read(&path, &file)?;
        if contents.torn.is_some() {
            file.set_len(contents.length).map_err(failed("repaired"))?;
            file.sync_all().map_err(failed("repaired"))?;
        }
        let journal = Journal { path, file, length: contents.length };
        let Contents { request, performed, torn, .. } = contents;
        Ok(OpenedJournal { journal, request, performed, torn })
    }

    /// The executions in the journal of a folder, even while another process adds to it; none if
    /// there is no journal. A last line that is not there to its end is left out.
    ///
    /// # Errors
    /// The file cannot be read, or a line other than the last is damaged.
    pub fn read(folder: &Path) -> Result<Vec<Performed>, JournalError> {
        let path = folder.join(NAME);
        match File::open(&path) {
            Ok(file) => read(&path, &file).map(|contents| contents.performed),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(JournalError::File { what: "opened", path, source }),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what was asked as the first line, unless there is a first line already.
    ///
    /// # Errors
    /// It cannot be written, because the disk is full, for example.
    pub fn begin(&mut self, request: &Value) -> Result<(), JournalError> {
        if self.length > 0 {
            return Ok(());
        }
        self.add(&Header { request: request.clone() })
    }

    /// Adds an execution; once this returns it is on disk.
    ///
    /// # Errors
    /// It is not, because the disk is full, for example. What was added before still is.
    pub fn append(&mut self, performed: &Performed) -> Result<(), JournalError> {
        self.add(performed)
    }

    /// Adds executions; once this returns they are all on disk, and if it fails none is.
    ///
    /// # Errors
    /// As [`Journal::append`].
    pub fn extend(&mut self, performed: &[Performed]) -> Result<(), JournalError> {
        let mut lines = Vec::new();
        for one in performed {
            lines.extend(self.line(one)?);
        }
        self.write(&lines)
    }

    fn add(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = self.line(value)?;
        self.write(&line)
    }

    fn line(&self, value: &impl Serialize) -> Result<Vec<u8>, JournalError> {
        let mut line = serde_json::to_vec(value).map_err(|error| JournalError::File {
            what: "written",
            path: self.path.clone(),
            source: error.into(),
        })?;
        line.push(b'\n');
        Ok(line)
    }

    fn write(&mut self, line: &[u8]) -> Result<(), JournalError> {
        let written = self.file.write_all(line).and_then(|()| self.file.sync_data());
        if let Err(source) = written {
            // Without the half of a line, so that what may follow is a line of its own.
            let _ = self.file.set_len(self.length);
            return Err(JournalError::File { what: "written", path: self.path.clone(), source });
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

/// Whether the file could be locked. A process that is being started has copies of all open files
/// for a moment, and with them the lock of one that was closed just now.
fn lock(file: &File) -> std::io::Result<bool> {
    const ATTEMPTS: usize = 20;
    for _ in 1..ATTEMPTS {
        if file_lock::try_lock(file)? {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    file_lock::try_lock(file)
}

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    request: Value,
}

struct Contents {
    request: Option<Value>,
    performed: Vec<Performed>,
    length: u64,
    torn: Option<Torn>,
}

fn read(path: &Path, file: impl Read) -> Result<Contents, JournalError> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut contents = Contents { request: None, performed: Vec::new(), length: 0, torn: None };
    let mut numbers = BTreeSet::new();
    let mut line = Vec::new();
    let mut count = 0;
    loop {
        line.clear();
        let bytes = reader.read_until(b'\n', &mut line).map_err(|source| JournalError::File {
            what: "read",
            path: path.to_path_buf(),
            source,
        })?;
        if bytes == 0 {
            return Ok(contents);
        }
        count += 1;
        let length = bytes as u64;
        let whole = line.strip_suffix(b"\n");
        if let (1, Some(Ok(header))) = (count, whole.map(serde_json::from_slice::<Header>)) {
            contents.request = Some(header.request);
            contents.length += length;
            continue;
        }
        let flaw = match whole.map(serde_json::from_slice::<Performed>) {
            Some(Ok(performed)) => {
                if numbers.insert(performed.ticket.number) {
                    contents.performed.push(performed);
                }
                contents.length += length;
                continue;
            }
            Some(Err(error)) => error.to_string(),
            None => "the line is cut off".to_string(),
        };
        // A line is on disk before the next is begun, so that only the last can be torn.
        let is_last = reader.fill_buf().is_ok_and(<[u8]>::is_empty);
        if !is_last {
            return Err(JournalError::Damaged { path: path.to_path_buf(), line: count, flaw });
        }
        contents.torn = Some(Torn { line: count, bytes: length });
        return Ok(contents);
    }
}

impl std::fmt::Display for Torn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the last line (number {}, {} bytes) is incomplete, so Fathom ignores it and repeats \
             that execution",
            self.line, self.bytes
        )
    }
}

#[cfg(test)]
mod tests;
