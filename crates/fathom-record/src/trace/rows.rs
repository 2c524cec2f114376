//! Rows as a sampler makes them, kept by column.

use super::{TraceMetric, Value, Values};
use std::sync::Arc;

/// Some rows of one sampler: each has an interval and a value per metric.
///
/// Times are nanoseconds after the run's origin. The first row of a sampler is a moment, its start
/// and end are the same; after that each row starts where the one before it ended. Rows of events
/// have intervals of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    metrics: Arc<[TraceMetric]>,
    start_ns: Vec<i64>,
    end_ns: Vec<i64>,
    columns: Vec<Values>,
}

impl Rows {
    /// None yet, of these metrics.
    #[must_use]
    pub fn new(metrics: Arc<[TraceMetric]>) -> Rows {
        let columns = metrics.iter().map(|metric| Values::new(metric.number)).collect();
        Rows { metrics, start_ns: Vec::new(), end_ns: Vec::new(), columns }
    }

    /// The metrics, in the order of the columns.
    #[must_use]
    pub fn metrics(&self) -> &Arc<[TraceMetric]> {
        &self.metrics
    }

    /// Adds a row. Values that are not given are missing; more than there are metrics are left out.
    pub fn push(&mut self, start_ns: i64, end_ns: i64, values: &[Value]) {
        self.start_ns.push(start_ns);
        self.end_ns.push(end_ns);
        for (n, column) in self.columns.iter_mut().enumerate() {
            column.push(values.get(n).copied().unwrap_or_default());
        }
    }

    /// Asks for the memory of more rows, so that a caller can refuse what does not fit.
    pub fn try_reserve(&mut self, more: usize) -> Result<(), std::collections::TryReserveError> {
        self.start_ns.try_reserve_exact(more)?;
        self.end_ns.try_reserve_exact(more)?;
        self.columns.iter_mut().try_for_each(|column| column.try_reserve(more))
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.end_ns.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.end_ns.is_empty()
    }

    /// When each row starts.
    #[must_use]
    pub fn start_ns(&self) -> &[i64] {
        &self.start_ns
    }

    /// When each row ends.
    #[must_use]
    pub fn end_ns(&self) -> &[i64] {
        &self.end_ns
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
    fn every_column_is_as_long_as_the_rows() {
        let metric =
            |name| TraceMetric::integer("p", name, Layer::Os, Kind::Counter, Unit::Unknown);
        let mut rows = Rows::new([metric("a"), metric("b")].into());
        rows.push(0, 0, &[Value::Integer(1)]);
        rows.push(0, 9, &[Value::Integer(2), Value::Integer(3), Value::Integer(4)]);
        assert_eq!(rows.columns()[0], Values::Integers(vec![Some(1), Some(2)]));
        assert_eq!(rows.columns()[1], Values::Integers(vec![None, Some(3)]));
        assert_eq!((rows.start_ns(), rows.end_ns()), (&[0, 0][..], &[0, 9][..]));
    }
}
