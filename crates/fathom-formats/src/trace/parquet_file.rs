//! A Parquet file whose end was read and checked; its columns are read one at a time.

use super::TraceError;
use super::chunks::Chunks;
use super::error::shown;
use super::footer;
use super::layout::METRICS_KEY;
use super::pages::Pages;
use fathom_record::trace::TraceMetric;
use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::Length;
use parquet::file::serialized_reader::SerializedPageReader;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// An open file.
pub(super) struct ParquetFile {
    chunks: Arc<Chunks>,
    metadata: ParquetMetaData,
}

impl ParquetFile {
    pub(super) fn open(path: &Path) -> Result<ParquetFile, TraceError> {
        let failed = |error| TraceError::io("read", path, error);
        let file = File::open(path).map_err(failed)?;
        let chunks = Chunks::new(file).map_err(failed)?;
        let footer = footer::footer(&chunks).map_err(|error| TraceError::reading(path, error))?;
        if let Some(what) = footer.and_then(|footer| footer::flaw(&footer)) {
            return Err(TraceError::Damaged { file: shown(path), what: what.to_string() });
        }
        let metadata = ParquetMetaDataReader::new()
            .parse_and_finish(&chunks)
            .map_err(|error| TraceError::reading(path, error))?;
        if let Some(what) = flaw(&metadata, chunks.len()) {
            return Err(TraceError::Damaged { file: shown(path), what: what.to_string() });
        }
        if let Some((column, compression)) = unreadable_compression(&metadata) {
            return Err(TraceError::Foreign {
                file: shown(path),
                what: format!(
                    "column {column:?} uses {compression} compression, which Fathom cannot read"
                ),
                remedy: "write the file with zstd, snappy, gzip or lz4, or without compression"
                    .to_string(),
            });
        }
        Ok(ParquetFile { chunks: Arc::new(chunks), metadata })
    }

    pub(super) fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }

    /// How many rows all row groups have; `None` if that is more than memory could hold.
    pub(super) fn rows(&self) -> Option<usize> {
        self.metadata.row_groups().iter().try_fold(0_usize, |rows, group| {
            rows.checked_add(usize::try_from(group.num_rows()).ok()?)
        })
    }

    /// The file's description of its metrics; nothing if another program wrote it.
    pub(super) fn described(&self) -> Vec<TraceMetric> {
        let notes = self.metadata.file_metadata().key_value_metadata();
        let note = notes.into_iter().flatten().find(|note| note.key == METRICS_KEY);
        let text = note.and_then(|note| note.value.as_deref());
        text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// A column of one row group, from its first row on.
    ///
    /// The library's reader of a row group holds an entry per column, and making one for every column
    /// takes a time that grows with the square of their number. So pages are read directly.
    pub(super) fn column_reader(&self, group: usize, place: usize) -> ParquetResult<ColumnReader> {
        let missing = || ParquetError::General("a column is missing".to_string());
        let group = self.metadata.row_groups().get(group).ok_or_else(missing)?;
        let column = group.columns().get(place).ok_or_else(missing)?;
        let rows = usize::try_from(group.num_rows())?;
        let pages = SerializedPageReader::new(Arc::clone(&self.chunks), column, rows, None)?;
        let descriptor = self.metadata.file_metadata().schema_descr().column(place);
        Ok(get_column_reader(descriptor, Box::new(Pages::of(Box::new(pages)))))
    }
}

/// The first column whose compression this program was built without, and how it is called.
fn unreadable_compression(metadata: &ParquetMetaData) -> Option<(String, &'static str)> {
    let columns = metadata.row_groups().iter().flat_map(|group| group.columns());
    columns.into_iter().find_map(|column: &ColumnChunkMetaData| {
        let name = match column.compression() {
            Compression::BROTLI(_) => "Brotli",
            Compression::LZO => "LZO",
            _ => return None,
        };
        Some((column.column_path().string(), name))
    })
}

/// What the Parquet reader takes for granted, and panics without.
fn flaw(metadata: &ParquetMetaData, length: u64) -> Option<&'static str> {
    let schema = metadata.file_metadata().schema_descr();
    for group in metadata.row_groups() {
        if group.num_rows() < 0 {
            return Some("a number of rows is negative");
        }
        if group.num_columns() != schema.num_columns() {
            return Some("a row group has different columns than the file");
        }
        for (column, described) in group.columns().iter().zip(schema.columns()) {
            let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let range = u64::try_from(start).ok().zip(u64::try_from(column.compressed_size()).ok());
            let end = range.and_then(|(start, size)| start.checked_add(size));
            if end.is_none_or(|end| end > length) || column.data_page_offset() < 0 {
                return Some("a column lies outside the file");
            }
            if column.num_values() < 0 {
                return Some("a number of values is negative");
            }
            if column.column_type() != described.physical_type() {
                return Some("a column's type differs from the one in the file's schema");
            }
        }
    }
    None
}
