//! The command line of `fathom run`.

use super::measure::{MeasuringArguments, SubjectArguments, TerminalArguments};
use super::output::{HyperfineArguments, OutputArguments};
use super::values::{effort, named_value, value};
use clap::{Args, ValueEnum};
use fathom_analyze::stopping::Precision;
use fathom_analyze::{Method, Statistic, SubsessionRange};
use fathom_request::EffortPreset;
use fathom_stats::Confidence;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fathom run 'sleep 0.1'
  fathom run --precision 1% 'grep -c fathom big.log'
  fathom run -w 3 -p 'rm -rf out' 'tar xf data.tar -C out'
  fathom run -L threads 1,2,4 './work -j {threads}'
  fathom run -S sh 'sort big | uniq | wc -l'
  fathom run --metric rps='([0-9.]+) req/s' --on metric:rps ./load
  fathom run -P size 1 10 --work size './work {size}'
  fathom run --save main ./bench          then: fathom compare --baseline main

Each command runs until its interval is as narrow as --precision, or the time
is up. Fathom saves every run before it starts the next: see `fathom list`.
To find out whether one command is faster than another, use `fathom compare`.
Exit codes: 0 done, 2 wrong usage, 4 a command failed, 5 could not be carried
out, 130 interrupted.";

#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) subjects: SubjectArguments,

    /// Estimate this (repeatable): median, mean, or a percentile such as p99 [default: median]
    #[arg(long = "statistic", value_name = "STATISTIC", value_parser = value::<Statistic>, help_heading = "Question")]
    pub(crate) statistics: Vec<Statistic>,

    /// Set the confidence of the interval: 0.95 or 95%
    #[arg(long, default_value = "0.95", value_name = "C", value_parser = value::<Confidence>, help_heading = "Question")]
    pub(crate) confidence: Confidence,

    /// Choose how intervals are computed; see `fathom analyze --help`
    #[arg(long, value_parser = named_value::<Method>(), value_name = "METHOD", help_heading = "Question")]
    pub(crate) method: Option<Method>,

    /// With --method subsession: merge samples until their lag-1 autocorrelation is at most R, either
    /// way [default: 0.1, as in Pilot]
    #[arg(long, value_name = "R", value_parser = value::<SubsessionRange>, requires = "method", help_heading = "Question")]
    pub(crate) subsession_range: Option<SubsessionRange>,

    /// Choose how long it may take; other options override what follows from it
    #[arg(long, default_value = "normal", value_name = "EFFORT", value_parser = effort(EffortPreset::of_run), help_heading = "Question")]
    pub(crate) effort: EffortPreset,

    /// Stop when every interval's half width is at most this share of the estimate [default: by
    /// --effort, 2%]
    #[arg(long, value_name = "P", value_parser = value::<Precision>, help_heading = "Question")]
    pub(crate) precision: Option<Precision>,

    /// Stop each command after this time: 30s, 500ms, 2min [default: by --effort, 30s and at least
    /// 10 runs; up to 90s if that gives 20 runs]
    #[arg(long, value_name = "TIME", value_parser = value::<Duration>, help_heading = "Question")]
    pub(crate) max_time: Option<Duration>,

    /// Run each command exactly N times
    #[arg(short = 'r', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["min_runs", "max_runs", "max_time", "effort"], help_heading = "Question")]
    pub(crate) runs: Option<u64>,

    /// Run each command at least N times [default: by --effort, 10]
    #[arg(short = 'm', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Question")]
    pub(crate) min_runs: Option<u64>,

    /// Run each command at most N times
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Question")]
    pub(crate) max_runs: Option<u64>,

    /// Estimate work per second, with set-up time separated: this parameter (-P or -L) is a run's
    /// amount of work. Amounts run in random order; -r, -m, -M and -w count runs of each amount
    #[arg(
        long,
        value_name = "VAR",
        conflicts_with_all = [
            "statistics", "method", "reference", "correlogram", "steady_state", "outliers",
            "outlier_method", "outlier_grid",
        ],
        help_heading = "Question"
    )]
    pub(crate) work: Option<String>,

    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,

    /// Choose the order in which commands are shown
    #[arg(long, value_enum, default_value_t = Sort::Auto, value_name = "ORDER", help_heading = "Output")]
    pub(crate) sort: Sort,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) terminal: TerminalArguments,

    #[command(flatten)]
    pub(crate) output: OutputArguments,

    #[command(flatten)]
    pub(crate) hyperfine: HyperfineArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// By time on the terminal, as given in tables
    Auto,
    /// As given
    Command,
    /// By time
    MeanTime,
}
