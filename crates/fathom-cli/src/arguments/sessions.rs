//! The command lines of `fathom list`, `show`, `resume` and `doctor`.

use super::measure::{StoreArguments, TerminalArguments};
use super::output::{HyperfineArguments, OutputArguments};
use super::values::{effort, value};
use clap::{Args, ValueEnum};
use fathom_request::EffortPreset;
use std::time::Duration;

const SHOW_EXAMPLES: &str = "\
Examples:
  fathom show last
  fathom show parser@main     saved results of a bench, from target/fathom
  fathom show traces/         what `fathom record` wrote
  fathom show traces/ --run run-1 --filter gc

Fathom computes the report again from the saved runs, with the options that the
session was started with.";

const RESUME_EXAMPLES: &str = "\
Examples:
  fathom resume last
  fathom resume 12 --max-runs 5000    a check that was inconclusive

Continues an interrupted or killed session where it stopped, with the same
options, plan and random choices.";

const DELETE_EXAMPLES: &str = "\
Examples:
  fathom delete 12
  fathom delete main 7 last
  fathom delete parser@main   saved results of a bench, from target/fathom

Deletes sessions with all their runs, for good. If one of them does not exist
or is being measured, nothing is deleted.";

#[derive(Debug, Clone, Args)]
#[command(after_help = "Example:\n  fathom list; fathom show 12; fathom show last --format json")]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,

    /// Choose the format of standard output
    #[arg(long, value_enum, default_value_t = PlainFormat::Human, value_name = "FORMAT")]
    pub(crate) format: PlainFormat,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = SHOW_EXAMPLES)]
pub(crate) struct ShowArguments {
    /// Show this: a session's number, its name, or `last`; SUITE@NAME for saved results of a bench;
    /// a trace folder
    #[arg(default_value = "last", value_name = "SESSION")]
    pub(crate) session: String,

    /// Show only this run of the traces
    #[arg(long, value_name = "ID", help_heading = "Traces")]
    pub(crate) run: Option<String>,

    /// Show only metrics whose name contains this (repeatable)
    #[arg(long = "filter", alias = "metric", value_name = "TEXT", help_heading = "Traces")]
    pub(crate) metrics: Vec<String>,

    #[command(flatten)]
    pub(crate) store: StoreArguments,

    #[command(flatten)]
    pub(crate) output: OutputArguments,

    #[command(flatten)]
    pub(crate) hyperfine: HyperfineArguments,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = RESUME_EXAMPLES)]
pub(crate) struct ResumeArguments {
    /// Continue this session: its number, its name, or `last`
    #[arg(default_value = "last", value_name = "SESSION")]
    pub(crate) session: String,

    /// Run at most N executions of a check, earlier ones included. An inconclusive check may
    /// continue: its error rate holds however often you look
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..10_000_000))]
    pub(crate) max_runs: Option<u64>,

    /// Continue even if the program has changed since the session started
    #[arg(long)]
    pub(crate) allow_changed_program: bool,

    #[command(flatten)]
    pub(crate) store: StoreArguments,

    #[command(flatten)]
    pub(crate) terminal: TerminalArguments,

    #[command(flatten)]
    pub(crate) output: OutputArguments,

    #[command(flatten)]
    pub(crate) hyperfine: HyperfineArguments,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = DELETE_EXAMPLES)]
pub(crate) struct DeleteArguments {
    /// Delete these: numbers or names of sessions, `last`; SUITE@NAME for saved results of a bench
    #[arg(required = true, value_name = "SESSION")]
    pub(crate) sessions: Vec<String>,

    #[command(flatten)]
    pub(crate) store: StoreArguments,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "Example:\n  fathom doctor\n  fathom doctor --cpu 3 --max-time 30s")]
pub(crate) struct DoctorArguments {
    /// Choose how long it may take
    #[arg(long, default_value = "normal", value_name = "EFFORT", value_parser = effort(EffortPreset::of_doctor), conflicts_with = "max_time")]
    pub(crate) effort: EffortPreset,

    /// Measure the noise floor for this long, half of it on each CPU in turn; 0s checks only the
    /// settings [default: by --effort]
    #[arg(long, value_name = "TIME", value_parser = value::<Duration>)]
    pub(crate) max_time: Option<Duration>,

    /// Measure on this CPU
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<usize>,

    /// Choose the format of standard output
    #[arg(long, value_enum, default_value_t = PlainFormat::Human, value_name = "FORMAT")]
    pub(crate) format: PlainFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlainFormat {
    Human,
    Json,
}
