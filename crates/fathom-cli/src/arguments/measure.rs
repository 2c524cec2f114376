//! How commands are run. hyperfine's options keep their names; the others are Fathom's own.

use super::cleaning::CleaningArguments;
use super::output::Color;
use super::values::value;
use clap::{Args, ValueEnum};
use fathom_measure::{EnvironmentOffset, Input, Output, Tolerated};
use fathom_record::Metric;
use fathom_request::MetricOption;
use std::path::PathBuf;
use std::time::Duration;

/// What `run` and `compare` have in common besides the commands: how they are measured, and where
/// that is saved.
#[derive(Debug, Clone, Args)]
pub(crate) struct MeasuringArguments {
    #[command(flatten)]
    pub(crate) running: RunningArguments,

    #[command(flatten)]
    pub(crate) cleaning: CleaningArguments,

    /// Set the random seed [default: random, reported]
    #[arg(long, value_name = "N", help_heading = "Question")]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) session: SessionArguments,
}

#[derive(Debug, Clone, Args)]
#[command(
    next_help_heading = "Running",
    mut_arg("output_to", |option| option.visible_alias("output")),
)]
pub(crate) struct RunningArguments {
    /// Run N warm-up executions first
    #[arg(short = 'w', long = "warmup", value_name = "N")]
    pub(crate) warmup: Option<usize>,

    /// Run CMD with `sh -c` before the first run of a command. Hooks can be given once for all
    /// commands or once for each; {VAR} in them is the value, quoted as one word
    #[arg(short = 's', long = "setup", value_name = "CMD")]
    pub(crate) setup: Vec<String>,

    /// Run CMD before every run
    #[arg(short = 'p', long = "prepare", value_name = "CMD")]
    pub(crate) prepare: Vec<String>,

    /// Run CMD after every run
    #[arg(short = 'C', long = "conclude", value_name = "CMD")]
    pub(crate) conclude: Vec<String>,

    /// Run CMD after the last run of a command
    #[arg(short = 'c', long = "cleanup", value_name = "CMD")]
    pub(crate) cleanup: Vec<String>,

    /// Run CMD between any two runs, for example `sleep 1` to cool down
    #[arg(long, value_name = "CMD")]
    pub(crate) between: Option<String>,

    /// Run commands in this shell: sh, bash, 'bash --norc'. Fathom measures its start-up time and
    /// subtracts it; {VAR} is quoted as one word
    #[arg(short = 'S', long = "shell", value_name = "SHELL", overrides_with = "no_shell")]
    pub(crate) shell: Option<String>,

    /// Run commands without a shell (the default; cancels an earlier -S)
    #[arg(short = 'N', long = "no-shell", overrides_with = "shell")]
    pub(crate) no_shell: bool,

    #[command(flatten)]
    pub(crate) command: CommandArguments,

    /// Vary the memory layout from run to run through the size of the environment: random, or a
    /// number of bytes
    #[arg(long, value_name = "random|N", value_parser = value::<EnvironmentOffset>)]
    pub(crate) env_offset: Option<EnvironmentOffset>,

    /// Count hardware and kernel events: instructions, page-faults, ...; without names,
    /// instructions, cycles, branch-misses and cache-misses
    #[arg(
        long,
        value_name = "NAMES",
        num_args = 0..=1,
        require_equals = true,
        value_delimiter = ',',
        default_missing_value = "instructions,cycles,branch-misses,cache-misses"
    )]
    pub(crate) counters: Vec<String>,

    /// Read a number that the command prints (repeatable): NAME=REGEX, NAME=json:PATH,
    /// NAME=csv:COLUMN or NAME=last-number; `NAME[ms]=...` sets its unit
    #[arg(long = "metric", value_name = "NAME=HOW", value_parser = value::<MetricOption>)]
    pub(crate) metrics: Vec<MetricOption>,

    /// Judge this metric: wall-time, user-time, system-time, cpu-time, peak-memory, minor-faults,
    /// metric:NAME, counter:NAME, ... [default: wall-time]
    #[arg(long = "on", value_name = "METRIC", value_parser = value::<Metric>)]
    pub(crate) on: Vec<Metric>,
}

/// How one command is run, whether it is timed or recorded.
#[derive(Debug, Clone, Args)]
pub(crate) struct CommandArguments {
    #[command(flatten)]
    pub(crate) failure: FailureArguments,

    /// Send the commands' output here: null, pipe, inherit, or a file
    #[arg(long = "stdout", value_name = "WHERE", default_value = "null", value_parser = value::<Output>)]
    pub(crate) output_to: Output,

    /// Show what the commands print, like --stdout inherit
    #[arg(long)]
    pub(crate) show_output: bool,

    /// Give commands this standard input: null, or a file
    #[arg(long, value_name = "FILE", default_value = "null", value_parser = value::<Input>)]
    pub(crate) input: Input,

    /// Run commands on this CPU only
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<usize>,
}

/// When a command has failed.
#[derive(Debug, Clone, Args)]
pub(crate) struct FailureArguments {
    /// Continue if a command fails; -i=1,2 accepts only these exit codes
    #[arg(
        short = 'i',
        long = "ignore-failure",
        value_name = "CODES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        value_parser = value::<Tolerated>
    )]
    pub(crate) ignore_failure: Option<Tolerated>,

    /// Kill a run that takes longer than this, and stop: 30s, 500ms, 2min
    #[arg(long, value_name = "TIME", value_parser = value::<Duration>)]
    pub(crate) timeout: Option<Duration>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Commands")]
pub(crate) struct SubjectArguments {
    /// Run these commands, each in quotes if it has arguments
    #[arg(value_name = "COMMAND")]
    pub(crate) commands: Vec<String>,

    /// Name a command (repeatable, in the order of the commands)
    #[arg(short = 'n', long = "command-name", value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Replace {VAR} by each number from MIN to MAX
    #[arg(
        short = 'P',
        long = "parameter-scan",
        num_args = 3,
        value_names = ["VAR", "MIN", "MAX"],
        allow_negative_numbers = true
    )]
    pub(crate) scans: Vec<String>,

    /// Set the step of -P [default: 1]
    #[arg(
        short = 'D',
        long = "parameter-step-size",
        value_name = "STEP",
        requires = "scans",
        allow_negative_numbers = true
    )]
    pub(crate) steps: Vec<String>,

    /// Replace {VAR} by each of these; several -L and -P give every combination
    #[arg(
        short = 'L',
        long = "parameter-list",
        num_args = 2,
        value_names = ["VAR", "A,B,..."],
        allow_hyphen_values = true
    )]
    pub(crate) lists: Vec<String>,

    /// Compare the others with this command [default: the first]
    #[arg(long, value_name = "COMMAND")]
    pub(crate) reference: Option<String>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Session")]
pub(crate) struct SessionArguments {
    /// Save the session under this name, for --baseline and `fathom show`
    #[arg(long, value_name = "NAME", conflicts_with = "no_save")]
    pub(crate) save: Option<String>,

    /// Take the name of --save even if another session has it; that one keeps its number
    #[arg(long, requires = "save")]
    pub(crate) force: bool,

    /// Do not save the session
    #[arg(long)]
    pub(crate) no_save: bool,

    #[command(flatten)]
    pub(crate) folder: StoreArguments,
}

/// Where sessions are.
#[derive(Debug, Clone, Args)]
pub(crate) struct StoreArguments {
    /// Keep sessions in this folder instead of your data folder
    #[arg(long, value_name = "DIR", help_heading = "Session")]
    pub(crate) session_dir: Option<PathBuf>,
}

/// What the terminal shows.
#[derive(Debug, Clone, Args)]
pub(crate) struct TerminalArguments {
    /// Choose what the terminal shows
    #[arg(long, value_enum, default_value_t = Style::Auto, value_name = "STYLE")]
    pub(crate) style: Style,
}

/// What the terminal shows while Fathom measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Progress and colors if it is a terminal
    Auto,
    /// Neither progress nor colors
    Basic,
    /// Both, even if it is not a terminal
    Full,
    /// Progress without colors
    Nocolor,
    /// Colors without progress
    Color,
    /// Nothing at all, if you only want exports
    None,
}

impl Style {
    /// The colors that this style implies.
    pub(crate) fn color(self, chosen: Color) -> Color {
        match self {
            Style::Auto | Style::None => chosen,
            Style::Basic | Style::Nocolor => Color::Never,
            Style::Full | Style::Color => Color::Always,
        }
    }
}
