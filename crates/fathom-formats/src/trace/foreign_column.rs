//! Columns of Parquet files that others wrote, of any type that is a number or a moment.

use super::TraceError;
use super::chunks::Chunks;
use super::pages::column_reader;
use fathom_record::TimeUnit;
use fathom_record::trace::{Value, Values};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit as Fraction, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{DataType, Int96};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::path::Path;

/// What the numbers of a column are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// Whole numbers, or yes and no as 1 and 0.
    Integer,
    /// Whole numbers of which the largest look negative.
    Unsigned,
    /// Numbers with a fraction.
    Real,
    /// Whole numbers of that power of ten.
    Decimal(i32),
    /// A time since 1970, in that unit; whether the time zone is known.
    Moment(TimeUnit, bool),
    /// Days since 1970.
    Date,
    /// A time since some moment, in that unit.
    Duration(TimeUnit),
}

/// What a column holds; if it is no number, what it is instead.
pub(super) fn meaning(column: &ColumnDescriptor) -> Result<Meaning, String> {
    if column.path().parts().len() != 1 || column.max_rep_level() > 0 || column.max_def_level() > 1
    {
        return Err("nested".to_string());
    }
    let physical = column.physical_type();
    let is_whole = matches!(physical, Physical::INT32 | Physical::INT64);
    let unit = |fraction: &Fraction| match fraction {
        Fraction::MILLIS => TimeUnit::Milliseconds,
        Fraction::MICROS => TimeUnit::Microseconds,
        Fraction::NANOS => TimeUnit::Nanoseconds,
    };
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Timestamp(kind)), _) if is_whole => {
            Ok(Meaning::Moment(unit(&kind.unit), kind.is_adjusted_to_u_t_c))
        }
        (Some(LogicalType::Time(kind)), _) if is_whole => Ok(Meaning::Duration(unit(&kind.unit))),
        (Some(LogicalType::Integer(kind)), _) if is_whole && !kind.is_signed => {
            Ok(Meaning::Unsigned)
        }
        (Some(LogicalType::Integer(_)), _) if is_whole => Ok(Meaning::Integer),
        (Some(LogicalType::Decimal(kind)), _) if is_whole => Ok(Meaning::Decimal(kind.scale)),
        (Some(LogicalType::Date), _) if is_whole => Ok(Meaning::Date),
        (Some(other), _) => Err(format!("{physical} ({other:?})")),
        (None, converted) => match converted {
            ConvertedType::TIMESTAMP_MILLIS => Ok(Meaning::Moment(TimeUnit::Milliseconds, true)),
            ConvertedType::TIMESTAMP_MICROS => Ok(Meaning::Moment(TimeUnit::Microseconds, true)),
            ConvertedType::TIME_MILLIS => Ok(Meaning::Duration(TimeUnit::Milliseconds)),
            ConvertedType::TIME_MICROS => Ok(Meaning::Duration(TimeUnit::Microseconds)),
            ConvertedType::DATE => Ok(Meaning::Date),
            ConvertedType::DECIMAL if is_whole => Ok(Meaning::Decimal(column.type_scale())),
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Ok(Meaning::Unsigned),
            _ if is_whole || physical == Physical::BOOLEAN => Ok(Meaning::Integer),
            _ if matches!(physical, Physical::FLOAT | Physical::DOUBLE) => Ok(Meaning::Real),
            // What Spark wrote for a long time; always since 1970.
            _ if physical == Physical::INT96 => Ok(Meaning::Moment(TimeUnit::Nanoseconds, true)),
            ConvertedType::UTF8 => Err("text".to_string()),
            _ => Err(physical.to_string()),
        },
    }
}

/// A column of all row groups: whole numbers as they are stored, before what they mean.
pub(super) fn read(
    file: &SerializedFileReader<Chunks>,
    place: usize,
    meaning: Meaning,
    path: &Path,
) -> Result<Values, TraceError> {
    let mut raw = raw(file, place).map_err(|error| TraceError::reading(path, error))?;
    let is_narrow = file.metadata().file_metadata().schema_descr().column(place).physical_type()
        == Physical::INT32;
    if let Values::Integers(values) = &mut raw {
        match meaning {
            Meaning::Unsigned if is_narrow => {
                for value in values.iter_mut().flatten() {
                    *value &= i64::from(u32::MAX);
                }
            }
            // Beyond what an integer here holds only doubles can tell how large it is.
            Meaning::Unsigned if values.iter().flatten().any(|&value| value < 0) => {
                raw = Values::Reals(values.iter().map(|value| value.map(unsigned)).collect());
            }
            Meaning::Decimal(scale) => {
                let value = |value: i64| decimal(value, scale);
                raw = Values::Reals(values.iter().map(|one| one.and_then(value)).collect());
            }
            _ => {}
        }
    }
    Ok(raw)
}

#[allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "as near as a double can be")]
fn unsigned(value: i64) -> f64 {
    value as u64 as f64
}

/// As the decimal is written: dividing 314 by 100 rounds once, which multiplying by 0.01 does not.
#[allow(clippy::cast_precision_loss, reason = "as near as a double can be")]
fn decimal(value: i64, scale: i32) -> Option<f64> {
    let value = value as f64 / 10f64.powi(scale);
    value.is_finite().then_some(value)
}

fn raw(file: &SerializedFileReader<Chunks>, place: usize) -> ParquetResult<Values> {
    let descriptor = file.metadata().file_metadata().schema_descr().column(place);
    let is_real = matches!(descriptor.physical_type(), Physical::FLOAT | Physical::DOUBLE);
    let mut values = if is_real { Values::Reals(Vec::new()) } else { Values::Integers(Vec::new()) };
    for group in 0..file.num_row_groups() {
        let rows = usize::try_from(file.metadata().row_group(group).num_rows())?;
        let values = &mut values;
        match column_reader(file, group, place)? {
            ColumnReader::BoolColumnReader(mut reader) => {
                all(&mut reader, rows, values, |&value| Value::Integer(i64::from(value)))?;
            }
            ColumnReader::Int32ColumnReader(mut reader) => {
                all(&mut reader, rows, values, |&value| Value::Integer(i64::from(value)))?;
            }
            ColumnReader::Int64ColumnReader(mut reader) => {
                all(&mut reader, rows, values, |&value| Value::Integer(value))?;
            }
            ColumnReader::Int96ColumnReader(mut reader) => {
                all(&mut reader, rows, values, |value| nanoseconds(value).into())?;
            }
            ColumnReader::FloatColumnReader(mut reader) => {
                all(&mut reader, rows, values, |&value| Value::from(f64::from(value)))?;
            }
            ColumnReader::DoubleColumnReader(mut reader) => {
                all(&mut reader, rows, values, |&value| Value::from(value))?;
            }
            _ => return Err(ParquetError::General("a column has no numbers".to_string())),
        }
    }
    Ok(values)
}

/// A day of the Julian calendar and nanoseconds of that day, since 1970.
fn nanoseconds(value: &Int96) -> Option<i64> {
    const EPOCH: i64 = 2_440_588;
    let &[low, high, day] = value.data() else { return None };
    let of_day = (i64::from(high) << 32) | i64::from(low);
    (i64::from(day) - EPOCH).checked_mul(86_400_000_000_000)?.checked_add(of_day)
}

/// Adds all rows of a row group.
fn all<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    values: &mut Values,
    value: impl Fn(&T::T) -> Value,
) -> ParquetResult<()> {
    const BATCH: usize = 8192;
    let (mut present, mut read) = (Vec::new(), Vec::new());
    let mut left = rows;
    while left > 0 {
        present.clear();
        read.clear();
        let (count, _, levels) =
            reader.read_records(left.min(BATCH), Some(&mut present), None, &mut read)?;
        if count == 0 {
            return Err(ParquetError::EOF(format!("a column ends {left} rows early")));
        }
        left -= count;
        // A column that always has a value has no levels.
        if present.is_empty() {
            present.resize(levels, 1);
        }
        let mut read = read.iter();
        for &present in &present {
            let one = if present == 0 { None } else { read.next() };
            values.push(one.map_or(Value::Missing, &value));
        }
    }
    Ok(())
}
