//! What can go wrong with a trace folder, as messages for the user.

use crate::error::sentence;
use fathom_record::foreign_text::is_steering;
use fathom_record::trace::ManifestError;
use parquet::errors::ParquetError;
use std::io;
use std::path::Path;

/// What went wrong, with which file, and what to do. Its text is a complete message to print after
/// "error: ".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// Nothing has that name.
    #[error("{folder}: no such folder. Check the path.")]
    NoFolder {
        /// Which.
        folder: String,
    },
    /// A file where a folder should be.
    #[error(
        "{folder} is not a folder. Traces are folders with a manifest.json; `fathom import` \
         converts a file into one."
    )]
    NotAFolder {
        /// Which.
        folder: String,
    },
    /// A folder without a manifest.
    #[error(
        "{folder} has no manifest.json, so it is not a trace folder. Convert other files with \
         `fathom import`."
    )]
    NoManifest {
        /// Which.
        folder: String,
    },
    /// A manifest that cannot be used.
    #[error("cannot use {file}: {source}")]
    Manifest {
        /// Which.
        file: String,
        /// Why.
        #[source]
        source: ManifestError,
    },
    /// The new trace folder would not be empty.
    #[error("{folder} is not empty. Choose another folder with -o, or replace it with --force.")]
    Occupied {
        /// Which.
        folder: String,
    },
    /// Something other than traces would be replaced.
    #[error(
        "{folder} is not empty, and this version of Fathom cannot replace it because its \
         manifest.json is not a trace manifest ({why}). Choose another folder with -o."
    )]
    NotReplaceable {
        /// Which.
        folder: String,
        /// Why.
        why: String,
    },
    /// No space, quota or permitted size is left.
    #[error(
        "{file}: no space left to write it ({source}). What was written before is kept. Free some \
         space, or write elsewhere with -o."
    )]
    Full {
        /// Which.
        file: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The system refuses.
    #[error("{file} cannot be {verb} ({source}). Check the path and its permissions.")]
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
        "{file}: not a complete Parquet file ({what}). Restore it from a copy, or move it away to \
         continue without its rows."
    )]
    Damaged {
        /// Which.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// More rows than memory can hold.
    #[error(
        "{file}: cannot read {rows} rows of {columns} columns: {why}. Split the file into \
         several, or remove columns."
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
    /// A file or part is missing.
    #[error("{file} is missing, but manifest.json lists it. Restore it, or record the run again.")]
    MissingFile {
        /// Which.
        file: String,
    },
    /// Rows between two parts are in no part.
    #[error(
        "{file}: rows {first} to {last} are missing from its parts. Restore the part, or move the \
         later parts away to read the rows before."
    )]
    MissingRows {
        /// Whose.
        file: String,
        /// The first one.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// A column has the wrong type.
    #[error(
        "{file}: column {column:?} is {found}, but must be {expected} (see docs/trace-format.md)"
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
    #[error("{file}: no column {column:?}, which every trace file needs. Write the file again.")]
    NoColumn {
        /// In which file.
        file: String,
        /// Which.
        column: String,
    },
    /// Not a run of this trace.
    #[error("{folder} has no run {run:?}{near}. `fathom show` lists its runs.")]
    NoRun {
        /// The trace.
        folder: String,
        /// What was asked for.
        run: String,
        /// A similar name, as " (did you mean ...?)".
        near: String,
    },
    /// Not a sampler of this run.
    #[error("run {run:?} has no sampler {sampler:?}{near}. `fathom show` lists its samplers.")]
    NoSampler {
        /// The run.
        run: String,
        /// What was asked for.
        sampler: String,
        /// A similar name, as " (did you mean ...?)".
        near: String,
    },
    /// Not a metric of this run.
    #[error("run {run:?} has no metric {metric:?}{near}. `fathom show` lists its metrics.")]
    NoMetric {
        /// The run.
        run: String,
        /// What was asked for.
        metric: String,
        /// A similar name, as " (did you mean ...?)".
        near: String,
    },
    /// Rows or names that cannot be written.
    #[error("{file}: {what}. {}", sentence(remedy))]
    Unfit {
        /// Where to.
        file: String,
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// A file of another program that cannot be read as a trace.
    #[error("{file}: {what}. {}", sentence(remedy))]
    Foreign {
        /// Which.
        file: String,
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// The exported text cannot be written.
    #[error("cannot write the output ({0})")]
    Output(#[source] io::Error),
}

impl TraceError {
    /// Whether there was no room left to write.
    #[must_use]
    pub fn is_full(&self) -> bool {
        matches!(self, TraceError::Full { .. })
    }

    /// Whether the file is missing. Parts vanish while they are read, when they are merged.
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
                what: format!("cannot write its rows as Parquet ({what})"),
                remedy: "please report this as a bug".to_string(),
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
