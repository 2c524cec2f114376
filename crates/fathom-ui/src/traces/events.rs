//! Events as a line: how much of them there was per second, in even columns.

use fathom_record::trace::Samples;
use fathom_record::{Span, Timestamp};

/// Where the columns end, and what is in each.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Columns {
    pub(super) time: Vec<f64>,
    pub(super) values: Vec<Option<f64>>,
}

/// More columns than these are not seen.
const MOST: usize = 4000;

/// A single moment is drawn as if it were so long.
const LEAST: Span = Span::from_milliseconds(1_000);

/// The events between two moments, or all of them.
pub(super) fn in_columns(
    samples: &Samples,
    columns: usize,
    span: Option<(Timestamp, Timestamp)>,
) -> Columns {
    let starts = samples.starts.iter().min().copied();
    let ends = samples.ends.iter().max().copied();
    let (Some(mut first), Some(mut last)) = (starts, ends) else { return Columns::default() };
    if first == last {
        last = first + LEAST;
    }
    if let Some((from, to)) = span {
        (first, last) = (first.max(from), last.min(to));
    }
    if first >= last {
        return Columns::default();
    }
    let columns = columns.clamp(1, MOST) as u64;
    let length = last - first;
    let mut edges: Vec<Timestamp> =
        (0..=columns).map(|n| first + length.part(n, columns)).collect();
    edges.dedup();
    Columns {
        time: edges.iter().skip(1).map(|edge| edge.seconds()).collect(),
        values: samples.between(&edges),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;
    use fathom_record::trace::{Kind, Layer, TraceMetric, Values};

    /// So many seconds after the origin.
    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(seconds * 1_000_000_000)
    }

    fn events(rows: &[(i64, i64, f64)]) -> Samples {
        Samples {
            metric: TraceMetric::real("p", "pause", Layer::Vm, Kind::Event, Unit::Unknown),
            starts: rows.iter().map(|row| at(row.0)).collect(),
            ends: rows.iter().map(|row| at(row.1)).collect(),
            values: Values::Reals(rows.iter().map(|row| Some(row.2)).collect()),
        }
    }

    #[test]
    fn amounts_are_kept_whatever_the_columns() {
        let samples = events(&[(0, 1, 3.0), (4, 4, 5.0), (6, 10, 8.0)]);
        for columns in [1, 3, 5, 10, 1000] {
            let drawn = in_columns(&samples, columns, None);
            assert_eq!(drawn.time.len(), columns);
            let width = 10.0 / columns as f64;
            let total: f64 = drawn.values.iter().flatten().map(|value| value * width).sum();
            assert!((total - 16.0).abs() < 1e-6, "{columns}: {total}");
        }
        let drawn = in_columns(&samples, 5, None);
        let expected = [1.5, 0.0, 2.5, 2.0, 2.0].map(Some);
        assert_eq!(
            drawn,
            Columns { time: vec![2.0, 4.0, 6.0, 8.0, 10.0], values: expected.to_vec() }
        );
        let part = in_columns(&samples, 2, Some((at(6), at(8))));
        assert_eq!(part.values, [Some(2.0), Some(2.0)]);
    }

    #[test]
    fn moments_and_nothing_are_drawn_too() {
        assert_eq!(in_columns(&events(&[(7, 7, 2.0)]), 1, None).values, [Some(2.0)]);
        assert_eq!(in_columns(&events(&[]), 10, None), Columns::default());
        let beyond = in_columns(&events(&[(0, 1, 1.0)]), 10, Some((at(5), at(9))));
        assert_eq!(beyond, Columns::default());
    }
}
