//! Tables: the time first, or a start and an end, and a metric per column.
//!
//! Columns are divided by commas, semicolons or tabs. Blank lines, and lines that start with `#`, are
//! comments. Empty cells, `NA`, `N/A`, `NaN` and `null` are missing values. Fathom's own CSV
//! (`start_ns`, `end_ns`, a metric per column) is read back as it was written.

use fathom_record::trace::{Kind, Value};
use fathom_record::{TimeUnit, Timestamp, Unit};

use super::cell;
use super::column::{self, Column};
use super::run::Content;
use super::table_time::{Moment, Role, TimeHeading};
use super::timeline::{self, NO_ZONE, Scale};
use super::{ImportOptions, naming};
use crate::csv_notation::{DECIMAL_COMMAS, Notation};
use crate::csv_records::{Record, Records};
use crate::decimal_mark::DecimalMark;
use crate::error::{Flaw, quoted};
use crate::number;
use crate::observations::{cell as observed, heading::Heading};

/// Whose table it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Anybody's: rows in the order of time.
    Plain,
    /// Netdata's: the newest row may come first, and times may be milliseconds since 1970.
    Netdata,
}

pub(super) fn read(text: &str, style: Style, options: &ImportOptions) -> Result<Content, Flaw> {
    let notation = Notation::of(text, None);
    let mut records = Records::new(text, notation.delimiter);
    let mut record = Record::default();
    if !records.read(&mut record)? {
        return Err(Flaw::new(
            "the file contains only comments",
            "check that it is the right file",
        ));
    }
    let mut table = Table::new(&record, style, options, notation.decimal)?;
    while records.read(&mut record)? {
        table.add(&record)?;
    }
    table.finish(style)
}

struct Table {
    first_line: u64,
    fields: usize,
    /// One column of times, or two.
    is_pair: bool,
    units: [TimeUnit; 2],
    /// Whether each line ends with a delimiter that divides nothing.
    has_tail: bool,
    columns: Vec<Column>,
    /// The start and end of each row.
    moments: Vec<[Moment; 2]>,
    lines: Vec<u64>,
    style: Style,
    decimal: DecimalMark,
}

impl Table {
    fn new(
        record: &Record<'_>,
        style: Style,
        options: &ImportOptions,
        decimal: DecimalMark,
    ) -> Result<Table, Flaw> {
        let line = record.line;
        let at_header = |flaw: Flaw| flaw.at_line(line);
        let names: Vec<&str> = record.cells.iter().map(AsRef::as_ref).collect();
        let (is_pair, units) = times(&names, options).map_err(at_header)?;
        let skipped = if is_pair { 2 } else { 1 };
        let has_tail = names.len() > skipped && names.last().is_some_and(|name| name.is_empty());
        let count = names.len() - usize::from(has_tail);
        let mut columns: Vec<Column> = Vec::new();
        let mut seen = std::collections::BTreeMap::new();
        for (place, text) in names.iter().enumerate().take(count).skip(skipped) {
            if text.is_empty() {
                return Err(at_header(Flaw::new(
                    format!("column {} has no name", place + 1),
                    "name it in the header",
                )));
            }
            let Heading { name, unit } = Heading::of(text);
            if let Some(before) = seen.insert(name.clone(), place) {
                return Err(at_header(Flaw::new(
                    format!(
                        "columns {} and {} are both named {}",
                        before + 1,
                        place + 1,
                        quoted(&name)
                    ),
                    "rename one of them",
                )));
            }
            let unit = if unit == Unit::Unknown { naming::unit(&name) } else { unit };
            let kind = options.kind(&name, Kind::Gauge);
            let probe = if style == Style::Netdata { "netdata" } else { "csv" };
            columns.push(Column::new(probe, name.clone(), naming::layer(&name), kind, unit));
        }
        if columns.is_empty() {
            return Err(at_header(Flaw::new(
                "there is no metric column, only the time",
                "add one column per metric",
            )));
        }
        let (moments, lines) = (Vec::new(), Vec::new());
        let (first_line, fields) = (line, names.len());
        Ok(Table {
            first_line,
            fields,
            is_pair,
            units,
            has_tail,
            columns,
            moments,
            lines,
            style,
            decimal,
        })
    }

    fn add(&mut self, record: &Record<'_>) -> Result<(), Flaw> {
        record.expect(self.fields, self.first_line)?;
        let at_line = |flaw: Flaw| flaw.at_line(record.line);
        let cell = |place: usize| record.cells.get(place).map_or("", |cell| cell.as_ref());
        let start = self.moment(cell(0), 0).map_err(at_line)?;
        let end = if self.is_pair { self.moment(cell(1), 1).map_err(at_line)? } else { start };
        if start.time > end.time {
            return Err(at_line(Flaw::new(
                format!(
                    "the row starts at {}, after its end at {}",
                    quoted(cell(0)),
                    quoted(cell(1))
                ),
                "swap or correct them",
            )));
        }
        self.moments.push([start, end]);
        self.lines.push(record.line);
        let skipped = if self.is_pair { 2 } else { 1 };
        for (n, column) in self.columns.iter_mut().enumerate() {
            let text = cell(n + skipped);
            let value = cell::value(text, self.decimal).map_err(|flaw| {
                let name = &column.metric.name;
                let place = format!("column {}", quoted(name));
                observed::refused(text, &flaw, name, "remove the column")
                    .within(place)
                    .at_line(record.line)
            })?;
            column.push(value);
        }
        let tail = cell(self.fields.saturating_sub(1));
        if self.has_tail && !tail.is_empty() {
            return Err(at_line(Flaw::new(
                format!("{} is in a column without a name", quoted(tail)),
                "name the column in the header",
            )));
        }
        Ok(())
    }

    fn moment(&self, text: &str, which: usize) -> Result<Moment, Flaw> {
        let mut unit = self.units.get(which).copied().unwrap_or(TimeUnit::Seconds);
        if self.style == Style::Netdata && is_milliseconds(text) {
            unit = TimeUnit::Milliseconds;
        }
        let moment = Moment::parse(text, unit, self.decimal)?;
        match self.moments.first() {
            Some([first, _]) if !moment.is_like(*first) => Err(Flaw::new(
                format!(
                    "{} is written differently from the time in line {}",
                    quoted(text),
                    self.first_row()
                ),
                "write all times as numbers, all as dates with a time zone, or all as dates \
                 without one",
            )),
            _ => Ok(moment),
        }
    }

    fn first_row(&self) -> u64 {
        self.lines.first().copied().unwrap_or_default()
    }

    fn finish(mut self, style: Style) -> Result<Content, Flaw> {
        let Some(&[first, _]) = self.moments.first() else {
            return Err(Flaw::new(
                "the table has a header but no rows",
                "check that the command that writes it succeeded",
            )
            .at_line(self.first_line));
        };
        let is_newest_first = self.moments.last().is_some_and(|[last, _]| last.time < first.time)
            && style == Style::Netdata;
        let mut order: Vec<usize> = (0..self.moments.len()).collect();
        if is_newest_first {
            order.reverse();
        }
        let ordered: Vec<[Moment; 2]> =
            order.iter().filter_map(|&row| self.moments.get(row)).copied().collect();
        self.check_order(&order)?;
        let scale = first.scale();
        let (origin, clock) =
            scale.origin(ordered.first().map_or(first.time, |[start, _]| start.time));
        let end: Vec<Timestamp> =
            ordered.iter().map(|[_, end]| end.time.relative_to(origin)).collect();
        let start: Vec<Timestamp> = match self.is_pair {
            true => ordered.iter().map(|[start, _]| start.time.relative_to(origin)).collect(),
            false => timeline::starts(&end),
        };
        if are_events(&start, &end) {
            for column in &mut self.columns {
                let metric = &mut column.metric;
                metric.kind = if metric.kind == Kind::Gauge { Kind::Event } else { metric.kind };
            }
        }
        if is_newest_first {
            self.columns = self.columns.iter().map(|column| reordered(column, &order)).collect();
        }
        let name = if style == Style::Netdata { "netdata" } else { "csv" };
        let rows = column::rows(&start, &end, &self.columns);
        let mut notes = Vec::new();
        notes.extend((scale == Scale::SomeWall).then(|| NO_ZONE.to_string()));
        notes.extend((self.decimal == DecimalMark::Comma).then(|| DECIMAL_COMMAS.to_string()));
        Ok(Content {
            clock,
            time_unit: self.units[0],
            samplers: vec![(name.to_string(), rows)],
            notes,
        })
    }

    /// Moments must increase; ends of intervals must not go back, since events may end together.
    fn check_order(&self, order: &[usize]) -> Result<(), Flaw> {
        let row = |n: usize| Some((self.moments.get(n)?, self.lines.get(n)?));
        for pair in order.windows(2) {
            let &[before, after] = pair else { continue };
            let (Some(([_, last], before)), Some(([_, end], line))) = (row(before), row(after))
            else {
                continue;
            };
            let is_in_order =
                if self.is_pair { end.time >= last.time } else { end.time > last.time };
            if !is_in_order {
                let (what, number) = if self.is_pair { ("end", 2) } else { ("time", 1) };
                let relation = if end.time == last.time { "the same as" } else { "before that" };
                return Err(Flaw::new(
                    format!("the {what} (column {number}) is {relation} in line {before}"),
                    "sort the rows by time, and write each run to its own file",
                )
                .at_line(*line));
            }
        }
        Ok(())
    }
}

/// Rows that do not start where the one before ended have intervals of their own.
fn are_events(start: &[Timestamp], end: &[Timestamp]) -> bool {
    start.iter().skip(1).zip(end).any(|(start, end_before)| start != end_before)
}

fn reordered(column: &Column, order: &[usize]) -> Column {
    let metric = column.metric.clone();
    let mut again = Column::new(&metric.probe, metric.name, metric.layer, metric.kind, metric.unit);
    // The first value decides how they are kept, and may be missing.
    let is_real = (0..column.len()).any(|row| matches!(column.get(row), Value::Real(_)));
    for &row in order {
        match column.get(row).real() {
            Some(value) if is_real => again.push(Value::Real(value)),
            _ => again.push(column.get(row)),
        }
    }
    again
}

/// Beyond the year 5000 in seconds.
fn is_milliseconds(text: &str) -> bool {
    number::parse(text).is_ok_and(|number| number >= 1e11)
}

/// Whether times are pairs, and their units.
fn times(names: &[&str], options: &ImportOptions) -> Result<(bool, [TimeUnit; 2]), Flaw> {
    let unit =
        |heading: TimeHeading| heading.unit.or(options.time_unit).unwrap_or(TimeUnit::Seconds);
    let first = names.first().copied().unwrap_or_default();
    if number::is_meant_as_number(first) {
        return Err(Flaw::new(
            "the table has no header",
            "add a first line that names the columns, such as time,latency",
        ));
    }
    let heading = TimeHeading::of(first)?;
    let second = names.get(1).map_or(Ok(None), |name| TimeHeading::of(name))?;
    match (heading, second) {
        (Some(start), Some(end)) if start.role == Role::Start && end.role == Role::End => {
            Ok((true, [unit(start), unit(end)]))
        }
        (Some(moment), _) if moment.role == Role::Moment => Ok((false, [unit(moment); 2])),
        (Some(_), _) => Err(Flaw::new(
            format!(
                "the first column is {}, but a start column needs an end column next to it",
                quoted(first)
            ),
            "make start and end the first two columns, or time the first",
        )),
        (None, _) => Err(no_time(first, names)),
    }
}

fn no_time(first: &str, names: &[&str]) -> Flaw {
    let is_time = |name: &&str| matches!(TimeHeading::of(name), Ok(Some(_)));
    let remedy = match names.iter().enumerate().find(|(_, name)| is_time(name)) {
        Some((place, name)) => format!("move column {}, {}, to the front", place + 1, quoted(name)),
        None => "make the first column time, time_ms or timestamp, or the first two start and end"
            .to_string(),
    };
    Flaw::new(format!("the first column is {}, which is not a time", quoted(first)), remedy)
}
