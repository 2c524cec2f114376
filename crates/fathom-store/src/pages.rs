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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const SIZE: usize = 512;

    /// A page that holds this byte.
    fn page(byte: u8) -> Vec<u8> {
        vec![byte; SIZE]
    }

    fn log_header(salts: [u8; 8]) -> Vec<u8> {
        let mut header = vec![0; LOG_HEADER as usize];
        header[16..24].copy_from_slice(&salts);
        header
    }

    fn frame(number: u32, salts: [u8; 8], byte: u8) -> Vec<u8> {
        let mut frame = number.to_be_bytes().to_vec();
        frame.extend([0; 4]);
        frame.extend(salts);
        frame.extend([0; 8]);
        assert_eq!(frame.len(), FRAME_HEADER);
        frame.extend(page(byte));
        frame
    }

    /// The pages of these files.
    fn pages(main: Option<&[u8]>, log: Option<&[u8]>) -> Pages {
        let folder = tempfile::tempdir().unwrap();
        let [database, journal] = ["db", "db-wal"].map(|name| folder.path().join(name));
        for (path, bytes) in [(&database, main), (&journal, log)] {
            if let Some(bytes) = bytes {
                fs::write(path, bytes).unwrap();
            }
        }
        Pages::open(&database, &journal, SIZE).unwrap()
    }

    fn byte(pages: &Pages, number: u64, view: View) -> Option<u8> {
        let page = pages.read(number, view).unwrap()?;
        assert_eq!(page.len(), SIZE);
        Some(page[0])
    }

    fn seen(pages: &Pages) -> Vec<(u64, u8)> {
        let mut seen = Vec::new();
        let all: Result<(), io::Error> = pages.each(|number, page| {
            seen.push((number, page[0]));
            Ok(())
        });
        all.unwrap();
        seen
    }

    const NOW: [u8; 8] = [7; 8];
    const EARLIER: [u8; 8] = [6; 8];

    #[test]
    fn the_newest_copy_is_that_of_the_log() {
        let main = [page(1), page(2), page(3)].concat();
        let log = [log_header(NOW), frame(2, NOW, 20), frame(4, NOW, 40), frame(2, NOW, 21)];
        let pages = pages(Some(&main), Some(&log.concat()));
        assert_eq!(pages.size(), SIZE);
        assert_eq!(pages.total(), (6 * SIZE) as u64);
        let newest = |number| byte(&pages, number, View::Newest);
        let in_main = |number| byte(&pages, number, View::Main);
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(newest),
            [None, Some(1), Some(21), Some(3), Some(40), None]
        );
        assert_eq!([0, 1, 2, 3, 4].map(in_main), [None, Some(1), Some(2), Some(3), None]);
        assert_eq!(in_main(u64::MAX), None);
        // Older copies first.
        assert_eq!(seen(&pages), [(1, 1), (2, 2), (3, 3), (2, 20), (4, 40), (2, 21)]);
    }

    #[test]
    fn frames_of_an_earlier_round_do_not_count() {
        let log = [log_header(NOW), frame(1, NOW, 10), frame(2, EARLIER, 20), frame(3, NOW, 30)];
        let found = pages(None, Some(&log.concat()));
        assert_eq!(seen(&found), [(1, 10), (3, 30)]);
        // A log whose own header is damaged has the round of its first frame.
        let log = [log_header([9; 8]), frame(1, NOW, 10), frame(2, EARLIER, 20), frame(3, NOW, 30)];
        assert_eq!(seen(&pages(None, Some(&log.concat()))), [(1, 10), (3, 30)]);
    }

    #[test]
    fn what_is_cut_off_or_missing_reads_as_zeros_or_nothing() {
        let mut main = [page(1), page(2)].concat();
        main.truncate(SIZE + 3);
        let found = pages(Some(&main), None);
        let last = found.read(2, View::Newest).unwrap().unwrap();
        assert_eq!((last.len(), &last[..5]), (SIZE, &[2, 2, 2, 0, 0][..]));
        assert_eq!(seen(&found), [(1, 1), (2, 2)]);
        assert_eq!(found.total(), (SIZE + 3) as u64);
        let mut log = [log_header(NOW), frame(5, NOW, 50)].concat();
        log.truncate(log.len() - 1);
        assert_eq!(seen(&pages(None, Some(&log))), [(5, 50)]);
        let none = pages(None, None);
        assert_eq!((none.total(), seen(&none)), (0, vec![]));
        assert_eq!(byte(&none, 1, View::Newest), None);
        assert_eq!(seen(&pages(Some(b""), Some(&log_header(NOW)))), []);
    }

    #[test]
    fn bytes_are_taken_only_where_they_are() {
        assert_eq!(bytes_at::<2>(b"abc", 1), Some(*b"bc"));
        assert_eq!(bytes_at::<2>(b"abc", 2), None);
        assert_eq!(bytes_at::<1>(b"abc", usize::MAX), None);
    }
}
