//! The command line: every option once, from which help, man page and completions follow.

use clap::{Args, Parser, Subcommand, ValueEnum};
use fathom_analyze::{Method, Statistic};
use fathom_formats::Format;
use fathom_record::{TimeUnit, Unit};
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
#[command(name = "fathom", version, max_term_width = 100, after_help = EXIT_CODES)]
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
  fathom analyze runs.csv                              median with a 95% interval
  fathom analyze bench.json --statistic mean --statistic p99
  seq 100 | fathom analyze -                           from standard input
  fathom analyze log.csv --column latency --unit us
  fathom analyze run*/stats.txt --join --column simSeconds
  fathom analyze misses.csv --proportion 0.9 --direction ge --method spa

Methods:
  exact     quantiles (default): the narrowest pair of order statistics; any distribution
  sequence  quantiles: holds however often you look while samples come in
  spa       quantiles: the SPA paper's interval; covers less than it says, and says so
  sign      the median: symmetric order statistics
  bca       means and quantiles: bootstrap; approximate
  t, z      means (default t): right if the data are not too skewed

Reads: CSV, plain numbers, JSON of hyperfine, pyperf, Google Benchmark, criterion
(sample.json or its folder) and Fathom, gem5's stats.txt; gzip of any.
Exit codes: 0 done, 2 wrong usage or bad input.";

#[derive(Debug, Args)]
#[command(after_help = ANALYZE_EXAMPLES)]
pub(crate) struct AnalyzeArguments {
    /// Files of measurements, or a criterion folder; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// What to estimate: median, mean, or a percentile such as p99.9; repeat for several
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

    /// Count every value of several executions as independent, and say so
    #[arg(long, help_heading = "Question")]
    pub(crate) assume_independent: bool,

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

    /// The unit of times for people: ns, us, ms or s
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
