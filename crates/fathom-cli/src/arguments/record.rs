//! The command lines of `fathom record`, `import` and `export`.

use super::measure::{CommandArguments, TerminalArguments};
use super::metric_store::MetricStoreArguments;
use super::refusals::refused_with;
use super::sessions::PlainFormat;
use super::values::value;
use clap::Args;
use fathom_formats::trace_imports::ImportFormat;
use fathom_record::TimeUnit;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fathom record --dry-run -- ./server --port 8080
  fathom record -o traces -- java -jar app.jar
  fathom record -o traces --every 1ms --probe process,perf -- ./sim
  fathom record -o traces --runs 1 --app-metric tps='tps=([0-9.]+)' -- ./bench
  fathom record -o traces --event sched:sched_switch -- ./server
  fathom record -o traces --derive 'ipc=instructions/cycles' -- ./sim
  fathom record -o traces --pid 4711 --duration 30s
  fathom show traces

Sampling hundreds of metrics in one run would disturb the program. So Fathom
splits the probes into groups and runs the command once for each group. The
common metric is in every run, so that the runs can be aligned. --dry-run shows
the groups on this machine and what sampling them costs.

Probes: perf.* (hardware and kernel events), process.* (the program with its
children and threads, from /proc), jvm (HotSpot's own counters), system.* (the
whole machine). A name selects everything below it:
--probe process,system.vmstat.

Fathom writes manifest.json and one Parquet file per run and sampler. pandas,
polars and DuckDB read them; see docs/trace-format.md.
Exit codes: 0 recorded, 2 wrong usage, 4 the command failed, 5 could not be
carried out, 130 interrupted. What was recorded is kept in every case.";

#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES, mut_args(refused_with::<RecordedCommandArguments>("pid")))]
pub(crate) struct RecordArguments {
    /// Record this command
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,

    /// Write the traces to this folder
    #[arg(short = 'o', long = "output", alias = "into", value_name = "DIR", value_parser = folder)]
    pub(crate) into: Option<PathBuf>,

    /// Replace an earlier recording in the folder
    #[arg(long, requires = "into")]
    pub(crate) force: bool,

    /// Show what would be recorded, in which runs and at what cost, then exit
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) sampling: SamplingArguments,

    #[command(flatten)]
    pub(crate) application: ApplicationArguments,

    /// Add a metric that is computed from others row by row (repeatable): ipc=instructions/cycles
    #[arg(long = "derive", value_name = "NAME=EXPR", help_heading = "Sampling")]
    pub(crate) derived: Vec<String>,

    #[command(flatten)]
    pub(crate) running: RecordedCommandArguments,

    /// Choose the format of standard output
    #[arg(long, value_enum, default_value_t = PlainFormat::Human, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: PlainFormat,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) terminal: TerminalArguments,

    /// Show only the result
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Show more: every probe with its metrics and its cost
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
}

/// What is sampled, how often, and in how many runs.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Sampling")]
pub(crate) struct SamplingArguments {
    /// Sample at this interval: 10ms, 1ms, 500us
    #[arg(long = "every", alias = "interval", default_value = "10ms", value_name = "TIME", value_parser = value::<Duration>)]
    pub(crate) interval: Duration,

    /// Record only these probes (repeatable, or separated by commas): process, system.vmstat, jvm
    /// [default: all that this machine has]
    #[arg(long = "probe", value_name = "NAMES", value_delimiter = ',')]
    pub(crate) probes: Vec<String>,

    /// Record exactly these probes together in one run (repeat for further runs)
    #[arg(long = "group", value_name = "NAMES", conflicts_with = "probes")]
    pub(crate) groups: Vec<String>,

    /// Count this event in every run (repeatable): context-switches, sched:sched_switch,
    /// cpu/cache-misses/, r01c2
    #[arg(long = "event", value_name = "NAME")]
    pub(crate) events: Vec<String>,

    /// Run the command N times: fewer runs than groups of probes combine groups, more runs repeat
    /// them [default: one run for each group]
    #[arg(short = 'r', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) runs: Option<u32>,

    /// Record this metric in every run, to align runs by it [default: instructions if the hardware
    /// counts them, else the task clock]
    #[arg(long, value_name = "METRIC")]
    pub(crate) common: Option<String>,

    /// Record this running process with its children and threads
    #[arg(long, value_name = "PID", conflicts_with = "command")]
    pub(crate) pid: Option<u32>,

    /// With --pid: record each run for this long [default: until it ends, or Ctrl-C]
    #[arg(long, value_name = "TIME", value_parser = value::<Duration>)]
    pub(crate) duration: Option<Duration>,
}

/// Metrics that the program itself reports.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "The program's own metrics")]
pub(crate) struct ApplicationArguments {
    /// Read a number from each matching line (repeatable): NAME=REGEX, NAME=json:PATH or
    /// NAME=last-number; `NAME[ms]=...` sets its unit
    #[arg(long = "app-metric", value_name = "NAME=HOW")]
    pub(crate) metrics: Vec<String>,

    /// Read every number from lines that are JSON objects
    #[arg(long = "app-json")]
    pub(crate) json: bool,

    /// Read lines or metrics from this source (repeatable): stdout (the default with --app-metric
    /// and --app-json), pipe (a named pipe; FATHOM_PIPE holds its path), pipe:PATH, a log file to
    /// follow, or http://127.0.0.1:PORT/metrics in OpenMetrics format
    #[arg(long = "app-from", value_name = "SOURCE")]
    pub(crate) sources: Vec<String>,
}

/// How the recorded command runs.
#[derive(Debug, Clone, Args)]
#[command(
    next_help_heading = "Running",
    mut_arg("ignore_failure", |option| option.help(
        "Continue with the next run if the command fails; -i=1,2 accepts only these exit codes"
    )),
    mut_arg("timeout", |option| option.help(
        "Kill a run that takes longer than this; what was recorded is kept"
    )),
    mut_arg("output_to", |option| option.help(
        "Send the command's output here: null, pipe, inherit, or a file"
    )),
    mut_arg("show_output", |option| option.help(
        "Show what the command prints, like --stdout inherit"
    )),
    mut_arg("input", |option| option.help(
        "Give the command this standard input: null, or a file"
    )),
    mut_arg("cpu", |option| option.help("Run the command on this CPU only")),
)]
pub(crate) struct RecordedCommandArguments {
    /// Run CMD before every run
    #[arg(short = 'p', long = "prepare", value_name = "CMD")]
    pub(crate) prepare: Option<String>,

    /// Run CMD after every run
    #[arg(short = 'C', long = "conclude", value_name = "CMD")]
    pub(crate) conclude: Option<String>,

    /// Run the command in this shell: sh, bash
    #[arg(short = 'S', long = "shell", value_name = "SHELL")]
    pub(crate) shell: Option<String>,

    #[command(flatten)]
    pub(crate) command: CommandArguments,
}

/// The folder to record into. `--output` once said where the command's output goes, so its words
/// are refused rather than taken for a folder's name.
fn folder(text: &str) -> Result<PathBuf, String> {
    match text {
        "" => Err("use the name of a folder".to_string()),
        "null" | "pipe" | "inherit" => Err(format!(
            "--output is the folder to write; for the command's output use --stdout {text}, for a \
             folder of this name ./{text}"
        )),
        path => Ok(PathBuf::from(path)),
    }
}

const IMPORTS: &str = "\
Examples:
  perf stat -I 100 -x, -e task-clock,page-faults ./app 2> perf.csv
  fathom import perf.csv -o traces
  fathom import run1.csv run2.csv run3.csv -o traces --common ipc
  java -Xlog:gc*,safepoint:file=gc.log -jar app.jar; fathom import gc.log -o gc
  fathom import --from http://localhost:9090 --match '{job=\"shop\"}' -o shop

Reads CSV (a time column first, a metric per column), Parquet, `perf stat -I
-x,`, Prometheus range queries (JSON), Netdata exports (CSV, JSON) and OpenJDK
GC logs. Each file becomes a run; --merge makes one run of all of them. --from
reads series of a metric store over HTTP instead, as one run.";

#[derive(Debug, Clone, Args)]
#[command(after_help = IMPORTS)]
pub(crate) struct ImportArguments {
    /// Convert these files, or folders of CSV files
    #[arg(required_unless_present = "address", conflicts_with = "address", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Write the traces to this folder
    #[arg(short = 'o', long = "output", alias = "into", value_name = "DIR")]
    pub(crate) into: PathBuf,

    /// Replace earlier traces in the folder
    #[arg(long)]
    pub(crate) force: bool,

    /// Set the format of the files: csv, parquet, perf-stat, prometheus, netdata, gc-log
    /// [default: detected]
    #[arg(long, value_name = "FORMAT", conflicts_with = "address")]
    pub(crate) input_format: Option<ImportFormat>,

    /// Set the unit of a time column that has none: s, ms, us, ns
    #[arg(short = 'u', long, value_name = "UNIT", conflicts_with = "address", value_parser = value::<TimeUnit>)]
    pub(crate) time_unit: Option<TimeUnit>,

    /// Treat this metric as a counter and use its increase: requests, *_total (repeatable)
    #[arg(long = "counter", value_name = "NAME")]
    pub(crate) counters: Vec<String>,

    /// Say where metrics come from (repeatable): 'gc.*=vm'; layers are hardware, os, vm,
    /// application
    #[arg(long = "layer", value_name = "NAME=LAYER")]
    pub(crate) layers: Vec<String>,

    /// Add a metric that is computed from others row by row (repeatable): ipc=instructions/cycles
    #[arg(long = "derive", value_name = "NAME=EXPR")]
    pub(crate) derived: Vec<String>,

    /// Merge all files into one run
    #[arg(long, conflicts_with = "address")]
    pub(crate) merge: bool,

    /// Align runs by this metric
    #[arg(long, value_name = "METRIC")]
    pub(crate) common: Option<String>,

    /// Print nothing on success
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) metric_store: MetricStoreArguments,
}

const EXPORTS: &str = "\
Examples:
  fathom export traces --run run-1 --sampler fast > run-1.csv
  fathom export traces -o csv/

CSV has the columns start_ns and end_ns, then one column per metric. A missing
value is empty. Counters are raw totals.";

#[derive(Debug, Clone, Args)]
#[command(after_help = EXPORTS)]
pub(crate) struct ExportArguments {
    /// Read this trace folder
    #[arg(value_name = "DIR")]
    pub(crate) traces: PathBuf,

    /// Write only this run
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,

    /// Write only this sampler: fast, slow, app
    #[arg(long, value_name = "NAME")]
    pub(crate) sampler: Option<String>,

    /// Write one CSV file per run and sampler to this folder, instead of one to standard output
    #[arg(short = 'o', long = "output", alias = "into", value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,

    /// Write the times of this run in all tables: every run is aligned with it by time warping. With
    /// -o also the warps, in warp.csv
    #[arg(long, value_name = "RUN", help_heading = "Alignment")]
    pub(crate) aligned: Option<String>,

    /// Align by this metric [default: the traces' own, else the first that all runs have]
    #[arg(long, value_name = "METRIC", requires = "aligned", help_heading = "Alignment")]
    pub(crate) common: Option<String>,
}
