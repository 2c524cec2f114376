//! JSON in a program's output.

use super::error::Flaw;
use serde_json::{Deserializer, Value};

/// The output as JSON, or the last object or array in it that begins at the start of a line and
/// ends at the end of one: programs log before they print their result, and some after it.
pub(super) fn read(output: &[u8]) -> Result<Value, Flaw> {
    if let Ok(value) = serde_json::from_slice(output) {
        return Ok(value);
    }
    let mut end = output.len();
    while end > 0 {
        let before = output.get(..end).unwrap_or_default();
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if let Some(value) = output.get(start..).and_then(at_line_start) {
            return Ok(value);
        }
        end = start.saturating_sub(1);
    }
    Err(Flaw::NoJson)
}

/// The object or array at the beginning, if nothing else is on its last line.
fn at_line_start(text: &[u8]) -> Option<Value> {
    if !matches!(text.first(), Some(b'{' | b'[')) {
        return None;
    }
    let mut values = Deserializer::from_slice(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let rest = text.get(values.byte_offset()..)?;
    let line = rest.split(|&byte| byte == b'\n').next()?;
    line.trim_ascii().is_empty().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_is_found_between_other_lines() {
        for (output, expected) in [
            ("  {\"a\": 1}\n", json!({"a": 1})),
            ("5", json!(5)),
            ("start\n{\"a\": 1}\n{\"a\": 2}\n", json!({"a": 2})),
            ("start\n[1, 2]\r\ndone\n", json!([1, 2])),
            ("[info] x\n{\n  \"a\": [\n    {\n      \"b\": 1\n    }\n  ]\n}\n[1] done", {
                json!({"a": [{"b": 1}]})
            }),
            ("{\"a\": 1}\n{\"a\": 2", json!({"a": 1})),
        ] {
            assert_eq!(read(output.as_bytes()), Ok(expected), "{output}");
        }
    }

    #[test]
    fn other_output_is_not_json() {
        for output in ["", "\n", "a\n5\n", "x {\"a\": 1}", "{\"a\": 1} x", "{\"a\": NaN}", "\u{0}"]
        {
            assert_eq!(read(output.as_bytes()), Err(Flaw::NoJson), "{output}");
        }
        assert_eq!(read(b"\xff\n\xfe"), Err(Flaw::NoJson));
        let deep = format!("x\n{}", "[".repeat(100_000));
        assert_eq!(read(deep.as_bytes()), Err(Flaw::NoJson));
        let lines = format!("x\n{}", "[\n".repeat(20_000));
        assert_eq!(read(lines.as_bytes()), Err(Flaw::NoJson));
    }
}
