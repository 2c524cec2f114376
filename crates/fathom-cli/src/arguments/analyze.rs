//! The command line of `fathom analyze`.

use super::cleaning::CleaningArguments;
use super::names::{DirectionName, FormatName, MethodName, SideName};
use super::output::OutputArguments;
use super::values::{confidence, decimal, probability, statistic, unit};
use clap::Args;
use fathom_analyze::Statistic;
use fathom_formats::DecimalMark;
use fathom_record::Unit;
use fathom_stats::{Confidence, Probability};
use std::path::PathBuf;

const ANALYZE_EXAMPLES: &str = "\
Examples:
  fathom analyze runs.csv                  the median with a 95% interval
  fathom analyze bench.json --statistic mean --statistic p99
  seq 100 | fathom analyze -               from standard input
  fathom analyze log.csv --column latency --unit us
  fathom analyze zeiten.csv --decimal ,    numbers such as 12,24
  fathom analyze run*/stats.txt --join --column simSeconds
  fathom analyze misses.csv --proportion 0.9 --direction ge --method spa
  fathom analyze copy.csv --work-column bytes --column seconds

Methods:
  exact     quantiles (default): a pair of order statistics; any distribution
  sequence  quantiles: holds however often you look while samples come in
  spa       quantiles: the SPA paper's interval; reports what it really covers
  sign      the median: symmetric order statistics
  bca       means and quantiles: bootstrap; approximate
  t, z      means (default t): right if the data are not too skewed
  The defaults allow for samples that depend on each other; the others take
  them as independent, and so do all with --assume-independent.

Reads: CSV (commas, semicolons or tabs), plain numbers, JSON from hyperfine,
pyperf, Google Benchmark, criterion (sample.json or its folder) and Fathom,
other JSON (lists of numbers; objects with numbers, in a list or one per line),
gem5's stats.txt; gzip of any of them.
Exit codes: 0 done, 2 wrong usage or bad input.";

#[derive(Debug, Clone, Args)]
#[command(after_help = ANALYZE_EXAMPLES)]
pub(crate) struct AnalyzeArguments {
    /// Files of measurements, or a criterion folder; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// What to estimate: median, mean, harmonic-mean, or a percentile such as p99.9; repeat for
    /// several
    /// [default: median]
    #[arg(long = "statistic", value_name = "STATISTIC", value_parser = statistic, help_heading = "Question")]
    pub(crate) statistics: Vec<Statistic>,

    /// How sure the interval is to be: 0.95 or 95%
    #[arg(long, default_value = "0.95", value_name = "C", value_parser = confidence, help_heading = "Question")]
    pub(crate) confidence: Confidence,

    /// How to make intervals; see Methods below
    #[arg(long, value_enum, value_name = "METHOD", help_heading = "Question")]
    pub(crate) method: Option<MethodName>,

    /// Two-sided intervals, or one-sided bounds
    #[arg(long, value_enum, default_value_t = SideName::Both, value_name = "SIDES", help_heading = "Question")]
    pub(crate) sides: SideName,

    /// Ask for a threshold instead of a statistic: the one that this share of executions keeps
    #[arg(long, value_name = "F", value_parser = probability, conflicts_with = "statistics", help_heading = "Question")]
    pub(crate) proportion: Option<Probability>,

    /// How executions keep the threshold of --proportion: lt, le, gt or ge it
    #[arg(
        long,
        value_enum,
        value_name = "DIRECTION",
        requires = "proportion",
        help_heading = "Question"
    )]
    pub(crate) direction: Option<DirectionName>,

    #[command(flatten)]
    pub(crate) cleaning: CleaningArguments,

    /// The column with each run's amount of work: estimates work per time with the set-up
    /// separated, from the time in the other column or in --column
    #[arg(
        long,
        value_name = "COLUMN",
        conflicts_with_all = [
            "statistics", "method", "proportion", "join", "correlogram", "steady_state", "outliers",
            "outlier_method", "outlier_grid",
        ],
        help_heading = "Question"
    )]
    pub(crate) work_column: Option<String>,

    /// Where random numbers start; the same data and seed give the same bytes
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = "Question")]
    pub(crate) seed: u64,

    /// Read the files as this kind instead of telling it from their content
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Input")]
    pub(crate) input_format: Option<FormatName>,

    /// A column, metric or statistic to read, by name or number; repeat for several
    #[arg(long = "column", value_name = "COLUMN", help_heading = "Input")]
    pub(crate) columns: Vec<String>,

    /// Decimal mark of numbers in text files: . or ,
    /// [default: told from the file; refused where it does not tell]
    #[arg(long, value_name = "MARK", value_parser = decimal, help_heading = "Input")]
    pub(crate) decimal: Option<DecimalMark>,

    /// Say what the numbers are in where the file does not: ns, us, ms, s, B, or any word
    #[arg(long, value_name = "UNIT", value_parser = unit, help_heading = "Input")]
    pub(crate) unit: Option<Unit>,

    /// Join series of the same name from all files into one; each file is one execution
    #[arg(long, help_heading = "Input")]
    pub(crate) join: bool,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}
