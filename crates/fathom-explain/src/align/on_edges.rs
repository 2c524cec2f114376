//! A metric between edges of time.

use fathom_record::Timestamp;
use fathom_record::trace::{Kind, Samples};
use std::borrow::Cow;
use std::sync::Arc;

/// What the metric was between each edge and the next, as [`Samples::between`] has it, with two
/// differences:
///
/// - Rows that are the metric's own keep its values to the last bit, and a gauge that never changes
///   does not change on any edges either: means over time would round.
/// - A gauge's value of a moment, such as the first of a sampler, is that of the row which ends
///   then: there is nothing else that it could tell of.
pub(crate) fn on_edges(samples: &Samples, edges: &[Timestamp]) -> Vec<Option<f64>> {
    if samples.metric.kind != Kind::Gauge {
        return samples.between(edges);
    }
    let samples = lasting(samples);
    if let Some(values) = own_values(&samples, edges) {
        return values;
    }
    let mut values = samples.between(edges);
    if let (Some(start), Some(end)) = (samples.starts.first(), samples.ends.first())
        && start >= end
    {
        // The row that it ends.
        let row = edges.partition_point(|edge| edge < end).checked_sub(1);
        if let Some(value @ None) = row.and_then(|row| values.get_mut(row)) {
            *value = samples.values.get(0).real();
        }
    }
    if let Some(constant) = only_value(&samples) {
        values.iter_mut().flatten().for_each(|value| *value = constant);
    }
    values
}

/// With rows that last: one that is but a moment, and not the first, starts where the one before it
/// ended.
fn lasting(samples: &Samples) -> Cow<'_, Samples> {
    let rows = || samples.starts.iter().copied().zip(samples.ends.iter().copied());
    if rows().skip(1).all(|(start, end)| start < end) {
        return Cow::Borrowed(samples);
    }
    let before = std::iter::once(None).chain(samples.ends.iter().copied().map(Some));
    let starts = rows().zip(before).map(|((start, end), before)| match before {
        Some(before) if start >= end => before,
        _ => start,
    });
    Cow::Owned(Samples { starts: starts.collect::<Arc<[_]>>(), ..samples.clone() })
}

/// The values as they are, if the edges are those of the metric's own rows without gaps.
fn own_values(samples: &Samples, edges: &[Timestamp]) -> Option<Vec<Option<f64>>> {
    let ends = edges.get(1..)?;
    let follow = || samples.starts.iter().zip(edges).skip(1).all(|(start, edge)| start == edge);
    (ends == &samples.ends[..] && samples.values.len() == ends.len() && follow())
        .then(|| samples.values.reals().collect())
}

fn only_value(samples: &Samples) -> Option<f64> {
    let mut values = samples.values.reals().flatten();
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;
    use fathom_record::trace::{Layer, TraceMetric, Values};

    fn at(nanoseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(nanoseconds)
    }

    fn gauge(rows: &[(i64, i64, f64)]) -> Samples {
        Samples {
            metric: TraceMetric::real("p", "a", Layer::Os, Kind::Gauge, Unit::Unknown),
            starts: rows.iter().map(|row| at(row.0)).collect(),
            ends: rows.iter().map(|row| at(row.1)).collect(),
            values: Values::Reals(rows.iter().map(|row| Some(row.2)).collect()),
        }
    }

    #[test]
    fn the_first_moment_is_the_row_that_ends_then() {
        let samples = gauge(&[(0, 0, 0.1), (0, 7, 0.2), (7, 10, 0.3)]);
        assert_eq!(samples.between(&[-7, 0, 7, 10].map(at))[0], None);
        let own = on_edges(&samples, &[-7, 0, 7, 10].map(at));
        assert_eq!(own, [Some(0.1), Some(0.2), Some(0.3)]);
        // Other edges: the same, by means over time.
        let other = on_edges(&samples, &[-3, 0, 3, 10].map(at));
        assert_eq!(other[0], Some(0.1));
        assert!((other[2].unwrap() - (4.0 * 0.2 + 3.0 * 0.3) / 7.0).abs() < 1e-15);
        assert_eq!(on_edges(&samples, &[-7, -1].map(at)), [None]);
        assert_eq!(on_edges(&samples, &[]), []);
    }

    #[test]
    fn moments_hold_since_the_moment_before() {
        let samples = gauge(&[(0, 0, 1.0), (10, 10, 2.0), (20, 20, 3.0)]);
        assert_eq!(
            on_edges(&samples, &[-10, 0, 10, 20].map(at)),
            [Some(1.0), Some(2.0), Some(3.0)]
        );
        assert_eq!(on_edges(&samples, &[0, 20].map(at)), [Some(2.5)]);
    }

    #[test]
    fn what_never_changes_does_not_change_by_rounding() {
        let rows: Vec<_> = (0..50).map(|n| (n * 7, n * 7 + 7, 0.1)).collect();
        let edges: Vec<Timestamp> = (0..100).map(|n| at(n * n / 30)).collect();
        let seen: Vec<f64> = on_edges(&gauge(&rows), &edges).into_iter().flatten().collect();
        assert!(seen.len() > 50 && seen.iter().all(|value| *value == 0.1));
    }
}
