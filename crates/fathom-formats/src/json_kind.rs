//! Whose JSON it is. Everything that recognizes JSON by its content asks here; what is done with the
//! answer, and with JSON that no tool has written, is for the caller.

use crate::Format;
use crate::error::Flaw;
use crate::json_shape::{Fields, JsonShape};
use crate::trace_imports::ImportFormat;

/// What stands where the JSON was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Measurements of a tool. One word that only its files have is enough, so that a file that is
    /// cut or broken is still taken for that tool's.
    Measurements,
    /// Executions, which may be JSON of any program. Programs use words such as "results" as well,
    /// so a tool's file is recognized by more than one of them.
    Executions,
}

/// How the files of a tool are recognized.
struct ToolJson {
    format: Format,
    /// Where measurements are expected.
    among_tools: fn(&Fields) -> bool,
    /// Where any program's JSON may stand.
    among_programs: fn(&Fields) -> bool,
}

/// Every tool whose measurements are JSON, in the order in which they are tried.
const TOOLS: [ToolJson; 5] = [
    ToolJson {
        format: Format::Fathom,
        among_tools: |fields| has(fields, "schema"),
        among_programs: |fields| schema(fields).starts_with("fathom/"),
    },
    ToolJson {
        format: Format::Hyperfine,
        among_tools: |fields| has(fields, "results"),
        among_programs: |fields| {
            let first = fields.get("results").and_then(|results| results.elements().first());
            first.and_then(JsonShape::fields).is_some_and(|result| result.contains_key("command"))
        },
    },
    ToolJson {
        format: Format::Criterion,
        among_tools: has_iterations,
        among_programs: has_iterations,
    },
    ToolJson {
        format: Format::GoogleBenchmark,
        // Without either of the two it is said what Google Benchmark would have written.
        among_tools: |fields| {
            has(fields, "benchmarks") && (has(fields, "context") || !has(fields, "version"))
        },
        among_programs: |fields| has(fields, "benchmarks") && has(fields, "context"),
    },
    ToolJson {
        format: Format::Pyperf,
        among_tools: has_version_of_benchmarks,
        among_programs: has_version_of_benchmarks,
    },
];

/// The tool that wrote an object, if any did.
///
/// # Errors
/// It is a tool's, but not the file with the measurements.
pub(crate) fn tool_of(fields: &Fields, expected: Expected) -> Result<Option<Format>, Flaw> {
    let found = TOOLS.iter().find(|tool| match expected {
        Expected::Measurements => (tool.among_tools)(fields),
        Expected::Executions => (tool.among_programs)(fields),
    });
    match found {
        Some(tool) => Ok(Some(tool.format)),
        None if has(fields, "full_id") || has(fields, "median_abs_dev") => Err(Flaw::new(
            "this criterion file describes a benchmark but has no measurements",
            "use sample.json from the same folder, or the folder itself",
        )),
        None => Ok(None),
    }
}

/// Whether a list is criterion's: the iterations, and their times.
pub(crate) fn is_criterion_list(elements: &[JsonShape]) -> bool {
    matches!(elements, [JsonShape::List(_), JsonShape::List(_)])
}

/// Whether an object is an execution in Fathom's own form.
pub(crate) fn is_execution(fields: &Fields) -> bool {
    schema(fields).starts_with("fathom-execution/")
}

/// Whether an object is a line of a check's journal.
pub(crate) fn is_journal(fields: &Fields) -> bool {
    (has(fields, "ticket") && has(fields, "outcome")) || is_header_of_journal(fields)
}

/// Whether an object is the first line of a check's journal. Other programs have requests too, but
/// none that is a check of ours.
pub(crate) fn is_header_of_journal(fields: &Fields) -> bool {
    let request = fields.get("request").and_then(JsonShape::fields);
    request.is_some_and(|request| {
        request.get("question").and_then(JsonShape::text) == Some("check")
            && request.get("version") == Some(&JsonShape::Count)
    })
}

/// The tool whose trace an object is, or the first object of a list, if it is any's.
///
/// # Errors
/// It is known, but not a trace that can be imported.
pub(crate) fn trace_of(fields: &Fields) -> Result<Option<ImportFormat>, Flaw> {
    let has = |name: &str| has(fields, name);
    if has("counter-value") || has("interval") {
        return Err(perf_json());
    }
    if has("schema") {
        return Err(Flaw::new(
            "the file is one of Fathom's own",
            "open its folder with fathom show, or the file with fathom analyze",
        ));
    }
    if has("status") || has("resultType") || has("metric") {
        return Ok(Some(ImportFormat::Prometheus));
    }
    let is_netdata =
        has("labels") || has("cols") || (has("result") && (has("view") || has("api") || has("id")));
    Ok(is_netdata.then_some(ImportFormat::Netdata))
}

/// What is wrong with JSON of perf.
pub(crate) fn perf_json() -> Flaw {
    Flaw::new("the file is JSON from perf stat -j", "record with perf stat -I 1000 -x, -o FILE")
}

/// Whether an object has something under a name. Null is nothing.
fn has(fields: &Fields, name: &str) -> bool {
    fields.get(name).is_some_and(|value| *value != JsonShape::Null)
}

fn schema(fields: &Fields) -> &str {
    fields.get("schema").and_then(JsonShape::text).unwrap_or_default()
}

/// criterion's `sample.json`. Both are lists: single numbers of these names are any program's.
fn has_iterations(fields: &Fields) -> bool {
    ["iters", "times"].iter().all(|name| fields.get(*name).is_some_and(JsonShape::is_list))
}

fn has_version_of_benchmarks(fields: &Fields) -> bool {
    has(fields, "benchmarks") && has(fields, "version")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(text: &str) -> [Option<Format>; 2] {
        let shape = JsonShape::only(text).unwrap();
        let fields = shape.fields().unwrap();
        [Expected::Measurements, Expected::Executions]
            .map(|expected| tool_of(fields, expected).unwrap())
    }

    /// One word is enough among files of tools, and not enough among programs' own JSON.
    #[test]
    fn how_sure_a_tool_is_recognized_depends_on_what_is_expected() {
        for (text, format) in [
            (r#"{"schema":"mine"}"#, Format::Fathom),
            (r#"{"results":[{"time":1}]}"#, Format::Hyperfine),
            (r#"{"results":7}"#, Format::Hyperfine),
            (r#"{"benchmarks":3}"#, Format::GoogleBenchmark),
        ] {
            assert_eq!(tools(text), [Some(format), None], "{text}");
        }
        for (text, format) in [
            (r#"{"schema":"fathom/9"}"#, Format::Fathom),
            (r#"{"results":[{"command":null}]}"#, Format::Hyperfine),
            (r#"{"iters":[],"times":[]}"#, Format::Criterion),
            (r#"{"benchmarks":[],"context":{},"version":1}"#, Format::GoogleBenchmark),
            (r#"{"benchmarks":[],"version":"1.0"}"#, Format::Pyperf),
        ] {
            assert_eq!(tools(text), [Some(format); 2], "{text}");
        }
        for text in ["{}", r#"{"results":null}"#, r#"{"iters":3,"times":4}"#, r#"{"times":[1]}"#] {
            assert_eq!(tools(text), [None; 2], "{text}");
        }
    }

    /// Every tool with JSON of its own has a line in the table.
    #[test]
    fn every_tool_is_in_the_table() {
        for format in Format::ALL {
            let is_json_of_a_tool = match format {
                Format::Hyperfine
                | Format::Pyperf
                | Format::GoogleBenchmark
                | Format::Criterion
                | Format::Fathom => true,
                Format::Numbers | Format::Csv | Format::Gem5 | Format::Json => false,
            };
            let lines = TOOLS.iter().filter(|tool| tool.format == format).count();
            assert_eq!(lines, usize::from(is_json_of_a_tool), "{format}");
        }
    }
}
