//! One Parquet file of a trace, read.

use super::TraceError;
use super::chunks::Chunks;
use super::column::{Column, skip};
use super::error::shown;
use super::layout::METRICS_KEY;
use super::pages::column_reader;
use super::{END, START};
use fathom_record::trace::{Number, TraceMetric};
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, Length, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// An open file.
pub(super) struct Table {
    path: PathBuf,
    reader: SerializedFileReader<Chunks>,
    /// Where each column is.
    places: HashMap<String, usize>,
    /// How many rows each row group has.
    groups: Vec<usize>,
}

impl Table {
    /// Opens a file and checks that it has times.
    pub(super) fn open(path: &Path) -> Result<Table, TraceError> {
        let reader = open(path)?;
        let damaged =
            |what: &str| TraceError::Damaged { file: shown(path), what: what.to_string() };
        let mut groups = Vec::new();
        for group in reader.metadata().row_groups() {
            let rows = usize::try_from(group.num_rows()).ok();
            groups.push(rows.ok_or_else(|| damaged("it has too many rows"))?);
        }
        let mut places = HashMap::new();
        for (n, column) in
            reader.metadata().file_metadata().schema_descr().columns().iter().enumerate()
        {
            // Columns within columns are none of ours.
            if let [name] = column.path().parts()
                && places.insert(name.clone(), n).is_some()
            {
                return Err(damaged(&format!("it has two columns {name:?}")));
            }
        }
        let table = Table { path: path.to_path_buf(), reader, places, groups };
        for name in [START, END] {
            if table.place(name, Number::Integer)?.is_none() {
                return Err(TraceError::NoColumn { file: shown(path), column: name.to_string() });
            }
        }
        Ok(table)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How many rows each row group has.
    pub(super) fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> u64 {
        self.groups.iter().map(|&rows| rows as u64).fold(0, u64::saturating_add)
    }

    /// The columns beside the times: their names, and how their numbers are kept if the format knows
    /// their type.
    pub(super) fn fields(&self) -> Vec<(String, Option<Number>)> {
        let columns = self.reader.metadata().file_metadata().schema_descr().columns();
        columns
            .iter()
            .filter(|column| column.path().parts().len() == 1)
            .filter(|column| ![START, END].contains(&column.name()))
            .map(|column| (column.name().to_string(), number_of(column)))
            .collect()
    }

    /// What the file says of its metrics; nothing if it was written by others.
    pub(super) fn described(&self) -> Vec<TraceMetric> {
        described(&self.reader)
    }

    /// Where the column is; `None` if there is none.
    fn place(&self, name: &str, number: Number) -> Result<Option<usize>, TraceError> {
        let Some(&place) = self.places.get(name) else { return Ok(None) };
        let column = self.reader.metadata().file_metadata().schema_descr().column(place);
        match number_of(&column) == Some(number) {
            true => Ok(Some(place)),
            false => Err(self.other_type(name, &column, number)),
        }
    }

    /// A type other than what the format says.
    fn other_type(&self, name: &str, column: &ColumnDescriptor, number: Number) -> TraceError {
        let said = match (column.logical_type_ref(), column.converted_type()) {
            (Some(logical), _) => format!(" ({logical:?})"),
            (None, ConvertedType::NONE) => String::new(),
            (None, converted) => format!(" ({converted})"),
        };
        TraceError::ColumnType {
            file: shown(&self.path),
            column: name.to_string(),
            found: format!("{}{said}", column.physical_type()),
            expected: match number {
                Number::Integer => "INT64",
                Number::Real => "DOUBLE",
            },
        }
    }

    /// A column of one row group, from its first row on; `None` if the file has no such column.
    pub(super) fn cursor(
        &self,
        group: usize,
        name: &str,
        number: Number,
    ) -> Result<Option<Cursor>, TraceError> {
        let Some(place) = self.place(name, number)? else { return Ok(None) };
        let reader = column_reader(&self.reader, group, place)
            .map_err(|error| TraceError::reading(&self.path, error))?;
        Ok(Some(Cursor { reader, path: self.path.clone() }))
    }
}

/// A place in a column.
pub(super) struct Cursor {
    reader: ColumnReader,
    path: PathBuf,
}

impl Cursor {
    /// Adds the next rows to `column`.
    pub(super) fn read(&mut self, rows: usize, column: &mut Column) -> Result<(), TraceError> {
        column.read(&mut self.reader, rows).map_err(|error| TraceError::reading(&self.path, error))
    }

    /// Passes over the next rows.
    pub(super) fn skip(&mut self, rows: usize) -> Result<(), TraceError> {
        skip(&mut self.reader, rows).map_err(|error| TraceError::reading(&self.path, error))
    }
}

/// A Parquet file, its end read.
pub(super) fn open(path: &Path) -> Result<SerializedFileReader<Chunks>, TraceError> {
    let failed = |error| TraceError::io("read", path, error);
    let file = File::open(path).map_err(failed)?;
    let chunks = Chunks::new(file).map_err(failed)?;
    let length = chunks.len();
    let reader =
        SerializedFileReader::new(chunks).map_err(|error| TraceError::reading(path, error))?;
    match flaw(reader.metadata(), length) {
        Some(what) => Err(TraceError::Damaged { file: shown(path), what: what.to_string() }),
        None => Ok(reader),
    }
}

/// What a file says of its metrics; nothing if it was written by others.
pub(super) fn described(file: &impl FileReader) -> Vec<TraceMetric> {
    let notes = file.metadata().file_metadata().key_value_metadata();
    let note = notes.into_iter().flatten().find(|note| note.key == METRICS_KEY);
    let text = note.and_then(|note| note.value.as_deref());
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// What the Parquet reader takes for granted, and panics without.
fn flaw(metadata: &ParquetMetaData, length: u64) -> Option<&'static str> {
    let schema = metadata.file_metadata().schema_descr();
    for group in metadata.row_groups() {
        if group.num_rows() < 0 {
            return Some("a number of rows is negative");
        }
        if group.num_columns() != schema.num_columns() {
            return Some("a row group has other columns than the file");
        }
        for (column, described) in group.columns().iter().zip(schema.columns()) {
            let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let range = u64::try_from(start).ok().zip(u64::try_from(column.compressed_size()).ok());
            let end = range.and_then(|(start, size)| start.checked_add(size));
            if end.is_none_or(|end| end > length) || column.data_page_offset() < 0 {
                return Some("a column lies outside of the file");
            }
            if column.num_values() < 0 {
                return Some("a number of values is negative");
            }
            if column.column_type() != described.physical_type() {
                return Some("a column has another type than the file says");
            }
        }
    }
    None
}

/// How the numbers of a column are kept, if it is one that the format knows.
fn number_of(column: &ColumnDescriptor) -> Option<Number> {
    if column.max_rep_level() > 0 || column.max_def_level() > 1 {
        return None;
    }
    let is_signed = match (column.logical_type_ref(), column.converted_type()) {
        (None, ConvertedType::NONE | ConvertedType::INT_64) => true,
        (Some(LogicalType::Integer(kind)), _) => kind.is_signed,
        _ => false,
    };
    match column.physical_type() {
        Physical::INT64 if is_signed => Some(Number::Integer),
        Physical::DOUBLE => Some(Number::Real),
        _ => None,
    }
}
