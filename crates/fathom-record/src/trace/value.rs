//! Values of a trace, which may be missing.

use super::Number;

/// One value of one metric.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Value {
    /// Nothing was seen. It is never turned into a zero.
    #[default]
    Missing,
    /// As it was read.
    Integer(i64),
    /// As it was read; what is not finite counts as missing.
    Real(f64),
}

impl From<u64> for Value {
    /// What does not fit would read as negative, so it is missing.
    fn from(value: u64) -> Value {
        i64::try_from(value).map_or(Value::Missing, Value::Integer)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Integer(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        if value.is_finite() { Value::Real(value) } else { Value::Missing }
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Missing, Into::into)
    }
}

impl Value {
    /// The value as a double.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "who asks for a double takes its precision")]
    pub fn real(self) -> Option<f64> {
        match self {
            Value::Missing => None,
            Value::Integer(value) => Some(value as f64),
            Value::Real(value) => Some(value).filter(|value| value.is_finite()),
        }
    }

    /// The value as an integer, if it is one.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "only what is whole and in range")]
    pub fn integer(self) -> Option<i64> {
        // 2^53: beyond it neighbouring integers are the same double.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match self {
            Value::Missing => None,
            Value::Integer(value) => Some(value),
            Value::Real(value) => {
                (value.trunc() == value && value.abs() <= EXACT).then_some(value as i64)
            }
        }
    }
}

/// The values of one metric, row by row.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Kept as integers.
    Integers(Vec<Option<i64>>),
    /// Kept as doubles; all of them finite.
    Reals(Vec<Option<f64>>),
}

impl Values {
    /// None yet.
    #[must_use]
    pub fn new(number: Number) -> Values {
        match number {
            Number::Integer => Values::Integers(Vec::new()),
            Number::Real => Values::Reals(Vec::new()),
        }
    }

    /// Asks for the memory of more values, so that a caller can refuse what does not fit instead of
    /// being ended by the allocator.
    pub fn try_reserve(&mut self, more: usize) -> Result<(), std::collections::TryReserveError> {
        match self {
            Values::Integers(values) => values.try_reserve_exact(more),
            Values::Reals(values) => values.try_reserve_exact(more),
        }
    }

    /// How they are kept.
    #[must_use]
    pub fn number(&self) -> Number {
        match self {
            Values::Integers(_) => Number::Integer,
            Values::Reals(_) => Number::Real,
        }
    }

    /// How many there are, missing ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::Integers(values) => values.len(),
            Values::Reals(values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds one. A value that cannot be kept exactly as this kind of number is missing.
    pub fn push(&mut self, value: Value) {
        match self {
            Values::Integers(values) => values.push(value.integer()),
            Values::Reals(values) => values.push(value.real()),
        }
    }

    /// The value in row `n`; missing beyond the end.
    #[must_use]
    pub fn get(&self, n: usize) -> Value {
        match self {
            Values::Integers(values) => values.get(n).copied().flatten().into(),
            Values::Reals(values) => values.get(n).copied().flatten().into(),
        }
    }

    /// All of them as doubles.
    pub fn reals(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        (0..self.len()).map(|n| self.get(n).real())
    }

    /// Leaves out what is behind a number of values.
    pub fn truncate(&mut self, count: usize) {
        match self {
            Values::Integers(values) => values.truncate(count),
            Values::Reals(values) => values.truncate(count),
        }
    }

    /// Forgets them and keeps the room.
    pub fn clear(&mut self) {
        match self {
            Values::Integers(values) => values.clear(),
            Values::Reals(values) => values.clear(),
        }
    }

    /// Adds those of another, converted if they are kept otherwise.
    pub fn append(&mut self, other: &Values) {
        match (self, other) {
            (Values::Integers(ours), Values::Integers(theirs)) => ours.extend_from_slice(theirs),
            (Values::Reals(ours), Values::Reals(theirs)) => ours.extend_from_slice(theirs),
            (ours, theirs) => (0..theirs.len()).for_each(|n| ours.push(theirs.get(n))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_kept_is_missing_and_not_zero() {
        assert_eq!(Value::from(u64::MAX), Value::Missing);
        assert_eq!(Value::from(f64::NAN), Value::Missing);
        assert_eq!(Value::from(None::<i64>), Value::Missing);
        let mut values = Values::new(Number::Integer);
        for value in [Value::Real(2.0), Value::Real(2.5), Value::Integer(7), Value::Missing] {
            values.push(value);
        }
        assert_eq!(values, Values::Integers(vec![Some(2), None, Some(7), None]));
        assert_eq!(values.reals().collect::<Vec<_>>(), [Some(2.0), None, Some(7.0), None]);
        let mut reals = Values::new(Number::Real);
        reals.push(Value::Real(f64::INFINITY));
        reals.append(&values);
        assert_eq!(reals.get(1), Value::Real(2.0));
        assert_eq!(reals.get(0), Value::Missing);
        assert_eq!(reals.get(99), Value::Missing);
    }
}
