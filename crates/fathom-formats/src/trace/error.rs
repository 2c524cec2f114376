//! What can go wrong with a trace folder, as messages for the user.

use crate::error::sentence;
use fathom_record::foreign_text::escaped;
use fathom_record::trace::ManifestError;
use parquet::errors::ParquetError;
use std::error::Error;
use std::path::Path;
use std::{fmt, io};

/// What went wrong, with which file, and what to do. Its text is a complete message to print after
/// "error: "; [`TraceError::what`] and [`TraceError::remedy`] are its parts.
#[derive(Debug)]
#[non_exhaustive]
pub enum TraceError {
    /// Nothing has that name.
    NoFolder {
        /// Which.
        folder: String,
    },
    /// A file where a folder should be.
    NotAFolder {
        /// Which.
        folder: String,
    },
    /// A folder without a manifest.
    NoManifest {
        /// Which.
        folder: String,
    },
    /// A manifest that cannot be used.
    Manifest {
        /// Which.
        file: String,
        /// Why.
        source: ManifestError,
    },
    /// The new trace folder would not be empty.
    Occupied {
        /// Which.
        folder: String,
    },
    /// Something other than traces would be replaced.
    NotReplaceable {
        /// Which.
        folder: String,
        /// Why.
        why: String,
    },
    /// No space, quota or permitted size is left.
    Full {
        /// Which.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// The system refuses.
    Io {
        /// "read", "written", "deleted".
        verb: &'static str,
        /// Which.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// Bytes that are not a whole Parquet file.
    Damaged {
        /// Which.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// More rows than memory can hold.
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
    MissingFile {
        /// Which.
        file: String,
    },
    /// Rows between two parts are in no part.
    MissingRows {
        /// Whose.
        file: String,
        /// The first one.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// A column has the wrong type.
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
    NoColumn {
        /// In which file.
        file: String,
        /// Which.
        column: String,
    },
    /// Not a run of this trace.
    NoRun {
        /// The trace.
        folder: String,
        /// What was asked for.
        run: String,
        /// A similar name, as " (did you mean ...?)".
        near: String,
    },
    /// Not a sampler of this run.
    NoSampler {
        /// The run.
        run: String,
        /// What was asked for.
        sampler: String,
        /// A similar name, as " (did you mean ...?)".
        near: String,
    },
    /// Not a metric of this run.
    NoMetric {
        /// The run.
        run: String,
        /// What was asked for.
        metric: String,
        /// A similar name, as " (did you mean ...?)".
        near: String,
    },
    /// Rows or names that cannot be written.
    Unfit {
        /// Where to.
        file: String,
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// A file of another program that cannot be read as a trace.
    Foreign {
        /// Which.
        file: String,
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// The exported text cannot be written.
    Output(io::Error),
}

impl TraceError {
    /// The file, folder or run that it is about, and what stands between it and what is wrong.
    fn subject(&self) -> (String, &'static str) {
        match self {
            TraceError::NoFolder { folder } => (folder.clone(), ": "),
            TraceError::NotAFolder { folder }
            | TraceError::NoManifest { folder }
            | TraceError::Occupied { folder }
            | TraceError::NotReplaceable { folder, .. }
            | TraceError::NoRun { folder, .. } => (folder.clone(), " "),
            TraceError::Io { file, .. } | TraceError::MissingFile { file } => (file.clone(), " "),
            TraceError::Full { file, .. }
            | TraceError::Damaged { file, .. }
            | TraceError::TooLarge { file, .. }
            | TraceError::MissingRows { file, .. }
            | TraceError::ColumnType { file, .. }
            | TraceError::NoColumn { file, .. }
            | TraceError::Unfit { file, .. }
            | TraceError::Foreign { file, .. } => (file.clone(), ": "),
            TraceError::NoSampler { run, .. } | TraceError::NoMetric { run, .. } => {
                (format!("run {run:?}"), " ")
            }
            TraceError::Manifest { file, .. } => (format!("cannot use {file}"), ": "),
            TraceError::Output(_) => ("cannot write the output".to_string(), " "),
        }
    }

    /// What is wrong, without the file and without what to do.
    #[must_use]
    pub fn what(&self) -> String {
        match self {
            TraceError::NoFolder { .. } => "no such folder".to_string(),
            TraceError::NotAFolder { .. } => "is not a folder".to_string(),
            TraceError::NoManifest { .. } => {
                "has no manifest.json, so it is not a trace folder".to_string()
            }
            TraceError::Manifest { source, .. } => source.to_string(),
            TraceError::Occupied { .. } => "is not empty".to_string(),
            TraceError::NotReplaceable { why, .. } => format!(
                "is not empty, and this version of Fathom cannot replace it because its \
                 manifest.json is not a trace manifest ({why})"
            ),
            TraceError::Full { source, .. } => {
                format!("no space left to write it ({source}). What was written before is kept")
            }
            TraceError::Io { verb, source, .. } => format!("cannot be {verb} ({source})"),
            TraceError::Damaged { what, .. } => format!("not a complete Parquet file ({what})"),
            TraceError::TooLarge { rows, columns, why, .. } => {
                format!("cannot read {rows} rows of {columns} columns: {why}")
            }
            TraceError::MissingFile { .. } => "is missing, but manifest.json lists it".to_string(),
            TraceError::MissingRows { first, last, .. } => {
                format!("rows {first} to {last} are missing from its parts")
            }
            TraceError::ColumnType { column, found, expected, .. } => format!(
                "column {column:?} is {found}, but must be {expected} (see docs/trace-format.md)"
            ),
            TraceError::NoColumn { column, .. } => {
                format!("no column {column:?}, which every trace file needs")
            }
            TraceError::NoRun { run, near, .. } => format!("has no run {run:?}{near}"),
            TraceError::NoSampler { sampler, near, .. } => {
                format!("has no sampler {sampler:?}{near}")
            }
            TraceError::NoMetric { metric, near, .. } => format!("has no metric {metric:?}{near}"),
            TraceError::Unfit { what, .. } | TraceError::Foreign { what, .. } => what.clone(),
            TraceError::Output(source) => format!("({source})"),
        }
    }

    /// What to do, as a sentence, where something can be done.
    #[must_use]
    pub fn remedy(&self) -> Option<String> {
        let fixed = match self {
            TraceError::NoFolder { .. } => "Check the path.",
            TraceError::NotAFolder { .. } => {
                "Traces are folders with a manifest.json; `fathom import` converts a file into one."
            }
            TraceError::NoManifest { .. } => "Convert other files with `fathom import`.",
            TraceError::Occupied { .. } => {
                "Choose another folder with -o, or replace it with --force."
            }
            TraceError::NotReplaceable { .. } => "Choose another folder with -o.",
            TraceError::Full { .. } => "Free some space, or write elsewhere with -o.",
            TraceError::Io { .. } => "Check the path and its permissions.",
            TraceError::Damaged { .. } => {
                "Restore it from a copy, or move it away to continue without its rows."
            }
            TraceError::TooLarge { .. } => "Split the file into several, or remove columns.",
            TraceError::MissingFile { .. } => "Restore it, or record the run again.",
            TraceError::MissingRows { .. } => {
                "Restore the part, or move the later parts away to read the rows before."
            }
            TraceError::NoColumn { .. } => "Write the file again.",
            TraceError::NoRun { .. } => "`fathom show` lists its runs.",
            TraceError::NoSampler { .. } => "`fathom show` lists its samplers.",
            TraceError::NoMetric { .. } => "`fathom show` lists its metrics.",
            TraceError::Unfit { remedy, .. } | TraceError::Foreign { remedy, .. } => {
                return Some(sentence(remedy));
            }
            TraceError::Manifest { .. } | TraceError::ColumnType { .. } | TraceError::Output(_) => {
                return None;
            }
        };
        Some(fixed.to_string())
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (subject, joint) = self.subject();
        let remedy = self.remedy().map_or(String::new(), |remedy| format!(". {remedy}"));
        // Names of columns and runs are from files.
        f.write_str(&escaped(&format!("{subject}{joint}{}{remedy}", self.what())))
    }
}

impl Error for TraceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            TraceError::Manifest { source, .. } => Some(source),
            TraceError::Full { source, .. } | TraceError::Io { source, .. } => Some(source),
            TraceError::Output(source) => Some(source),
            _ => None,
        }
    }
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
    Err(escaped(&text.chars().take(200).collect::<String>()))
}

/// A path for a message. It goes to a terminal, so control characters are escaped.
pub(super) fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}
