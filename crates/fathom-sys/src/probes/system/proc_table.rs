//! One file of rows, each with a key and some numbers.

use super::row_keys::{Row, RowKeys};
use crate::probes::Fault;
use crate::probes::kept_open::{Buffer, Extent, KeptOpen};
use fathom_record::Unit;
use fathom_record::trace::{Kind, Layer, Number, TraceMetric, Value};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Longer names help nobody.
const LONGEST_NAME: usize = 80;

/// How to interpret a kind of file.
pub(super) trait Layout: fmt::Debug + Send {
    /// The rows, by key and the rest of the row. Called for every reading, so it allocates nothing.
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8]));

    /// The columns of a row that was not there before; none if nobody wants them.
    fn columns(&self, key: &[u8], rest: &[u8]) -> Vec<Column>;

    /// The values of a row, one for each of its columns; they come in as missing.
    fn values(&self, key: &[u8], rest: &[u8], values: &mut [Value]);
}

/// A column before it has its place.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) unit: Unit,
    pub(super) number: Number,
    pub(super) about: String,
}

impl Column {
    pub(super) fn counter(name: impl Into<String>, unit: Unit) -> Column {
        let (kind, number) = (Kind::Counter, Number::Integer);
        Column { name: name.into(), kind, unit, number, about: String::new() }
    }

    pub(super) fn gauge(name: impl Into<String>, unit: Unit) -> Column {
        Column { kind: Kind::Gauge, ..Column::counter(name, unit) }
    }

    pub(super) fn real(mut self) -> Column {
        self.number = Number::Real;
        self
    }

    pub(super) fn about(mut self, about: impl Into<String>) -> Column {
        self.about = about.into();
        self
    }
}

/// "faults", "packets".
pub(super) fn things(what: &str) -> Unit {
    Unit::Other(what.to_string())
}

/// A file and where its rows go.
#[derive(Debug)]
pub(super) struct ProcTable {
    file: KeptOpen,
    layout: Box<dyn Layout>,
    keys: RowKeys,
    /// Whether a row was there that has no place yet.
    has_news: bool,
    /// Whether there is no such file for now, as expected.
    rests: bool,
}

impl ProcTable {
    pub(super) fn new(path: PathBuf, layout: Box<dyn Layout>) -> ProcTable {
        ProcTable {
            file: KeptOpen::new(path),
            layout,
            keys: RowKeys::default(),
            has_news: true,
            rests: false,
        }
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Reads another file from now on, with the same rows.
    pub(super) fn moves_to(&mut self, path: PathBuf) {
        self.file = KeptOpen::new(path);
        self.has_news = true;
        self.rests = false;
    }

    /// Has no values until it moves to a file that is there.
    pub(super) fn rests(&mut self) {
        self.rests = true;
    }

    pub(super) fn has_news(&self) -> bool {
        self.has_news && !self.rests
    }

    /// Gives rows that were not there before their columns, after those that there are.
    pub(super) fn learn(
        &mut self,
        probe: &str,
        buffer: &mut Buffer,
        metrics: &mut Vec<TraceMetric>,
    ) -> io::Result<()> {
        let text = self.file.read(buffer, Extent::ManyRecords)?;
        let ProcTable { layout, keys, .. } = self;
        keys.rewind();
        layout.rows(text, &mut |key, rest| {
            if keys.find(key).is_some() {
                return;
            }
            let first = metrics.len();
            for column in layout.columns(key, rest) {
                let metric = named(probe, column, metrics);
                metrics.push(metric);
            }
            let columns = metrics.len() - first;
            let row = if columns == 0 { Row::Ignored } else { Row::Columns(first, columns) };
            keys.insert(key, row);
        });
        self.has_news = false;
        Ok(())
    }

    /// Fills in what the file says now.
    pub(super) fn sample(
        &mut self,
        buffer: &mut Buffer,
        values: &mut [Value],
    ) -> Result<(), Fault> {
        let ProcTable { file, layout, keys, has_news, rests } = self;
        if *rests {
            return Ok(());
        }
        let text = match file.read(buffer, Extent::ManyRecords) {
            Ok(text) => text,
            Err(error) => {
                // It may come back with other rows.
                *has_news = true;
                let what = file.path().display().to_string();
                return Err(Fault { what, why: error.to_string() });
            }
        };
        keys.rewind();
        layout.rows(text, &mut |key, rest| match keys.find(key) {
            Some(Row::Columns(first, columns)) => {
                if let Some(values) = values.get_mut(first..first + columns) {
                    layout.values(key, rest, values);
                }
            }
            Some(Row::Ignored) => {}
            None => *has_news = true,
        });
        Ok(())
    }
}

/// The column as a metric with a name that no other has.
fn named(probe: &str, column: Column, others: &[TraceMetric]) -> TraceMetric {
    let name = plain(&column.name);
    let metric = |name: &str| {
        let metric = TraceMetric::integer(probe, name, Layer::Os, column.kind, column.unit.clone());
        TraceMetric { number: column.number, ..metric }.about(&column.about)
    };
    let is_free = |metric: &TraceMetric| others.iter().all(|other| other.name != metric.name);
    let first = metric(&name);
    if is_free(&first) {
        return first;
    }
    let numbered = (2..).map(|n: usize| metric(&format!("{name}~{n}"))).find(is_free);
    numbered.unwrap_or(first)
}

/// A name of letters, digits and plain marks: what is in the kernel's files may be anything, such as
/// the name of a network interface.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.:()-@+".contains(c);
    let name: String =
        name.chars().map(|c| if is_plain(c) { c } else { '_' }).take(LONGEST_NAME).collect();
    if name.is_empty() { "_".to_string() } else { name }
}

/// Bytes as text, for names.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
