//! The command line of `fathom explain`.

use super::measure::TerminalArguments;
use super::metric_store::MetricStoreArguments;
use super::output::OutputArguments;
use super::refusals::{options_of, refused_unless_read};
use super::requests::READ_FOR_SUGGESTIONS;
use super::values::{named_value, value};
use clap::{Arg, Args};
use fathom_explain::contrast::PhaseChoice;
use fathom_explain::onset::OrderBy;
use fathom_explain::{Correlator, ScoreIn, Segments};
use fathom_record::TimeUnit;
use fathom_request::value::OptionValue as _;
use fathom_request::{AgainstOption, TypedPattern, WindowOption};
use fathom_request::{AlignmentPenalty, TypedSpan};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  fathom explain traces --suggest
  fathom explain traces --target ipc --suggest
  fathom explain traces --target ipc --window 12.4s..14.1s
  fathom explain traces --target ipc --window 3..4 --window 9..10 --top 20
  fathom explain runs/*.csv --target latency --common latency --window 100..160
  fathom explain traces --target tps --window 5..9 --against 1..4
  fathom explain traces --target ipc --window 3..4 --pattern 3:1,3.4:0.2,4:1
  fathom explain traces --target ipc --window 3..4 --by onset
  fathom explain traces --derive 'ipc=instructions/cycles' --target ipc --suggest
  fathom explain traces --target ipc --window 3..4 --while 'gc.active == 0'
  fathom explain traces --target ipc --window 3..4 --format json
  fathom explain good/ --against bad/
  fathom explain traces --runs-where 'p99(latency) > 5ms'
  fathom explain --from http://localhost:9090 --match '{job=\"shop\"}' \\
      --target queue_length --window 14:02..14:05

TRACES is a folder that `fathom record` or `fathom import` wrote, or CSV files
and folders of them: one file per run, a time column first, a metric per column.

The window is where the target behaves oddly. Fathom finds it in every run by
aligning the common metric (time warping). Then it scores every metric of every
run: did its level change in the window, and does it follow the target's shape
there? Both scores together rank the metrics.

The q-value estimates false discoveries from the rest of the trace: among
metrics with q below 0.05, about one in twenty is there by chance. Hardly
anything can be significant with less than about 9 windows' worth of data on
one side, or 12 on both. A significant metric is not necessarily the cause.

Two groups of whole runs: name the second with --against, or divide runs with
--runs-where. Fathom carries the phases of one run into all others and tells
which metrics differ in which phase. The runs are what is counted: with fewer
than 3 and 4, nothing can be significant (docs/methods/contrast.md).

Correlators: pearson, spearman, euclidean, manhattan, dtw, same_splits,
best_splits, manual_pattern, auto_pattern, lagged, shape (follows the target's
shape), n_sigma, volume, ks_levels, ks_differences, baro, change (differs from
the baseline), combined. See docs/methods/correlators.md.";

#[derive(Debug, Clone, Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("include_values", |arg| arg.help("Include the numbers of the small charts in the JSON")),
    mut_arg("verbose", |arg| arg.help("Show more: every alignment, and what was excluded and why")),
    mut_arg("quiet", |arg| arg.help("Show only the answer and the first three metrics")),
    mut_arg("export_json", |arg| arg.help("Also write JSON; `-` is standard output")),
    mut_arg("style", |arg| arg.help("Choose what the terminal shows while Fathom works")),
    mut_args(refused_with_suggest()),
)]
pub(crate) struct ExplainArguments {
    /// Read a trace folder, or CSV and Parquet files, one per run
    #[arg(required_unless_present = "address", conflicts_with = "address", value_name = "TRACES")]
    pub(crate) traces: Vec<PathBuf>,

    /// Explain this metric
    #[arg(short, long, value_name = "METRIC")]
    pub(crate) target: Option<String>,

    #[command(flatten)]
    pub(crate) selection: SelectionArguments,

    #[command(flatten)]
    pub(crate) contrast: ContrastArguments,

    /// Suggest windows instead: dips, drop-outs, steps, periods, trends of the target; without
    /// --target, where many metrics depart from their level at once
    #[arg(long)]
    pub(crate) suggest: bool,

    #[command(flatten)]
    pub(crate) alignment: AlignmentArguments,

    #[command(flatten)]
    pub(crate) ranking: RankingArguments,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    #[command(flatten)]
    pub(crate) metric_store: MetricStoreArguments,

    /// Show the N best-ranked metrics [default: 10; all in CSV and Markdown]
    #[arg(short = 'n', long, value_name = "N", help_heading = "Output")]
    pub(crate) top: Option<usize>,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) terminal: TerminalArguments,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// Where the target behaves oddly, and what that is compared with.
#[derive(Debug, Clone, Args)]
pub(crate) struct SelectionArguments {
    /// Explain this window (repeatable): A..B in the trace's time unit, 300ms..1.2s, 14:02..14:05,
    /// rows:120..180 of the target, or all; both ends included; RUN:A..B in that run [default: all]
    #[arg(short, long = "window", value_name = "[RUN:]A..B", value_parser = value::<WindowOption>)]
    pub(crate) windows: Vec<WindowOption>,

    /// Look for the window in this run [default: the first with the target]
    #[arg(short, long, value_name = "ID")]
    pub(crate) run: Option<String>,

    /// Compare the window with this part [default: everything before it]; RUN:A..B in that run; or,
    /// with traces, compare two groups of whole runs (repeatable)
    #[arg(short, long = "against", alias = "baseline", value_name = "[RUN:]A..B|TRACES", value_parser = value::<AgainstOption>)]
    pub(crate) baseline: Vec<AgainstOption>,
}

/// Two groups of whole runs.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Two groups of runs")]
pub(crate) struct ContrastArguments {
    /// Compare the runs for which this holds with the others: 'p99(latency) > 5ms', or what became of
    /// executions: broken, kept, failed
    #[arg(long, value_name = "CONDITION")]
    pub(crate) runs_where: Option<String>,

    /// Divide runs into N phases, where the common metric changes; off: compare whole runs only
    /// [default: auto]
    #[arg(long, value_name = "N", value_parser = value::<PhaseChoice>)]
    pub(crate) phases: Option<PhaseChoice>,
}

/// How runs are aligned.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Alignment")]
pub(crate) struct AlignmentArguments {
    /// Align runs by this metric; every run must have it [default: the traces' own, else the
    /// target, else the first that all runs have]
    #[arg(long, value_name = "METRIC")]
    pub(crate) common: Option<String>,

    /// Align by z-scores, for runs whose common metric differs in level or scale
    #[arg(long = "normalize", alias = "normalise")]
    pub(crate) normalise: bool,

    /// Add this cost to every alignment step in which one run stands still, so that fewer samples
    /// match a single one; in the common metric's unit (z-scores with --normalize)
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
    /// Rank by this correlator; the JSON has the scores of all of them
    #[arg(short, long, default_value = "combined", value_name = "NAME")]
    pub(crate) correlator: Correlator,

    /// Fit K straight lines to the target in each window; auto: as many as improve the fit
    #[arg(short = 'k', long, default_value = "auto", value_name = "K", value_parser = value::<Segments>)]
    pub(crate) segments: Segments,

    /// Look for this shape: times and heights of points, joined by straight lines
    #[arg(long, value_name = "T0:V0,T1:V1,...", value_parser = value::<TypedPattern>)]
    pub(crate) pattern: Option<TypedPattern>,

    /// Choose where to score a metric that several runs have
    #[arg(long, value_parser = named_value::<ScoreIn>(), default_value = ScoreIn::Every.name(), value_name = "WHICH")]
    pub(crate) score_in: ScoreIn,

    /// Choose the order: evidence, or which metric moved first
    #[arg(long, value_parser = named_value::<OrderBy>(), default_value = OrderBy::Evidence.name(), value_name = "ORDER")]
    pub(crate) by: OrderBy,

    /// Rank only metrics whose name contains this (repeatable)
    #[arg(long = "filter", alias = "metric", value_name = "TEXT")]
    pub(crate) metrics: Vec<String>,
}

/// How to read the traces.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reading traces")]
pub(crate) struct ReadingArguments {
    /// Set the unit of a time column that has none, and of windows: s, ms, us, ns
    #[arg(long, value_name = "UNIT", value_parser = value::<TimeUnit>)]
    pub(crate) trace_time_unit: Option<TimeUnit>,

    /// Treat this metric as a counter and use its increase: requests, *_total (repeatable)
    #[arg(long = "counter", value_name = "NAME")]
    pub(crate) counters: Vec<String>,

    /// Say where metrics come from (repeatable): 'gc.*=vm'; layers are hardware, os, vm,
    /// application
    #[arg(long = "layer", value_name = "NAME=LAYER")]
    pub(crate) layers: Vec<String>,

    /// Add a metric that is computed row by row (repeatable): 'ipc=instructions/cycles',
    /// 'rss_growth=rate(rss)'. Totals count as their increase; names with other characters need
    /// double quotes
    #[arg(long = "derive", value_name = "NAME=EXPR")]
    pub(crate) derived: Vec<String>,

    /// Use only rows in which this condition on metrics of the run holds (repeatable):
    /// 'gc.active == 0'
    #[arg(long = "while", value_name = "CONDITION")]
    pub(crate) conditions: Vec<String>,

    /// Leave out this part of the run (repeatable): A..B like a window
    #[arg(long, value_name = "A..B", value_parser = value::<TypedSpan>)]
    pub(crate) except: Vec<TypedSpan>,
}

impl ReadingArguments {
    /// An option that was given, if one was.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            (self.trace_time_unit.is_some(), "--trace-time-unit"),
            (!self.counters.is_empty(), "--counter"),
            (!self.layers.is_empty(), "--layer"),
            (!self.derived.is_empty(), "--derive"),
            (!self.conditions.is_empty(), "--while"),
            (!self.except.is_empty(), "--except"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }
}

/// Refuses what has no meaning without a window: all that suggestions of windows do not read.
fn refused_with_suggest() -> impl Fn(Arg) -> Arg {
    let mut read = options_of::<ReadingArguments>();
    read.extend(options_of::<MetricStoreArguments>());
    read.extend(READ_FOR_SUGGESTIONS.map(clap::Id::from));
    refused_unless_read(read, &["suggest"])
}

#[cfg(test)]
mod tests {
    use crate::arguments::Cli;
    use clap::error::ErrorKind;
    use clap::{CommandFactory, Parser};

    /// What `--suggest` reads, and nothing else, may stand beside it.
    #[test]
    fn suggestions_refuse_what_they_do_not_read() {
        let refused = |words: &str| {
            let line = format!("fathom explain traces -t ipc --suggest {words}");
            let parsed = Cli::try_parse_from(shlex::split(&line).unwrap());
            parsed.is_err_and(|error| error.kind() == ErrorKind::ArgumentConflict)
        };
        for words in [
            "-w 1..2",
            "--against 1..2",
            "--pattern 1:1,2:2",
            "-c dtw",
            "-k 3",
            "--common x",
            "--normalize",
            "--penalty 1",
            "--score-in every",
            "--by onset",
            "--filter x",
            "-u ms",
            "--include-values",
            "-v",
        ] {
            assert!(refused(words), "{words}");
        }
        for words in [
            "-r run-2",
            "--trace-time-unit ms",
            "--counter x",
            "--derive x=y/z",
            "--layer x=vm",
            "--while 'x == 0'",
            "--except 1..2",
            "-n 3",
            "--style basic",
            "-q",
            "--format json",
            "--export-json x",
            "--export-csv x",
        ] {
            assert!(!refused(words), "{words}");
        }
        let root = Cli::command();
        let explain = root.find_subcommand("explain").unwrap();
        for id in super::READ_FOR_SUGGESTIONS {
            assert!(explain.get_arguments().any(|one| one.get_id() == id), "no option {id}");
        }
    }
}
