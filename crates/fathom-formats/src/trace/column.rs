//! Values of one column, as Parquet has them: those that are there, and which rows they are of.

use fathom_record::trace::{Number, Value, Values};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::errors::{ParquetError, Result};

/// Some rows of one column.
#[derive(Debug)]
pub(super) struct Column {
    /// For each row, 1 if it has a value and 0 if it is missing.
    present: Vec<i16>,
    numbers: Numbers,
}

#[derive(Debug)]
enum Numbers {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
}

impl Column {
    pub(super) fn new(number: Number) -> Column {
        let numbers = match number {
            Number::Integer => Numbers::Integers(Vec::new()),
            Number::Real => Numbers::Reals(Vec::new()),
        };
        Column { present: Vec::new(), numbers }
    }

    /// Forgets the rows and keeps the room.
    pub(super) fn clear(&mut self) {
        self.present.clear();
        match &mut self.numbers {
            Numbers::Integers(values) => values.clear(),
            Numbers::Reals(values) => values.clear(),
        }
    }

    /// Adds rows without a value.
    pub(super) fn push_missing(&mut self, rows: usize) {
        self.present.resize(self.present.len() + rows, 0);
    }

    /// Adds values. What cannot be kept exactly as this kind of number is missing.
    pub(super) fn push(&mut self, values: &Values) {
        let present = &mut self.present;
        present.reserve(values.len());
        match (&mut self.numbers, values) {
            (Numbers::Integers(ours), Values::Integers(theirs)) => {
                push_all(ours, present, theirs.iter().copied());
            }
            (Numbers::Reals(ours), Values::Reals(theirs)) => {
                // Rows hold finite values only, but anybody can make a `Values`.
                let finite = theirs.iter().map(|value| value.filter(|value| value.is_finite()));
                push_all(ours, present, finite);
            }
            (Numbers::Integers(ours), theirs) => {
                push_all(ours, present, (0..theirs.len()).map(|n| theirs.get(n).integer()));
            }
            (Numbers::Reals(ours), theirs) => push_all(ours, present, theirs.reals()),
        }
    }

    /// Writes the rows to a column that may have missing values.
    pub(super) fn write(&self, writer: &mut ColumnWriter<'_>) -> Result<()> {
        let present = Some(self.present.as_slice());
        match (writer, &self.numbers) {
            (ColumnWriter::Int64ColumnWriter(writer), Numbers::Integers(values)) => {
                writer.write_batch(values, present, None)?;
            }
            (ColumnWriter::DoubleColumnWriter(writer), Numbers::Reals(values)) => {
                writer.write_batch(values, present, None)?;
            }
            _ => return Err(other_type()),
        }
        Ok(())
    }

    /// Writes the rows to a column that has a value in every row.
    pub(super) fn write_times(writer: &mut ColumnWriter<'_>, times: &[i64]) -> Result<()> {
        match writer {
            ColumnWriter::Int64ColumnWriter(writer) => writer.write_batch(times, None, None)?,
            _ => return Err(other_type()),
        };
        Ok(())
    }

    /// Adds the next rows of a column, exactly that many.
    pub(super) fn read(&mut self, reader: &mut ColumnReader, rows: usize) -> Result<()> {
        let before = self.present.len();
        let present = Some(&mut self.present);
        let (read, _, levels) = match (reader, &mut self.numbers) {
            (ColumnReader::Int64ColumnReader(reader), Numbers::Integers(values)) => {
                reader.read_records(rows, present, None, values)?
            }
            (ColumnReader::DoubleColumnReader(reader), Numbers::Reals(values)) => {
                reader.read_records(rows, present, None, values)?
            }
            _ => return Err(other_type()),
        };
        if read != rows {
            return Err(ParquetError::EOF(format!("a column ends {} rows early", rows - read)));
        }
        // A column that always has a value has no levels.
        if self.present.len() == before {
            self.present.resize(before + levels, 1);
        }
        Ok(())
    }

    /// How many rows have a value.
    pub(super) fn count(&self) -> usize {
        match &self.numbers {
            Numbers::Integers(values) => values.len(),
            Numbers::Reals(values) => values.len(),
        }
    }

    /// The values without their rows, if they are integers.
    pub(super) fn integers(&self) -> &[i64] {
        match &self.numbers {
            Numbers::Integers(values) => values,
            Numbers::Reals(_) => &[],
        }
    }

    /// Adds the rows to `values`.
    pub(super) fn append_to(&self, values: &mut Values) {
        match &self.numbers {
            Numbers::Integers(ours) => {
                let mut ours = ours.iter().copied();
                for &present in &self.present {
                    let value = (present != 0).then(|| ours.next()).flatten();
                    values.push(value.map_or(Value::Missing, Value::Integer));
                }
            }
            Numbers::Reals(ours) => {
                let mut ours = ours.iter().copied();
                for &present in &self.present {
                    let value = (present != 0).then(|| ours.next()).flatten();
                    values.push(value.map_or(Value::Missing, Value::from));
                }
            }
        }
    }
}

fn push_all<T>(ours: &mut Vec<T>, present: &mut Vec<i16>, theirs: impl Iterator<Item = Option<T>>) {
    for value in theirs {
        present.push(i16::from(value.is_some()));
        ours.extend(value);
    }
}

/// Passes over the next rows of a column.
pub(super) fn skip(reader: &mut ColumnReader, rows: usize) -> Result<()> {
    let skipped = match reader {
        ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows)?,
        ColumnReader::DoubleColumnReader(reader) => reader.skip_records(rows)?,
        _ => return Err(other_type()),
    };
    match skipped == rows {
        true => Ok(()),
        false => Err(ParquetError::EOF(format!("a column ends {} rows early", rows - skipped))),
    }
}

fn other_type() -> ParquetError {
    ParquetError::General("a column's type differs from the one in the file's schema".to_string())
}
