//! Tables: signals over time, events in time, or an execution per row.
//!
//! - The first column is a time (`time`, `time[ms]`, `cycle`): a step signal per column. An empty
//!   cell says that the value is missing from then on, not that it stays.
//! - There is a column `event`: every row is an occurrence, the other columns are attributes of it.
//! - Otherwise every row is an execution, and every column a scalar of it; except that rows which
//!   look like samples of one execution are refused (`trace_rows`), unless the user says what they
//!   are.
//!
//! Over time, a column `run` or `execution` tells several executions apart. The header is needed,
//! except for a single column or row of numbers, which are executions with the scalar `value`.

use std::collections::HashSet;

use fathom_record::Unit;

use super::ObservationOptions;
use super::attempts::Attempts;
use super::cell;
use super::found::ParsedAttempts;
use super::groups::{self, Groups};
use super::heading::Heading;
use super::layout::{Layout, Roles};
use super::timelines::{Timelines, Words};
use super::trace_rows::{self, RowsAre};
use crate::csv_columns::Columns;
use crate::csv_notation::{self, Notation, Remedy};
use crate::csv_records::{Record, Records};
use crate::decimal_mark::DecimalMark;
use crate::error::{Flaw, quoted};
use crate::number::{self, NumberFlaw};

const ONE_RUN: &str = "keep the rows of one run, and remove the column with the run number";
const ONE_ROW: &str = "if the rows are one execution over time, put a column time, time[ms] or \
                       cycle first. Otherwise keep one row";
const ONE_NUMBER: &str = "keep one number";

const WORDS: Words = Words { piece: "row", part: "column" };

pub(super) fn read(text: &str, options: &ObservationOptions) -> Result<ParsedAttempts, Flaw> {
    let notation = Notation::of(text, None);
    let mut records = Records::new(text, notation.delimiter);
    let mut record = Record::default();
    if !records.read(&mut record)? {
        return Err(Flaw::new(
            "the file contains only comments",
            "check that it is the right file",
        ));
    }
    if record.cells.iter().any(|cell| number::is_meant_as_number(cell)) {
        if notation.delimiter == ',' && options.columns.is_empty() {
            csv_notation::refuse_ambiguous_commas(text, Remedy::Rewriting)?;
        }
        return without_header(record, records, options, notation.decimal);
    }
    let header = Header::of(&record, options, notation.decimal)?;
    match header.roles.layout {
        Layout::Rows => rows(&header, records, record, options.rows),
        Layout::Signals { time } => over_time(&header, records, record, time, None),
        Layout::Events { time, event } => over_time(&header, records, record, time, Some(event)),
    }
}

/// The first row, understood.
struct Header {
    /// By column.
    headings: Vec<Heading>,
    columns: Columns,
    roles: Roles,
    /// The columns that are numbers to be read.
    values: Vec<usize>,
    /// The column with the group of each execution.
    group: Option<usize>,
    decimal: DecimalMark,
    /// Where each sample ends, if a column says it.
    end: Option<usize>,
    line: u64,
}

impl Header {
    fn of(
        record: &Record<'_>,
        options: &ObservationOptions,
        decimal: DecimalMark,
    ) -> Result<Header, Flaw> {
        let line = record.line;
        let asked = &options.columns;
        let mut roles = Roles::of(&record.cells).map_err(|flaw| flaw.at_line(line))?;
        let headings: Vec<Heading> = record.cells.iter().map(|cell| Heading::of(cell)).collect();
        let mut end = None;
        match (options.rows, roles.layout) {
            (Some(RowsAre::Executions), _) => {
                roles.layout = Layout::Rows;
                roles.time_unit = Unit::Unknown;
            }
            (Some(RowsAre::Samples), Layout::Rows) => {
                let Some((time, ends)) = trace_rows::by_name(&headings) else {
                    return Err(Flaw::new(
                        "no column is named like a time, so the rows cannot be samples",
                        "name the time column time, time[ms] or cycle",
                    )
                    .at_line(line));
                };
                roles.layout = Layout::Signals { time };
                roles.time_unit = headings.get(time).map_or(Unit::Unknown, |h| h.unit.clone());
                end = ends;
            }
            _ => {}
        }
        let names: Vec<&str> = headings.iter().map(|heading| heading.name.as_str()).collect();
        let columns = Columns::named(&names);
        let mut values = columns.chosen(asked).map_err(|flaw| flaw.at_line(line))?;
        let group = match &options.group_by {
            Some(name) => Some(
                (0..columns.len())
                    .find(|&column| columns.name(column) == name)
                    .ok_or_else(|| groups::no_column(name, &names).at_line(line))?,
            ),
            None => None,
        };
        let mut picked = HashSet::new();
        values.retain(|&column| {
            !roles.is_taken(column)
                && Some(column) != end
                && Some(column) != group
                && picked.insert(column)
        });
        let is_event = matches!(roles.layout, Layout::Events { .. });
        if values.is_empty() && !is_event {
            let what = match group {
                Some(_) => "the chosen columns contain no numbers",
                None => "the chosen columns contain only the time, no values",
            };
            return Err(Flaw::new(what, columns.remedy()).at_line(line));
        }
        Ok(Header { headings, columns, roles, values, group, decimal, end, line })
    }

    /// The name and unit of a column; with its number where two have one name.
    fn heading(&self, column: usize) -> Heading {
        let unit = self.headings.get(column).map_or(Unit::Unknown, |h| h.unit.clone());
        Heading { name: self.columns.series_name(column), unit }
    }

    fn refuse(&self, column: usize, text: &str, flaw: &NumberFlaw, line: u64) -> Flaw {
        let name = self.columns.name(column);
        let among = self.columns.remedy();
        cell::refused(text, flaw, name, among)
            .at_line(line)
            .within(format!("column {}", quoted(name)))
    }

    fn value(&self, record: &Record<'_>, column: usize) -> Result<f64, Flaw> {
        let text = record.cells.get(column).map_or("", |cell| cell.as_ref());
        cell::value(text, self.decimal)
            .map_err(|flaw| self.refuse(column, text, &flaw, record.line))
    }

    fn time(&self, record: &Record<'_>, column: usize) -> Result<f64, Flaw> {
        let text = record.cells.get(column).map_or("", |cell| cell.as_ref());
        number::parse_in(text, self.decimal).map_err(|flaw| {
            let flaw = match flaw {
                NumberFlaw::WithUnit { .. } | NumberFlaw::OnlyUnit => {
                    cell::refused(text, &flaw, "time", "remove the row")
                }
                NumberFlaw::Empty => {
                    Flaw::new("the time is missing", "add the time to every row, or remove the row")
                }
                other => other.about(text, "write the time of every row as a number"),
            };
            flaw.at_line(record.line)
                .within(format!("column {}", quoted(self.columns.name(column))))
        })
    }

    fn has_no_rows(&self) -> Flaw {
        let names: Vec<&str> = (0..self.columns.len()).map(|i| self.columns.name(i)).collect();
        Flaw::new(
            format!("the table has a header ({}) but no rows", quoted(&names.join(", "))),
            "check that the command that writes it succeeded",
        )
        .at_line(self.line)
    }
}

/// One execution per row.
fn rows<'a>(
    header: &Header,
    mut records: Records<'a>,
    mut record: Record<'a>,
    are: Option<RowsAre>,
) -> Result<ParsedAttempts, Flaw> {
    let run = header.roles.run.filter(|run| header.values.contains(run));
    let values = header.values.iter().copied().filter(|&column| Some(column) != run);
    let mut columns: Vec<(usize, Vec<f64>)> = values.map(|column| (column, Vec::new())).collect();
    // Also of columns that are not asked for: one of them may be a time.
    let mut numbers: Vec<Vec<f64>> = vec![Vec::new(); header.columns.len()];
    let headings = header.headings.iter().enumerate();
    let times = headings.filter(|(column, heading)| trace_rows::may_be_time(heading, *column));
    let times: Vec<usize> = times.map(|(column, _)| column).collect();
    // Rows may be called by words; then their names are not numbers of theirs.
    let mut names = Some(Vec::new());
    let mut groups = header.group.map(|column| (column, Groups::default()));
    let mut count = 0;
    while records.read(&mut record)? {
        record.expect(header.columns.len(), header.line)?;
        for (column, values) in &mut columns {
            values.push(header.value(&record, *column)?);
        }
        for &column in &times {
            if let (Some(text), Some(numbers)) = (record.cells.get(column), numbers.get_mut(column))
            {
                numbers.extend(number::parse(text));
            }
        }
        if let Some(run) = run {
            let name = header.value(&record, run).ok();
            names = names.zip(name).map(|(mut names, name)| {
                names.push(name);
                names
            });
        }
        if let Some((column, groups)) = &mut groups {
            match record.cells.get(*column).map(|cell| cell.as_ref()) {
                None | Some("") => {
                    let name = header.columns.name(*column);
                    return Err(groups::without_name(name).at_line(record.line));
                }
                Some(name) => groups.push(name),
            }
        }
        count += 1;
    }
    if count == 0 {
        return Err(header.has_no_rows());
    }
    if are != Some(RowsAre::Executions) {
        trace_rows::refuse(&header.headings, &numbers, count)?;
    }
    columns.extend(run.zip(names));
    let named = columns.into_iter().map(|(column, values)| (header.heading(column), values));
    let attempts = Attempts::of_table(named.collect(), count)
        .map_err(|error| Flaw::of_observation(&error, "rename one of the columns"))?;
    let groups = groups.map(|(_, groups)| groups);
    Ok(ParsedAttempts { groups, ..ParsedAttempts::of(attempts, ONE_ROW) })
}

/// Signals, or events.
fn over_time<'a>(
    header: &Header,
    mut records: Records<'a>,
    mut record: Record<'a>,
    time: usize,
    event: Option<usize>,
) -> Result<ParsedAttempts, Flaw> {
    let mut lines = Timelines::new(header.roles.time_unit.clone(), WORDS);
    let headings = header.values.iter().map(|&column| header.heading(column));
    let numbers: Vec<usize> = match event {
        None => headings.map(|heading| lines.signal(heading)).collect(),
        Some(_) => headings.map(|heading| lines.attribute(heading)).collect(),
    };
    if header.roles.run.is_none() {
        lines.execution("");
    }
    let mut is_empty = true;
    while records.read(&mut record)? {
        is_empty = false;
        record.expect(header.columns.len(), header.line)?;
        let at = |flaw: Flaw| flaw.at_line(record.line);
        let execution = match header.roles.run {
            None => 0,
            Some(run) => {
                let label = record.cells.get(run).map_or("", |cell| cell.as_ref());
                if label.is_empty() {
                    let remedy = "add the number of its execution to every row";
                    let place = format!("column {}", quoted(header.columns.name(run)));
                    return Err(at(Flaw::new("the run is missing", remedy)).within(place));
                }
                lines.execution(label)
            }
        };
        let now = header.time(&record, time)?;
        lines.reach(execution, now).map_err(at)?;
        if let Some(end) = header.end {
            lines.reach(execution, header.time(&record, end)?).map_err(at)?;
        }
        match event {
            None => {
                for (&column, &signal) in header.values.iter().zip(&numbers) {
                    let value = header.value(&record, column)?;
                    lines.sample(execution, signal, now, value).map_err(at)?;
                }
            }
            Some(column) => {
                let name = record.cells.get(column).map_or("", |cell| cell.as_ref());
                if name.is_empty() {
                    let place = format!("column {}", quoted(header.columns.name(column)));
                    let flaw = Flaw::new("the event is missing", "name it, or remove the row");
                    return Err(at(flaw).within(place));
                }
                let event = lines.event(name);
                lines.occurrence(execution, event, now).map_err(at)?;
                for (&column, &attribute) in header.values.iter().zip(&numbers) {
                    let value = header.value(&record, column)?;
                    lines.attribute_value(execution, event, attribute, value).map_err(at)?;
                }
            }
        }
    }
    // A list of events may be empty: nothing happened.
    if is_empty && (event.is_none() || header.roles.run.is_some()) {
        return Err(header.has_no_rows());
    }
    Ok(ParsedAttempts::all(lines.into_observations()?, ONE_RUN))
}

/// A column or a row of numbers without a name.
fn without_header<'a>(
    first: Record<'a>,
    mut records: Records<'a>,
    options: &ObservationOptions,
    decimal: DecimalMark,
) -> Result<ParsedAttempts, Flaw> {
    let is_row = records.is_at_end();
    if first.cells.len() > 1 && !is_row {
        return Err(Flaw::new(
            format!("the {} columns have no names", first.cells.len()),
            "add a first row with their names, such as time[ms],power[W]",
        )
        .at_line(first.line));
    }
    if let Some(column) = options.columns.iter().find(|column| column.trim() != "1") {
        return Err(Flaw::new(
            format!("there is no column {}, because the columns have no names", quoted(column)),
            "leave out --column, or add a first row with names",
        ));
    }
    let mut all = Vec::new();
    let (line, fields) = (first.line, first.cells.len());
    let mut record = first;
    loop {
        record.expect(fields, line)?;
        for text in &record.cells {
            all.push(bare(text, decimal).map_err(|flaw| flaw.at_line(record.line))?);
        }
        if !records.read(&mut record)? {
            break;
        }
    }
    bare_numbers(all)
}

/// Plain numbers: separated by white space or line ends, each an execution.
pub(super) fn numbers(text: &str, options: &ObservationOptions) -> Result<ParsedAttempts, Flaw> {
    if let Some(column) = options.columns.iter().find(|column| column.trim() != "1") {
        return Err(Flaw::new(
            format!("plain numbers have no column {}", quoted(column)),
            "leave out --column",
        ));
    }
    let mut all = Vec::new();
    for (line, number) in crate::numbers::significant_lines(text) {
        for word in line.split_ascii_whitespace() {
            all.push(bare(word, DecimalMark::Point).map_err(|flaw| flaw.at_line(number))?);
        }
    }
    if all.is_empty() {
        let what = "the file contains only comments, no numbers";
        return Err(Flaw::new(what, "check that it is the right file"));
    }
    bare_numbers(all)
}

/// A number without a name.
fn bare(text: &str, decimal: DecimalMark) -> Result<f64, Flaw> {
    number::parse_in(text, decimal).map_err(|flaw| match flaw {
        NumberFlaw::WithUnit { .. } => cell::refused(text, &flaw, "value", ""),
        flaw => flaw.about(text, "correct it or remove it"),
    })
}

/// An execution for each of these numbers.
fn bare_numbers(numbers: Vec<f64>) -> Result<ParsedAttempts, Flaw> {
    let heading = Heading { name: "value".to_string(), unit: Unit::Unknown };
    let count = numbers.len();
    let attempts = Attempts::of_table(vec![(heading, numbers)], count)
        .map_err(|error| Flaw::of_observation(&error, "correct it or remove it"))?;
    Ok(ParsedAttempts::of(attempts, ONE_NUMBER))
}
