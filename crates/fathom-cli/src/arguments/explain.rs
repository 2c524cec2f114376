//! The command line of `fathom explain`.

use super::measure::Style;
use super::output::OutputArguments;
use super::spans::{TypedPattern, TypedSpan, pattern, span};
use super::values::time_unit;
use clap::{Args, ValueEnum};
use fathom_explain::{Correlator, Segments};
use fathom_record::TimeUnit;
use fathom_request::AlignmentPenalty;
use fathom_request::value::Value as _;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  fathom explain traces --target ipc --suggest
  fathom explain traces --target ipc --window 12.4s..14.1s
  fathom explain traces --target ipc --window 3..4 --window 9..10 --top 20
  fathom explain runs/*.csv --target latency --common latency --window 100..160
  fathom explain traces --target tps --window 5..9 --baseline 1..4
  fathom explain traces --target ipc --window 3..4 --pattern 3:1,3.4:0.2,4:1
  fathom explain traces --target ipc --window 3..4 --format json

TRACES is a folder that `fathom record` or `fathom import` wrote, or files and
folders of CSV: one file per run, a time column first, a metric per column.

The window is where the target does something odd. It is found again in every
run by warping the common metric, then every metric of every run is asked two
questions: did its level change in the window, and does it follow the target's
shape there? Metrics are ranked by both together; q says how sure it is that a
metric stands out: of those with q below 0.05, one in twenty is chance, as far
as what all metrics did at other times tells. With less than about thirteen
windows on one side, or eighteen on both, hardly anything is sure. And that a
metric goes along does not make it the cause.

Correlators: pearson, spearman, euclidean, manhattan, dtw, same_splits,
best_splits, manual_pattern, auto_pattern, lagged, shape (how the target's
shape is followed), n_sigma, volume, ks_levels, ks_differences, baro, change
(against the baseline), combined. See docs/methods/correlators.md.";

/// What means nothing as long as no window is asked about.
const WITHOUT_WINDOWS: [&str; 13] = [
    "windows",
    "baseline",
    "pattern",
    "correlator",
    "segments",
    "common",
    "normalise",
    "penalty",
    "score_in",
    "metrics",
    "time_unit",
    "include_values",
    "verbose",
];

#[derive(Debug, Clone, Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("include_values", |arg| arg.help("Put the numbers of the small pictures into the JSON")),
    mut_arg("verbose", |arg| arg.help("More: every alignment, what was left out and why")),
    mut_arg("quiet", |arg| arg.help("Only the answer and the first three metrics")),
    mut_arg("export_json", |arg| arg.help("Also write JSON; `-` is standard output")),
)]
pub(crate) struct ExplainArguments {
    /// A folder of traces, or CSV and Parquet files, a run each
    #[arg(required = true, value_name = "TRACES")]
    pub(crate) traces: Vec<PathBuf>,

    /// The metric that does something odd
    #[arg(short, long, value_name = "METRIC")]
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) selection: SelectionArguments,

    /// Propose windows instead: change points, dips, periods, trends
    #[arg(long, conflicts_with_all = WITHOUT_WINDOWS)]
    pub(crate) suggest: bool,

    #[command(flatten)]
    pub(crate) alignment: AlignmentArguments,

    #[command(flatten)]
    pub(crate) ranking: RankingArguments,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    /// Show the N best-ranked metrics [default: 10; all in CSV and Markdown]
    #[arg(short = 'n', long, value_name = "N", help_heading = "Output")]
    pub(crate) top: Option<usize>,

    /// What the terminal shows while it works
    #[arg(long, value_enum, default_value_t = Style::Auto, value_name = "STYLE", help_heading = "Output")]
    pub(crate) style: Style,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// Where something odd is.
#[derive(Debug, Clone, Args)]
pub(crate) struct SelectionArguments {
    /// Where it does: A..B in the trace's time unit, 300ms..1.2s, rows:120..180 of the target, or
    /// all; both ends count. Repeat [default: all of it]
    #[arg(short, long = "window", value_name = "A..B", value_parser = span)]
    pub(crate) windows: Vec<TypedSpan>,

    /// The run that the window is in [default: the first that has the target]
    #[arg(short, long, value_name = "ID")]
    pub(crate) run: Option<String>,

    /// What the window is compared with [default: all that precedes it]
    #[arg(short, long, value_name = "A..B", value_parser = span)]
    pub(crate) baseline: Option<TypedSpan>,
}

/// How runs are aligned.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Alignment")]
pub(crate) struct AlignmentArguments {
    /// The metric by which runs are aligned; every run must have it
    /// [default: what the traces say, else the target, else the first that all runs have]
    #[arg(long, value_name = "METRIC")]
    pub(crate) common: Option<String>,

    /// Align by z-scores: for runs whose common metric differs in level or scale
    #[arg(long)]
    pub(crate) normalise: bool,

    /// Add this to the cost of every step in which one run stands still, in the common metric's
    /// unit (of z-scores with --normalise): against many samples matched with one
    #[arg(long, default_value_t = 0.0, value_name = "COST", value_parser = penalty)]
    pub(crate) penalty: f64,
}

fn penalty(text: &str) -> Result<f64, String> {
    AlignmentPenalty::read(text).map(AlignmentPenalty::get)
}

/// How metrics are ranked.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Ranking")]
pub(crate) struct RankingArguments {
    /// Rank by this correlator; the JSON has the scores of all
    #[arg(short, long, default_value = "combined", value_name = "NAME")]
    pub(crate) correlator: Correlator,

    /// Cut the target into so many straight lines in each window; auto: as many as are worth it
    #[arg(short = 'k', long, default_value = "auto", value_name = "K", value_parser = segments)]
    pub(crate) segments: Segments,

    /// The shape to look for, drawn by hand over the target: times and heights of its knots
    #[arg(long, value_name = "T0:V0,T1:V1,...", value_parser = pattern)]
    pub(crate) pattern: Option<TypedPattern>,

    /// A metric that several runs have is scored in every one of them, and the middle score counts;
    /// nearest: only in the target's run, or the run that is aligned best
    #[arg(long, value_enum, default_value_t = Runs::Every, value_name = "WHICH")]
    pub(crate) score_in: Runs,

    /// Only metrics whose name contains this. Repeat
    #[arg(long = "metric", value_name = "TEXT")]
    pub(crate) metrics: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Runs {
    Every,
    Nearest,
}

fn segments(text: &str) -> Result<Segments, String> {
    Segments::read(text)
}

/// How files are read that are no folder of traces.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reading files")]
pub(crate) struct ReadingArguments {
    /// The unit of a time column that does not say it, and of windows: s, ms, us, ns
    #[arg(long, value_name = "UNIT", value_parser = time_unit)]
    pub(crate) trace_time_unit: Option<TimeUnit>,

    /// These metrics only grow, and what counts is by how much: requests, *_total. Repeat
    #[arg(long = "counter", value_name = "NAME")]
    pub(crate) counters: Vec<String>,
}
