//! Rows that each have values of only a few metrics.

use std::collections::BTreeMap;

use fathom_record::trace::{Rows, TraceMetric, Value};
use fathom_record::{Span, Timestamp};

use super::column::{self, Column};

/// A sampler's rows as they are found, in any order.
#[derive(Debug, Default)]
pub(super) struct Sparse {
    columns: Vec<Column>,
    places: BTreeMap<String, usize>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    start: Timestamp,
    end: Timestamp,
    values: Vec<(usize, i64)>,
}

impl Sparse {
    /// Adds a row and says which it is.
    pub(super) fn add(&mut self, start: Timestamp, end: Timestamp) -> usize {
        self.rows.push(Row { start, end, values: Vec::new() });
        self.rows.len() - 1
    }

    /// Adds a value to a row; values of one metric in one row are summed.
    pub(super) fn set(&mut self, row: usize, metric: &TraceMetric, value: i64) {
        let place = match self.places.get(&metric.name) {
            Some(&place) => place,
            None => {
                let TraceMetric { probe, name, layer, kind, unit, about, .. } = metric.clone();
                let mut column = Column::new(&probe, name, layer, kind, unit);
                column.metric.about = about;
                self.places.insert(metric.name.clone(), self.columns.len());
                self.columns.push(column);
                self.columns.len() - 1
            }
        };
        let Some(row) = self.rows.get_mut(row) else { return };
        match row.values.iter_mut().find(|(there, _)| *there == place) {
            Some((_, sum)) => *sum = sum.saturating_add(value),
            None => row.values.push((place, value)),
        }
    }

    /// Adds a length of time to a row, in nanoseconds.
    pub(super) fn set_span(&mut self, row: usize, metric: &TraceMetric, value: Span) {
        self.set(row, metric, i64::try_from(value.nanoseconds()).unwrap_or(i64::MAX));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows in the order of their ends. Levels hold from the row before on, so that each starts
    /// where that one ended; events keep their intervals.
    pub(super) fn into_rows(mut self, are_levels: bool) -> Rows {
        self.rows.sort_by_key(|row| (row.end, row.start));
        if are_levels {
            let mut before = self.rows.first().map_or(Timestamp::ZERO, |row| row.end);
            for row in &mut self.rows {
                row.start = std::mem::replace(&mut before, row.end);
            }
        }
        for (n, row) in self.rows.iter().enumerate() {
            for &(place, value) in &row.values {
                let Some(column) = self.columns.get_mut(place) else { continue };
                column.extend_to(n);
                column.push(Value::Integer(value));
            }
        }
        let count = self.rows.len();
        self.columns.iter_mut().for_each(|column| column.extend_to(count));
        let starts: Vec<Timestamp> = self.rows.iter().map(|row| row.start).collect();
        let ends: Vec<Timestamp> = self.rows.iter().map(|row| row.end).collect();
        column::rows(&starts, &ends, &self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;
    use fathom_record::trace::{Kind, Layer, Values};

    #[test]
    fn rows_are_sorted_and_what_was_not_seen_is_missing() {
        let metric = |name| TraceMetric::integer("gc", name, Layer::Vm, Kind::Event, Unit::Bytes);
        let at = Timestamp::from_nanoseconds;
        let mut sparse = Sparse::default();
        let late = sparse.add(at(5), at(9));
        let early = sparse.add(at(1), at(4));
        sparse.set(late, &metric("a"), 7);
        sparse.set(early, &metric("b"), 1);
        sparse.set(early, &metric("b"), 2);
        let rows = sparse.into_rows(false);
        assert_eq!(rows.starts(), [1, 5].map(at));
        assert_eq!(rows.ends(), [4, 9].map(at));
        assert_eq!(rows.columns()[0], Values::Integers(vec![None, Some(7)]));
        assert_eq!(rows.columns()[1], Values::Integers(vec![Some(3), None]));
    }
}
