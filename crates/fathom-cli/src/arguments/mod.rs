//! The command line: every option once, from which help, man page and completions follow.

mod analyze;
mod check;
mod cleaning;
mod compare;
mod explain;
mod functions;
mod measure;
mod names;
mod output;
mod record;
mod requests;
mod run;
mod sessions;
mod spans;
mod ui;
mod values;

pub(crate) use analyze::AnalyzeArguments;
pub(crate) use check::{CheckArguments, CheckMethod, OnFailure, Place, Vacuous};
pub(crate) use cleaning::CleaningArguments;
pub(crate) use compare::CompareArguments;
pub(crate) use explain::{
    AlignmentArguments, ExplainArguments, RankingArguments, ReadingArguments, Runs,
    SelectionArguments,
};
pub(crate) use functions::FunctionArguments;
pub(crate) use measure::{
    RunningArguments, SessionArguments, StoreArguments, Style, SubjectArguments,
};
pub(crate) use names::OutlierName;
pub(crate) use output::{Color, OutputArguments, OutputFormat};
pub(crate) use record::{ExportArguments, ImportArguments, RecordArguments};
pub(crate) use requests::request_of_words;
pub(crate) use run::{RunArguments, Sort};
pub(crate) use sessions::{
    DoctorArguments, ListArguments, PlainFormat, ResumeArguments, ShowArguments,
};
pub(crate) use spans::TypedSpan;
pub(crate) use ui::{OpenArguments, QuestionArguments, ReportArguments, UiArguments};

use clap::{Parser, Subcommand};

const EXIT_CODES: &str = "\
Exit codes:
  0  done, and every gate passed
  1  a gate failed: a regression, or a property that is false
  2  wrong usage or bad input
  3  inconclusive within the budget, where a gate was asked for
  4  a measured command failed
  130  interrupted; what was measured is kept and shown";

/// How fast is it, did it change, does it keep its promise, why does it do that?
/// Fathom answers with numbers and says how sure it is.
#[derive(Debug, Clone, Parser)]
#[command(name = "fathom", version, max_term_width = 80, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
}

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Command {
    /// Time commands until the interval is as narrow as asked
    Run(Box<RunArguments>),
    /// Say which command is faster, and how sure that is
    Compare(Box<CompareArguments>),
    /// Say whether a property is true of enough executions, and how sure that is
    Check(Box<CheckArguments>),
    /// Record traces of many metrics over one or several runs
    Record(Box<RecordArguments>),
    /// Align runs, and say which metrics have to do with an anomaly
    Explain(Box<ExplainArguments>),
    /// Look at traces or a session in the browser
    Ui(Box<UiArguments>),
    /// Write a page of one file about traces or a session, to send to a colleague
    Report(Box<ReportArguments>),
    /// Estimate medians, means and percentiles from timings made elsewhere
    Analyze(Box<AnalyzeArguments>),
    /// Make a folder of traces from files of other tools
    Import(ImportArguments),
    /// Write traces as CSV
    Export(ExportArguments),
    /// List saved sessions
    List(ListArguments),
    /// Show a saved session's report, or a folder of traces
    Show(Box<ShowArguments>),
    /// Go on with a session that was interrupted
    Resume(Box<ResumeArguments>),
    /// Say what on this machine spoils measurements, and what it can detect
    Doctor(DoctorArguments),
    /// Perform one execution of a check; job scripts call it
    #[command(hide = true)]
    PerformExecution {
        /// The folder of the check
        folder: std::path::PathBuf,
        /// The batch
        batch: u32,
        /// Which execution of it
        index: usize,
    },
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  fathom completions bash > ~/.local/share/bash-completion/completions/fathom"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page
    #[command(after_help = "Example:\n  fathom man analyze | man -l -")]
    Man {
        /// The command it is about; without one, fathom itself
        command: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }
}
