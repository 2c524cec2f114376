//! The command line: every option once, from which help, man page and completions follow.

use clap::{Args, Parser, Subcommand, ValueEnum};
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::{Method, Statistic};
use fathom_formats::Format;
use fathom_record::{TimeUnit, Unit};
use fathom_stats::outliers::{self, Grid};
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Probability, Sides};
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0  done, and every gate passed
  1  a gate failed
  2  wrong usage or bad input
  3  inconclusive within the budget, where a gate was asked for
  4  a measured command failed
  130  interrupted; what was measured is kept and shown";

/// How fast is it, did it change, does it keep its promise, why does it do that?
/// Fathom answers with numbers and says how sure it is.
#[derive(Debug, Parser)]
#[command(name = "fathom", version, max_term_width = 80, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Estimate medians, means and percentiles from timings made elsewhere
    Analyze(Box<AnalyzeArguments>),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  fathom completions bash > ~/.local/share/bash-completion/completions/fathom"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page
    #[command(after_help = "Example:\n  fathom man analyze | man -l -")]
    Man {
        /// The command it is about; without one, fathom itself
        command: Option<String>,
    },
}

const ANALYZE_EXAMPLES: &str = "\
Examples:
  fathom analyze runs.csv                  the median with a 95% interval
  fathom analyze bench.json --statistic mean --statistic p99
  seq 100 | fathom analyze -               from standard input
  fathom analyze log.csv --column latency --unit us
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

Reads: CSV, plain numbers, JSON of hyperfine, pyperf, Google Benchmark,
criterion (sample.json or its folder) and Fathom, gem5's stats.txt; gzip of any.
Exit codes: 0 done, 2 wrong usage or bad input.";

#[derive(Debug, Args)]
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

    /// Take samples as independent, and say so: no handling of dependence, executions pooled
    #[arg(long, help_heading = "Cleaning")]
    pub(crate) assume_independent: bool,

    /// Which samples are the steady state: auto finds out, off takes all, N skips the first N
    #[arg(
        long,
        default_value = "auto",
        value_name = "auto|off|N",
        value_parser = steady_state,
        help_heading = "Cleaning"
    )]
    pub(crate) steady_state: SteadyStatePolicy,

    /// Outliers: flag them and show the estimate without them beside, remove them from the
    /// estimate, or keep them and do not look
    #[arg(long, value_enum, default_value_t = OutlierName::Flag, value_name = "WHAT", help_heading = "Cleaning")]
    pub(crate) outliers: OutlierName,

    /// The rule that finds outliers: Rehn's simplified or full heuristic, Tukey's fences, or
    /// double MAD
    #[arg(
        long,
        value_enum,
        default_value_t = OutlierMethodName::Simplified,
        value_name = "RULE",
        help_heading = "Cleaning"
    )]
    pub(crate) outlier_method: OutlierMethodName,

    /// How coarsely the heuristics look: auto, off (as in the paper), or a step in the data's unit
    #[arg(
        long,
        default_value = "auto",
        value_name = "auto|off|STEP",
        value_parser = outlier_grid,
        help_heading = "Cleaning"
    )]
    pub(crate) outlier_grid: Grid,

    /// Put the autocorrelation at every lag into the JSON
    #[arg(long, help_heading = "Cleaning")]
    pub(crate) correlogram: bool,

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

    /// What the numbers are in: ns, us, ms, s, B, or any word
    #[arg(long, value_name = "UNIT", value_parser = unit, help_heading = "Input")]
    pub(crate) unit: Option<Unit>,

    /// Join series of the same name from all files into one; each file is one execution
    #[arg(long, help_heading = "Input")]
    pub(crate) join: bool,

    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// What to write to standard output
    #[arg(long, value_enum, default_value_t = OutputFormat::Human, value_name = "FORMAT")]
    pub(crate) format: OutputFormat,

    /// Put every value into the JSON of --format json
    #[arg(long)]
    pub(crate) include_values: bool,

    /// The unit of times for people: ns, us, ms, s, min or h
    #[arg(short = 'u', long, value_name = "UNIT", value_parser = time_unit)]
    pub(crate) time_unit: Option<TimeUnit>,

    /// Only the answer: no picture, no notes
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// More: the spread, which order statistics, which method
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Also write JSON with every value; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) export_json: Option<PathBuf>,

    /// Also write CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) export_csv: Option<PathBuf>,

    /// Also write a Markdown table
    #[arg(long, value_name = "FILE")]
    pub(crate) export_markdown: Option<PathBuf>,

    /// Also write an AsciiDoc table
    #[arg(long, value_name = "FILE")]
    pub(crate) export_asciidoc: Option<PathBuf>,

    /// Also write an Org-mode table
    #[arg(long, value_name = "FILE")]
    pub(crate) export_orgmode: Option<PathBuf>,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn choice(self) -> anstream::ColorChoice {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            // Not AlwaysAnsi: on Windows the console may need translation.
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    Human,
    Json,
    Csv,
    Markdown,
}

/// Names one of a library's values on the command line.
macro_rules! names {
    ($name:ident for $value:ty { $($variant:ident = $target:expr),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
        pub(crate) enum $name { $($variant),+ }

        impl $name {
            pub(crate) fn value(self) -> $value {
                match self { $($name::$variant => $target),+ }
            }
        }
    };
}

names!(MethodName for Method {
    Exact = Method::Exact,
    Sequence = Method::Sequence,
    Spa = Method::Spa,
    Bca = Method::Bca,
    Sign = Method::Sign,
    T = Method::T,
    Z = Method::Z,
});

names!(SideName for Sides { Both = Sides::Both, Lower = Sides::Lower, Upper = Sides::Upper });

names!(DirectionName for Direction {
    Lt = Direction::Below,
    Le = Direction::AtMost,
    Gt = Direction::Above,
    Ge = Direction::AtLeast,
});

names!(OutlierName for OutlierPolicy {
    Flag = OutlierPolicy::Flag,
    Remove = OutlierPolicy::Remove,
    Keep = OutlierPolicy::Keep,
});

names!(OutlierMethodName for outliers::Method {
    Simplified = outliers::Method::Simplified,
    Full = outliers::Method::Full,
    Tukey = outliers::Method::Tukey,
    Mad = outliers::Method::Mad,
});

names!(FormatName for Format {
    Numbers = Format::Numbers,
    Csv = Format::Csv,
    Hyperfine = Format::Hyperfine,
    Pyperf = Format::Pyperf,
    GoogleBenchmark = Format::GoogleBenchmark,
    Criterion = Format::Criterion,
    Fathom = Format::Fathom,
    Gem5 = Format::Gem5,
});

fn statistic(text: &str) -> Result<Statistic, String> {
    Statistic::parse(text).map_err(|error| error.to_string())
}

/// Reads 0.95 or 95%.
fn share(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let number = match text.strip_suffix('%') {
        // Moving the decimal point in the text keeps 99.9% the double nearest to 0.999.
        Some(percent) => format!("{}e-2", percent.trim()).parse::<f64>(),
        None => text.parse::<f64>(),
    };
    number.map_err(|_| "write a number such as 0.95, or a percentage such as 95%".to_string())
}

/// What the user probably meant by 95.
fn as_percentage(number: f64) -> String {
    if (1.0..100.0).contains(&number) {
        format!("; did you mean {number}%?")
    } else {
        String::new()
    }
}

fn confidence(text: &str) -> Result<Confidence, String> {
    let number = share(text)?;
    Confidence::new(number)
        .map_err(|_| format!("a confidence is at least 0.5 and below 1{}", as_percentage(number)))
}

fn probability(text: &str) -> Result<Probability, String> {
    let number = share(text)?;
    Probability::new(number)
        .map_err(|_| format!("a proportion is above 0 and below 1{}", as_percentage(number)))
}

fn steady_state(text: &str) -> Result<SteadyStatePolicy, String> {
    match text.trim() {
        "auto" => Ok(SteadyStatePolicy::Auto),
        "off" => Ok(SteadyStatePolicy::Off),
        number => number
            .parse()
            .map(SteadyStatePolicy::Skip)
            .map_err(|_| "use auto, off, or how many samples to skip".to_string()),
    }
}

fn outlier_grid(text: &str) -> Result<Grid, String> {
    match text.trim() {
        "auto" => Ok(Grid::Auto),
        "off" => Ok(Grid::Off),
        number => number
            .parse()
            .ok()
            .filter(|step: &f64| step.is_finite() && *step > 0.0)
            .map(Grid::Step)
            .ok_or_else(|| "use auto, off, or a positive step in the data's unit".to_string()),
    }
}

fn unit(text: &str) -> Result<Unit, String> {
    match Unit::parse(text) {
        Unit::Unknown => Err("a unit is not empty; use ns, us, ms, s, B, or any word".to_string()),
        unit => Ok(unit),
    }
}

fn time_unit(text: &str) -> Result<TimeUnit, String> {
    TimeUnit::parse(text).ok_or_else(|| "use ns, us, ms, s, min or h".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn percentages_are_exact() {
        assert_eq!(confidence("99.9%").unwrap(), Confidence::new(0.999).unwrap());
        assert_eq!(confidence("0.9").unwrap(), confidence("90%").unwrap());
    }

    #[test]
    fn ninety_five_is_taken_for_a_percentage_in_the_hint_only() {
        assert!(confidence("95").unwrap_err().contains("95%"));
        assert!(confidence("0.3").unwrap_err().contains("at least 0.5"));
        assert!(probability("nan").is_err() && confidence("inf").is_err());
    }
}
