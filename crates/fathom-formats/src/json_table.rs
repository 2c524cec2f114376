//! JSON that no known tool writes: numbers, or objects with numbers.
//!
//! - `[1.5, 2.5]` is one series.
//! - `[{"latency": 1.5}, ...]`, or such objects one after the other (NDJSON), are rows of a table. Every
//!   number is in the column of its path, such as `latency.p99`; true is 1 and false 0.
//! - `{"before": [1.5, 2.5], "after": [1.25, 2]}` is a series per list.
//!
//! Text is skipped with a note, unless it is asked for.

use std::collections::HashMap;

use fathom_record::{Series, Unit};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::contents::Contents;
use crate::csv_columns::Columns;
use crate::csv_table::skipped;
use crate::error::{ByOption, Flaw, listed, quoted};
use crate::json;
use crate::number::NumberFlaw;
use crate::observations::flat::{Flat, Leaf};
use crate::read::Request;
use crate::table_column::{Misfit, TableColumn};

pub(crate) const KNOWN: ByOption<&str> = ByOption(
    "Fathom reads JSON from hyperfine, pyperf, Google Benchmark, criterion (sample.json) and \
     Fathom, and lists of numbers or of objects with numbers. Use --input-format to force one of \
     them",
);

/// Far more than a file of objects that are alike has.
const MOST_CELLS: usize = 200_000_000;

pub(crate) fn read(text: &str, request: &Request<'_>) -> Result<Contents, Flaw> {
    if text.trim_ascii_start().starts_with('[') {
        return list(text, request);
    }
    let mut rows: Vec<(Flat, u64)> = Vec::new();
    json::each(text, json::flaw, |flat, line| {
        rows.push((flat, line));
        Ok(())
    })?;
    match rows.as_slice() {
        [(only, _)] => of_object(only, request),
        _ => table(&rows, "line", request),
    }
}

fn list(text: &str, request: &Request<'_>) -> Result<Contents, Flaw> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Item {
        Number(f64),
        Object(Flat),
        Other(IgnoredAny),
    }
    let items: Vec<Item> = json::parse(text)?;
    let (mut values, mut rows) = (Vec::new(), Vec::new());
    for (item, number) in items.into_iter().zip(1..) {
        match item {
            Item::Number(value) if rows.is_empty() => values.push(value),
            Item::Object(flat) if values.is_empty() => rows.push((flat, number)),
            Item::Number(_) | Item::Object(_) | Item::Other(_) => {
                return Err(Flaw::new(
                    format!("element {number} of the list is not like those before it"),
                    "use a list of numbers, or a list of objects with numbers",
                ));
            }
        }
    }
    if !rows.is_empty() {
        return table(&rows, "object", request);
    }
    if let Some(column) = request.columns.iter().find(|column| column.trim() != "1") {
        return Err(Flaw::new(
            format!("a list of numbers has no column {}", quoted(column)),
            ByOption("leave out --column"),
        ));
    }
    Ok(vec![series(request.stem(), Unit::Unknown, values)?].into())
}

/// Objects as rows; `piece` is what a row is called in messages.
fn table(rows: &[(Flat, u64)], piece: &str, request: &Request<'_>) -> Result<Contents, Flaw> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut paths: Vec<&str> = Vec::new();
    for (path, _) in rows.iter().flat_map(|(flat, _)| &flat.leaves) {
        places.entry(path.as_str()).or_insert_with(|| {
            paths.push(path);
            paths.len() - 1
        });
    }
    if paths.len().saturating_mul(rows.len()) > MOST_CELLS {
        return Err(Flaw::new(
            format!("the {} objects have {} different fields", rows.len(), paths.len()),
            "use the same fields in every object",
        ));
    }
    let columns = Columns::named(&paths);
    let chosen = columns.chosen(request.columns)?;
    let mut cells = vec![TableColumn::New; paths.len()];
    for (flat, number) in rows {
        let mut seen: Vec<Option<&Leaf>> = vec![None; paths.len()];
        for (path, leaf) in &flat.leaves {
            let cell = places.get(path.as_str()).and_then(|&place| seen.get_mut(place));
            if cell.is_some_and(|cell| cell.replace(leaf).is_some()) {
                let flaw =
                    Flaw::new(format!("{} appears twice", quoted(path)), "rename one of them");
                return Err(at(flaw, piece, *number));
            }
        }
        for &column in &chosen {
            let (text, value) = match seen.get(column).copied().flatten() {
                Some(Leaf::Number(value)) if value.is_finite() => ("", Ok(*value)),
                Some(Leaf::Text(text)) => (text.as_str(), Err(NumberFlaw::Text)),
                // null, or not there at all
                Some(Leaf::Number(_)) | None => ("", Err(NumberFlaw::Empty)),
            };
            let Some(cell) = cells.get_mut(column) else { continue };
            let added = match value {
                Err(flaw) if !request.columns.is_empty() => {
                    Err(Misfit { text: text.to_string(), line: *number, flaw })
                }
                value => cell.add(text, *number, value),
            };
            added.map_err(|misfit| {
                let name = quoted(columns.name(column));
                let remedy = columns.remedy().after("correct it or remove it, or ");
                let flaw = match misfit.flaw {
                    NumberFlaw::Empty => Flaw::new(format!("{name} is missing"), remedy),
                    flaw => flaw.about(&misfit.text, remedy).within(name),
                };
                at(flaw, piece, misfit.line)
            })?;
        }
    }
    let (mut all, mut texts, mut empty) = (Vec::new(), Vec::new(), Vec::new());
    for &column in &chosen {
        let name = columns.series_name(column);
        match cells.get_mut(column).map(std::mem::take).unwrap_or_default() {
            TableColumn::Numbers(values) => all.push(series(name, columns.unit(column), values)?),
            TableColumn::Text { .. } => texts.push(name),
            TableColumn::Empty { .. } => empty.push(name),
            TableColumn::New => {}
        }
    }
    if all.is_empty() {
        return Err(Flaw::new("the objects contain no numbers", "check that it is the right file"));
    }
    let notes = [skipped("with text", &texts), skipped("without values", &empty)];
    Ok(Contents { series: all, notes: notes.into_iter().flatten().collect() })
}

/// Lists of numbers under their names.
fn of_object(object: &Flat, request: &Request<'_>) -> Result<Contents, Flaw> {
    let mut names: Vec<&str> = Vec::new();
    let mut lists: Vec<Vec<f64>> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for (path, leaf) in &object.leaves {
        let element = path.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let is_next = |name: &str, place: &str| {
            let length = lists.last().map_or(0, Vec::len);
            names.last() == Some(&name) && place == length.to_string()
        };
        match (element, leaf) {
            (Some((name, "0")), Leaf::Number(value)) if value.is_finite() => {
                names.push(name);
                lists.push(vec![*value]);
            }
            (Some((name, place)), Leaf::Number(value))
                if value.is_finite() && is_next(name, place) =>
            {
                if let Some(list) = lists.last_mut() {
                    list.push(*value);
                }
            }
            // A number after something else, or something else after a number.
            (Some((name, place)), leaf)
                if is_next(name, place) || matches!(leaf, Leaf::Number(_)) =>
            {
                return Err(Flaw::new(
                    format!("{} is in a list that mixes numbers with other values", quoted(path)),
                    "use lists of numbers, or objects with numbers",
                ));
            }
            _ => others.push(path.clone()),
        }
    }
    if lists.is_empty() {
        let what = match others.is_empty() {
            true => "the JSON object is empty".to_string(),
            false => {
                format!(
                    "the JSON has the keys {}, which no supported tool writes",
                    listed(&others, 6)
                )
            }
        };
        return Err(Flaw::new(what, KNOWN));
    }
    let columns = Columns::named(&names);
    let mut all = Vec::new();
    for column in columns.chosen(request.columns)? {
        let values = lists.get(column).cloned().unwrap_or_default();
        all.push(series(columns.series_name(column), columns.unit(column), values)?);
    }
    let is_noted = !others.is_empty() && request.columns.is_empty();
    let note = is_noted.then(|| {
        format!("skipped everything that is not a list of numbers: {}", listed(&others, 12))
    });
    Ok(Contents { series: all, notes: note.into_iter().collect() })
}

fn at(flaw: Flaw, piece: &str, number: u64) -> Flaw {
    if piece == "line" { flaw.at_line(number) } else { flaw.within(format!("{piece} {number}")) }
}

fn series(name: String, unit: Unit, values: Vec<f64>) -> Result<Series, Flaw> {
    Series::new(name, unit, values)
        .map_err(|error| Flaw::new(error.to_string(), "check that it is the right file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str, columns: &[&str]) -> (Vec<(String, Vec<f64>)>, Vec<String>) {
        let columns: Vec<String> = columns.iter().map(ToString::to_string).collect();
        let request = Request { source: "x.json", columns: &columns, ..Request::default() };
        let contents = read(text, &request).unwrap();
        let pair = |series: &Series| (series.name().to_string(), series.values().to_vec());
        (contents.series.iter().map(pair).collect(), contents.notes)
    }

    #[test]
    fn lists_objects_and_lines_are_read() {
        let one = |name: &str, values: &[f64]| (name.to_string(), values.to_vec());
        assert_eq!(read_text("[1.5, 2]", &[]).0, [one("x", &[1.5, 2.0])]);
        let lines = "{\"t_ms\":1.5,\"host\":\"a\",\"gc\":{\"n\":3}}\n\n{\"gc\":{\"n\":4},\"t_ms\":2,\"host\":null}\n";
        let (series, notes) = read_text(lines, &[]);
        assert_eq!(series, [one("t_ms", &[1.5, 2.0]), one("gc.n", &[3.0, 4.0])]);
        assert_eq!(notes, ["skipped column with text: \"host\""]);
        assert_eq!(read_text(lines, &["gc.n"]).0, [one("gc.n", &[3.0, 4.0])]);
        assert_eq!(read_text("[{\"a\":1},{\"a\":2}]", &[]).0, [one("a", &[1.0, 2.0])]);
        let (series, notes) = read_text("{\"n\":2,\"a\":[1,2],\"b\":[3]}", &[]);
        assert_eq!(series, [one("a", &[1.0, 2.0]), one("b", &[3.0])]);
        assert_eq!(notes, ["skipped everything that is not a list of numbers: \"n\""]);
        assert_eq!(read_text("{\"a\":[1,2],\"b\":[3]}", &["b"]).0, [one("b", &[3.0])]);
    }
}
