//! What kind of file it is, by its content.

use crate::decimal_mark::DecimalMark;
use crate::error::Flaw;
use crate::json_kind::{self, Expected};
use crate::json_shape::JsonShape;
use crate::json_table::KNOWN;
use crate::numbers::significant_lines;
use crate::{Format, ReadError, decode, gem5_dumps, number};

/// What kind of file `bytes` are: by the first characters, then by the keys of JSON.
///
/// ```
/// use fathom_formats::{Format, detect};
/// assert_eq!(detect("x", b"1.5 2.5\n")?, Format::Numbers);
/// assert_eq!(detect("x", b"time\n1.5\n")?, Format::Csv);
/// assert_eq!(detect("x", br#"{"results":[]}"#)?, Format::Hyperfine);
/// # Ok::<(), fathom_formats::ReadError>(())
/// ```
pub fn detect(source: &str, bytes: &[u8]) -> Result<Format, ReadError> {
    let attach = |flaw| ReadError::new(source, flaw, None);
    let text = decode::text(bytes).map_err(attach)?;
    of_text(&text, None).map_err(attach)
}

/// The kind of a text; `decimal` is the decimal mark that the user chose.
pub(crate) fn of_text(text: &str, decimal: Option<DecimalMark>) -> Result<Format, Flaw> {
    let start = text.trim_ascii_start();
    if start.starts_with('{') {
        return of_object(text);
    }
    if start.starts_with('[') {
        return of_array(text);
    }
    let Some((line, _)) = significant_lines(text).next() else {
        return Ok(Format::Numbers);
    };
    if gem5_dumps::is_begin(line) {
        return Ok(Format::Gem5);
    }
    // Tabs divide columns, spaces divide plain numbers.
    let is_comma = decimal == Some(DecimalMark::Comma);
    let is_number =
        |word: &str| (is_comma || !word.contains(',')) && number::is_meant_as_number(word);
    let is_plain = !line.contains(['\t', ';', '"']) && line.split_ascii_whitespace().all(is_number);
    Ok(if is_plain { Format::Numbers } else { Format::Csv })
}

fn of_object(text: &str) -> Result<Format, Flaw> {
    let shape = JsonShape::first(text)?;
    let tool = match shape.as_ref().and_then(JsonShape::fields) {
        Some(fields) => json_kind::tool_of(fields, Expected::Measurements)?,
        None => None,
    };
    Ok(tool.unwrap_or(Format::Json))
}

fn of_array(text: &str) -> Result<Format, Flaw> {
    match JsonShape::only(text)?.elements() {
        two if json_kind::is_criterion_list(two) => Ok(Format::Criterion),
        [] => Err(Flaw::new("the JSON array is empty", "check that it is the right file")),
        [JsonShape::List(_), ..] => Err(Flaw::new(
            "the file is a JSON array of arrays, which no supported tool writes",
            KNOWN,
        )),
        _ => Ok(Format::Json),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_is_told_by_the_content() {
        let table = [
            ("1\n2\n", Format::Numbers),
            ("# c\n\n 1 2 3\n", Format::Numbers),
            ("nan\n1\n", Format::Numbers),
            ("12ms\n13ms\n", Format::Numbers),
            ("1,2,3\n", Format::Csv),
            ("1,5\n", Format::Csv),
            ("1\t2\n", Format::Csv),
            ("1,5;2,5\n", Format::Csv),
            ("runtime (s)\n1\n", Format::Csv),
            ("\"1\"\n", Format::Csv),
            (" { \"results\" : [] }", Format::Hyperfine),
            (r#"{"schema":"fathom/9"}"#, Format::Fathom),
            (r#"{"benchmarks":[],"version":"1.0"}"#, Format::Pyperf),
            (r#"{"benchmarks":[],"context":{}}"#, Format::GoogleBenchmark),
            (r#"{"sampling_mode":"Flat","iters":[],"times":[]}"#, Format::Criterion),
            ("[[1],[2]]", Format::Criterion),
            ("[1, 2]", Format::Json),
            ("[{\"a\": 1}]", Format::Json),
            ("{\"a\": 1}\n{\"a\": 2}\n", Format::Json),
            ("\n---------- Begin Simulation Statistics ----------\n", Format::Gem5),
        ];
        for (text, format) in table {
            assert_eq!(of_text(text, None), Ok(format), "{text}");
        }
    }
}
