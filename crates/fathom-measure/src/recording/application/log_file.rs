//! Follows a file to which a program adds lines.

use super::heard::{Heard, counted};
use super::listener::LineListener;
use super::listening::Bell;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file that is followed, from its end, or from its beginning if it was not there.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    file: File,
    position: u64,
    identity: (u64, u64),
}

/// Why a file cannot be followed.
#[derive(Debug)]
pub(super) enum LogError {
    /// It is a folder, a device, a pipe.
    NotAFile,
    /// It cannot be read.
    Io(io::Error),
}

fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

impl LogFile {
    /// Notes where the file ends now, if it is there.
    pub(super) fn open(path: &Path) -> Result<LogFile, LogError> {
        let open = match Open::new(path) {
            Ok(open) => Some(open),
            Err(LogError::Io(error)) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut log = LogFile { path: path.to_path_buf(), open };
        if let Some(open) = &mut log.open {
            open.go_to_last_line().map_err(LogError::Io)?;
        }
        Ok(log)
    }

    /// Follows it until the bell rings, looking at it in such intervals.
    pub(super) fn follow(
        mut self,
        listener: LineListener,
        bell: &Bell,
        interval: Duration,
        source: String,
    ) -> Heard {
        let buffer = vec![0; 1 << 16];
        let mut reading = Reading { listener, buffer, bell, turns: Turns::default() };
        loop {
            let rings = bell.rings_within(interval);
            self.look(&mut reading, rings);
            if rings {
                break;
            }
        }
        let Reading { mut listener, turns, .. } = reading;
        listener.end();
        let mut heard = listener.tell(source);
        if self.open.is_none() && turns.failure.is_none() {
            heard.note("the file was never created");
        }
        if turns.truncated > 0 {
            let count = counted(turns.truncated, "time", "times");
            heard.note(format!(
                "it was truncated {count} while Fathom read it; Fathom continued from there"
            ));
        }
        if turns.forgotten > 0 {
            let count = counted(turns.forgotten, "line that", "lines that");
            heard.note(format!("{count} had not ended when it was truncated: skipped"));
        }
        if turns.replaced > 0 {
            let count = counted(turns.replaced, "time", "times");
            heard
                .note(format!("it was replaced {count} by a new file; Fathom continued with that"));
        }
        if let Some(failure) = turns.failure {
            heard.note(failure);
        }
        heard
    }

    /// Reads what is new. At the end (`rings`) no more than there is now.
    fn look(&mut self, reading: &mut Reading<'_>, rings: bool) {
        self.read_open(reading, rings);
        let known = self.open.as_ref().map(|open| open.identity);
        match fs::metadata(&self.path) {
            Ok(metadata) if Some(identity(&metadata)) == known => return,
            // Renamed, and the new one is not there yet: what is added to the old one counts.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Ok(_) | Err(_) => {}
        }
        match Open::new(&self.path) {
            Ok(new) => {
                if self.open.is_some() {
                    // What was added between our reading and the renaming.
                    self.read_open(reading, rings);
                    reading.listener.end();
                    reading.turns.replaced += 1;
                }
                self.open = Some(new);
                self.read_open(reading, rings);
            }
            Err(LogError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(LogError::Io(error)) => reading.turns.fail(&self.path, &error.to_string()),
            Err(LogError::NotAFile) => reading.turns.fail(&self.path, "it is not a file"),
        }
    }

    fn read_open(&mut self, reading: &mut Reading<'_>, rings: bool) {
        if let Some(open) = &mut self.open
            && let Err(error) = open.read_new(reading, rings)
        {
            reading.turns.fail(&self.path, &error.to_string());
        }
    }
}

/// What reading needs in addition to the file.
struct Reading<'a> {
    listener: LineListener,
    buffer: Vec<u8>,
    bell: &'a Bell,
    turns: Turns,
}

/// What happened to the file.
#[derive(Debug, Default)]
struct Turns {
    truncated: u64,
    replaced: u64,
    forgotten: u64,
    /// The first, in words.
    failure: Option<String>,
}

impl Turns {
    fn fail(&mut self, path: &Path, why: &str) {
        self.failure.get_or_insert_with(|| format!("cannot read {}: {why}", path.display()));
    }
}

impl Open {
    fn new(path: &Path) -> Result<Open, LogError> {
        // Opening a pipe would wait for a writer.
        if !fs::metadata(path).map_err(LogError::Io)?.is_file() {
            return Err(LogError::NotAFile);
        }
        let file = File::open(path).map_err(LogError::Io)?;
        let metadata = file.metadata().map_err(LogError::Io)?;
        Ok(Open { file, position: 0, identity: identity(&metadata) })
    }

    /// Goes to the end, or to the beginning of a last line that has not ended: the program may add
    /// the rest of a number to it.
    fn go_to_last_line(&mut self) -> io::Result<()> {
        const LOOKED_AT: u64 = 1 << 16;
        let end = self.file.seek(SeekFrom::End(0))?;
        let from = end.saturating_sub(LOOKED_AT);
        let mut tail = vec![0; usize::try_from(end - from).unwrap_or(0)];
        let count = self.file.read_at(&mut tail, from)?;
        let tail = tail.get(..count).unwrap_or_default();
        let line = tail.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        self.position = match line {
            Some(at) => from + at as u64 + 1,
            None if from == 0 => 0,
            None => end,
        };
        Ok(())
    }

    fn read_new(&mut self, reading: &mut Reading<'_>, rings: bool) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        if length < self.position {
            reading.turns.truncated += 1;
            reading.turns.forgotten += u64::from(reading.listener.forget());
            self.position = 0;
        }
        self.file.seek(SeekFrom::Start(self.position))?;
        // A file that grows as fast as it is read must not keep us from ending.
        while self.position < length || !(rings || reading.bell.rings_within(Duration::ZERO)) {
            match self.file.read(&mut reading.buffer) {
                Ok(0) => break,
                Ok(count) => {
                    self.position += count as u64;
                    reading.listener.hear(reading.buffer.get(..count).unwrap_or_default());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
