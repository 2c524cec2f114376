//! Numbers that the measured program prints:
//! `--metric NAME=REGEX|json:PATH|csv:COLUMN|last-number`.

mod csv_column;
mod error;
mod json_document;
mod json_path;
mod last_number;
mod line;
mod number;
mod option;
#[cfg(test)]
mod tests;

use crate::parameter::check_name;
use csv_column::CsvColumn;
use error::Flaw;
use fathom_record::{Metric, Unit};
use json_path::JsonPath;
use regex::bytes::{Regex, RegexBuilder};

pub use error::PrintedMetricError;
pub use json_path::JsonPathError;
pub use option::MetricOptionError;

/// A number that is read from a program's standard output after each run.
#[derive(Debug, Clone)]
pub struct PrintedMetric {
    name: String,
    unit: Unit,
    source: Source,
}

/// How the number is found.
#[derive(Debug, Clone)]
enum Source {
    Regex(Regex),
    Json(JsonPath),
    Csv(CsvColumn),
    LastNumber,
}

impl PrintedMetric {
    /// Reads `NAME=REGEX`, `NAME=json:PATH`, `NAME=csv:COLUMN` or `NAME=last-number`, with `[UNIT]`
    /// after the name if the numbers have one: `latency[ms]=json:results[0].p99`.
    ///
    /// - A regex gives the first of its groups that took part, or all of it, in the *last* match:
    ///   programs print running figures first and the final one at the end. `^` and `$` match at
    ///   every line. What it gives must be a number with a decimal point and perhaps an exponent.
    ///   1,234 is refused: it is a thousand to some programs and little more than one to others.
    /// - A path is `latency.p99`, `results[0].time` or a JSON pointer such as `/results/0/time`. The
    ///   output is JSON, or its last object or array that begins and ends with a line is taken.
    ///   A text with nothing but a number in it counts as that number.
    /// - A column is that of the first line with a cell of this name; cells are separated by commas,
    ///   semicolons or tabs. The number is that of the last row.
    /// - `last-number` is the last separate number, with or without letters of a unit after it:
    ///   12.5, -3e-9, 40ms, 99%; not p99, 1.2.3, 2024-01-02.
    ///
    /// ```
    /// use fathom_measure::PrintedMetric;
    /// let metric = PrintedMetric::parse("rps=Requests/sec: +([0-9.]+)")?;
    /// assert_eq!(metric.read(b"Latency: 3 ms\nRequests/sec:  1250.5\n"), Ok(1250.5));
    /// # Ok::<(), fathom_measure::MetricOptionError>(())
    /// ```
    pub fn parse(option: &str) -> Result<PrintedMetric, MetricOptionError> {
        let (name, unit, source) = split(option)?;
        let source = Source::parse(name, source)?;
        Ok(PrintedMetric { name: name.to_string(), unit, source })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its numbers are in.
    #[must_use]
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// Whether it is read from JSON, which says itself where it ends.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.source, Source::Json(_))
    }

    /// The metric that it makes part of a run.
    #[must_use]
    pub fn metric(&self) -> Metric {
        Metric::Printed(self.name.clone())
    }

    /// The number in what a run printed; finite.
    ///
    /// # Errors
    /// It is not there, or not a number. The error shows what was sought and the last line.
    pub fn read(&self, stdout: &[u8]) -> Result<f64, PrintedMetricError> {
        let found = match &self.source {
            Source::Regex(regex) => of_last_match(regex, stdout),
            Source::Json(path) => json_document::read(stdout).and_then(|json| path.number(&json)),
            Source::Csv(column) => column.number(stdout),
            Source::LastNumber => last_number::read(stdout),
        };
        found.map_err(|flaw| {
            PrintedMetricError::new(&self.name, &self.source.sought(), flaw, stdout)
        })
    }
}

/// The parts of `NAME[UNIT]=SOURCE`.
pub(crate) fn split(option: &str) -> Result<(&str, Unit, &str), MetricOptionError> {
    let not_an_option = || MetricOptionError::NoSource { option: option.to_string() };
    let name_end = option.find(['=', '[']).ok_or_else(not_an_option)?;
    let (name, rest) = option.split_at_checked(name_end).ok_or_else(not_an_option)?;
    check_name(name).map_err(MetricOptionError::Name)?;
    let Some(rest) = rest.strip_prefix('[') else {
        return Ok((name, Unit::Unknown, rest.strip_prefix('=').ok_or_else(not_an_option)?));
    };
    let bad_unit = || MetricOptionError::Unit { name: name.to_string() };
    let (unit, source) = rest.split_once("]=").ok_or_else(bad_unit)?;
    if unit.contains(['[', ']']) || unit.trim().is_empty() {
        return Err(bad_unit());
    }
    Ok((name, Unit::parse(unit), source))
}

/// Refuses two metrics of one name.
///
/// # Errors
/// There are two.
pub fn check_distinct(metrics: &[PrintedMetric]) -> Result<(), MetricOptionError> {
    for (i, metric) in metrics.iter().enumerate() {
        if metrics.iter().take(i).any(|earlier| earlier.name == metric.name) {
            return Err(MetricOptionError::Duplicate { name: metric.name.clone() });
        }
    }
    Ok(())
}

impl Source {
    fn parse(name: &str, text: &str) -> Result<Source, MetricOptionError> {
        if text.is_empty() {
            return Err(MetricOptionError::EmptySource { name: name.to_string() });
        }
        if text == "last-number" {
            return Ok(Source::LastNumber);
        }
        if let Some(path) = text.strip_prefix("json:") {
            let path = JsonPath::parse(path);
            return path
                .map(Source::Json)
                .map_err(|error| MetricOptionError::Path { name: name.to_string(), error });
        }
        if let Some(column) = text.strip_prefix("csv:") {
            let column = CsvColumn::new(column).map(Source::Csv);
            return column.ok_or_else(|| MetricOptionError::Column { name: name.to_string() });
        }
        RegexBuilder::new(text)
            .multi_line(true)
            .crlf(true)
            .build()
            .map(Source::Regex)
            .map_err(|error| MetricOptionError::regex(name, text, &error))
    }

    /// What is sought, for a message.
    fn sought(&self) -> String {
        match self {
            Source::Regex(regex) => format!("the regex {}", regex.as_str()),
            Source::Json(path) => format!("json:{}", path.text()),
            Source::Csv(column) => format!("csv:{}", column.name()),
            Source::LastNumber => "last-number".to_string(),
        }
    }
}

fn of_last_match(regex: &Regex, output: &[u8]) -> Result<f64, Flaw> {
    // Finding is much faster than capturing, so only the last match is captured.
    let last = regex.find_iter(output).last().ok_or(Flaw::NoMatch)?;
    let captures = regex.captures_at(output, last.start()).ok_or(Flaw::NoMatch)?;
    let found = captures.iter().skip(1).flatten().next().unwrap_or(last);
    number::parse(&String::from_utf8_lossy(found.as_bytes()))
}
