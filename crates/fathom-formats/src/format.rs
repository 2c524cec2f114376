//! The kinds of file that can be read.

use std::fmt;
use std::str::FromStr;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Numbers separated by white space or line ends.
    Numbers,
    /// Columns separated by commas, semicolons or tabs.
    Csv,
    /// `hyperfine --export-json`, versions 1 and 2.
    Hyperfine,
    /// pyperf's JSON.
    Pyperf,
    /// Google Benchmark's `--benchmark_out_format=json`.
    GoogleBenchmark,
    /// criterion's `sample.json`, or a folder of them.
    Criterion,
    /// Fathom's own JSON.
    Fathom,
    /// gem5's `stats.txt`.
    Gem5,
    /// JSON of any program: lists of numbers, objects with numbers, one per line or in a list.
    Json,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 9] = [
        Format::Numbers,
        Format::Csv,
        Format::Hyperfine,
        Format::Pyperf,
        Format::GoogleBenchmark,
        Format::Criterion,
        Format::Fathom,
        Format::Gem5,
        Format::Json,
    ];

    /// The name on the command line, as in `--input-format pyperf`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Numbers => "numbers",
            Format::Csv => "csv",
            Format::Hyperfine => "hyperfine",
            Format::Pyperf => "pyperf",
            Format::GoogleBenchmark => "google-benchmark",
            Format::Criterion => "criterion",
            Format::Fathom => "fathom",
            Format::Gem5 => "gem5",
            Format::Json => "json",
        }
    }

    /// Reads a name, in any case.
    ///
    /// ```
    /// use fathom_formats::Format;
    /// assert_eq!(Format::parse("PyPerf"), Some(Format::Pyperf));
    /// assert_eq!(Format::parse("xls"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Format> {
        let text = text.trim();
        Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(text))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not an input format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{name}\" is not an input format. Use one of: {}.",
    fathom_record::listed(&Format::ALL.map(Format::name))
)]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        Format::parse(text).ok_or_else(|| UnknownFormat { name: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = "xls".parse::<Format>().unwrap_err().to_string();
        assert!(error.contains("numbers, csv, hyperfine"), "{error}");
    }
}
