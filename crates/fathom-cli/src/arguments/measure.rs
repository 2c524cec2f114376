//! How commands are run: hyperfine's flags under hyperfine's names, and what it lacks.

use super::output::Color;
use super::values::{codes, duration, environment_offset, metric, printed_metric};
use clap::{Args, ValueEnum};
use fathom_measure::{EnvironmentOffset, Input, Output, PrintedMetric, Tolerated};
use fathom_record::Metric;
use fathom_request::MetricOption;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunningArguments {
    /// Runs of each command before measuring, not counted
    #[arg(short = 'w', long = "warmup", value_name = "N")]
    pub(crate) warmup: Option<usize>,

    /// Run this with `sh -c` before the first run of a command. In all hooks {VAR} is the value,
    /// quoted as one word. Give it once for all commands, or once for each
    #[arg(short = 's', long = "setup", value_name = "CMD")]
    pub(crate) setup: Vec<String>,

    /// Run this before every run
    #[arg(short = 'p', long = "prepare", value_name = "CMD")]
    pub(crate) prepare: Vec<String>,

    /// Run this after every run
    #[arg(short = 'C', long = "conclude", value_name = "CMD")]
    pub(crate) conclude: Vec<String>,

    /// Run this after the last run of a command
    #[arg(short = 'c', long = "cleanup", value_name = "CMD")]
    pub(crate) cleanup: Vec<String>,

    /// Run this between any two runs, for example `sleep 1` to cool down
    #[arg(long, value_name = "CMD")]
    pub(crate) between: Option<String>,

    /// Have this shell run the commands: sh, bash, 'bash --norc'. Its start-up is measured in turn
    /// with them and subtracted from times; {VAR} is quoted as one word
    #[arg(short = 'S', long = "shell", value_name = "SHELL", overrides_with = "no_shell")]
    pub(crate) shell: Option<String>,

    /// No shell; that is the default, and undoes an earlier -S
    #[arg(short = 'N', long = "no-shell", overrides_with = "shell")]
    pub(crate) no_shell: bool,

    /// Go on if a command fails; with codes, only on these: -i=1,2
    #[arg(
        short = 'i',
        long = "ignore-failure",
        value_name = "CODES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        value_parser = codes
    )]
    pub(crate) ignore_failure: Option<Tolerated>,

    /// Kill a run that takes longer, and end: 30s, 500ms, 2min
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// Where output goes: null, pipe, inherit, or a file
    #[arg(long = "output", value_name = "WHERE", default_value = "null", value_parser = output)]
    pub(crate) output_to: Output,

    /// Show what the commands print, like --output inherit
    #[arg(long)]
    pub(crate) show_output: bool,

    /// What commands read: null, or a file
    #[arg(long, value_name = "FILE", default_value = "null", value_parser = input)]
    pub(crate) input: Input,

    /// Bind commands to this processor
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<usize>,

    /// Vary the size of the environment, and so the memory layout, from run to run: random, or a
    /// number of bytes
    #[arg(long, value_name = "random|N", value_parser = environment_offset)]
    pub(crate) env_offset: Option<EnvironmentOffset>,

    /// Count events through the kernel: instructions, cycles, branch-misses, cache-misses, ...;
    /// without names, the usual ones
    #[arg(
        long,
        value_name = "NAMES",
        num_args = 0..=1,
        require_equals = true,
        value_delimiter = ',',
        default_missing_value = "instructions,cycles,branch-misses,cache-misses"
    )]
    pub(crate) counters: Vec<String>,

    /// Read a number that the command prints: NAME=REGEX, NAME=json:PATH, NAME=csv:COLUMN or
    /// NAME=last-number; `NAME[ms]=...` says its unit. Repeat for several
    #[arg(long = "metric", value_name = "NAME=HOW", value_parser = printed_metric)]
    pub(crate) metrics: Vec<MetricOption>,

    /// What to judge: wall-time, user-time, system-time, cpu-time, peak-memory, minor-faults,
    /// metric:NAME, counter:NAME, ...
    /// [default: wall-time]
    #[arg(long = "on", value_name = "METRIC", value_parser = metric)]
    pub(crate) on: Vec<Metric>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Commands")]
pub(crate) struct SubjectArguments {
    /// The commands, each in quotes if it has arguments
    #[arg(value_name = "COMMAND")]
    pub(crate) commands: Vec<String>,

    /// What to call a command; repeat, in the order of the commands
    #[arg(short = 'n', long = "command-name", value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Put each number from MIN to MAX for {VAR}
    #[arg(
        short = 'P',
        long = "parameter-scan",
        num_args = 3,
        value_names = ["VAR", "MIN", "MAX"],
        allow_negative_numbers = true
    )]
    pub(crate) scans: Vec<String>,

    /// The step of -P [default: 1]
    #[arg(
        short = 'D',
        long = "parameter-step-size",
        value_name = "STEP",
        requires = "scans",
        allow_negative_numbers = true
    )]
    pub(crate) steps: Vec<String>,

    /// Put each of these for {VAR}; several -L and -P give every combination
    #[arg(short = 'L', long = "parameter-list", num_args = 2, value_names = ["VAR", "A,B,..."])]
    pub(crate) lists: Vec<String>,

    /// The command that the others are compared with
    /// [default: the first]
    #[arg(long, value_name = "COMMAND")]
    pub(crate) reference: Option<String>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Session")]
pub(crate) struct SessionArguments {
    /// Save the session under this name, for --baseline and `fathom show`
    #[arg(long, value_name = "NAME", conflicts_with = "no_save")]
    pub(crate) save: Option<String>,

    /// Keep nothing on disk
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

/// What the terminal shows while measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Progress and colours on a terminal
    Auto,
    /// Neither
    Basic,
    /// Both, also where it is not a terminal
    Full,
    /// Progress without colours
    Nocolor,
    /// Colours without progress
    Color,
    /// Nothing at all; for exports
    None,
}

impl Style {
    /// The colours that follow.
    pub(crate) fn color(self, chosen: Color) -> Color {
        match self {
            Style::Auto | Style::None => chosen,
            Style::Basic | Style::Nocolor => Color::Never,
            Style::Full | Style::Color => Color::Always,
        }
    }
}

impl RunningArguments {
    /// What is read from the commands' output.
    pub(crate) fn printed(&self) -> Vec<PrintedMetric> {
        self.metrics.iter().filter_map(|option| option.metric().ok()).collect()
    }

    /// Where output goes.
    pub(crate) fn output(&self) -> Output {
        if self.show_output { Output::Inherit } else { self.output_to.clone() }
    }
}

pub(super) fn output(text: &str) -> Result<Output, String> {
    Ok(match text {
        "" => return Err("use null, pipe, inherit, or a file".to_string()),
        "null" => Output::Null,
        "pipe" => Output::Pipe,
        "inherit" => Output::Inherit,
        file => Output::File(PathBuf::from(file)),
    })
}

pub(super) fn input(text: &str) -> Result<Input, String> {
    match text {
        "" => Err("use null, or a file".to_string()),
        "null" => Ok(Input::Null),
        file => Ok(Input::File(PathBuf::from(file))),
    }
}
