//! What kind of trace a file holds, by its content.

use super::gc_decorations::Decorations;
use super::gc_message::Message;
use super::{ImportFormat, perf_line};
use crate::ReadError;
use crate::csv_delimiter;
use crate::csv_records::{Record, Records};
use crate::error::{Flaw, listed};
use crate::json_kind;
use crate::json_shape::{Fields, JsonShape};
use crate::numbers::significant_lines;
use crate::read::text_of;

/// What kind of trace `bytes` are.
///
/// ```
/// use fathom_formats::trace_imports::{ImportFormat, detect};
/// assert_eq!(detect("x", b"time,latency\n0,1\n")?, ImportFormat::Csv);
/// assert_eq!(detect("x", b"[0.041s][info][gc] GC(0) Pause Remark 0.1ms\n")?, ImportFormat::GcLog);
/// # Ok::<(), fathom_formats::ReadError>(())
/// ```
pub fn detect(source: &str, bytes: &[u8]) -> Result<ImportFormat, ReadError> {
    let attach = |flaw| ReadError::of_import(source, flaw, None);
    let text = text_of(bytes).map_err(attach)?;
    of_text(&text).map_err(attach)
}

/// How many lines are looked at: a program's own output may stand before the first line of its log.
const LOOK: usize = 200;

pub(super) fn of_text(text: &str) -> Result<ImportFormat, Flaw> {
    let start = text.trim_ascii_start();
    if start.starts_with('{') {
        return of_object(text);
    }
    let in_bracket = start.strip_prefix('[').map(str::trim_ascii_start);
    if in_bracket.is_some_and(|inside| inside.starts_with(['{', ']'])) {
        return of_list(text);
    }
    if in_bracket.is_some_and(|inside| inside.starts_with(['[', '"', '-']))
        || is_array_of_numbers(start)
    {
        return Err(Flaw::new(
            "the file is a JSON array without times or names",
            "query Netdata with format=json or format=csv, and Prometheus with query_range",
        ));
    }
    if significant_lines(text).next().is_some_and(|(line, _)| line.starts_with("{\"interval\"")) {
        // Below a comment with the date, if it was written to a file.
        return Err(json_kind::perf_json());
    }
    if is_exposition(text) {
        return Err(Flaw::new(
            "the file is a single snapshot of metrics in Prometheus text format, not a trace",
            "have fathom record scrape the endpoint while the program runs, or use the JSON from \
             /api/v1/query_range",
        ));
    }
    if is_perf(text) {
        return Ok(ImportFormat::PerfStat);
    }
    if is_gc_log(text) {
        return Ok(ImportFormat::GcLog);
    }
    Ok(if is_netdata_table(text) { ImportFormat::Netdata } else { ImportFormat::Csv })
}

fn is_array_of_numbers(start: &str) -> bool {
    let inside = start.strip_prefix('[').and_then(|inside| inside.split([',', ']']).next());
    inside.is_some_and(|first| first.trim().parse::<f64>().is_ok())
}

fn of_list(text: &str) -> Result<ImportFormat, Flaw> {
    match JsonShape::only(text)?.elements() {
        [element, ..] => of_fields(element),
        [] => Err(Flaw::new("the JSON array is empty", "check the query that returned it")),
    }
}

fn of_object(text: &str) -> Result<ImportFormat, Flaw> {
    of_fields(&JsonShape::first(text)?.unwrap_or(JsonShape::Null))
}

fn of_fields(object: &JsonShape) -> Result<ImportFormat, Flaw> {
    let none = Fields::new();
    let fields = object.fields().unwrap_or(&none);
    if let Some(format) = json_kind::trace_of(fields)? {
        return Ok(format);
    }
    let names: Vec<&String> = fields.keys().collect();
    let what = if names.is_empty() {
        "the JSON object is empty".to_string()
    } else {
        format!("the JSON has the keys {}, which no supported tool writes", listed(&names, 6))
    };
    Err(Flaw::new(
        what,
        "Fathom reads JSON from Prometheus range queries and from Netdata. Use --input-format to \
         force one of them",
    ))
}

/// `# TYPE` or `# EOF`, which a table's comments do not look like.
fn is_exposition(text: &str) -> bool {
    text.lines().take(LOOK).any(|line| {
        let words: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
        matches!(
            words.as_slice(),
            [
                "#",
                "TYPE",
                _,
                "counter"
                    | "gauge"
                    | "histogram"
                    | "summary"
                    | "untyped"
                    | "unknown"
                    | "info"
                    | "stateset"
            ] | ["#", "EOF"]
        )
    })
}

fn is_perf(text: &str) -> bool {
    let first = significant_lines(text).next();
    first.is_some_and(|(line, _)| perf_line::separator(line).is_some())
}

fn is_gc_log(text: &str) -> bool {
    text.lines().take(LOOK).any(|line| {
        let (decorations, message) = Decorations::take(line);
        let is_dated = decorations != Decorations::default();
        let (id, message_read) = Message::parse(message);
        // JDK 8 and before wrote `0.123: [GC (Allocation Failure) ...`.
        is_dated
            || (id.is_some() && message_read.is_some())
            || line.contains(": [GC (")
            || line.contains(": [Full GC (")
    })
}

/// `time` first, and rows of dates or of seconds since 1970 with the newest first.
fn is_netdata_table(text: &str) -> bool {
    let mut records = Records::new(text, csv_delimiter::of(text));
    let mut record = Record::default();
    let mut first_cells = Vec::new();
    while first_cells.len() < 3 && matches!(records.read(&mut record), Ok(true)) {
        first_cells.push(record.cells.first().map(ToString::to_string).unwrap_or_default());
    }
    let [time, newest, older] = first_cells.as_slice() else { return false };
    let is_date = |text: &str| {
        text.len() == "2026-11-16 01:47:14".len()
            && super::date_time::DateTime::parse(text).is_some()
    };
    let is_number = |text: &str| text.parse::<u64>().is_ok_and(|time| time >= 1_000_000_000);
    let fits = (is_date(newest) && is_date(older)) || (is_number(newest) && is_number(older));
    // Both forms have a fixed number of letters, so that text compares as times do.
    time == "time" && fits && newest.len() == older.len() && newest > older
}
