//! How results are written.

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Human,
    Json,
    Csv,
    Markdown,
    /// The JSON of bencher.dev.
    Bencher,
    /// The lines of Rust's own benches.
    Libtest,
}

impl Format {
    pub(crate) fn parse(text: &str) -> Result<Format, String> {
        match text {
            // Two names of the test harness, for lists.
            "human" | "pretty" | "terse" => Ok(Format::Human),
            "json" => Ok(Format::Json),
            "csv" => Ok(Format::Csv),
            "markdown" => Ok(Format::Markdown),
            "bencher" => Ok(Format::Bencher),
            "libtest" => Ok(Format::Libtest),
            _ => {
                Err(format!("--format {text}: use human, json, csv, markdown, bencher or libtest"))
            }
        }
    }

    /// The name, if it is a format for the results of one build alone.
    pub(crate) fn of_one_build(self) -> Option<&'static str> {
        match self {
            Format::Bencher => Some("bencher"),
            Format::Libtest => Some("libtest"),
            Format::Human | Format::Json | Format::Csv | Format::Markdown => None,
        }
    }
}
