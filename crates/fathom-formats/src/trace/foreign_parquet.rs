//! Parquet files that others wrote: a table with a column of times, or of starts and ends, and a
//! metric per column of numbers.

use super::TraceError;
use super::error::shown;
use super::foreign_column::{self, Meaning};
use super::foreign_time::{self, Candidate, Scale, Times};
use super::parquet_file::ParquetFile;
use super::size_limit;
use crate::csv_columns::unit_in;
use crate::error::listed;
use fathom_record::trace::{Clock, Kind, Layer, Rows, TraceMetric, Values};
use fathom_record::{TimeUnit, Timestamp};
use std::collections::HashMap;
use std::path::Path;

/// What the user says besides the file.
#[derive(Clone, Copy)]
pub struct ParquetOptions<'a> {
    /// What the times count where the file does not say; seconds when absent.
    pub time_unit: Option<TimeUnit>,
    /// Whether the metric of that name is a total which only grows. Files written by Fathom say it
    /// themselves.
    pub is_counter: &'a dyn Fn(&str) -> bool,
}

impl Default for ParquetOptions<'_> {
    fn default() -> Self {
        ParquetOptions { time_unit: None, is_counter: &|_| false }
    }
}

/// A table, read.
#[derive(Debug, Clone, PartialEq)]
pub struct ParquetTable {
    /// Its rows, in the order of time.
    pub rows: Rows,
    /// When its times begin, if they count from 1970 in the file. The monotonic time is 0: no file
    /// says it.
    pub clock: Option<Clock>,
    /// What a reader should know: columns that were left out.
    pub notes: Vec<String>,
}

/// Reads a Parquet file of any program.
///
/// The times are the columns `start_ns` and `end_ns`; or one called `time`, `timestamp`, `t`, `ts`,
/// `date`, `datetime`, `uptime` or `end_ns`, with or without a unit (`time_ms`, `time [ms]`); or the
/// first column of timestamps; or the first column of all, if it never goes back. Times since 1970
/// count from the first row, and [`ParquetTable::clock`] says when that was; others stay as they are.
/// Every other column of numbers is a metric. Nulls, NaN and infinities are missing values.
pub fn read_parquet_table(
    path: &Path,
    options: &ParquetOptions<'_>,
) -> Result<ParquetTable, TraceError> {
    let file = ParquetFile::open(path)?;
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let (mut columns, mut left_out) = (Vec::new(), Vec::new());
    for (place, column) in schema.columns().iter().enumerate() {
        let name = column.path().string();
        match foreign_column::meaning(column) {
            Ok(meaning) => columns.push(Candidate { place, name, meaning }),
            Err(found) => left_out.push(format!("{name} ({found})")),
        }
    }
    size_limit::check(path, file.rows(), columns.len().max(1))?;
    let leads = columns.first().is_some_and(|column| column.place == 0);
    let times = foreign_time::times(&columns, leads).ok_or_else(|| {
        let what = match schema.columns().first() {
            Some(first) => format!(
                "no time column found, and the first column, {:?}, has no numbers",
                first.path().string()
            ),
            None => "the file has no columns".to_string(),
        };
        foreign(path, what, "name the time column \"time\"")
    })?;
    if file.rows() == Some(0) {
        let what = "the file has no rows".to_string();
        return Err(foreign(path, what, "check that the command that writes it succeeded"));
    }
    let timeline = Timeline::read(&times, path, |column| {
        let values = foreign_column::read(&file, column.place, column.meaning, path)?;
        foreign_time::timestamps(column, &values, options.time_unit).map_err(|(row, what)| {
            let what = format!("row {} of column {:?}: {what}", row + 1, column.name);
            foreign(path, what, "complete it, or set the right unit with --time-unit")
        })
    })?;
    let described = file.described();
    let described: HashMap<&str, &TraceMetric> =
        described.iter().map(|metric| (metric.name.as_str(), metric)).collect();
    let (mut metrics, mut values) = (Vec::new(), Vec::new());
    for column in columns.iter().filter(|column| !times.include(column)) {
        if matches!(column.meaning, Meaning::Moment(..) | Meaning::Date) {
            left_out.push(format!("{} (dates)", column.name));
            continue;
        }
        let numbers = foreign_column::read(&file, column.place, column.meaning, path)?;
        metrics.push(metric(column, &numbers, &described, options));
        values.push(numbers);
    }
    if metrics.is_empty() {
        let what = "there is no metric, only times".to_string();
        return Err(foreign(path, what, "add one column of numbers per metric"));
    }
    let mut notes = timeline.notes;
    match left_out.as_slice() {
        [] => {}
        [one] => notes.push(format!("skipped a column without numbers: {one}")),
        more => notes.push(format!(
            "skipped {} columns without numbers: {}",
            more.len(),
            listed(more, 8)
        )),
    }
    let columns = metrics.len();
    let mut rows = Rows::new(metrics.into());
    rows.try_reserve(timeline.rows.len())
        .map_err(|_| size_limit::no_memory(path, timeline.rows.len(), columns))?;
    for (row, start, end) in timeline.rows {
        let row: Vec<_> = values.iter().map(|values| values.get(row)).collect();
        rows.push(start, end, &row);
    }
    Ok(ParquetTable { rows, clock: timeline.clock, notes })
}

/// The times of a table.
struct Timeline {
    /// Rows of the file in the order of time, with their starts and ends.
    rows: Vec<(usize, Timestamp, Timestamp)>,
    clock: Option<Clock>,
    notes: Vec<String>,
}

impl Timeline {
    fn read(
        times: &Times,
        path: &Path,
        read: impl Fn(&Candidate) -> Result<Vec<Timestamp>, TraceError>,
    ) -> Result<Timeline, TraceError> {
        let (starts, ends, column) = match times {
            Times::Pair(start, end) => (Some(read(start)?), read(end)?, end),
            Times::Moments(moments) | Times::First(moments) => (None, read(moments)?, moments),
        };
        let back = ends.windows(2).position(|pair| matches!(pair, [a, b] if a > b));
        if let (Times::First(first), Some(row)) = (times, back) {
            let what =
                format!("the first column, {:?}, goes back in time in row {}", first.name, row + 2);
            let remedy = "sort the rows by time, or name the time column \"time\"";
            return Err(foreign(path, what, remedy));
        }
        let starts = starts.unwrap_or_else(|| ends.clone());
        let mut rows: Vec<(usize, Timestamp, Timestamp)> =
            starts.into_iter().zip(ends).enumerate().map(|(n, (a, b))| (n, a, b)).collect();
        let mut notes = Vec::new();
        if back.is_some() {
            rows.sort_by_key(|&(_, _, end)| end);
            notes.push("the rows were not in time order, so Fathom sorted them".to_string());
        }
        if !matches!(times, Times::Pair(..)) {
            // Each row starts where the one before it ended; the first is a moment.
            let mut before = None;
            for (_, start, end) in &mut rows {
                *start = before.replace(*end).unwrap_or(*end);
            }
        }
        if let Some((row, ..)) = rows.iter().find(|(_, start, end)| start > end) {
            let what = format!("row {} starts after its end", row + 1);
            return Err(foreign(path, what, "swap its start and end"));
        }
        let first = rows.first().map_or(Timestamp::ZERO, |&(_, start, _)| start);
        let (origin, clock) = match Scale::of(column.meaning, first) {
            Scale::Own => (Timestamp::ZERO, None),
            Scale::Wall => (first, Some(Clock { monotonic: Timestamp::ZERO, wall: first })),
            Scale::SomeWall => {
                notes.push(NO_ZONE.to_string());
                (first, None)
            }
        };
        for (_, start, end) in &mut rows {
            *start = start.relative_to(origin);
            *end = end.relative_to(origin);
        }
        Ok(Timeline { rows, clock, notes })
    }
}

const NO_ZONE: &str = "the dates have no time zone, so their absolute time is unknown; times \
                       count from the first row";

fn foreign(path: &Path, what: String, remedy: &str) -> TraceError {
    TraceError::Foreign { file: shown(path), what, remedy: remedy.to_string() }
}

fn metric(
    column: &Candidate,
    values: &Values,
    described: &HashMap<&str, &TraceMetric>,
    options: &ParquetOptions<'_>,
) -> TraceMetric {
    let number = values.number();
    if let Some(&known) = described.get(column.name.as_str()) {
        return TraceMetric { number, ..known.clone() };
    }
    let is_counter = (options.is_counter)(&column.name);
    TraceMetric {
        name: column.name.clone(),
        layer: Layer::Application,
        unit: match column.meaning {
            Meaning::Duration(unit) => fathom_record::Unit::Time(unit),
            _ => unit_in(&column.name),
        },
        kind: if is_counter { Kind::Counter } else { Kind::Gauge },
        number,
        probe: "parquet".to_string(),
        about: String::new(),
    }
}
