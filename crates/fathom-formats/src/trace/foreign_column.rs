//! Columns of Parquet files that others wrote, of any type that is a number or a moment.

use super::TraceError;
use super::parquet_file::ParquetFile;
use super::size_limit;
use fathom_record::TimeUnit;
use fathom_record::trace::{Number, Value, Values};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit as Fraction, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{DataType, Int96};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::schema::types::ColumnDescriptor;
use std::path::Path;

/// What the numbers of a column are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// Whole numbers, or yes and no as 1 and 0.
    Integer,
    /// Unsigned whole numbers: the largest look negative as signed ones.
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

/// What a column holds; the error names the type if it is not a number.
pub(super) fn meaning(column: &ColumnDescriptor) -> Result<Meaning, String> {
    if column.path().parts().len() != 1 || column.max_rep_level() > 0 || column.max_def_level() > 1
    {
        return Err("nested".to_string());
    }
    let physical = column.physical_type();
    let is_whole = matches!(physical, Physical::INT32 | Physical::INT64);
    let is_bytes = matches!(physical, Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY);
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
        (Some(LogicalType::Decimal(kind)), _) if is_whole || is_bytes => {
            Ok(Meaning::Decimal(kind.scale))
        }
        (Some(LogicalType::Date), _) if is_whole => Ok(Meaning::Date),
        (Some(LogicalType::String), _) => Err("text".to_string()),
        (Some(other), _) => Err(format!("{other:?}").to_lowercase()),
        (None, converted) => match converted {
            ConvertedType::TIMESTAMP_MILLIS => Ok(Meaning::Moment(TimeUnit::Milliseconds, true)),
            ConvertedType::TIMESTAMP_MICROS => Ok(Meaning::Moment(TimeUnit::Microseconds, true)),
            ConvertedType::TIME_MILLIS => Ok(Meaning::Duration(TimeUnit::Milliseconds)),
            ConvertedType::TIME_MICROS => Ok(Meaning::Duration(TimeUnit::Microseconds)),
            ConvertedType::DATE => Ok(Meaning::Date),
            ConvertedType::DECIMAL if is_whole || is_bytes => {
                Ok(Meaning::Decimal(column.type_scale()))
            }
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Ok(Meaning::Unsigned),
            _ if is_whole || physical == Physical::BOOLEAN => Ok(Meaning::Integer),
            _ if matches!(physical, Physical::FLOAT | Physical::DOUBLE) => Ok(Meaning::Real),
            // What Spark wrote for a long time; always since 1970.
            _ if physical == Physical::INT96 => Ok(Meaning::Moment(TimeUnit::Nanoseconds, true)),
            ConvertedType::UTF8 => Err("text".to_string()),
            _ if is_bytes => Err("bytes".to_string()),
            _ => Err(physical.to_string().to_lowercase()),
        },
    }
}

/// A column of all row groups: whole numbers as they are stored, before what they mean.
pub(super) fn read(
    file: &ParquetFile,
    place: usize,
    meaning: Meaning,
    path: &Path,
) -> Result<Values, TraceError> {
    let mut raw = empty(file, place);
    let rows = file.rows().unwrap_or(usize::MAX);
    raw.try_reserve(rows).map_err(|_| size_limit::no_memory(path, rows, 1))?;
    fill(&mut raw, file, place).map_err(|error| TraceError::reading(path, error))?;
    let is_narrow = file.metadata().file_metadata().schema_descr().column(place).physical_type()
        == Physical::INT32;
    if let (Values::Reals(values), Meaning::Decimal(scale)) = (&mut raw, meaning) {
        for value in values.iter_mut() {
            *value = value.and_then(|value| scaled(value, scale));
        }
    }
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
    scaled(value as f64, scale)
}

fn scaled(value: f64, scale: i32) -> Option<f64> {
    let value = value / 10f64.powi(scale);
    value.is_finite().then_some(value)
}

/// The whole number of a decimal that is stored as bytes: two's complement, the largest first.
#[allow(clippy::cast_precision_loss, reason = "as near as a double can be")]
fn of_bytes(bytes: &[u8]) -> Value {
    const WIDEST: usize = 16;
    let Some(&first) = bytes.first() else { return Value::Missing };
    let sign: u8 = if first & 0x80 == 0 { 0 } else { 0xff };
    let spare = bytes.len().saturating_sub(WIDEST);
    let (fill, digits) = bytes.split_at(spare);
    // More bytes than a number of 128 bits has may only repeat its sign.
    if fill.iter().any(|&byte| byte != sign)
        || digits.first().is_none_or(|byte| (byte ^ sign) & 0x80 != 0)
    {
        return Value::Missing;
    }
    let mut wide = [sign; WIDEST];
    wide[WIDEST - digits.len()..].copy_from_slice(digits);
    Value::from(i128::from_be_bytes(wide) as f64)
}

/// No values yet, kept as the column's are.
fn empty(file: &ParquetFile, place: usize) -> Values {
    let descriptor = file.metadata().file_metadata().schema_descr().column(place);
    let is_whole = matches!(
        descriptor.physical_type(),
        Physical::BOOLEAN | Physical::INT32 | Physical::INT64 | Physical::INT96
    );
    let number = if is_whole { Number::Integer } else { Number::Real };
    Values::new(number)
}

/// Adds the column of every row group.
fn fill(values: &mut Values, file: &ParquetFile, place: usize) -> ParquetResult<()> {
    for group in 0..file.metadata().num_row_groups() {
        let rows = usize::try_from(file.metadata().row_group(group).num_rows())?;
        match file.column_reader(group, place)? {
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
            ColumnReader::FixedLenByteArrayColumnReader(mut reader) => {
                all(&mut reader, rows, values, |value| of_bytes(value.data()))?;
            }
            ColumnReader::ByteArrayColumnReader(mut reader) => {
                all(&mut reader, rows, values, |value| of_bytes(value.data()))?;
            }
        }
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_in_bytes_are_whole_numbers_of_any_width() {
        assert_eq!(of_bytes(&[0x7b]), Value::Real(123.0));
        assert_eq!(of_bytes(&[0xff, 0x85]), Value::Real(-123.0));
        assert_eq!(of_bytes(&[0, 0, 1, 0]), Value::Real(256.0));
        assert_eq!(of_bytes(&[]), Value::Missing);
        let mut wide = vec![0xff; 20];
        wide[19] = 0xfe;
        assert_eq!(of_bytes(&wide), Value::Real(-2.0));
        wide[0] = 0x7f;
        assert_eq!(of_bytes(&wide), Value::Missing, "beyond 128 bits");
        assert_eq!(scaled(-12345.0, 2), Some(-123.45));
    }
}
