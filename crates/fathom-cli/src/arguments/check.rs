//! The command line of `fathom check`.

use super::measure::{FailureArguments, SessionArguments, TerminalArguments};
use super::output::OutputArguments;
use super::values::{effort, frequency, named, named_value, share_of_one, value};
use clap::{ArgGroup, Args};
use fathom_analyze::stopping::Precision;
use fathom_formats::{ObservationFormat, RowsAre};
use fathom_measure::EnvironmentOffset;
use fathom_measure::slurm::{MemorySize, SbatchOption, SlurmName, TimeLimit};
use fathom_request::value::Named;
use fathom_request::{CheckMethod, EffortPreset, ExecutorName, OnFailure, Vacuous};
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Probability};
use std::path::PathBuf;
use std::time::Duration;

/// Reads the required share. That all executions satisfy a property is what people ask first, so the error
/// says why it has no answer.
fn required_share(text: &str) -> Result<Probability, String> {
    let is_one = text.trim().parse() == Ok(1.0) || fathom_record::typed::share(text) == Ok(1.0);
    match is_one {
        true => Err("executions cannot show that all satisfy a property: the next one could be the \
                        first that fails. Choose a share below 1, such as 99% or 99.9% (docs/choosing.md)"
            .to_string()),
        false => value(text),
    }
}

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
  fathom check 'runtime < 2 s' 'tail: peak_memory < 1 GB' -- ./sim {seed}
  fathom check --properties promises.txt -j 4 -- ./sim --seed {seed}
  fathom check -L l2 512kB,1MB 'runtime < 2 s' -- ./sim --l2 {l2} {seed}
  fathom check --study study.toml -j 4
  fathom check --executor slurm --slurm-partition main 'ipc > 1' \\
               -- ./sim {seed}

Each execution either satisfies the property or does not. `check` asks whether
at least --probability of all executions do. It runs executions until it can
answer with --confidence, or the budget is spent.

In the command, {seed} is different for each execution and follows from --seed,
{run} is the execution's number, and {dir} is a folder for that execution alone.
Executions must be independent of each other.

The language: comparisons of metrics with units, and or not ->, always G[a,b],
eventually F[a,b], until U[a,b], shares of time P(state) and of occurrences
P(... at event), count, gap, avg, min, max, pct. See docs/properties.md.
Exit codes: 0 true, 1 false, 2 wrong usage, 3 inconclusive within the budget,
4 an execution failed, 5 could not be carried out, 130 interrupted.";

/// What a study's file says, and so is not given with it.
const STATED_IN_STUDIES: [&str; 13] = [
    "property_texts",
    "command",
    "estimates",
    "properties",
    "systems",
    "metrics",
    "files",
    "lists",
    "scans",
    "baseline",
    "shared_seeds",
    "data",
    "shell",
];

#[derive(Debug, Clone, Args)]
#[command(
    after_help = EXAMPLES,
    group = ArgGroup::new("asks_property").args(["property_texts", "properties", "study"]).multiple(true),
    group = ArgGroup::new("asks_value").args(["estimates", "properties", "study"]).multiple(true),
)]
pub(crate) struct CheckArguments {
    /// Check this property, written in quotes: 'runtime < 1.1 s' (repeatable; NAME: may come before
    /// it)
    #[arg(value_name = "PROPERTY")]
    pub(crate) property_texts: Vec<String>,

    /// Run this command for each execution; {seed}, {run} and {dir} are filled in
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,

    /// Required share of executions that satisfy the property: 0.9 or 90%
    #[arg(long, default_value = "0.9", value_name = "F", value_parser = required_share, help_heading = "Question")]
    pub(crate) probability: Probability,

    /// Set the confidence of the answer: 0.95 or 95%
    #[arg(long, default_value = "0.95", value_name = "C", value_parser = value::<Confidence>, help_heading = "Question")]
    pub(crate) confidence: Confidence,

    /// Estimate a value: the one that --probability of executions stay within. Any expression works,
    /// such as runtime or 'max(latency of R)' (repeatable)
    #[arg(long = "estimate", alias = "interval", value_name = "EXPR", help_heading = "Question")]
    pub(crate) estimates: Vec<String>,

    /// Ask the questions in this file as well, one per line: a property, or --estimate EXPR; NAME:
    /// may come before it, # begins a comment, `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = "Question")]
    pub(crate) properties: Option<PathBuf>,

    /// Run the study in this file: parameters, commands, metrics and properties
    /// (docs/studies.md). Executions of earlier studies with the same command and program are kept
    #[arg(long, value_name = "FILE", conflicts_with_all = STATED_IN_STUDIES, help_heading = "Study")]
    pub(crate) study: Option<PathBuf>,

    /// Ask the questions for each of these values of {VAR} in the command (repeatable: every
    /// combination): -L l2 512kB,1MB
    #[arg(short = 'L', long = "parameter-list", num_args = 2, value_names = ["VAR", "VALUES"], allow_hyphen_values = true, conflicts_with = "data", help_heading = "Study")]
    pub(crate) lists: Vec<String>,

    /// Ask the questions for each number from MIN to MAX
    #[arg(short = 'P', long = "parameter-scan", num_args = 3, value_names = ["VAR", "MIN", "MAX"], allow_hyphen_values = true, conflicts_with = "data", help_heading = "Study")]
    pub(crate) scans: Vec<String>,

    /// Set the step of -P [default: 1]
    #[arg(
        short = 'D',
        long = "parameter-step-size",
        value_name = "STEP",
        allow_hyphen_values = true,
        requires = "scans",
        help_heading = "Study"
    )]
    pub(crate) steps: Vec<String>,

    /// Compare every --estimate with the one at this value, as a geometric mean over the other
    /// parameters: l2=512kB
    #[arg(long, value_name = "VAR=VALUE", help_heading = "Study")]
    pub(crate) baseline: Option<String>,

    /// Give the executions of all systems and combinations the same seeds, so that they are pairs
    #[arg(long, conflicts_with = "data", help_heading = "Study")]
    pub(crate) shared_seeds: bool,

    /// With several questions: let --confidence hold for each answer alone, not for all together
    #[arg(long, help_heading = "Question")]
    pub(crate) per_question: bool,

    /// With --estimate: choose whether executions are at most the value (le) or at least (ge)
    #[arg(long, value_parser = named_value::<Direction>(), default_value = "le", value_name = "HOW", requires = "asks_value", help_heading = "Question")]
    pub(crate) direction: Direction,

    /// With --estimate: stop when its half width is this share of the value
    #[arg(long, value_name = "P", value_parser = value::<Precision>, requires = "asks_value", help_heading = "Question")]
    pub(crate) precision: Option<Precision>,

    /// Choose the statistical method [default: exact with --runs and for an --estimate without
    /// --precision, else anytime]
    #[arg(long, value_parser = named_value::<CheckMethod>(), value_name = "METHOD", help_heading = "Question")]
    pub(crate) method: Option<CheckMethod>,

    /// Ignore shares within D of --probability and decide sooner (Wald's test)
    #[arg(long, value_name = "D", value_parser = share_of_one, conflicts_with = "method", requires = "asks_property", help_heading = "Question")]
    pub(crate) indifference: Option<f64>,

    /// Choose how to count executions in which the property never applied
    #[arg(long, value_parser = named_value::<Vacuous>(), default_value = Vacuous::default().name(), value_name = "HOW", requires = "asks_property", help_heading = "Question")]
    pub(crate) vacuous: Vacuous,

    /// Choose how many executions it may take [default: normal]
    #[arg(long, value_name = "EFFORT", value_parser = effort(EffortPreset::of_check), conflicts_with = "max_runs", help_heading = "Budget")]
    pub(crate) effort: Option<EffortPreset>,

    /// Run exactly N executions
    #[arg(short = 'r', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..10_000_000), conflicts_with_all = ["max_runs", "max_time", "precision", "effort"], help_heading = "Budget")]
    pub(crate) runs: Option<u64>,

    /// Run at most N executions, skipped ones included; properties over several executions
    /// (x@1 < x@2) count tuples [default: by --effort]
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..10_000_000), help_heading = "Budget")]
    pub(crate) max_runs: Option<u64>,

    /// Stop after this time: 30s, 10min, 2h
    #[arg(long, value_name = "TIME", value_parser = value::<Duration>, help_heading = "Budget")]
    pub(crate) max_time: Option<Duration>,

    /// Show what would run and how many executions to expect, then exit
    #[arg(long, help_heading = "Budget")]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) executions: ExecutionArguments,

    #[command(flatten)]
    pub(crate) cluster: SlurmArguments,

    #[command(flatten)]
    pub(crate) session: SessionArguments,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) terminal: TerminalArguments,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// Where executions come from, and what is read from them.
#[derive(Debug, Clone, Args)]
#[command(
    next_help_heading = "Executions",
    mut_arg("ignore_failure", |option| option.help(
        "Accept nonzero exit codes, so that a property can use exit_code; -i=1,2 accepts only these"
    )),
    mut_arg("timeout", |option| option.help(
        "Stop an execution after this time; its traces so far are judged, its final numbers are \
         unknown"
    )),
)]
pub(crate) struct ExecutionArguments {
    /// Judge existing executions from files or folders: CSV, JSON, gem5 stats.txt, ...
    /// (docs/executions.md). With several systems: NAME=FILE
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = ["command", "systems"])]
    pub(crate) data: Vec<String>,

    /// Add a system, whose metrics the property names metric@NAME (repeatable)
    #[arg(long = "system", value_name = "NAME=COMMAND", value_parser = named, conflicts_with = "command")]
    pub(crate) systems: Vec<(String, String)>,

    /// Run commands in this shell: sh, bash
    #[arg(short = 'S', long = "shell", value_name = "SHELL")]
    pub(crate) shell: Option<String>,

    /// Read a number from each execution's output (repeatable): NAME=REGEX, NAME=json:PATH,
    /// NAME=csv:COLUMN or NAME=last-number. `NAME[W]=...` sets its unit, NAME=in:FILE:... reads a
    /// file
    #[arg(long = "metric", value_name = "NAME=HOW")]
    pub(crate) metrics: Vec<String>,

    /// Read signals, events and numbers from a file that each execution writes (repeatable); `-` is
    /// its standard output
    #[arg(long = "read", value_name = "FILE")]
    pub(crate) files: Vec<String>,

    /// Set the format of --data and --read files: execution, json, csv, gem5, ...
    /// [default: detected]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<ObservationFormat>,

    /// Read only this column, gem5 statistic, or subject of another tool's file (repeatable)
    #[arg(long = "column", value_name = "NAME")]
    pub(crate) columns: Vec<String>,

    /// Choose what the rows of a table are if it looks like a trace
    #[arg(long, value_parser = named_value::<RowsAre>(), value_name = "WHAT")]
    pub(crate) rows: Option<RowsAre>,

    /// Answer for each group of executions by itself: those with the same text in this column of
    /// --data
    #[arg(long, value_name = "COLUMN", requires = "data")]
    pub(crate) group_by: Option<String>,

    /// Set the unit of a metric whose data has none: power=W (repeatable)
    #[arg(long = "unit", value_name = "NAME=UNIT", value_parser = named)]
    pub(crate) units: Vec<(String, String)>,

    /// Interpolate this signal linearly instead of in steps (repeatable)
    #[arg(long = "linear", value_name = "SIGNAL")]
    pub(crate) linear: Vec<String>,

    /// Declare an event that some executions may lack, with its attributes if it has any: error,
    /// `R(latency[ns])` (repeatable)
    #[arg(long = "event", value_name = "NAME")]
    pub(crate) events: Vec<String>,

    /// Convert cycles to seconds at this frequency: 2GHz
    #[arg(long, value_name = "FREQUENCY", value_parser = frequency)]
    pub(crate) clock: Option<f64>,

    /// Choose what to do when an execution fails; skipped ones count toward --runs and --max-runs
    /// [default: stop; in a study count-as-false]
    #[arg(long, value_parser = named_value::<OnFailure>(), value_name = "WHAT")]
    pub(crate) on_failure: Option<OnFailure>,

    #[command(flatten)]
    pub(crate) failure: FailureArguments,

    /// Run N warm-up executions of each command first
    #[arg(short = 'w', long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u64).range(0..=10_000))]
    pub(crate) warmup: u64,

    /// Run CMD with `sh -c` before every execution; an execution fails if CMD does
    #[arg(short = 'p', long, value_name = "CMD")]
    pub(crate) prepare: Option<String>,

    /// Run executions on this CPU only
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<usize>,

    /// Vary the memory layout from execution to execution through the size of the environment:
    /// random, or a number of bytes
    #[arg(long, value_name = "random|N", value_parser = value::<EnvironmentOffset>)]
    pub(crate) env_offset: Option<EnvironmentOffset>,

    /// Run N executions at once (results are still counted in launch order)
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: u16,

    /// Choose where executions run
    #[arg(long = "executor", alias = "on", value_parser = named_value::<ExecutorName>(), default_value = ExecutorName::default().name(), value_name = "WHERE")]
    pub(crate) on: ExecutorName,

    /// Keep each execution's folder and output in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) keep_files: Option<PathBuf>,

    /// Record metrics over time while each execution runs, as `fathom record` does
    #[arg(long, conflicts_with = "data")]
    pub(crate) record: bool,

    /// With --record, sample at this interval [default: 10ms]
    #[arg(long, value_name = "TIME", value_parser = value::<Duration>, requires = "record")]
    pub(crate) every: Option<Duration>,

    /// Set the seed from which every {seed} follows [default: random, reported]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

/// The options for Slurm.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Slurm (--executor slurm)")]
pub(crate) struct SlurmArguments {
    /// Submit to this partition
    #[arg(long = "slurm-partition", value_name = "NAME")]
    pub(crate) partition: Option<SlurmName>,

    /// Limit the time of one execution, in Slurm's format: 10, 1:30:00, 2-0
    #[arg(long = "slurm-time", value_name = "LIMIT")]
    pub(crate) time: Option<TimeLimit>,

    /// Request this much memory for one execution: 2G
    #[arg(long = "slurm-memory", value_name = "SIZE")]
    pub(crate) memory: Option<MemorySize>,

    /// Charge this account
    #[arg(long = "slurm-account", value_name = "NAME")]
    pub(crate) account: Option<SlurmName>,

    /// Pass another option to sbatch: --slurm-option=--constraint=fast (repeatable)
    #[arg(long = "slurm-option", value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) options: Vec<SbatchOption>,

    /// Run at most N executions at once [default: 64]
    #[arg(long = "slurm-width", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) width: Option<u16>,
}

impl SlurmArguments {
    /// The first option that only Slurm understands.
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
