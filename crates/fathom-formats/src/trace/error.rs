//! What can go wrong with a folder of traces, in words for its user.

use fathom_record::foreign_text::is_steering;
use fathom_record::trace::ManifestError;
use parquet::errors::ParquetError;
use std::io;
use std::path::Path;

/// What went wrong: with which file, and what to do. Its text is a whole message, to be printed
/// after "error: ".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// There is nothing of that name.
    #[error("{folder}: there is no such folder; check the path")]
    NoFolder {
        /// Which.
        folder: String,
    },
    /// A file where a folder should be.
    #[error(
        "{folder} is not a folder; traces are folders with a manifest.json, and `fathom import` makes one of a file"
    )]
    NotAFolder {
        /// Which.
        folder: String,
    },
    /// A folder that nobody recorded into.
    #[error(
        "{folder} has no manifest.json, so `fathom record` did not write it; `fathom import` reads other files"
    )]
    NoManifest {
        /// Which.
        folder: String,
    },
    /// A manifest that cannot be used.
    #[error("{file} cannot be used: {source}")]
    Manifest {
        /// Which.
        file: String,
        /// Why.
        #[source]
        source: ManifestError,
    },
    /// There is something where a new folder of traces should be.
    #[error("{folder} is not empty; choose another folder with -o, or replace it with --force")]
    Occupied {
        /// Which.
        folder: String,
    },
    /// Something other than traces would be replaced.
    #[error(
        "{folder} is not empty and its manifest.json is not one of traces that this version of Fathom can replace ({why}); choose another folder with -o"
    )]
    NotReplaceable {
        /// Which.
        folder: String,
        /// Why.
        why: String,
    },
    /// No space, quota or permitted size is left.
    #[error(
        "{file}: no room is left to write it ({source}); what was written before is kept. Free some space, or write elsewhere with -o"
    )]
    Full {
        /// Which.
        file: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The system refuses.
    #[error("{file} cannot be {verb} ({source}); check the path and its permissions")]
    Io {
        /// "read", "written", "deleted".
        verb: &'static str,
        /// Which.
        file: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// Bytes that are not a whole Parquet file.
    #[error(
        "{file} is not a complete Parquet file ({what}); restore it from a copy, or move it away and do without its rows"
    )]
    Damaged {
        /// Which.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// More rows than memory can hold.
    #[error(
        "{file} has {rows} rows of {columns} columns, and {why}; split it into several files, or leave out columns"
    )]
    TooLarge {
        /// Which.
        file: String,
        /// How many rows it has.
        rows: String,
        /// How many columns.
        columns: usize,
        /// Why it is not read.
        why: String,
    },
    /// A file or part that should be there is not.
    #[error(
        "{file} is missing, though manifest.json names it; restore it, or record the run again"
    )]
    MissingFile {
        /// Which.
        file: String,
    },
    /// Rows between two parts are in no part.
    #[error(
        "{file}: rows {first} to {last} are in none of its parts; restore the part, or move the later ones away to read what is before"
    )]
    MissingRows {
        /// Whose.
        file: String,
        /// The first one.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// A column is not of the type that the format says.
    #[error(
        "{file}: column {column:?} is {found}; {expected} is expected, as docs/trace-format.md says"
    )]
    ColumnType {
        /// In which file.
        file: String,
        /// Which.
        column: String,
        /// What it is.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A column that every file must have.
    #[error("{file} has no column {column:?}, as every file of a trace must; write it again")]
    NoColumn {
        /// In which file.
        file: String,
        /// Which.
        column: String,
    },
    /// Not a run of this trace.
    #[error("{folder} has no run {run:?}{near}; `fathom show` lists its runs")]
    NoRun {
        /// Of which trace.
        folder: String,
        /// What was asked for.
        run: String,
        /// What is meant, perhaps.
        near: String,
    },
    /// Not a sampler of this run.
    #[error("run {run:?} has no sampler {sampler:?}{near}; `fathom show` lists them")]
    NoSampler {
        /// Of which run.
        run: String,
        /// What was asked for.
        sampler: String,
        /// What is meant, perhaps.
        near: String,
    },
    /// Not a metric of this run.
    #[error("run {run:?} has no metric {metric:?}{near}; `fathom show` lists its metrics")]
    NoMetric {
        /// Of which run.
        run: String,
        /// What was asked for.
        metric: String,
        /// What is meant, perhaps.
        near: String,
    },
    /// Rows or names that cannot be written.
    #[error("{file}: {what}; {remedy}")]
    Unfit {
        /// Where to.
        file: String,
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// A file of another program that cannot be taken for a trace.
    #[error("{file}: {what}; {remedy}")]
    Foreign {
        /// Which.
        file: String,
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// Whoever takes the exported text does not.
    #[error("the output cannot be written ({0})")]
    Output(#[source] io::Error),
}

impl TraceError {
    /// Whether there was no room left to write.
    #[must_use]
    pub fn is_full(&self) -> bool {
        matches!(self, TraceError::Full { .. })
    }

    /// Whether the file is not there. Parts vanish while they are read, when they are merged.
    pub(super) fn is_vanished(&self) -> bool {
        matches!(self, TraceError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    pub(super) fn io(verb: &'static str, path: &Path, source: io::Error) -> TraceError {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let file = shown(path);
        match source.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => TraceError::Full { file, source },
            _ => TraceError::Io { verb, file, source },
        }
    }

    pub(super) fn writing(path: &Path, error: ParquetError) -> TraceError {
        match system_error(error) {
            Ok(source) => TraceError::io("written", path, source),
            Err(what) => TraceError::Unfit {
                file: shown(path),
                what: format!("its rows cannot be written as Parquet ({what})"),
                remedy: "please report it".to_string(),
            },
        }
    }

    pub(super) fn reading(path: &Path, error: ParquetError) -> TraceError {
        match system_error(error) {
            // Beyond the end: a file that was cut.
            Ok(source) if source.kind() != io::ErrorKind::UnexpectedEof => {
                TraceError::io("read", path, source)
            }
            Ok(source) => TraceError::Damaged { file: shown(path), what: source.to_string() },
            Err(what) => TraceError::Damaged { file: shown(path), what },
        }
    }
}

/// What the system said, if it was the system; otherwise the message, escaped, since it may quote
/// the file.
fn system_error(error: ParquetError) -> Result<io::Error, String> {
    let text = match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(source) => return Ok(*source),
            Err(inner) => inner.to_string(),
        },
        ParquetError::General(text) | ParquetError::EOF(text) | ParquetError::NYI(text) => text,
        other => other.to_string(),
    };
    Err(text.chars().take(200).flat_map(escaped).collect())
}

/// A path for a message. It goes to a terminal, so control characters are escaped.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string().chars().flat_map(escaped).collect()
}

fn escaped(letter: char) -> Vec<char> {
    if is_steering(letter) { letter.escape_default().collect() } else { vec![letter] }
}
