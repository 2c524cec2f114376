//! What kind of file holds executions, by its content.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::ObservationFormat;
use crate::error::Flaw;
use crate::{Format, detect, json};

/// What kind of file a text is.
pub(super) fn of_text(text: &str) -> Result<ObservationFormat, Flaw> {
    let start = text.trim_ascii_start();
    if start.starts_with('{') {
        return first::<Object>(text)?.map_or(Ok(ObservationFormat::Json), |object| object.kind());
    }
    if start.starts_with('[') {
        return of_list(text);
    }
    detect::of_text(text, None).map(ObservationFormat::Of)
}

/// Whether the executions in a text are those of a check's journal.
pub(super) fn is_journal(text: &str) -> bool {
    let object = first::<Object>(text).ok().flatten();
    object.is_some_and(|object| object.is_journal())
}

/// How many bytes at the beginning of a journal say what was asked: its first line, or none of it.
pub(super) fn header_of_journal(text: &str) -> usize {
    let line = text.split_inclusive('\n').next().unwrap_or_default();
    match first::<Object>(line) {
        Ok(Some(object)) if object.is_header_of_journal() => line.len(),
        _ => 0,
    }
}

/// The first of the values in a text.
fn first<T: for<'a> Deserialize<'a>>(text: &str) -> Result<Option<T>, Flaw> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<T>();
    values.next().transpose().map_err(|error| json::flaw(text, &error))
}

/// The fields that tell kinds apart. Programs use words such as "results" as well, so a tool's file
/// is recognized by more than one of them.
#[derive(Deserialize)]
struct Object {
    schema: Option<Value>,
    request: Option<Value>,
    ticket: Option<IgnoredAny>,
    outcome: Option<IgnoredAny>,
    results: Option<Value>,
    benchmarks: Option<IgnoredAny>,
    context: Option<IgnoredAny>,
    version: Option<IgnoredAny>,
    iters: Option<Value>,
    times: Option<Value>,
    full_id: Option<IgnoredAny>,
    median_abs_dev: Option<IgnoredAny>,
}

impl Object {
    fn is_journal(&self) -> bool {
        (self.ticket.is_some() && self.outcome.is_some()) || self.is_header_of_journal()
    }

    /// Other programs have requests too, but none that is a check of ours.
    fn is_header_of_journal(&self) -> bool {
        let request = self.request.as_ref();
        request.is_some_and(|request| request["question"] == "check" && request["version"].is_u64())
    }

    fn kind(&self) -> Result<ObservationFormat, Flaw> {
        let schema = self.schema.as_ref().and_then(Value::as_str).unwrap_or_default();
        if schema.starts_with("fathom-execution/") || self.is_journal() {
            return Ok(ObservationFormat::Execution);
        }
        if schema.starts_with("fathom/") {
            return Ok(ObservationFormat::Of(Format::Fathom));
        }
        let has_command = |result: &Value| result.get("command").is_some();
        let is_list = |value: &Option<Value>| value.as_ref().is_some_and(Value::is_array);
        let results = self.results.as_ref().and_then(Value::as_array);
        let of = |format| Ok(ObservationFormat::Of(format));
        if results.and_then(|results| results.first()).is_some_and(has_command) {
            of(Format::Hyperfine)
        } else if self.benchmarks.is_some() && self.context.is_some() {
            of(Format::GoogleBenchmark)
        } else if self.benchmarks.is_some() && self.version.is_some() {
            of(Format::Pyperf)
        } else if is_list(&self.iters) && is_list(&self.times) {
            of(Format::Criterion)
        } else if self.full_id.is_some() || self.median_abs_dev.is_some() {
            // It says what the measurements are about, and where they are.
            detect::of_text(r#"{"full_id":""}"#, None).map(ObservationFormat::Of)
        } else {
            Ok(ObservationFormat::Json)
        }
    }
}

fn of_list(text: &str) -> Result<ObservationFormat, Flaw> {
    /// Only as much as tells lists apart.
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Item {
        List(#[allow(dead_code, reason = "its type is what matters")] Vec<IgnoredAny>),
        Object(Box<Object>),
        Number(#[allow(dead_code, reason = "its type is what matters")] f64),
        Other(IgnoredAny),
    }
    let items: Vec<Item> = json::parse(text)?;
    match items.as_slice() {
        [Item::List(_), Item::List(_)] => Ok(ObservationFormat::Of(Format::Criterion)),
        [] => Ok(ObservationFormat::Json),
        [Item::Object(object), ..] if object.is_journal() => Err(Flaw::new(
            "the file is a list of executions from fathom check",
            "write one execution per line, as Fathom's journal does",
        )),
        [Item::Object(object), ..] => match object.kind()? {
            ObservationFormat::Execution => Ok(ObservationFormat::Execution),
            _ => Ok(ObservationFormat::Json),
        },
        [Item::Number(_), ..] => Err(Flaw::new(
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
