//! One Parquet file of a trace, read.

use super::TraceError;
use super::column::{Column, skip};
use super::error::shown;
use super::parquet_file::ParquetFile;
use super::{END, START};
use fathom_record::trace::{Number, TraceMetric};
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::schema::types::ColumnDescriptor;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// An open file.
pub(super) struct Table {
    path: PathBuf,
    file: ParquetFile,
    /// Where each column is.
    places: HashMap<String, usize>,
    /// How many rows each row group has.
    groups: Vec<usize>,
}

impl Table {
    /// Opens a file and checks that it has times.
    pub(super) fn open(path: &Path) -> Result<Table, TraceError> {
        let file = ParquetFile::open(path)?;
        let damaged =
            |what: &str| TraceError::Damaged { file: shown(path), what: what.to_string() };
        let mut groups = Vec::new();
        for group in file.metadata().row_groups() {
            let rows = usize::try_from(group.num_rows()).ok();
            groups.push(rows.ok_or_else(|| damaged("it has too many rows"))?);
        }
        let mut places = HashMap::new();
        for (n, column) in
            file.metadata().file_metadata().schema_descr().columns().iter().enumerate()
        {
            // Columns within columns are none of ours.
            if let [name] = column.path().parts()
                && places.insert(name.clone(), n).is_some()
            {
                return Err(damaged(&format!("it has two columns named {name:?}")));
            }
        }
        let table = Table { path: path.to_path_buf(), file, places, groups };
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

    /// The columns without the times: their names, and how their numbers are stored if the format
    /// knows their type.
    pub(super) fn fields(&self) -> Vec<(String, Option<Number>)> {
        let columns = self.file.metadata().file_metadata().schema_descr().columns();
        columns
            .iter()
            .filter(|column| column.path().parts().len() == 1)
            .filter(|column| ![START, END].contains(&column.name()))
            .map(|column| (column.name().to_string(), number_of(column)))
            .collect()
    }

    /// The file's description of its metrics; nothing if another program wrote it.
    pub(super) fn described(&self) -> Vec<TraceMetric> {
        self.file.described()
    }

    /// Where the column is; `None` if there is none.
    fn place(&self, name: &str, number: Number) -> Result<Option<usize>, TraceError> {
        let Some(&place) = self.places.get(name) else { return Ok(None) };
        let column = self.file.metadata().file_metadata().schema_descr().column(place);
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
        let reader = self
            .file
            .column_reader(group, place)
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
