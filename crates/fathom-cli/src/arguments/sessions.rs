//! The command lines of `fathom list`, `show`, `resume` and `doctor`.

use super::measure::{StoreArguments, Style};
use super::output::OutputArguments;
use super::values::duration;
use clap::{Args, ValueEnum};
use std::time::Duration;

#[derive(Debug, Clone, Args)]
#[command(after_help = "Example:\n  fathom list; fathom show 12; fathom show last --format json")]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,

    /// What to write to standard output
    #[arg(long, value_enum, default_value_t = PlainFormat::Human, value_name = "FORMAT")]
    pub(crate) format: PlainFormat,
}

#[derive(Debug, Clone, Args)]
#[command(
    after_help = "The report is made anew from the saved runs, with the options the session was \
                        started with.\nExample:\n  fathom show last\n  fathom show parser@main     what a bench kept in target/fathom\n  fathom show traces/         what `fathom record` wrote\n  fathom show traces/ --run run-1 --metric gc"
)]
pub(crate) struct ShowArguments {
    /// A session's number, its name, or `last`; SUITE@NAME for results of a bench; a folder of
    /// traces
    #[arg(default_value = "last", value_name = "SESSION")]
    pub(crate) session: String,

    /// Of traces: only this run
    #[arg(long, value_name = "ID", help_heading = "Traces")]
    pub(crate) run: Option<String>,

    /// Of traces: only metrics whose name contains this. Repeat
    #[arg(long = "metric", value_name = "TEXT", help_heading = "Traces")]
    pub(crate) metrics: Vec<String>,

    #[command(flatten)]
    pub(crate) store: StoreArguments,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Goes on where an interrupted or killed session stopped, with the same options, \
                        coins and plan.\nExample:\n  fathom resume last\n  fathom resume 12 --max-runs 5000    a check that could not tell"
)]
pub(crate) struct ResumeArguments {
    /// A session's number, its name, or `last`
    #[arg(default_value = "last", value_name = "SESSION")]
    pub(crate) session: String,

    /// Of a check: at most this many executions, those of before included. One that could not
    /// tell may go on, because its error holds however often one looks
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..10_000_000))]
    pub(crate) max_runs: Option<u64>,

    /// Continue although the program is not the one that the session began with
    #[arg(long)]
    pub(crate) allow_changed_program: bool,

    #[command(flatten)]
    pub(crate) store: StoreArguments,

    /// What the terminal shows
    #[arg(long, value_enum, default_value_t = Style::Auto, value_name = "STYLE")]
    pub(crate) style: Style,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "Example:\n  fathom doctor\n  fathom doctor --cpu 3 --max-time 30s")]
pub(crate) struct DoctorArguments {
    /// How long to measure the noise floor: 10s; 0s only looks at the settings
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = duration)]
    pub(crate) max_time: Duration,

    /// Measure on this processor
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<usize>,

    /// What to write to standard output
    #[arg(long, value_enum, default_value_t = PlainFormat::Human, value_name = "FORMAT")]
    pub(crate) format: PlainFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlainFormat {
    Human,
    Json,
}
