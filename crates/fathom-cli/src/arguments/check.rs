//! The command line of `fathom check`.

use super::measure::{SessionArguments, Style};
use super::names::DirectionName;
use super::output::OutputArguments;
use super::values::{
    codes, confidence, duration, frequency, named, precision, probability, share_of_one,
};
use clap::{Args, ValueEnum};
use fathom_analyze::stopping::Precision;
use fathom_formats::{ObservationFormat, RowsAre};
use fathom_measure::Tolerated;
use fathom_measure::slurm::{MemorySize, SbatchOption, SlurmName, TimeLimit};
use fathom_stats::{Confidence, Probability};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fathom check 'runtime < 1.1 s' --probability 0.8 -- ./sim --seed {seed}
  fathom check 'ipc >= 1.2' --metric ipc='ipc: ([0-9.]+)' -- ./sim --seed {seed}
  fathom check 'G(req -> F[0,100ns] ack)' --read '{dir}/trace.csv' \\
               -- ./sim --seed {seed} --trace {dir}/trace.csv
  fathom check 'P(mispredict) < 20%' --data traces/*.json
  fathom check 'speedup(old, new) >= 1.1' --system old='./a {seed}' \\
               --system new='./b {seed}'
  fathom check --estimate runtime --probability 0.9 -- ./sim {seed}
  fathom check --executor slurm --slurm-partition main 'ipc > 1' -- ./sim {seed}

A property is true or false of one execution; the question is whether it is
true of at least --probability of all of them. Executions run until that is
sure at --confidence, or the budget is spent. {seed} differs from execution to
execution and follows from --seed, {run} is the execution's number, {dir} a
folder of its own. Executions must be independent of each other.

The language: comparisons of metrics with units, and or not ->, always G[a,b],
eventually F[a,b], until U[a,b], shares of time P(state) and of occurrences
P(... at event), count, gap, avg, min, max, pct. See docs/properties.md.
Exit codes: 0 true, 1 false, 3 cannot tell within the budget, 2 wrong usage,
4 an execution failed, 130 interrupted.";

#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArguments {
    /// The property, in quotes: 'runtime < 1.1 s'
    #[arg(value_name = "PROPERTY")]
    pub(crate) property: Option<String>,

    /// The command that makes an execution, after `--`; {seed}, {run} and {dir} are filled in
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,

    /// Of which share of all executions the property is to be true: 0.9 or 90%
    #[arg(long, default_value = "0.9", value_name = "F", value_parser = probability, help_heading = "Question")]
    pub(crate) probability: Probability,

    /// How sure the answer is to be: 0.95 or 95%
    #[arg(long, default_value = "0.95", value_name = "C", value_parser = confidence, help_heading = "Question")]
    pub(crate) confidence: Confidence,

    /// Ask for a number instead: the value that --probability of all executions keep to, with its
    /// interval; any expression, such as runtime or 'max(latency of R)'
    #[arg(
        long = "estimate",
        alias = "interval",
        value_name = "EXPR",
        conflicts_with = "property",
        help_heading = "Question"
    )]
    pub(crate) interval: Option<String>,

    /// With --estimate: whether executions keep to the value by being at most (le) or at least
    /// (ge) that
    #[arg(long, value_enum, default_value_t = DirectionName::Le, value_name = "HOW", requires = "interval", help_heading = "Question")]
    pub(crate) direction: DirectionName,

    /// With --estimate: go on until its half width is this share of the value
    #[arg(long, value_name = "P", value_parser = precision, requires = "interval", help_heading = "Question")]
    pub(crate) precision: Option<Precision>,

    /// anytime (default): right however often one looks. exact: for a number of executions fixed
    /// beforehand, by --runs or with --data. spa: the paper's, whose error is larger than it says
    #[arg(long, value_enum, value_name = "METHOD", help_heading = "Question")]
    pub(crate) method: Option<CheckMethod>,

    /// Do not care about probabilities within D of F: Wald's test, which then ends soon
    #[arg(long, value_name = "D", value_parser = share_of_one, conflicts_with_all = ["method", "interval"], help_heading = "Question")]
    pub(crate) indifference: Option<f64>,

    /// How an execution counts that says nothing because what the property speaks of never
    /// happened
    #[arg(long, value_enum, default_value_t = Vacuous::True, value_name = "HOW", conflicts_with = "interval", help_heading = "Question")]
    pub(crate) vacuous: Vacuous,

    /// Exactly this many executions
    #[arg(short = 'r', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..10_000_000), conflicts_with_all = ["max_runs", "max_time", "precision"], help_heading = "Budget")]
    pub(crate) runs: Option<u64>,

    /// At most this many executions (for several at once: tuples), those that do not count included
    /// [default: 1000, or ten times what an answer needs at least]
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..10_000_000), help_heading = "Budget")]
    pub(crate) max_runs: Option<u64>,

    /// At most this long: 30s, 10min, 2h
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Budget")]
    pub(crate) max_time: Option<Duration>,

    /// Say what would be run and how many executions to expect, and run nothing
    #[arg(long, help_heading = "Budget")]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) executions: ExecutionArguments,

    #[command(flatten)]
    pub(crate) cluster: SlurmArguments,

    #[command(flatten)]
    pub(crate) session: SessionArguments,

    /// What the terminal shows
    #[arg(long, value_enum, default_value_t = Style::Auto, value_name = "STYLE", help_heading = "Output")]
    pub(crate) style: Style,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// Where executions come from and what is read of them.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Executions")]
pub(crate) struct ExecutionArguments {
    /// Judge executions that were made elsewhere: files or folders (CSV, JSON, gem5 stats.txt,
    /// ...; see docs/executions.md). With several systems: NAME=FILE
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = ["command", "systems"])]
    pub(crate) data: Vec<String>,

    /// One of several systems that the property speaks of as metric@NAME; repeat
    #[arg(long = "system", value_name = "NAME=COMMAND", value_parser = named, conflicts_with = "command")]
    pub(crate) systems: Vec<(String, String)>,

    /// Have this shell run the commands: sh, bash
    #[arg(short = 'S', long = "shell", value_name = "SHELL")]
    pub(crate) shell: Option<String>,

    /// Read a number from each execution's output: NAME=REGEX, NAME=json:PATH, NAME=csv:COLUMN or
    /// NAME=last-number; `NAME[W]=...` says its unit, NAME=in:FILE:... reads a file. Repeat
    #[arg(long = "metric", value_name = "NAME=HOW")]
    pub(crate) metrics: Vec<String>,

    /// Read signals, events and numbers from a file that each execution writes; `-` is its
    /// standard output. Repeat
    #[arg(long = "read", value_name = "FILE")]
    pub(crate) files: Vec<String>,

    /// The format of the files of --data and --read; told from their content unless it is given:
    /// execution, json, csv, gem5, ...
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<ObservationFormat>,

    /// Read only these columns of tables or statistics of gem5, or this subject of another tool's
    /// file. Repeat
    #[arg(long = "column", value_name = "NAME")]
    pub(crate) columns: Vec<String>,

    /// Say what rows of tables are that look like a trace: an execution each, or samples of one
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) rows: Option<Rows>,

    /// Say the unit of a metric for which the data state none: power=W. Repeat
    #[arg(long = "unit", value_name = "NAME=UNIT", value_parser = named)]
    pub(crate) units: Vec<(String, String)>,

    /// A signal that goes straight from value to value instead of jumping. Repeat
    #[arg(long = "linear", value_name = "SIGNAL")]
    pub(crate) linear: Vec<String>,

    /// An event that need not occur in every execution, with its attributes if it has some:
    /// error, `R(latency[ns])`. Repeat
    #[arg(long = "event", value_name = "NAME")]
    pub(crate) events: Vec<String>,

    /// The frequency that ties cycles to seconds: 2GHz
    #[arg(long, value_name = "FREQUENCY", value_parser = frequency)]
    pub(crate) clock: Option<f64>,

    /// What to do about an execution that fails. With skip the answer is about executions that
    /// succeed; they count for --runs and --max-runs all the same
    #[arg(long, value_enum, default_value_t = OnFailure::Stop, value_name = "WHAT")]
    pub(crate) on_failure: OnFailure,

    /// Statuses that are no failure, so that a property can speak of exit_code; with codes, only
    /// these: -i=1,2
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

    /// Cut an execution off after this time; what its traces showed until then is judged, numbers of
    /// the whole are unknown
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// So many executions at a time; they count in the order of their numbers
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: u16,

    /// Where executions run
    #[arg(long = "executor", alias = "on", value_enum, default_value_t = Place::Local, value_name = "WHERE")]
    pub(crate) on: Place,

    /// Keep each execution's folder and output here
    #[arg(long, value_name = "DIR")]
    pub(crate) keep_files: Option<PathBuf>,

    /// Where {seed}s come from [default: chosen anew, and reported]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

/// What Slurm is told.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Slurm (--executor slurm)")]
pub(crate) struct SlurmArguments {
    /// The partition
    #[arg(long = "slurm-partition", value_name = "NAME")]
    pub(crate) partition: Option<SlurmName>,

    /// The time limit of an execution, as Slurm writes it: 10, 1:30:00, 2-0
    #[arg(long = "slurm-time", value_name = "LIMIT")]
    pub(crate) time: Option<TimeLimit>,

    /// The memory of an execution: 2G
    #[arg(long = "slurm-memory", value_name = "SIZE")]
    pub(crate) memory: Option<MemorySize>,

    /// The account that is charged
    #[arg(long = "slurm-account", value_name = "NAME")]
    pub(crate) account: Option<SlurmName>,

    /// Any other option of sbatch: --slurm-option=--constraint=fast. Repeat
    #[arg(long = "slurm-option", value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) options: Vec<SbatchOption>,

    /// So many executions under way at most (64 unless you say)
    #[arg(long = "slurm-width", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) width: Option<u16>,
}

impl SlurmArguments {
    /// Whether something was said that only Slurm understands.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        [
            ("--slurm-partition", self.partition.is_some()),
            ("--slurm-time", self.time.is_some()),
            ("--slurm-memory", self.memory.is_some()),
            ("--slurm-account", self.account.is_some()),
            ("--slurm-option", !self.options.is_empty()),
            ("--slurm-width", self.width.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_given)| is_given.then_some(name))
    }
}

/// How the question is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckMethod {
    Anytime,
    Exact,
    Spa,
}

/// What rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rows {
    /// Each row is an execution
    Executions,
    /// All rows are samples of one execution
    Samples,
}

impl Rows {
    pub(crate) fn value(self) -> RowsAre {
        match self {
            Rows::Executions => RowsAre::Executions,
            Rows::Samples => RowsAre::Samples,
        }
    }
}

/// How a vacuous execution counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Vacuous {
    /// As true: nothing stands against the property
    True,
    /// As false
    False,
    /// Not at all: the answer is then about executions in which it happens
    Skip,
}

/// What happens when an execution fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnFailure {
    /// End, and say why
    Stop,
    /// Leave it out: the answer is then about executions that succeed
    Skip,
    /// It does not keep the promise
    CountAsFalse,
}

/// Where executions run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Place {
    /// On this machine
    Local,
    /// On a cluster, by job arrays
    Slurm,
}
