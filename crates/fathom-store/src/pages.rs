//! The pages of a database and of its log, read without SQLite, which gives up where they are
//! damaged. The format: "Database File Format" and "WAL-mode File Format" of SQLite.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

const LOG_HEADER: u64 = 32;
const FRAME_HEADER: usize = 24;

/// A database file and its log; either may be missing.
pub(crate) struct Pages {
    size: usize,
    main: Option<(File, u64)>,
    log: Option<File>,
    /// The page and the place of each frame of the log, in the order they were written.
    frames: Vec<(u64, u64)>,
    newest: BTreeMap<u64, u64>,
}

/// Where to look for a page that another one names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// In the newest state: the log's copy if there is one.
    Newest,
    /// In the database file only, should the log's copy be bad.
    Main,
}

impl Pages {
    pub(crate) fn open(database: &Path, log: &Path, size: usize) -> io::Result<Pages> {
        let main = match present(File::open(database))? {
            Some(file) => {
                let length = file.metadata()?.len();
                Some((file, length))
            }
            None => None,
        };
        let log = present(File::open(log))?;
        let frames = match &log {
            Some(log) => frames(log, size)?,
            None => Vec::new(),
        };
        // Later frames replace earlier ones.
        let newest = frames.iter().copied().collect();
        Ok(Pages { size, main, log, frames, newest })
    }

    /// The bytes in a page.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// How many bytes there are in all; nothing in them can be longer.
    pub(crate) fn total(&self) -> u64 {
        let main = self.main.as_ref().map_or(0, |(_, length)| *length);
        main + (self.frames.len() * self.size) as u64
    }

    /// Hands every copy of every page to `look`, with its number, older copies first.
    pub(crate) fn each<E: From<io::Error>>(
        &self,
        mut look: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let count = self.main.as_ref().map_or(0, |(_, length)| length.div_ceil(self.size as u64));
        for number in 1..=count {
            if let Some(page) = self.read(number, View::Main)? {
                look(number, &page)?;
            }
        }
        for &(number, place) in &self.frames {
            if let Some(page) = self.read_log(place)? {
                look(number, &page)?;
            }
        }
        Ok(())
    }

    /// A page by its number, from 1.
    pub(crate) fn read(&self, number: u64, view: View) -> io::Result<Option<Vec<u8>>> {
        if view == View::Newest
            && let Some(&place) = self.newest.get(&number)
        {
            return self.read_log(place);
        }
        let place = number.checked_sub(1).and_then(|before| before.checked_mul(self.size as u64));
        match (&self.main, place) {
            (Some((file, length)), Some(place)) if place < *length => {
                read_at(file, place, self.size).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn read_log(&self, place: u64) -> io::Result<Option<Vec<u8>>> {
        self.log.as_ref().map(|log| read_at(log, place, self.size)).transpose()
    }
}

fn present(file: io::Result<File>) -> io::Result<Option<File>> {
    match file {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// As many bytes as there are, zeros behind them: the last page may be cut off. A place that the
/// disk cannot read is zeros too; the rest is still worth reading.
fn read_at(file: &File, place: u64, size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; size];
    let mut done = 0;
    while done < size {
        let Some(rest) = bytes.get_mut(done..) else { break };
        match file.read_at(rest, place + done as u64) {
            Ok(0) => break,
            Ok(read) => done += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    Ok(bytes)
}

/// The frames of the log's present round. Each carries the two salts of its round; frames of an
/// earlier round, behind them, are older than the database file. Their checksums are left
/// aside: they chain, so that one bad frame would lose all after it, and each row has its own.
fn frames(log: &File, size: usize) -> io::Result<Vec<(u64, u64)>> {
    let length = log.metadata()?.len();
    let header = read_at(log, 0, LOG_HEADER as usize)?;
    let mut rounds: Vec<[u8; 8]> = bytes_at(&header, 16).into_iter().collect();
    let mut frames = Vec::new();
    let mut place = LOG_HEADER;
    while place < length {
        let header = read_at(log, place, FRAME_HEADER)?;
        let Some(salts) = bytes_at::<8>(&header, 8) else { break };
        // The log's own header may be what is damaged.
        if place == LOG_HEADER {
            rounds.push(salts);
        }
        if rounds.contains(&salts)
            && let Some(number) = bytes_at(&header, 0).map(u32::from_be_bytes)
        {
            frames.push((u64::from(number), place + FRAME_HEADER as u64));
        }
        place += (FRAME_HEADER + size) as u64;
    }
    Ok(frames)
}

/// `N` bytes from `place`.
pub(crate) fn bytes_at<const N: usize>(bytes: &[u8], place: usize) -> Option<[u8; N]> {
    bytes.get(place..place.checked_add(N)?)?.try_into().ok()
}
