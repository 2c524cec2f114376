//! All rows of a sampler, in their order, from its file or from its parts.
//!
//! Parts are merged while a recording runs. A reader may find that the next part is gone: its rows
//! are then in another file, and reading continues there.

use super::TraceError;
use super::column::Column;
use super::error::shown;
use super::pieces::{Piece, pieces};
use super::table::{Cursor, Table};
use super::{END, START};
use fathom_record::Timestamp;
use fathom_record::trace::{Number, TraceMetric, Values};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// How many rows are read at once.
const BATCH: usize = 8192;
/// How often files may vanish while one is read.
const PATIENCE: u32 = 1000;

/// Some rows.
pub(super) struct Batch {
    pub(super) starts: Vec<Timestamp>,
    pub(super) ends: Vec<Timestamp>,
    /// In the order of the metrics that were asked for.
    pub(super) columns: Vec<Values>,
}

/// A column that a sampler has.
pub(super) struct Field {
    pub(super) name: String,
    /// How its numbers are kept; `None` if the format does not know its type.
    pub(super) number: Option<Number>,
    /// Its description in the file.
    pub(super) described: Option<TraceMetric>,
}

/// The columns of a sampler in the order of appearance, without the times; `None` if it has no
/// files.
pub(super) fn fields(folder: &Path, file: &str) -> Result<Option<Vec<Field>>, TraceError> {
    'again: for attempt in 0.. {
        let pieces = pieces(folder, file)?;
        let mut fields: Vec<Field> = Vec::new();
        let mut known: HashSet<String> = HashSet::new();
        for piece in &pieces {
            let table = match open(piece) {
                Err(error) if error.is_vanished() && attempt < PATIENCE => continue 'again,
                table => table?,
            };
            let described = table.described().into_iter();
            let mut described: HashMap<String, TraceMetric> =
                described.map(|metric| (metric.name.clone(), metric)).collect();
            for (name, number) in table.fields() {
                if known.insert(name.clone()) {
                    let described = described.remove(&name);
                    fields.push(Field { name, number, described });
                }
            }
        }
        return Ok((!pieces.is_empty()).then_some(fields));
    }
    Ok(None)
}

/// Passes on all rows of these metrics, some at a time. Without a column in a part, values are
/// missing.
pub(super) fn scan(
    folder: &Path,
    file: &str,
    metrics: &[TraceMetric],
    each: &mut dyn FnMut(Batch) -> Result<(), TraceError>,
) -> Result<(), TraceError> {
    let mut next = 0;
    let mut patience = PATIENCE;
    'again: loop {
        for piece in pieces(folder, file)? {
            if piece.span.is_some_and(|span| span.last < next) {
                continue;
            }
            let table = match open(&piece) {
                Err(error) if error.is_vanished() && patience > 0 => {
                    patience -= 1;
                    continue 'again;
                }
                table => table?,
            };
            let mut row = piece.span.map_or(0, |span| span.first);
            for (group, &rows) in table.groups().iter().enumerate() {
                let done = usize::try_from(next.saturating_sub(row)).unwrap_or(usize::MAX);
                row = row.saturating_add(rows as u64);
                if done < rows {
                    scan_group(&table, group, metrics, (done, rows), each)?;
                    next = row;
                }
            }
        }
        return Ok(());
    }
}

/// Opens a piece and checks that it has the rows that its name says.
fn open(piece: &Piece) -> Result<Table, TraceError> {
    let table = Table::open(&piece.path)?;
    match piece.span {
        Some(span) if span.rows() != table.rows() => Err(TraceError::Damaged {
            file: shown(&piece.path),
            what: format!("it has {} rows, but its name says {}", table.rows(), span.rows()),
        }),
        _ => Ok(table),
    }
}

/// Passes on the rows of a row group, without those that were passed on already.
fn scan_group(
    table: &Table,
    group: usize,
    metrics: &[TraceMetric],
    (done, rows): (usize, usize),
    each: &mut dyn FnMut(Batch) -> Result<(), TraceError>,
) -> Result<(), TraceError> {
    let mut times = Vec::new();
    for name in [START, END] {
        times.push(Reading::new(table, group, name, Number::Integer)?);
    }
    let mut columns = Vec::new();
    for metric in metrics {
        columns.push(Reading::new(table, group, &metric.name, metric.number)?);
    }
    for reading in times.iter_mut().chain(&mut columns) {
        reading.skip(done)?;
    }
    let mut left = rows - done;
    while left > 0 {
        let rows = left.min(BATCH);
        left -= rows;
        let mut of_times = Vec::new();
        for reading in &mut times {
            reading.read(rows)?;
            if reading.column.count() != rows {
                let what = "a row has no time".to_string();
                return Err(TraceError::Damaged { file: shown(table.path()), what });
            }
            let times = reading.column.integers().iter().copied();
            of_times.push(times.map(Timestamp::from_nanoseconds).collect::<Vec<_>>());
        }
        let mut values = Vec::with_capacity(columns.len());
        for (reading, metric) in columns.iter_mut().zip(metrics) {
            reading.read(rows)?;
            let mut read = Values::new(metric.number);
            reading.column.append_to(&mut read);
            values.push(read);
        }
        let (ends, starts) = (of_times.pop(), of_times.pop());
        each(Batch {
            starts: starts.unwrap_or_default(),
            ends: ends.unwrap_or_default(),
            columns: values,
        })?;
    }
    Ok(())
}

/// A column that is read bit by bit.
struct Reading {
    /// `None` if the file has no such column.
    cursor: Option<Cursor>,
    column: Column,
}

impl Reading {
    fn new(table: &Table, group: usize, name: &str, number: Number) -> Result<Reading, TraceError> {
        let cursor = table.cursor(group, name, number)?;
        Ok(Reading { cursor, column: Column::new(number) })
    }

    fn skip(&mut self, rows: usize) -> Result<(), TraceError> {
        match &mut self.cursor {
            Some(cursor) if rows > 0 => cursor.skip(rows),
            _ => Ok(()),
        }
    }

    fn read(&mut self, rows: usize) -> Result<(), TraceError> {
        self.column.clear();
        match &mut self.cursor {
            Some(cursor) => cursor.read(rows, &mut self.column),
            None => {
                self.column.push_missing(rows);
                Ok(())
            }
        }
    }
}
