//! Rows as a sampler makes them, kept by column.

use super::{TraceMetric, Value, Values};
use crate::Timestamp;
use std::sync::Arc;

/// Some rows of one sampler: each has an interval and a value per metric.
///
/// Times count from the run's origin. The first row of a sampler is a moment, its start
/// and end are the same; after that each row starts where the one before it ended. Rows of events
/// have intervals of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    metrics: Arc<[TraceMetric]>,
    starts: Vec<Timestamp>,
    ends: Vec<Timestamp>,
    columns: Vec<Values>,
}

impl Rows {
    /// None yet, of these metrics.
    #[must_use]
    pub fn new(metrics: Arc<[TraceMetric]>) -> Rows {
        let columns = metrics.iter().map(|metric| Values::new(metric.number)).collect();
        Rows { metrics, starts: Vec::new(), ends: Vec::new(), columns }
    }

    /// The same numbers with other descriptions of their metrics, as many; otherwise they stay as they are.
    #[must_use]
    pub fn described(self, metrics: Arc<[TraceMetric]>) -> Rows {
        if metrics.len() == self.metrics.len() { Rows { metrics, ..self } } else { self }
    }

    /// Whole columns, one for each metric. What has no value at a row, because its column or the starts
    /// are too short, is missing; what is behind the last row is left out.
    #[must_use]
    pub fn of_columns(
        metrics: Arc<[TraceMetric]>,
        mut starts: Vec<Timestamp>,
        ends: Vec<Timestamp>,
        mut columns: Vec<Values>,
    ) -> Rows {
        starts.truncate(ends.len());
        let missing = ends.get(starts.len()..).unwrap_or_default().to_vec();
        starts.extend(missing);
        columns.truncate(metrics.len());
        for metric in metrics.get(columns.len()..).unwrap_or_default() {
            columns.push(Values::new(metric.number));
        }
        for column in &mut columns {
            column.truncate(ends.len());
            while column.len() < ends.len() {
                column.push(Value::Missing);
            }
        }
        Rows { metrics, starts, ends, columns }
    }

    /// The metrics, in the order of the columns.
    #[must_use]
    pub fn metrics(&self) -> &Arc<[TraceMetric]> {
        &self.metrics
    }

    /// Adds a row. Values that are not given are missing; more than there are metrics are left out.
    pub fn push(&mut self, start: Timestamp, end: Timestamp, values: &[Value]) {
        self.starts.push(start);
        self.ends.push(end);
        for (n, column) in self.columns.iter_mut().enumerate() {
            column.push(values.get(n).copied().unwrap_or_default());
        }
    }

    /// Asks for the memory of more rows, so that a caller can refuse what does not fit.
    pub fn try_reserve(&mut self, more: usize) -> Result<(), std::collections::TryReserveError> {
        self.starts.try_reserve_exact(more)?;
        self.ends.try_reserve_exact(more)?;
        self.columns.iter_mut().try_for_each(|column| column.try_reserve(more))
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// When each row starts.
    #[must_use]
    pub fn starts(&self) -> &[Timestamp] {
        &self.starts
    }

    /// When each row ends.
    #[must_use]
    pub fn ends(&self) -> &[Timestamp] {
        &self.ends
    }

    /// The values, without the rest.
    #[must_use]
    pub fn into_columns(self) -> Vec<Values> {
        self.columns
    }

    /// The values, a column per metric, all as long as [`Rows::len`].
    #[must_use]
    pub fn columns(&self) -> &[Values] {
        &self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unit;
    use crate::trace::{Kind, Layer};

    #[test]
    fn columns_are_cut_and_filled_to_the_rows() {
        let metric = |name| TraceMetric::integer("p", name, Layer::Os, Kind::Gauge, Unit::Unknown);
        let ends = [1, 2].map(Timestamp::from_nanoseconds).to_vec();
        let long = Values::Integers(vec![Some(1), None, Some(3)]);
        let metrics: Arc<[TraceMetric]> = [metric("a"), metric("b")].into();
        let rows = Rows::of_columns(metrics, Vec::new(), ends.clone(), vec![long]);
        assert_eq!((rows.starts(), rows.ends()), (&ends[..], &ends[..]));
        assert_eq!(rows.columns()[0], Values::Integers(vec![Some(1), None]));
        assert_eq!(rows.columns()[1], Values::Integers(vec![None, None]));
    }

    #[test]
    fn every_column_is_as_long_as_the_rows() {
        let metric =
            |name| TraceMetric::integer("p", name, Layer::Os, Kind::Counter, Unit::Unknown);
        let mut rows = Rows::new([metric("a"), metric("b")].into());
        let [zero, nine] = [0, 9].map(Timestamp::from_nanoseconds);
        rows.push(zero, zero, &[Value::Integer(1)]);
        rows.push(zero, nine, &[Value::Integer(2), Value::Integer(3), Value::Integer(4)]);
        assert_eq!(rows.columns()[0], Values::Integers(vec![Some(1), Some(2)]));
        assert_eq!(rows.columns()[1], Values::Integers(vec![None, Some(3)]));
        assert_eq!((rows.starts(), rows.ends()), (&[zero, zero][..], &[zero, nine][..]));
    }
}
