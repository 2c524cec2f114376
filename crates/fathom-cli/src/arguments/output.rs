//! What is written, and how.

use super::values::time_unit;
use clap::{Args, ValueEnum};
use fathom_record::TimeUnit;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
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
