//! What is shown.

use crate::check::OpenedCheck;
use crate::session::SessionOptions;
use crate::traces::OpeningQuestion;
use fathom_analyze::Report;
use fathom_explain::TraceSource;
use fathom_record::TimeUnit;
use fathom_record::trace::Clock;
use fathom_render::shell;
use fathom_request::TraceFiles;
use std::path::PathBuf;

/// Opened data.
pub enum Opened {
    /// Metrics over time.
    Traces(Box<OpenedTraces>),
    /// Measured subjects.
    Session(OpenedSession),
    /// Questions about executions.
    Check(Box<OpenedCheck>),
}

/// Metrics over time, of one run or several.
pub struct OpenedTraces {
    /// As it was typed.
    pub title: String,
    /// The runs.
    pub source: Box<dyn TraceSource + Send + Sync>,
    /// Where they are, and how they are read.
    pub files: TraceFiles,
    /// What bare numbers in windows count on the command line.
    pub time_unit: TimeUnit,
    /// When the times of each run begin, in the order of runs, where that is known.
    pub clocks: Vec<Option<Clock>>,
    /// Whether people know these times as times since 1970.
    pub has_wall_times: bool,
    /// What a reader should know of the files.
    pub notes: Vec<String>,
    /// What is shown first, if requested.
    pub asked: Option<OpeningQuestion>,
    /// Where labels are kept; `None`: they are not.
    pub labels_file: Option<PathBuf>,
}

impl OpenedTraces {
    /// "fathom ui" and what opens the traces, as it is typed in a shell.
    pub(crate) fn opens(&self) -> String {
        let words = self.files.words();
        shell::line(["fathom", "ui"].into_iter().chain(words.iter().map(String::as_str)))
    }
}

/// A session, or samples from files.
pub struct OpenedSession {
    /// What it is called.
    pub title: String,
    /// What opens the same after `fathom ui`, a word each.
    pub words: Vec<String>,
    /// What makes reports of it.
    pub source: Box<dyn SessionSource + Send + Sync>,
}

impl OpenedSession {
    /// "fathom ui" and what opens the session, as it is typed in a shell.
    pub(crate) fn opens(&self) -> String {
        shell::line(["fathom", "ui"].into_iter().chain(self.words.iter().map(String::as_str)))
    }
}

/// Makes a report as often as options change.
pub trait SessionSource {
    /// What it was measured with.
    fn options(&self) -> SessionOptions;

    /// The report with these options, or why there is none. With the autocorrelation of every lag.
    fn report(&self, options: &SessionOptions) -> Result<Report, String>;
}
