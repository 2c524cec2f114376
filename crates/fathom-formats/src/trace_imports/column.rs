//! One metric of a file while it is read.

use std::sync::Arc;

use fathom_record::trace::{Kind, Layer, Number, Rows, TraceMetric, Value, Values};
use fathom_record::{Timestamp, Unit};

/// A metric and its values, row by row. Integers until the first value that is none.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) metric: TraceMetric,
    values: Values,
}

impl Column {
    pub(super) fn new(probe: &str, name: String, layer: Layer, kind: Kind, unit: Unit) -> Column {
        let (probe, about) = (probe.to_string(), String::new());
        let number = Number::Integer;
        let metric = TraceMetric { name, layer, unit, kind, number, probe, about };
        Column { metric, values: Values::new(number) }
    }

    pub(super) fn push(&mut self, value: Value) {
        if matches!(value, Value::Real(_)) && self.metric.number == Number::Integer {
            self.metric.number = Number::Real;
            let mut reals = Values::new(Number::Real);
            reals.append(&self.values);
            self.values = reals;
        }
        self.values.push(value);
    }

    /// Fills up with missing values.
    pub(super) fn extend_to(&mut self, rows: usize) {
        while self.values.len() < rows {
            self.values.push(Value::Missing);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn get(&self, row: usize) -> Value {
        self.values.get(row)
    }
}

/// The columns as rows with these intervals.
pub(super) fn rows(starts: &[Timestamp], ends: &[Timestamp], columns: &[Column]) -> Rows {
    let metrics: Arc<[TraceMetric]> = columns.iter().map(|column| column.metric.clone()).collect();
    let mut rows = Rows::new(metrics);
    let mut values = Vec::with_capacity(columns.len());
    for (row, (&start, &end)) in starts.iter().zip(ends).enumerate() {
        values.clear();
        values.extend(columns.iter().map(|column| column.get(row)));
        rows.push(start, end, &values);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_stay_exact_until_a_real_comes() {
        let new = || Column::new("p", "a".into(), Layer::Os, Kind::Gauge, Unit::Unknown);
        let mut whole = new();
        whole.push(Value::Integer(9_007_199_254_740_993));
        whole.push(Value::Missing);
        assert_eq!(whole.get(0), Value::Integer(9_007_199_254_740_993));
        let mut mixed = new();
        for value in [Value::Integer(2), Value::Missing, Value::Real(0.5)] {
            mixed.push(value);
        }
        mixed.extend_to(4);
        let at = Timestamp::from_nanoseconds;
        let rows = rows(&[0, 0, 1, 2].map(at), &[0, 1, 2, 3].map(at), &[mixed, whole]);
        assert_eq!(rows.columns()[0], Values::Reals(vec![Some(2.0), None, Some(0.5), None]));
        assert_eq!(rows.metrics()[0].number, Number::Real);
        assert_eq!(rows.columns()[1].len(), 4);
    }
}
