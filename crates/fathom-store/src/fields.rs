//! The columns of a row, taken one after the other.

use crate::checksum::checksum;
use rusqlite::Row;
use rusqlite::types::{Value, ValueRef};

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Flaw {
    #[error("a row of {0} does not match its checksum")]
    Checksum(&'static str),
    #[error("a row of {table} has no valid {column}")]
    Column { table: &'static str, column: &'static str },
    #[error("the runs of session {session} are out of order")]
    Order { session: i64 },
    #[error("runs of session {session} are missing")]
    Gap { session: i64 },
    #[error("there are runs of session {session}, but the session itself is missing")]
    Orphans { session: i64 },
}

/// The values of a row whose checksum, its last column, was right.
pub(crate) struct Fields<'a> {
    table: &'static str,
    values: std::slice::Iter<'a, ValueRef<'a>>,
}

impl<'a> Fields<'a> {
    pub(crate) fn checked(
        table: &'static str,
        values: &'a [ValueRef<'a>],
    ) -> Result<Fields<'a>, Flaw> {
        match values.split_last() {
            Some((ValueRef::Integer(sum), rest)) if *sum == checksum(table, rest) => {
                Ok(Fields { table, values: rest.iter() })
            }
            _ => Err(Flaw::Checksum(table)),
        }
    }

    pub(crate) fn flaw(&self, column: &'static str) -> Flaw {
        Flaw::Column { table: self.table, column }
    }

    pub(crate) fn maybe_integer(&mut self, column: &'static str) -> Result<Option<i64>, Flaw> {
        match self.values.next() {
            Some(ValueRef::Integer(number)) => Ok(Some(*number)),
            Some(ValueRef::Null) => Ok(None),
            _ => Err(self.flaw(column)),
        }
    }

    pub(crate) fn integer(&mut self, column: &'static str) -> Result<i64, Flaw> {
        self.maybe_integer(column)?.ok_or_else(|| self.flaw(column))
    }

    /// A count; see [`count`].
    pub(crate) fn count(&mut self, column: &'static str) -> Result<u64, Flaw> {
        self.integer(column).map(i64::cast_unsigned)
    }

    pub(crate) fn maybe_text(&mut self, column: &'static str) -> Result<Option<&'a str>, Flaw> {
        match self.values.next() {
            Some(ValueRef::Text(bytes)) => {
                std::str::from_utf8(bytes).map(Some).map_err(|_| self.flaw(column))
            }
            Some(ValueRef::Null) => Ok(None),
            _ => Err(self.flaw(column)),
        }
    }

    pub(crate) fn text(&mut self, column: &'static str) -> Result<&'a str, Flaw> {
        self.maybe_text(column)?.ok_or_else(|| self.flaw(column))
    }
}

/// An unsigned number as SQLite keeps it. SQLite's integers are signed: from 2^63 up the same
/// bits read as a negative number, and read back they are what they were. (In nanoseconds that is
/// 292 years.)
pub(crate) fn count(number: u64) -> Value {
    Value::Integer(number.cast_signed())
}

/// Puts the checksum behind the values.
pub(crate) fn sealed(table: &'static str, mut values: Vec<Value>) -> Vec<Value> {
    let sum = checksum(table, &values.iter().map(ValueRef::from).collect::<Vec<_>>());
    values.push(Value::Integer(sum));
    values
}

/// The first `columns` values of a row of a query.
pub(crate) fn values<'a>(
    row: &'a Row<'_>,
    columns: usize,
) -> Result<Vec<ValueRef<'a>>, rusqlite::Error> {
    (0..columns).map(|index| row.get_ref(index)).collect()
}
