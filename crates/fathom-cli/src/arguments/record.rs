//! The command lines of `fathom record`, `import` and `export`.

use super::measure::{Style, input, output};
use super::sessions::PlainFormat;
use super::values::{codes, duration, time_unit};
use clap::Args;
use fathom_formats::trace_imports::ImportFormat;
use fathom_measure::{Input, Output, Tolerated};
use fathom_record::TimeUnit;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fathom record --dry-run -- ./server --port 8080
  fathom record -o traces -- java -jar app.jar
  fathom record -o traces --interval 1ms --probe process,perf -- ./sim
  fathom record -o traces --runs 1 --app-metric tps='tps=([0-9.]+)' -- ./bench
  fathom record -o traces --pid 4711 --duration 30s
  fathom show traces

No single run can give hundreds of metrics without being disturbed, so probes
are spread over runs: the command is run once for each group of probes, and
the common metric is in every run, so that runs can be aligned. --dry-run says
which groups this machine offers and what sampling them will cost.

Probes: perf.* (events that the kernel and the processor count), process.*
(the program and all its children and threads, from /proc), jvm (HotSpot's own
counters), system.* (the whole machine). A name selects all below it:
--probe process,system.vmstat.

DIR holds manifest.json and a Parquet file per run and sampler, which pandas,
polars and DuckDB read; see docs/trace-format.md.
Exit codes: 0 recorded, 2 wrong usage, 4 the command failed, 130 interrupted;
what was recorded is kept in every case.";

#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RecordArguments {
    /// The command to record, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,

    /// The folder to write: manifest.json and a Parquet file per run and sampler
    #[arg(short = 'o', long = "into", value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,

    /// Replace the folder if it holds an earlier recording
    #[arg(long, requires = "into")]
    pub(crate) force: bool,

    /// Say what would be recorded, in which runs and at what cost, and run nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) sampling: SamplingArguments,

    #[command(flatten)]
    pub(crate) application: ApplicationArguments,

    #[command(flatten)]
    pub(crate) running: RecordedCommandArguments,

    /// What to write to standard output
    #[arg(long, value_enum, default_value_t = PlainFormat::Human, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: PlainFormat,

    /// What the terminal shows
    #[arg(long, value_enum, default_value_t = Style::Auto, value_name = "STYLE", help_heading = "Output")]
    pub(crate) style: Style,

    /// Only the answer
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub(crate) quiet: bool,

    /// More: every probe with its metrics and its cost
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
}

/// What is sampled, how often, in how many runs.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Sampling")]
pub(crate) struct SamplingArguments {
    /// The time between two samples: 10ms, 1ms, 500us
    #[arg(long, default_value = "10ms", value_name = "TIME", value_parser = duration)]
    pub(crate) interval: Duration,

    /// Record only these probes: process, system.vmstat, jvm; several by commas. Repeat
    /// [default: all that this machine has]
    #[arg(long = "probe", value_name = "NAMES", value_delimiter = ',')]
    pub(crate) probes: Vec<String>,

    /// Record exactly these probes together in a run of their own; repeat for further runs
    #[arg(long = "group", value_name = "NAMES", conflicts_with = "probes")]
    pub(crate) groups: Vec<String>,

    /// Run the command this often: with fewer runs than groups of probes groups are put together,
    /// with more they are repeated [default: one run for each group]
    #[arg(short = 'r', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) runs: Option<u32>,

    /// The metric that is in every run, by which runs are aligned
    /// [default: instructions where one set of counters has them, else the task clock]
    #[arg(long, value_name = "METRIC")]
    pub(crate) common: Option<String>,

    /// Record this process, which runs already, with its children and threads
    #[arg(long, value_name = "PID", conflicts_with = "command")]
    pub(crate) pid: Option<u32>,

    /// With --pid: for this long, each run [default: until it ends, or Ctrl-C]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) duration: Option<Duration>,
}

/// What the program says of itself.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "The program's own metrics")]
pub(crate) struct ApplicationArguments {
    /// Read a number from each line that matches: NAME=REGEX, NAME=json:PATH or
    /// NAME=last-number; `NAME[ms]=...` says its unit. Repeat
    #[arg(long = "app-metric", value_name = "NAME=HOW")]
    pub(crate) metrics: Vec<String>,

    /// Take every number of lines that are JSON objects
    #[arg(long = "app-json")]
    pub(crate) json: bool,

    /// Where lines or metrics come from: stdout (default with --app-metric and --app-json), pipe
    /// (a named pipe whose path the command finds in FATHOM_PIPE), pipe:PATH, a log file that is
    /// followed, or http://127.0.0.1:PORT/metrics in the OpenMetrics format. Repeat
    #[arg(long = "app-from", value_name = "SOURCE")]
    pub(crate) sources: Vec<String>,
}

/// How the command is run.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct RecordedCommandArguments {
    /// Run this before every run
    #[arg(short = 'p', long = "prepare", value_name = "CMD", conflicts_with = "pid")]
    pub(crate) prepare: Option<String>,

    /// Run this after every run
    #[arg(short = 'C', long = "conclude", value_name = "CMD", conflicts_with = "pid")]
    pub(crate) conclude: Option<String>,

    /// Have this shell run the command: sh, bash
    #[arg(short = 'S', long = "shell", value_name = "SHELL", conflicts_with = "pid")]
    pub(crate) shell: Option<String>,

    /// Go on with the next run if the command fails; with codes, only on these: -i=1,2
    #[arg(
        short = 'i',
        long = "ignore-failure",
        value_name = "CODES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        value_parser = codes,
        conflicts_with = "pid"
    )]
    pub(crate) ignore_failure: Option<Tolerated>,

    /// Kill a run that takes longer; what was recorded is kept
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "pid")]
    pub(crate) timeout: Option<Duration>,

    /// Where the command's output goes: null, pipe, inherit, or a file
    #[arg(long = "output", value_name = "WHERE", default_value = "null", value_parser = output, conflicts_with = "pid")]
    pub(crate) output_to: Output,

    /// Show what the command prints, like --output inherit
    #[arg(long, conflicts_with = "pid")]
    pub(crate) show_output: bool,

    /// What the command reads: null, or a file
    #[arg(long, value_name = "FILE", default_value = "null", value_parser = input, conflicts_with = "pid")]
    pub(crate) input: Input,

    /// Bind the command to this processor
    #[arg(long, value_name = "N", conflicts_with = "pid")]
    pub(crate) cpu: Option<usize>,
}

const IMPORTS: &str = "\
Examples:
  perf stat -I 100 -x, -e task-clock,page-faults ./app 2> perf.csv
  fathom import perf.csv -o traces
  fathom import run1.csv run2.csv run3.csv -o traces --common ipc
  java -Xlog:gc*,safepoint:file=gc.log -jar app.jar; fathom import gc.log -o gc

Reads CSV (a time column first, a metric per column), Parquet, `perf stat -I
-x,`, Prometheus range queries (JSON), Netdata exports (CSV, JSON) and GC logs
of OpenJDK. Each file becomes a run; --merge makes all of them one run.";

#[derive(Debug, Clone, Args)]
#[command(after_help = IMPORTS)]
pub(crate) struct ImportArguments {
    /// The files, or folders of CSV files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The folder to write
    #[arg(short = 'o', long = "into", value_name = "DIR")]
    pub(crate) into: PathBuf,

    /// Replace the folder if it holds earlier traces
    #[arg(long)]
    pub(crate) force: bool,

    /// The files' format; told from their content unless it is given: csv, parquet, perf-stat,
    /// prometheus, netdata, gc-log
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<ImportFormat>,

    /// The unit of a time column that does not say it: s, ms, us, ns
    #[arg(short = 'u', long, value_name = "UNIT", value_parser = time_unit)]
    pub(crate) time_unit: Option<TimeUnit>,

    /// These metrics only grow, and what counts is by how much: requests, *_total. Repeat
    #[arg(long = "counter", value_name = "NAME")]
    pub(crate) counters: Vec<String>,

    /// All files are of one and the same run
    #[arg(long)]
    pub(crate) merge: bool,

    /// The metric by which runs are aligned
    #[arg(long, value_name = "METRIC")]
    pub(crate) common: Option<String>,

    /// Say nothing if all went well
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

const EXPORTS: &str = "\
Examples:
  fathom export traces --run run-1 --sampler fast > run-1.csv
  fathom export traces -o csv/

CSV has the columns start_ns and end_ns, then a metric per column; a value
that was not seen is empty. Counters are raw totals.";

#[derive(Debug, Clone, Args)]
#[command(after_help = EXPORTS)]
pub(crate) struct ExportArguments {
    /// The folder of traces
    #[arg(value_name = "DIR")]
    pub(crate) traces: PathBuf,

    /// Only this run
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,

    /// Only this sampler: fast, slow, app
    #[arg(long, value_name = "NAME")]
    pub(crate) sampler: Option<String>,

    /// Write a CSV file per run and sampler into this folder, instead of one to standard output
    #[arg(short = 'o', long = "into", value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
}
