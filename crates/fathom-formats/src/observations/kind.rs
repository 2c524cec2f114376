//! What kind of file holds executions, by its content.

use super::ObservationFormat;
use crate::error::Flaw;
use crate::json_kind::{self, Expected};
use crate::json_shape::{Fields, JsonShape};
use crate::{Format, detect};

/// What kind of file a text is.
pub(super) fn of_text(text: &str) -> Result<ObservationFormat, Flaw> {
    let start = text.trim_ascii_start();
    if start.starts_with('{') {
        let shape = JsonShape::first(text)?;
        let fields = shape.as_ref().and_then(JsonShape::fields);
        return fields.map_or(Ok(ObservationFormat::Json), of_object);
    }
    if start.starts_with('[') {
        return of_list(text);
    }
    detect::of_text(text, None).map(ObservationFormat::Of)
}

/// Whether the executions in a text are those of a check's journal.
pub(super) fn is_journal(text: &str) -> bool {
    first_object(text).is_some_and(|fields| json_kind::is_journal(&fields))
}

/// How many bytes at the beginning of a journal say what was asked: its first line, or none of it.
pub(super) fn header_of_journal(text: &str) -> usize {
    let line = text.split_inclusive('\n').next().unwrap_or_default();
    let is_header =
        first_object(line).is_some_and(|fields| json_kind::is_header_of_journal(&fields));
    if is_header { line.len() } else { 0 }
}

/// The first of the values in a text, if it is an object.
fn first_object(text: &str) -> Option<Fields> {
    match JsonShape::first(text) {
        Ok(Some(JsonShape::Object(fields))) => Some(fields),
        _ => None,
    }
}

fn of_object(fields: &Fields) -> Result<ObservationFormat, Flaw> {
    if json_kind::is_execution(fields) || json_kind::is_journal(fields) {
        return Ok(ObservationFormat::Execution);
    }
    let tool = json_kind::tool_of(fields, Expected::Executions)?;
    Ok(tool.map_or(ObservationFormat::Json, ObservationFormat::Of))
}

fn of_list(text: &str) -> Result<ObservationFormat, Flaw> {
    match JsonShape::only(text)?.elements() {
        two if json_kind::is_criterion_list(two) => Ok(ObservationFormat::Of(Format::Criterion)),
        [] => Ok(ObservationFormat::Json),
        [JsonShape::Object(fields), ..] if json_kind::is_journal(fields) => Err(Flaw::new(
            "the file is a list of executions from fathom check",
            "write one execution per line, as Fathom's journal does",
        )),
        [JsonShape::Object(fields), ..] => match of_object(fields)? {
            ObservationFormat::Execution => Ok(ObservationFormat::Execution),
            _ => Ok(ObservationFormat::Json),
        },
        [JsonShape::Count | JsonShape::Number, ..] => Err(Flaw::new(
            "the file is a JSON array of numbers",
            "write one number per line instead, or objects such as {\"ipc\": 1.5}",
        )),
        _ => Err(Flaw::new(
            "the file is a JSON array whose elements are not objects",
            "use objects such as {\"ipc\": 1.5}, one per execution",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_is_told_by_the_content() {
        let of = |format| Some(ObservationFormat::Of(format));
        let (execution, json) = (Some(ObservationFormat::Execution), Some(ObservationFormat::Json));
        for (text, kind) in [
            ("1\n2\n", of(Format::Numbers)),
            ("time,power\n", of(Format::Csv)),
            ("\n---------- Begin Simulation Statistics ----------\n", of(Format::Gem5)),
            (r#"{"schema":"fathom-execution/9"}"#, execution),
            ("[{\"schema\":\"fathom-execution/1\"}]", execution),
            (r#"{"ticket":{},"outcome":{}}"#, execution),
            (r#"{"request":{"question":"check","version":1}}"#, execution),
            (r#"{"request":{"question":"why"}}"#, json),
            (r#"{"request":7,"ipc":1}"#, json),
            (r#"{"schema":"fathom/1"}"#, of(Format::Fathom)),
            (r#"{"schema":"mine","ipc":1}"#, json),
            (r#"{"results":[{"command":"x"}]}"#, of(Format::Hyperfine)),
            (r#"{"results":[{"time":1}]}"#, json),
            (r#"{"benchmarks":3}"#, json),
            (r#"{"benchmarks":[],"version":"1"}"#, of(Format::Pyperf)),
            (r#"{"benchmarks":[],"context":{}}"#, of(Format::GoogleBenchmark)),
            (r#"{"iters":[],"times":[]}"#, of(Format::Criterion)),
            ("[[1],[2]]", of(Format::Criterion)),
            ("{\"ipc\":1}\n{\"ipc\":2}\n", json),
            ("[{\"ipc\":1}]", json),
            ("[1,2]", None),
            (r#"{"full_id":"x"}"#, None),
        ] {
            assert_eq!(of_text(text).ok(), kind, "{text}");
        }
    }
}
