//! The command line of `fathom run`.

use super::cleaning::CleaningArguments;
use super::measure::{RunningArguments, SessionArguments, Style, SubjectArguments};
use super::names::MethodName;
use super::output::OutputArguments;
use super::values::{confidence, duration, precision, statistic};
use clap::{Args, ValueEnum};
use fathom_analyze::Statistic;
use fathom_analyze::stopping::Precision;
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
  fathom run --save main ./bench          then: fathom compare --baseline main

Each command runs until the interval is as narrow as --precision asks, or the
time is over. Every run is on disk before the next starts: see `fathom list`.
To know whether one command is faster than another, use `fathom compare`.
Exit codes: 0 done, 2 wrong usage, 4 a command failed, 130 interrupted.";

#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) subjects: SubjectArguments,

    /// What to estimate: median, mean, or a percentile such as p99; repeat for several
    /// [default: median]
    #[arg(long = "statistic", value_name = "STATISTIC", value_parser = statistic, help_heading = "Question")]
    pub(crate) statistics: Vec<Statistic>,

    /// How sure the interval is to be: 0.95 or 95%
    #[arg(long, default_value = "0.95", value_name = "C", value_parser = confidence, help_heading = "Question")]
    pub(crate) confidence: Confidence,

    /// How to make intervals; see `fathom analyze --help`
    #[arg(long, value_enum, value_name = "METHOD", help_heading = "Question")]
    pub(crate) method: Option<MethodName>,

    /// Stop when the half width of every interval is at most this share of its estimate
    #[arg(long, default_value = "2%", value_name = "P", value_parser = precision, help_heading = "Question")]
    pub(crate) precision: Precision,

    /// Stop after this time for each command: 30s, 500ms, 2min [default: 30s, at least 10 runs, and
    /// 90s if that makes 20]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Question")]
    pub(crate) max_time: Option<Duration>,

    /// Exactly this many runs of each command
    #[arg(short = 'r', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["min_runs", "max_runs", "max_time"], help_heading = "Question")]
    pub(crate) runs: Option<u64>,

    /// At least this many runs [default: 10]
    #[arg(short = 'm', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Question")]
    pub(crate) min_runs: Option<u64>,

    /// At most this many runs
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Question")]
    pub(crate) max_runs: Option<u64>,

    #[command(flatten)]
    pub(crate) running: RunningArguments,

    #[command(flatten)]
    pub(crate) cleaning: CleaningArguments,

    /// Where random numbers start [default: chosen anew, and reported]
    #[arg(long, value_name = "N", help_heading = "Question")]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) session: SessionArguments,

    /// In which order several commands are shown: auto and mean-time by their time, command as
    /// given; tables are by command unless mean-time is asked for
    #[arg(long, value_enum, default_value_t = Sort::Auto, value_name = "ORDER", help_heading = "Output")]
    pub(crate) sort: Sort,

    /// What the terminal shows
    #[arg(long, value_enum, default_value_t = Style::Auto, value_name = "STYLE", help_heading = "Output")]
    pub(crate) style: Style,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    Auto,
    Command,
    MeanTime,
}
