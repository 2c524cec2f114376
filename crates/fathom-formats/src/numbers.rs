//! Plain numbers: separated by white space or line ends, one series for the whole file.
//!
//! Blank lines, and lines that start with `#`, are comments.

use fathom_record::{Series, Unit};

use crate::error::{ByOption, Flaw, quoted};
use crate::number;
use crate::read::Request;

pub(crate) fn read(text: &str, request: &Request<'_>) -> Result<Vec<Series>, Flaw> {
    if let Some(column) = request.columns.iter().find(|column| column.trim() != "1") {
        return Err(Flaw::new(
            format!("plain numbers have no column {}", quoted(column)),
            ByOption("leave out --column"),
        ));
    }
    let decimal = request.decimal.unwrap_or_default();
    let mut values = Vec::new();
    for (line, index) in significant_lines(text) {
        for word in line.split_ascii_whitespace() {
            match number::parse_in(word, decimal) {
                Ok(value) => values.push(value),
                Err(flaw) => {
                    return Err(flaw
                        .about_choosing(word, "correct it or remove it")
                        .at_line(index));
                }
            }
        }
    }
    let series = Series::new(request.stem(), Unit::Unknown, values).map_err(|_| {
        Flaw::new("the file contains only comments, no numbers", "check that it is the right file")
    })?;
    Ok(vec![series])
}

/// Lines with content, with their number from 1.
pub(crate) fn significant_lines(text: &str) -> impl Iterator<Item = (&str, u64)> {
    text.split('\n').zip(1..).filter(|(line, _)| !is_blank_or_comment(line))
}

/// Whether a line of a text file says nothing by the rules of this crate.
pub(crate) fn is_blank_or_comment(line: &str) -> bool {
    let line = line.trim_ascii_start();
    line.is_empty() || line.starts_with('#')
}
