//! How rows are laid out in a Parquet file.
//!
//! Differences of integers are packed: counters and times then need a byte or less per value. Doubles
//! are written as they are and left to the compression, which beats splitting their bytes where
//! values repeat, as measured ones do.

use super::TraceError;
use super::column::Column;
use super::error::shown;
use super::{END, START};
use fathom_record::trace::{Number, Rows, TRACE_SCHEMA, TraceMetric};
use parquet::basic::{Compression, Encoding, Repetition, Type as Physical, ZstdLevel};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// The key of the schema's name and version.
pub(super) const SCHEMA_KEY: &str = "fathom.schema";
/// The key of the metrics, as JSON, as in the manifest.
pub(super) const METRICS_KEY: &str = "fathom.metrics";
/// The key of the run's id.
pub(super) const RUN_KEY: &str = "fathom.run";

/// For whom a file is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A part, to be merged soon: the fastest format, because the measured program runs at the same
    /// time.
    Part,
    /// The file that stays: small, with the least and greatest value of each column.
    Whole,
}

/// Where a file is written. One type for all, so that the format's generic code is compiled once.
pub(super) type Target<'a> = &'a mut (dyn Write + Send);

/// The columns of a file and how they are written.
#[derive(Debug)]
pub(super) struct Layout {
    metrics: Arc<[TraceMetric]>,
    schema: TypePtr,
    properties: WriterPropertiesPtr,
}

impl Layout {
    /// For these metrics; `path` is for messages.
    pub(super) fn new(
        metrics: Arc<[TraceMetric]>,
        run: Option<&str>,
        purpose: Purpose,
        path: &Path,
    ) -> Result<Layout, TraceError> {
        check_names(&metrics, path)?;
        let failed = |error| TraceError::writing(path, error);
        let schema = schema(&metrics).map_err(failed)?;
        let properties = Arc::new(properties(&metrics, run, purpose).map_err(failed)?);
        Ok(Layout { metrics, schema, properties })
    }

    pub(super) fn metrics(&self) -> &Arc<[TraceMetric]> {
        &self.metrics
    }

    /// Whether it is for exactly these metrics.
    pub(super) fn is_of(&self, metrics: &Arc<[TraceMetric]>) -> bool {
        Arc::ptr_eq(&self.metrics, metrics) || self.metrics == *metrics
    }

    pub(super) fn writer<'a>(
        &self,
        target: Target<'a>,
    ) -> ParquetResult<SerializedFileWriter<Target<'a>>> {
        SerializedFileWriter::new(target, self.schema.clone(), self.properties.clone())
    }

    /// Rows of exactly these metrics as a whole file.
    pub(super) fn encode(&self, rows: &Rows, bytes: &mut Vec<u8>) -> ParquetResult<()> {
        let mut writer = self.writer(bytes)?;
        let mut group = writer.next_row_group()?;
        for times in [rows.starts(), rows.ends()] {
            // The format takes integers: a copy, which costs little beside encoding them.
            let times: Vec<i64> = times.iter().map(|time| time.nanoseconds()).collect();
            next_column(&mut group, |writer| Column::write_times(writer, &times))?;
        }
        let mut buffers = [Column::new(Number::Integer), Column::new(Number::Real)];
        let [integers, reals] = &mut buffers;
        for (metric, values) in self.metrics.iter().zip(rows.columns()) {
            let column = match metric.number {
                Number::Integer => &mut *integers,
                Number::Real => &mut *reals,
            };
            column.clear();
            column.push(values);
            next_column(&mut group, |writer| column.write(writer))?;
        }
        group.close()?;
        writer.close()?;
        Ok(())
    }
}

/// Writes the next column of a row group.
pub(super) fn next_column(
    group: &mut SerializedRowGroupWriter<'_, Target<'_>>,
    write: impl FnOnce(&mut parquet::column::writer::ColumnWriter<'_>) -> ParquetResult<()>,
) -> ParquetResult<()> {
    let mut writer = group
        .next_column()?
        .ok_or_else(|| ParquetError::General("there are more columns than metrics".to_string()))?;
    write(writer.untyped())?;
    writer.close()
}

/// Refuses names that cannot be columns.
pub(super) fn check_names(metrics: &[TraceMetric], path: &Path) -> Result<(), TraceError> {
    let unfit = |what| {
        let remedy = "rename the metric".to_string();
        Err(TraceError::Unfit { file: shown(path), what, remedy })
    };
    let mut seen = HashSet::from([START, END]);
    for TraceMetric { name, .. } in metrics {
        if name.is_empty() {
            return unfit("a metric has no name".to_string());
        }
        if [START, END].contains(&name.as_str()) {
            return unfit(format!("a metric is named {name:?}, which is reserved for the times"));
        }
        if !seen.insert(name) {
            return unfit(format!("two metrics are named {name:?}"));
        }
    }
    Ok(())
}

fn schema(metrics: &[TraceMetric]) -> ParquetResult<TypePtr> {
    let column = |name: &str, physical, repetition| {
        let column = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        column.build().map(Arc::new)
    };
    let times = [START, END].map(|name| column(name, Physical::INT64, Repetition::REQUIRED));
    let values = metrics.iter().map(|metric| {
        let physical = match metric.number {
            Number::Integer => Physical::INT64,
            Number::Real => Physical::DOUBLE,
        };
        column(&metric.name, physical, Repetition::OPTIONAL)
    });
    let fields = times.into_iter().chain(values).collect::<ParquetResult<Vec<_>>>()?;
    Ok(Arc::new(Type::group_type_builder("trace").with_fields(fields).build()?))
}

fn properties(
    metrics: &[TraceMetric],
    run: Option<&str>,
    purpose: Purpose,
) -> ParquetResult<WriterProperties> {
    let described =
        serde_json::to_string(metrics).map_err(|error| ParquetError::External(Box::new(error)))?;
    let entry = |key: &str, value: String| KeyValue::new(key.to_string(), value);
    let mut notes =
        vec![entry(SCHEMA_KEY, TRACE_SCHEMA.to_string()), entry(METRICS_KEY, described)];
    notes.extend(run.map(|run| entry(RUN_KEY, run.to_string())));
    let (compression, statistics) = match purpose {
        Purpose::Part => (Compression::SNAPPY, EnabledStatistics::None),
        Purpose::Whole => (Compression::ZSTD(ZstdLevel::try_new(1)?), EnabledStatistics::Chunk),
    };
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("fathom version ", env!("CARGO_PKG_VERSION")).to_string())
        .set_key_value_metadata(Some(notes))
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::DELTA_BINARY_PACKED)
        .set_compression(compression)
        .set_statistics_enabled(statistics)
        .set_offset_index_disabled(true);
    for metric in metrics.iter().filter(|metric| metric.number == Number::Real) {
        let column = ColumnPath::new(vec![metric.name.clone()]);
        builder = builder.set_column_encoding(column, Encoding::PLAIN);
    }
    Ok(builder.build())
}
