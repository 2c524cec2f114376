//! Why a `--metric` option cannot be used.

use super::json_path::JsonPathError;
use crate::parameter::NameError;
use fathom_record::foreign_text::escaped;

/// What is wrong with a `--metric` option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricOptionError {
    /// There is no `=`.
    #[error(
        "{option:?} is not a metric. Use NAME=REGEX, NAME=json:PATH, NAME=csv:COLUMN or \
         NAME=last-number, with [UNIT] after NAME if it has a unit."
    )]
    NoSource {
        /// As given.
        option: String,
    },
    /// The name.
    #[error("invalid metric name: {0}")]
    Name(NameError),
    /// The unit.
    #[error("metric {name}: expected a unit and \"]=\" after \"[\", as in {name}[ms]=last-number")]
    Unit {
        /// The metric.
        name: String,
    },
    /// Nothing after `=`.
    #[error(
        "metric {name}: nothing follows \"=\". Add a regex, json:PATH, csv:COLUMN or last-number."
    )]
    EmptySource {
        /// The metric.
        name: String,
    },
    /// Not a regular expression.
    #[error("metric {name}: {pattern:?} is not a regex{}: {}", at(*column), escaped(message))]
    Regex {
        /// The metric.
        name: String,
        /// As given.
        pattern: String,
        /// Where in it, in characters from 1.
        column: Option<usize>,
        /// What is wrong.
        message: String,
    },
    /// Not a path.
    #[error("metric {name}: {error}")]
    Path {
        /// The metric.
        name: String,
        /// What is wrong.
        error: JsonPathError,
    },
    /// Not a column.
    #[error("metric {name}: expected a column name after \"csv:\", as in csv:ipc")]
    Column {
        /// The metric.
        name: String,
    },
    /// Not a file and what to look for in it.
    #[error(
        "metric {name}: expected a file, \":\" and what to search for after \"in:\", as in \
         {name}=in:{{dir}}/out.json:json:{name}. For a regex that begins with \"in:\", write \
         (?:in:)."
    )]
    File {
        /// The metric.
        name: String,
    },
    /// The same name twice.
    #[error("metric {name} is defined twice. Use a different name for each --metric.")]
    Duplicate {
        /// The metric.
        name: String,
    },
}

fn at(column: Option<usize>) -> String {
    column.map_or_else(String::new, |column| format!(" at character {column}"))
}

impl MetricOptionError {
    /// The regex crate's message is a drawing of several lines: the pattern, a line with `^` below
    /// it, and "error: " with the reason.
    pub(super) fn regex(name: &str, pattern: &str, error: &regex::Error) -> MetricOptionError {
        const INDENT: usize = 4;
        let drawing = error.to_string();
        let marker = drawing.lines().find(|line| {
            line.trim_start().starts_with('^') && line.chars().all(|c| matches!(c, ' ' | '^'))
        });
        // With several lines, the places are counted in another way.
        let column = marker
            .filter(|_| !pattern.contains('\n'))
            .and_then(|marker| marker.find('^')?.checked_sub(INDENT))
            .map(|before| before + 1);
        let reason = drawing.lines().rev().find_map(|line| line.strip_prefix("error: "));
        MetricOptionError::Regex {
            name: name.to_string(),
            pattern: pattern.to_string(),
            column,
            message: reason.unwrap_or(drawing.trim()).to_string(),
        }
    }
}
