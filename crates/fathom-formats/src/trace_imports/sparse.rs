//! Rows that each have values of only a few metrics.

use std::collections::BTreeMap;

use fathom_record::trace::{Rows, TraceMetric, Value};

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
    start_ns: i64,
    end_ns: i64,
    values: Vec<(usize, i64)>,
}

impl Sparse {
    /// Adds a row and says which it is.
    pub(super) fn add(&mut self, start_ns: i64, end_ns: i64) -> usize {
        self.rows.push(Row { start_ns, end_ns, values: Vec::new() });
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

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows in the order of their ends. Levels hold from the row before on, so that each starts
    /// where that one ended; events keep their intervals.
    pub(super) fn into_rows(mut self, are_levels: bool) -> Rows {
        self.rows.sort_by_key(|row| (row.end_ns, row.start_ns));
        if are_levels {
            let mut before = self.rows.first().map_or(0, |row| row.end_ns);
            for row in &mut self.rows {
                row.start_ns = std::mem::replace(&mut before, row.end_ns);
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
        let start: Vec<i64> = self.rows.iter().map(|row| row.start_ns).collect();
        let end: Vec<i64> = self.rows.iter().map(|row| row.end_ns).collect();
        column::rows(&start, &end, &self.columns)
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
        let mut sparse = Sparse::default();
        let late = sparse.add(5, 9);
        let early = sparse.add(1, 4);
        sparse.set(late, &metric("a"), 7);
        sparse.set(early, &metric("b"), 1);
        sparse.set(early, &metric("b"), 2);
        let rows = sparse.into_rows(false);
        assert_eq!((rows.start_ns(), rows.end_ns()), (&[1, 5][..], &[4, 9][..]));
        assert_eq!(rows.columns()[0], Values::Integers(vec![None, Some(7)]));
        assert_eq!(rows.columns()[1], Values::Integers(vec![Some(3), None]));
    }
}
