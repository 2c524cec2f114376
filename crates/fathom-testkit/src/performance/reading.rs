//! Running a tool and reading what it prints.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a tool printed, and how long it took.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) text: String,
    pub(super) seconds: f64,
}

/// Runs it to its end.
pub(super) fn output_of(command: &mut Command) -> Result<Printed, String> {
    let shown = format!("{command:?}");
    let began = Instant::now();
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("{shown}: {error}"))?;
    let seconds = began.elapsed().as_secs_f64();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{shown}: {}\n{}", output.status, said.trim_end()));
    }
    let text = String::from_utf8(output.stdout).map_err(|error| format!("{shown}: {error}"))?;
    Ok(Printed { text, seconds })
}

/// A number at this place of a document; infinite ones are strings.
pub(super) fn number(document: &Value, pointer: &str) -> Result<f64, String> {
    let value = document.pointer(pointer);
    value
        .and_then(|value| value.as_f64().or_else(|| value.as_str()?.parse().ok()))
        .ok_or_else(|| format!("{pointer} is {value:?}, not a number"))
}

/// All numbers at this place of a document.
pub(super) fn numbers(document: &Value, pointer: &str) -> Result<Vec<f64>, String> {
    let values = document.pointer(pointer).and_then(Value::as_array);
    values
        .and_then(|values| values.iter().map(Value::as_f64).collect())
        .ok_or_else(|| format!("{pointer} is not a list of numbers"))
}

/// A text at this place of a document.
pub(super) fn text<'a>(document: &'a Value, pointer: &str) -> Result<&'a str, String> {
    let value = document.pointer(pointer);
    value.and_then(Value::as_str).ok_or_else(|| format!("{pointer} is {value:?}, not a text"))
}

/// The document in a text.
pub(super) fn document(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))
}

/// A problem with a file.
pub(super) fn in_file(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// "300".
pub(super) fn milliseconds(time: Duration) -> String {
    time.as_millis().to_string()
}

/// The middle value; NaN of none.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    match (values.get(values.len().saturating_sub(1) / 2), values.get(values.len() / 2)) {
        (Some(below), Some(above)) => 0.5 * (below + above),
        _ => f64::NAN,
    }
}

/// The mean; NaN of none.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_infinite() {
        let found = document(r#"{"a": [{"b": "-inf", "c": 1.5, "d": "none"}]}"#).unwrap();
        assert_eq!(number(&found, "/a/0/b"), Ok(f64::NEG_INFINITY));
        assert_eq!(number(&found, "/a/0/c"), Ok(1.5));
        assert!(number(&found, "/a/0/d").is_err() && number(&found, "/a/1/b").is_err());
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!((median(&[3.0, 1.0, 2.0]), median(&[4.0, 1.0, 2.0, 3.0])), (2.0, 2.5));
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn a_tool_that_fails_is_an_error_that_names_it() {
        let error = output_of(Command::new("sh").args(["-c", "echo no >&2; exit 3"])).unwrap_err();
        assert!(error.contains("exit status: 3") && error.ends_with("no"), "{error}");
    }
}
