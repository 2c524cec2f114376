//! The command line of `fathom analyze`.

use super::cleaning::CleaningArguments;
use super::output::OutputArguments;
use super::values::{named_value, value};
use clap::Args;
use fathom_analyze::{Method, Statistic, SubsessionRange};
use fathom_formats::{DecimalMark, Format};
use fathom_record::Unit;
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Probability, Sides};
use std::path::PathBuf;

const ANALYZE_EXAMPLES: &str = "\
Examples:
  fathom analyze runs.csv                  the median with its 95% interval
  fathom analyze bench.json --statistic mean --statistic p99
  seq 100 | fathom analyze -               from standard input
  fathom analyze log.csv --column latency --unit us
  fathom analyze zeiten.csv --decimal ,    numbers such as 12,24
  fathom analyze run*/stats.txt --join --column simSeconds
  fathom analyze misses.csv --probability 0.9 --direction ge --method spa
  fathom analyze copy.csv --work-column bytes --column seconds

Methods:
  exact     quantiles (default): two order statistics; any distribution
  sequence  quantiles: stays valid however often you look as samples arrive
  spa       quantiles: the SPA paper's interval; reports its true coverage
  sign      median: symmetric order statistics
  bca       means and quantiles: bootstrap; approximate
  t, z      means (default t): valid unless the data are very skewed
  subsession  means: Pilot's merged samples; reports its true coverage
The defaults allow for correlated samples. The other methods assume independent
samples; with --assume-independent, every method does.

Reads: CSV (commas, semicolons or tabs), plain numbers, JSON from hyperfine,
pyperf, Google Benchmark, criterion (sample.json or its folder) and Fathom,
other JSON (lists of numbers; objects with numbers, in a list or one per line),
gem5's stats.txt; any of them compressed with gzip.
Exit codes: 0 done, 2 wrong usage or bad input, 5 could not be carried out.";

#[derive(Debug, Clone, Args)]
#[command(after_help = ANALYZE_EXAMPLES)]
pub(crate) struct AnalyzeArguments {
    /// Read measurements from these files, or a criterion folder; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Estimate this (repeatable): median, mean, harmonic-mean, or a percentile such as p99.9
    /// [default: median]
    #[arg(long = "statistic", value_name = "STATISTIC", value_parser = value::<Statistic>, help_heading = "Question")]
    pub(crate) statistics: Vec<Statistic>,

    /// Set the confidence of the interval: 0.95 or 95%
    #[arg(long, default_value = "0.95", value_name = "C", value_parser = value::<Confidence>, help_heading = "Question")]
    pub(crate) confidence: Confidence,

    /// Choose how intervals are computed; see Methods below. Repeat it to see several methods side by
    /// side for the same data
    #[arg(long = "method", value_parser = named_value::<Method>(), value_name = "METHOD", help_heading = "Question")]
    pub(crate) method: Vec<Method>,

    /// With --method subsession: merge samples until their lag-1 autocorrelation is at most R, either
    /// way [default: 0.1, as in Pilot]
    #[arg(long, value_name = "R", value_parser = value::<SubsessionRange>, requires = "method", help_heading = "Question")]
    pub(crate) subsession_range: Option<SubsessionRange>,

    /// Compute two-sided intervals, or one-sided bounds
    #[arg(long, value_parser = named_value::<Sides>(), default_value = "both", value_name = "SIDES", help_heading = "Question")]
    pub(crate) sides: Sides,

    /// Estimate a threshold instead: the one that this share of executions meets
    #[arg(long = "probability", alias = "proportion", value_name = "F", value_parser = value::<Probability>, conflicts_with = "statistics", help_heading = "Question")]
    pub(crate) proportion: Option<Probability>,

    /// Choose how executions meet the threshold of --probability
    #[arg(
        long,
        value_parser = named_value::<Direction>(),
        value_name = "DIRECTION",
        requires = "proportion",
        help_heading = "Question"
    )]
    pub(crate) direction: Option<Direction>,

    #[command(flatten)]
    pub(crate) cleaning: CleaningArguments,

    /// Read each run's amount of work from this column and estimate work per unit of time, with
    /// setup time separated; the time is in the other column, or in --column
    #[arg(
        long,
        value_name = "COLUMN",
        conflicts_with_all = [
            "statistics", "method", "subsession_range", "proportion", "join", "correlogram", "steady_state", "outliers",
            "outlier_method", "outlier_grid", "outlier_share", "outlier_min_pts", "outlier_curve",
            "outlier_level",
        ],
        help_heading = "Question"
    )]
    pub(crate) work_column: Option<String>,

    /// Set the random seed; the same data and seed give the same bytes
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = "Question")]
    pub(crate) seed: u64,

    /// Set the format of the files [default: detected]
    #[arg(long, value_parser = named_value::<Format>(), value_name = "KIND", help_heading = "Input")]
    pub(crate) input_format: Option<Format>,

    /// Read this column, metric or statistic, by name or number (repeatable)
    #[arg(long = "column", value_name = "COLUMN", help_heading = "Input")]
    pub(crate) columns: Vec<String>,

    /// Set the decimal mark of numbers in text files: . or ,
    /// [default: detected; an ambiguous file is an error]
    #[arg(long, value_name = "MARK", value_parser = value::<DecimalMark>, help_heading = "Input")]
    pub(crate) decimal: Option<DecimalMark>,

    /// Set the unit of files that have none: ns, us, ms, s, B, or any word
    #[arg(long, value_name = "UNIT", value_parser = value::<Unit>, help_heading = "Input")]
    pub(crate) unit: Option<Unit>,

    /// Join series of the same name across files; each file is one execution
    #[arg(long, help_heading = "Input")]
    pub(crate) join: bool,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}
