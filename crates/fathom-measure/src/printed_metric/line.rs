//! One line of a program that goes on, where a metric may or may not be.

use super::error::Flaw;
use super::{PrintedMetric, Source, last_number, number};
use regex::bytes::Regex;
use serde_json::Value;

impl PrintedMetric {
    /// Whether it reads JSON, so that a line is parsed once for all metrics.
    pub(crate) fn reads_json(&self) -> bool {
        matches!(self.source, Source::Json(_))
    }

    /// Whether it reads a column, whose name is in a line of its own.
    pub(crate) fn reads_column(&self) -> bool {
        matches!(self.source, Source::Csv(_))
    }

    /// The number in a line, as [`PrintedMetric::read`] would find it if the line were all that was
    /// printed; `None` if the line is not about it. `json` is the line as JSON, if it is.
    ///
    /// # Errors
    /// It is there and not a number: what is wrong with it.
    pub(crate) fn in_line(&self, line: &[u8], json: Option<&Value>) -> Result<Option<f64>, String> {
        let found = match &self.source {
            Source::Regex(regex) => of_last_match(regex, line),
            Source::Json(path) => json.map_or(Err(Flaw::NoJson), |json| path.number(json)),
            Source::Csv(column) => column.number(line),
            Source::LastNumber => last_number::read(line),
        };
        match found {
            Ok(value) => Ok(Some(value)),
            Err(flaw) if is_absence(&flaw) => Ok(None),
            Err(flaw) => Err(flaw.to_string()),
        }
    }
}

/// The same as for a whole output, but a line rarely has more than one match: then capturing at
/// once is faster than finding first.
fn of_last_match(regex: &Regex, line: &[u8]) -> Result<f64, Flaw> {
    let is_whole = regex.captures_len() == 1;
    let found = if is_whole {
        regex.find_iter(line).last()
    } else {
        let last = regex.captures_iter(line).last();
        last.and_then(|last| last.iter().skip(1).flatten().next().or_else(|| last.get(0)))
    };
    let found = found.ok_or(Flaw::NoMatch)?;
    number::parse(&String::from_utf8_lossy(found.as_bytes()))
}

/// Whether the line is about something else.
fn is_absence(flaw: &Flaw) -> bool {
    match flaw {
        Flaw::NoMatch
        | Flaw::NoNumber
        | Flaw::NoJson
        | Flaw::NoColumn { .. }
        | Flaw::NoRow(_)
        | Flaw::NoStep { .. }
        | Flaw::NoElement { .. }
        | Flaw::WrongStep { .. } => true,
        Flaw::Kind { .. }
        | Flaw::NotFinite(_)
        | Flaw::TooLarge(_)
        | Flaw::Separated(_)
        | Flaw::NotANumber(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(option: &str, line: &str) -> Result<Option<f64>, String> {
        let json = serde_json::from_str(line).ok();
        PrintedMetric::parse(option).unwrap().in_line(line.as_bytes(), json.as_ref())
    }

    #[test]
    fn a_line_has_it_or_is_about_something_else() {
        assert_eq!(found("a=tps = ([0-9.]+)", "progress: tps = 12.5"), Ok(Some(12.5)));
        assert_eq!(found("a=tps = ([0-9.]+)", "progress: 12.5"), Ok(None));
        assert_eq!(found("a=[0-9]+", "1 of 20"), Ok(Some(20.0)));
        assert_eq!(found("a=(?:x([0-9])|y([0-9]))", "x1 y2"), Ok(Some(2.0)));
        assert_eq!(found("a=(x)?[0-9]", "x1 2"), Ok(Some(2.0)));
        assert_eq!(found("a=json:x.y", "{\"x\": {\"y\": 3}}"), Ok(Some(3.0)));
        for other in ["{\"x\": 1}", "{\"x\": {}}", "[1]", "text"] {
            assert_eq!(found("a=json:x.y", other), Ok(None), "{other}");
        }
        assert_eq!(found("a=last-number", "took 5 ms"), Ok(Some(5.0)));
        assert_eq!(found("a=last-number", "nothing"), Ok(None));
    }

    #[test]
    fn what_is_there_and_no_number_is_told() {
        assert_eq!(found("a=t=(.*)", "t=fast"), Err("\"fast\" is not a number".to_string()));
        let kind = found("a=json:x", "{\"x\": []}").unwrap_err();
        assert_eq!(kind, "\"x\" is an array, not a number");
        assert!(found("a=last-number", "t nan").unwrap_err().contains("not a finite number"));
    }
}
