//! The command line. Help, manual pages and completions all follow from the definitions here.

mod analyze;
mod check;
mod cleaning;
mod compare;
mod demo;
mod explain;
mod files;
mod functions;
mod implied;
mod measure;
mod metric_store;
mod output;
mod record;
mod refusals;
mod renamed;
mod requests;
mod run;
mod sessions;
mod ui;
mod values;

pub(crate) use analyze::AnalyzeArguments;
pub(crate) use check::CheckArguments;
pub(crate) use cleaning::CleaningArguments;
pub(crate) use compare::CompareArguments;
pub(crate) use demo::{DemoArguments, DemoWorkArguments};
pub(crate) use explain::{
    AlignmentArguments, ExplainArguments, RankingArguments, ReadingArguments, SelectionArguments,
};
pub(crate) use implied::parse;
pub(crate) use measure::{
    CommandArguments, FailureArguments, RunningArguments, SessionArguments, StoreArguments, Style,
    SubjectArguments,
};
pub(crate) use metric_store::MetricStoreArguments;
pub(crate) use output::{Color, HyperfineArguments, OutputArguments, OutputFormat};
pub(crate) use record::{ExportArguments, ImportArguments, RecordArguments};
pub(crate) use renamed::notes as notes_on_renamed_options;
pub(crate) use requests::{check_of_words, request_of_words};
pub(crate) use run::{RunArguments, Sort};
pub(crate) use sessions::{
    DeleteArguments, DoctorArguments, ListArguments, PlainFormat, ResumeArguments, ShowArguments,
};
pub(crate) use ui::{OpenArguments, QuestionArguments, ReportArguments, UiArguments};

use clap::{Parser, Subcommand};

const AFTER_HELP: &str = "\
Without COMMAND: `fathom 'sleep 1'` is `fathom run 'sleep 1'`, and
`fathom ./old ./new` is `fathom compare ./old ./new`.

Exit codes:
  0    done, and every gate passed
  1    a gate failed: a regression, or a property that is false
  2    wrong usage or bad input
  3    a gate was inconclusive within the budget
  4    a measured command failed
  5    could not be carried out: disk full, store locked, no permission
  130  interrupted; results so far are kept and shown";

/// Measure performance and say how sure the answer is: how fast is it, did it change, does it keep
/// its promise, and why?
#[derive(Debug, Clone, Parser)]
#[command(name = "fathom", version, max_term_width = 80, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Choose when to use colors; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
}

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Command {
    /// Time commands until the estimate is precise enough
    Run(Box<RunArguments>),
    /// Compare commands side by side and say which is faster
    Compare(Box<CompareArguments>),
    /// Check whether enough executions satisfy a property
    Check(Box<CheckArguments>),
    /// Record metrics over time while a command runs
    Record(Box<RecordArguments>),
    /// Find the metrics behind an anomaly
    Explain(Box<ExplainArguments>),
    /// Explore traces and results in the browser
    Ui(Box<UiArguments>),
    /// Write a self-contained HTML report
    Report(Box<ReportArguments>),
    /// Estimate medians, means and percentiles from existing data
    #[command(alias = "analyse")]
    Analyze(Box<AnalyzeArguments>),
    /// Convert other tools' files into a trace folder
    Import(ImportArguments),
    /// Write traces as CSV
    Export(ExportArguments),
    /// List saved sessions
    List(ListArguments),
    /// Show a saved session or a trace folder
    Show(Box<ShowArguments>),
    /// Continue an interrupted session
    Resume(Box<ResumeArguments>),
    /// Delete saved sessions
    Delete(DeleteArguments),
    /// Check this machine for sources of noise
    Doctor(DoctorArguments),
    /// Take a two-minute tour on this machine
    Demo(DemoArguments),
    /// Do a known amount of work; `fathom demo` measures this
    #[command(hide = true)]
    DemoWork(DemoWorkArguments),
    /// Run one execution of a check; only job scripts call this
    #[command(hide = true)]
    PerformExecution {
        /// Read the check from this folder
        folder: std::path::PathBuf,
        /// Run an execution of this batch
        batch: u32,
        /// Run the execution with this index in the batch
        index: usize,
    },
    /// Print a shell completion script
    #[command(
        after_help = "Example:\n  fathom completions bash > ~/.local/share/bash-completion/completions/fathom"
    )]
    Completions {
        /// Write the script for this shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page
    #[command(after_help = "Example:\n  fathom man analyze | man -l -")]
    Man {
        /// Describe this command [default: fathom itself]
        command: Option<String>,
    },
}

#[cfg(test)]
#[path = "../tests/options/cases.rs"]
mod option_cases;

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// The visible options of a command and of those below it, with the path to the command.
    fn options(command: &clap::Command, path: &[&str]) -> Vec<(String, String)> {
        let visible = command.get_arguments().filter(|option| !option.is_hide_set());
        let mut all: Vec<_> = visible
            .filter(|option| !option.is_positional())
            .map(|option| (path.join(" "), option.get_long().unwrap_or_default().to_string()))
            .collect();
        for below in command.get_subcommands() {
            all.extend(options(below, &[path, &[below.get_name()]].concat()));
        }
        all
    }

    /// `tests/options` runs the cases: each shows that its option changes something.
    #[test]
    fn every_option_has_a_case() {
        let of_case =
            |case: &option_cases::Case| (case.command.to_string(), case.option.to_string());
        let mut tried: Vec<_> = option_cases::CASES.iter().map(of_case).collect();
        // Without `build`, global options and --help are not repeated at every command.
        let mut defined = options(&Cli::command(), &[]);
        tried.sort();
        defined.sort();
        let missing: Vec<_> = defined.iter().filter(|option| !tried.contains(option)).collect();
        let unknown: Vec<_> = tried.iter().filter(|option| !defined.contains(option)).collect();
        assert!(missing.is_empty(), "without a case in tests/options/cases.rs: {missing:?}");
        assert!(unknown.is_empty(), "cases of options that do not exist: {unknown:?}");
    }

    /// A plan is an answer too: `--quiet` makes it as short as any other.
    #[test]
    fn every_dry_run_has_a_case_of_quiet() {
        let defined = options(&Cli::command(), &[]);
        let has = |command: &str, option: &str| {
            defined.iter().any(|(of, name)| of == command && name == option)
        };
        let of_dry_run = |case: &&option_cases::Case| {
            case.option == "quiet" && case.base.split_whitespace().any(|word| word == "--dry-run")
        };
        let tried: Vec<&str> =
            option_cases::CASES.iter().filter(of_dry_run).map(|case| case.command).collect();
        let commands: Vec<&str> = defined
            .iter()
            .filter(|(command, option)| option == "dry-run" && has(command, "quiet"))
            .map(|(command, _)| command.as_str())
            .collect();
        assert!(commands.contains(&"check") && commands.contains(&"record"), "{commands:?}");
        for command in commands {
            assert!(tried.contains(&command), "{command} --dry-run -q has no case");
        }
    }

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_of_every_command_fits_80_columns() {
        let mut root = Cli::command();
        root.build();
        let mut left = vec![root];
        while let Some(mut command) = left.pop() {
            left.extend(command.get_subcommands().cloned());
            let name = command.get_bin_name().unwrap_or_default().to_string();
            for help in [command.render_help(), command.render_long_help()] {
                for line in help.to_string().lines() {
                    assert!(line.chars().count() <= 80, "{name}: {line}");
                }
            }
        }
    }
}
