//! The command line of `fathom compare`.

use super::files::refused_for_files;
use super::functions::{FunctionArguments, refused_for_functions};
use super::measure::{MeasuringArguments, SubjectArguments, TerminalArguments};
use super::output::{HyperfineArguments, OutputArguments};
use super::values::{effort, value};
use clap::Args;
use fathom_analyze::compare::{ComparedStatistic, Margin};
use fathom_request::EffortPreset;
use fathom_stats::Confidence;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fathom compare './old input' './new input'
  fathom compare --max-time 2min --margin 0.5% ./a ./b ./c
  fathom compare --fail-if-slower 2% ./main ./branch     for CI
  fathom compare --require-equivalent 2% ./main ./branch
  fathom compare --on peak-memory ./old ./new
  fathom compare --statistic p99 --max-time 5min ./old ./new    tail latency
  fathom compare --statistic quantiles ./old ./new
  fathom run --save main ./bench; fathom compare --baseline main ./bench
  fathom compare --files old.json new.json
  fathom compare --rev main               benches of the work tree and of main
  fathom compare --bench ../old-checkout . '^parse/'    two cargo packages
  fathom compare --bench old/parser new/parser        two executables

Commands run in blocks of ABBA or BAAB, chosen at random, so that drift and
other load affect both alike; slow commands run in pairs of AB or BA. Fathom looks at the data several times and may
stop at any look. All looks together give a wrong verdict in at most 5% of
comparisons at the default --confidence.
Exit codes: 0 done and every gate passed, 1 a gate failed, 2 wrong usage,
3 a gate is inconclusive (unless --allow-inconclusive), 4 a command failed,
5 could not be carried out, 130 interrupted.";

#[derive(Debug, Clone, Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("assume_independent", |argument| argument.help(
        "Treat samples of saved results (--files, --baseline) as independent; the verdict says so. \
         For commands that run in pairs, this changes only the intervals of their medians"
    )),
    mut_args(refused_for_functions()),
    mut_args(refused_for_files()),
)]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    pub(crate) subjects: SubjectArguments,

    /// Compare this: median (the typical ratio of runs side by side), a percentile such as p50, p90
    /// or p99.9, mean, min, or quantiles (all at once: where are they slower?)
    #[arg(long, default_value = "median", value_name = "STATISTIC", value_parser = value::<ComparedStatistic>, help_heading = "Question")]
    pub(crate) statistic: ComparedStatistic,

    /// Ignore differences smaller than this [default: 1%, or the margin of a gate]
    #[arg(long, value_name = "M", value_parser = value::<Margin>, help_heading = "Question")]
    pub(crate) margin: Option<Margin>,

    /// Set the confidence of all verdicts together: 0.95 or 95%
    #[arg(long, default_value = "0.95", value_name = "C", value_parser = value::<Confidence>, help_heading = "Question")]
    pub(crate) confidence: Confidence,

    /// Exit 1 if a command is shown to be slower than the reference by more than this; exit 3 if a
    /// slowdown of twice this cannot be ruled out
    #[arg(long, value_name = "M", value_parser = value::<Margin>, help_heading = "Question")]
    pub(crate) fail_if_slower: Option<Margin>,

    /// Exit 0 only if every command is shown to be within this of the reference; exit 1 if the
    /// opposite is shown, 3 if neither is
    #[arg(long, value_name = "M", value_parser = value::<Margin>, help_heading = "Question")]
    pub(crate) require_equivalent: Option<Margin>,

    /// Exit 0 if a gate is inconclusive, too
    #[arg(long, help_heading = "Question")]
    pub(crate) allow_inconclusive: bool,

    /// Choose how long it may take; other options override what follows from it
    #[arg(long, default_value = "normal", value_name = "EFFORT", value_parser = effort(EffortPreset::of_compare), help_heading = "Question")]
    pub(crate) effort: EffortPreset,

    /// Stop after this time: 30s, 500ms, 2min [default: by --effort, 30s and at least 20 pairs; 2s
    /// for each function]
    #[arg(long, value_name = "TIME", value_parser = value::<Duration>, help_heading = "Question")]
    pub(crate) max_time: Option<Duration>,

    /// Run at most N pairs; pairs come in twos
    #[arg(short = 'M', long, alias = "max-runs", value_name = "N", value_parser = clap::value_parser!(u64).range(2..), help_heading = "Question")]
    pub(crate) max_pairs: Option<u64>,

    /// Give no verdict before N pairs
    #[arg(short = 'm', long, alias = "min-runs", value_name = "N", help_heading = "Question")]
    pub(crate) min_pairs: Option<u64>,

    /// Run each command exactly N times, in pairs, and look once at the end (at 95% confidence, an
    /// answer needs 12 or more)
    #[arg(short = 'r', long, alias = "runs", value_name = "N", value_parser = clap::value_parser!(u64).range(2..), conflicts_with_all = ["max_pairs", "min_pairs", "max_time", "effort"], help_heading = "Question")]
    pub(crate) pairs: Option<u64>,

    /// Compare saved results instead of running commands; the first is the reference. SUITE@NAME
    /// reads saved results of a bench
    #[arg(
        long,
        value_name = "FILE",
        num_args = 2..,
        conflicts_with_all = ["commands", "baseline", "reference"],
        help_heading = "Saved results"
    )]
    pub(crate) files: Vec<PathBuf>,

    /// Compare with the session saved under this name; without a command, run its commands again
    #[arg(long, value_name = "NAME", conflicts_with = "reference", help_heading = "Saved results")]
    pub(crate) baseline: Option<String>,

    #[command(flatten)]
    pub(crate) functions: FunctionArguments,

    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) terminal: TerminalArguments,

    #[command(flatten)]
    pub(crate) output: OutputArguments,

    #[command(flatten)]
    pub(crate) hyperfine: HyperfineArguments,
}
