//! A metric as points in time: what is drawn of gauges and counters.

use fathom_record::trace::{Kind, Samples};
use fathom_record::{Span, Timestamp};

/// What was seen at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    /// When its row ends: that is when its value is known.
    pub(super) time: Timestamp,
    /// `None` if nothing was seen.
    pub(super) value: Option<f64>,
}

/// All of a metric, in the order of time. Events have no level, and so no points.
pub(super) fn points(samples: &Samples) -> Vec<Point> {
    match samples.metric.kind {
        Kind::Gauge => gauge(samples),
        Kind::Counter => counter(samples),
        Kind::Event => Vec::new(),
    }
}

/// Levels; where a row starts clearly later than the one before it ended, the line breaks.
fn gauge(samples: &Samples) -> Vec<Point> {
    let usual = usual_length(samples);
    let mut points = Vec::with_capacity(samples.len());
    let rows = samples.starts.iter().zip(samples.ends.iter()).zip(samples.values.reals());
    let mut before = None;
    for ((&start, &time), value) in rows {
        let before = before.replace(time);
        let gap = before.map_or(Span::ZERO, |before: Timestamp| start - before);
        // Rows of moments say nothing of when they began.
        if start < time && gap > usual.divided_by(2) {
            points.push(Point { time: start, value: None });
        }
        points.push(Point { time, value });
    }
    points
}

/// Growth per second, from the second row on. It is unknown when a counter grew across rows without
/// a value, and what it grew by where it went back.
fn counter(samples: &Samples) -> Vec<Point> {
    let rates = samples.rates();
    let mut known = rates.iter().filter(|rate| rate.missing == 0).peekable();
    let mut points = Vec::with_capacity(samples.len());
    for &time in samples.ends.iter().skip(1) {
        let rate = known.next_if(|rate| rate.end == time);
        points.push(Point { time, value: rate.and_then(|rate| rate.per_second()) });
    }
    points
}

fn usual_length(samples: &Samples) -> Span {
    let ends = samples.ends.iter().zip(samples.ends.iter().skip(1));
    let mut lengths: Vec<Span> = ends.map(|(before, end)| *end - *before).collect();
    let middle = lengths.len() / 2;
    match lengths.is_empty() {
        true => Span::ZERO,
        false => *lengths.select_nth_unstable(middle).1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;
    use fathom_record::trace::{Layer, TraceMetric, Values};

    fn samples(kind: Kind, rows: &[(i64, i64, Option<i64>)]) -> Samples {
        Samples {
            metric: TraceMetric::integer("p", "a", Layer::Os, kind, Unit::Unknown),
            starts: rows.iter().map(|row| Timestamp::from_seconds(row.0 as f64)).collect(),
            ends: rows.iter().map(|row| Timestamp::from_seconds(row.1 as f64)).collect(),
            values: Values::Integers(rows.iter().map(|row| row.2).collect()),
        }
    }

    fn drawn(samples: &Samples) -> Vec<(i64, Option<f64>)> {
        points(samples)
            .iter()
            .map(|point| (point.time.nanoseconds() / 1_000_000_000, point.value))
            .collect()
    }

    #[test]
    fn lines_break_where_nothing_was_seen() {
        let rows =
            [(0, 0, Some(5)), (0, 1, Some(6)), (1, 2, None), (6, 7, Some(1)), (7, 8, Some(2))];
        assert_eq!(
            drawn(&samples(Kind::Gauge, &rows)),
            [(0, Some(5.0)), (1, Some(6.0)), (2, None), (6, None), (7, Some(1.0)), (8, Some(2.0))]
        );
        // Moments, as a file without starts has them: no gap can be told from a long row.
        let moments = [(0, 0, Some(5)), (1, 1, Some(6)), (9, 9, Some(7))];
        assert_eq!(drawn(&samples(Kind::Gauge, &moments)).len(), 3);
    }

    #[test]
    fn counters_are_growth_per_second() {
        let rows = [
            (0, 0, Some(10)),
            (0, 2, Some(14)),
            (2, 3, None),
            (3, 4, Some(20)),
            (4, 5, Some(3)),
            (5, 6, Some(10)),
        ];
        assert_eq!(
            drawn(&samples(Kind::Counter, &rows)),
            [(2, Some(2.0)), (3, None), (4, None), (5, None), (6, Some(7.0))]
        );
        assert_eq!(drawn(&samples(Kind::Counter, &rows[..1])), []);
        assert_eq!(drawn(&samples(Kind::Gauge, &[])), []);
    }
}
