//! A path to a number in JSON: `latency.p99`, `results[0].time`, `/results/0/time`.

use super::error::{Flaw, quoted};
use super::number;
use fathom_record::foreign_text::escaped;
use serde_json::Value;

/// A path, never empty.
#[derive(Debug, Clone)]
pub(super) struct JsonPath {
    text: String,
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
struct Step {
    /// A name, or an index in digits.
    key: String,
    /// Written as `[0]`, which is never a name.
    is_index: bool,
    /// Where it ends in the text: up to there the path is named in messages.
    end: usize,
}

/// What is wrong with a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "json:{} is not a path: {what} at character {column}. Use a path such as \
     json:latency.p99, json:results[0].time or json:/results/0/time.",
    escaped(path)
)]
pub struct JsonPathError {
    path: String,
    what: &'static str,
    column: usize,
}

impl JsonPath {
    pub(super) fn parse(path: &str) -> Result<JsonPath, JsonPathError> {
        let steps = if path.starts_with('/') { pointer(path) } else { dotted(path) };
        let steps = steps.map_err(|(what, byte)| {
            let column = path.get(..byte).unwrap_or(path).chars().count() + 1;
            JsonPathError { path: path.to_string(), what, column }
        })?;
        Ok(JsonPath { text: path.to_string(), steps })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The number there; a text counts if it is nothing but a number.
    pub(super) fn number(&self, document: &Value) -> Result<f64, Flaw> {
        let mut value = document;
        let mut at = "the document".to_string();
        for step in &self.steps {
            value = step.of(value, &at)?;
            at = quoted(self.text.get(..step.end).unwrap_or(&self.text));
        }
        match value {
            Value::String(text) => number::parse(text),
            Value::Number(number) => number
                .as_f64()
                .filter(|value| value.is_finite())
                .ok_or_else(|| Flaw::TooLarge(number.to_string())),
            other => Err(Flaw::Kind { at, kind: kind(other) }),
        }
    }
}

impl Step {
    fn of<'a>(&self, value: &'a Value, at: &str) -> Result<&'a Value, Flaw> {
        let at = at.to_string();
        let missing = |has| Flaw::NoStep { at: at.clone(), step: quoted(&self.key), has };
        let wrong = |kind| Flaw::WrongStep { at: at.clone(), kind, step: quoted(&self.key) };
        match value {
            Value::Object(object) if !self.is_index => {
                object.get(&self.key).ok_or_else(|| missing(object.keys().cloned().collect()))
            }
            Value::Array(array) if self.key.bytes().all(|byte| byte.is_ascii_digit()) => {
                let element = self.key.parse::<usize>().ok().and_then(|index| array.get(index));
                let index = self.key.clone();
                element.ok_or_else(|| Flaw::NoElement { at: at.clone(), count: array.len(), index })
            }
            Value::Object(_) => Err(wrong("an object, not an array")),
            Value::Array(_) => Err(wrong("an array, which has only indices")),
            _ => Err(missing(Vec::new())),
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Object(_) => "an object",
        Value::Array(_) => "an array",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
    }
}

type Mistake = (&'static str, usize);

/// `a.b[0].c`; a dot may come first, as in jq.
fn dotted(path: &str) -> Result<Vec<Step>, Mistake> {
    let mut steps = Vec::new();
    let mut at = 0;
    while let Some(rest) = path.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(inside) = rest.strip_prefix('[') {
            let length = inside.find(']').ok_or(("a \"[\" without \"]\"", at))?;
            let key = inside.get(..length).unwrap_or_default();
            if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(("an index that is not a number", at + 1));
            }
            at += length + 2;
            steps.push(Step { key: key.to_string(), is_index: true, end: at });
            continue;
        }
        let begins = steps.is_empty();
        let key = match rest.strip_prefix('.') {
            Some(key) => {
                at += 1;
                // In jq an index may follow the first dot: .[0]
                if begins && key.starts_with('[') {
                    continue;
                }
                key
            }
            None if begins => rest,
            None => return Err(("a name without a dot before it", at)),
        };
        let length = key.find(['.', '[', ']']).unwrap_or(key.len());
        if key.get(length..).is_some_and(|rest| rest.starts_with(']')) {
            return Err(("a \"]\" without \"[\"", at + length));
        }
        if length == 0 {
            return Err(("a name is missing", at));
        }
        let key = key.get(..length).unwrap_or_default().to_string();
        at += length;
        steps.push(Step { key, is_index: false, end: at });
    }
    if steps.is_empty() { Err(("a name is missing", at)) } else { Ok(steps) }
}

/// RFC 6901: `/a/0/b`, with `~1` for a slash and `~0` for a tilde.
fn pointer(path: &str) -> Result<Vec<Step>, Mistake> {
    let mut at = 0;
    let mut steps = Vec::new();
    for token in path.split('/').skip(1) {
        let start = at + 1;
        at = start + token.len();
        let mut key = String::new();
        let mut letters = token.char_indices();
        while let Some((offset, letter)) = letters.next() {
            key.push(match letter {
                '~' => match letters.next() {
                    Some((_, '0')) => '~',
                    Some((_, '1')) => '/',
                    _ => return Err(("a \"~\" without 0 or 1 after it", start + offset)),
                },
                other => other,
            });
        }
        steps.push(Step { key, is_index: false, end: at });
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn number(path: &str) -> Result<f64, String> {
        let document = json!({
            "latency": {"p50": 1.5, "p99": "2.5", "max": "n/a", "big": "1,234"},
            "results": [{"time": 10}, {"time": 20}],
            "0": 5, "a/b": {"~": 6}, "": 7, "ok": true, "none": null,
        });
        JsonPath::parse(path).unwrap().number(&document).map_err(|flaw| flaw.to_string())
    }

    #[test]
    fn paths_lead_to_numbers() {
        for (path, value) in [
            ("latency.p50", 1.5),
            (".latency.p99", 2.5),
            ("results[1].time", 20.0),
            ("results.0.time", 10.0),
            (".results[0].time", 10.0),
            ("/results/1/time", 20.0),
            ("/a~1b/~0", 6.0),
            ("a/b.~", 6.0),
            ("0", 5.0),
            ("/", 7.0),
        ] {
            assert_eq!(number(path), Ok(value), "{path}");
        }
        let array = json!([[1], [2, 3]]);
        for path in ["[1][0]", ".[1][0]", "/1/0", "1.0"] {
            assert_eq!(JsonPath::parse(path).unwrap().number(&array), Ok(2.0), "{path}");
        }
    }

    #[test]
    fn a_path_that_leads_elsewhere_says_where_it_ends() {
        for (path, expected) in [
            (
                "latency.p95",
                "\"latency\" has no \"p95\", it has \"p50\", \"p99\", \"max\", \"big\"",
            ),
            (
                "speed",
                "the document has no \"speed\", it has \"latency\", \"results\", \"0\", \
                       \"a/b\", \"\", \"ok\", \"none\"",
            ),
            (
                "results[2].time",
                "\"results\" has 2 elements, but none with index 2 (the first is 0)",
            ),
            (
                "results[99999999999999999999].time",
                "\"results\" has 2 elements, but none with index 99999999999999999999 (the first \
                 is 0)",
            ),
            ("latency.p50.x", "\"latency.p50\" has no \"x\""),
            ("latency[0]", "\"latency\" is an object, not an array, so it has no \"0\""),
            (
                "results.time",
                "\"results\" is an array, which has only indices, so it has no \"time\"",
            ),
            ("latency", "\"latency\" is an object, not a number"),
            ("ok", "\"ok\" is true or false, not a number"),
            ("none", "\"none\" is null, not a number"),
            ("latency.max", "\"n/a\" is not a number"),
        ] {
            assert_eq!(number(path).unwrap_err(), expected);
        }
        assert!(number("latency.big").unwrap_err().starts_with("\"1,234\" has separators"));
    }

    #[test]
    fn bad_paths_say_which_character_is_wrong() {
        for (path, what, column) in [
            ("", "a name is missing", 1),
            (".", "a name is missing", 2),
            ("a.", "a name is missing", 3),
            ("a..b", "a name is missing", 3),
            ("ä.[0]", "a name is missing", 3),
            ("a[0", "a \"[\" without \"]\"", 2),
            ("a[x]", "an index that is not a number", 3),
            ("a[]", "an index that is not a number", 3),
            ("a[-1]", "an index that is not a number", 3),
            ("a]", "a \"]\" without \"[\"", 2),
            ("a[0]b", "a name without a dot before it", 5),
            ("/a/~2", "a \"~\" without 0 or 1 after it", 4),
        ] {
            let error = JsonPath::parse(path).unwrap_err();
            let expected = JsonPathError { path: path.to_string(), what, column };
            assert_eq!(error, expected, "{path}");
        }
        assert_eq!(
            JsonPath::parse("a[x]").unwrap_err().to_string(),
            "json:a[x] is not a path: an index that is not a number at character 3. Use a path \
             such as json:latency.p99, json:results[0].time or json:/results/0/time."
        );
    }
}
