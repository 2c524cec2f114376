//! What the metrics of a trace look like, one by one: levels, rates, gaps, shape.

use fathom_record::trace::{Kind, Samples, TraceMetric, TraceRun};
use fathom_record::{Span, Timestamp};

/// Into how many stretches of equal length a metric's shape is cut.
pub const SHAPE_STRETCHES: usize = 16;

/// One run with its metrics.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceRunSummary {
    /// The run.
    pub run: TraceRun,
    /// How long it was recorded, also if it did not come to its end.
    pub length: Span,
    /// Its metrics.
    pub summaries: Vec<MetricSummary>,
}

/// One metric of one run, in a few numbers and a small picture.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricSummary {
    /// Which.
    pub metric: TraceMetric,
    /// How many rows have a value.
    pub seen: usize,
    /// How many have none.
    pub missing: usize,
    /// Stretches without a value between the first and the last one seen.
    pub gaps: Vec<Gap>,
    /// How often a counter was reset.
    pub resets: usize,
    /// The mean over time: of a gauge its level, of a counter its growth per second, of events
    /// their amount per second. `None` if too little was seen.
    pub mean: Option<f64>,
    /// The lowest and the highest: of a gauge of its levels, of a counter of its growth per second
    /// from row to row, of events of their amounts.
    pub range: Option<(f64, f64)>,
    /// Whether every value seen is the same: it says nothing about time.
    pub is_constant: bool,
    /// The metric over the whole run, in as many stretches of equal length as were asked for.
    pub shape: Vec<Option<f64>>,
}

/// A stretch without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Where it begins, counted from the run's origin.
    pub start: Timestamp,
    /// Where it ends.
    pub end: Timestamp,
}

impl MetricSummary {
    /// Sums up one metric of a run that took `length`.
    #[must_use]
    pub fn of(samples: &Samples, length: Span, stretches: usize) -> MetricSummary {
        let length = length.max(Span::from_nanoseconds(1));
        let missing = samples.missing();
        let rates = samples.rates();
        let per_second: Vec<f64> = rates.iter().filter_map(|rate| rate.per_second()).collect();
        let levels: Vec<f64> = samples.values.reals().flatten().collect();
        let whole = samples.between(&[Timestamp::ZERO, Timestamp::ZERO + length]);
        let counter_mean = || {
            let growth: f64 = rates.iter().map(|rate| rate.growth).sum();
            let time: f64 = rates.iter().map(|rate| seconds(rate.end - rate.start)).sum();
            (time > 0.0).then(|| growth / time)
        };
        let (mean, range) = match samples.metric.kind {
            Kind::Counter => (counter_mean(), range(&per_second)),
            Kind::Gauge | Kind::Event => (whole.first().copied().flatten(), range(&levels)),
        };
        let first = levels.first().copied();
        let is_constant = match samples.metric.kind {
            // A single pause is something that happened.
            Kind::Event => levels.is_empty(),
            Kind::Counter | Kind::Gauge => levels.iter().all(|level| Some(*level) == first),
        };
        MetricSummary {
            metric: samples.metric.clone(),
            seen: levels.len(),
            missing,
            gaps: gaps(samples),
            resets: resets(&levels, samples.metric.kind),
            mean,
            range,
            is_constant,
            shape: samples.between(&edges(length, stretches)),
        }
    }

    /// The longest gap.
    #[must_use]
    pub fn longest_gap(&self) -> Option<Span> {
        self.gaps.iter().map(|gap| gap.end - gap.start).max()
    }
}

fn seconds(span: Span) -> f64 {
    span.nanoseconds_f64() * 1e-9
}

fn range(values: &[f64]) -> Option<(f64, f64)> {
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    Some((low, high))
}

fn resets(levels: &[f64], kind: Kind) -> usize {
    match kind {
        Kind::Counter => levels.windows(2).filter(|pair| pair[1] < pair[0]).count(),
        Kind::Gauge | Kind::Event => 0,
    }
}

/// Stretches of rows without a value, from the value before to the one after. Rows that are not there
/// are no gap of a metric, but of the sampler that missed them.
fn gaps(samples: &Samples) -> Vec<Gap> {
    if samples.metric.kind == Kind::Event {
        return Vec::new();
    }
    let mut gaps = Vec::new();
    let mut last: Option<Timestamp> = None;
    let mut skipped = false;
    for (&end, value) in samples.ends.iter().zip(samples.values.reals()) {
        if value.is_none() {
            skipped = last.is_some();
            continue;
        }
        if let (Some(before), true) = (last, skipped) {
            gaps.push(Gap { start: before, end });
        }
        (last, skipped) = (Some(end), false);
    }
    gaps
}

/// Edges of stretches of equal length.
fn edges(length: Span, stretches: usize) -> Vec<Timestamp> {
    let count = stretches.max(1) as u64;
    (0..=count).map(|n| Timestamp::ZERO + length.part(n, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;
    use fathom_record::trace::{Layer, Values};

    const MS: Span = Span::from_milliseconds(1);

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(milliseconds * 1_000_000)
    }

    fn samples(kind: Kind, rows: &[(i64, Option<i64>)]) -> Samples {
        let mut start = 0;
        let starts = rows.iter().map(|row| at(std::mem::replace(&mut start, row.0))).collect();
        Samples {
            metric: TraceMetric::integer("p", "a", Layer::Os, kind, Unit::Unknown),
            starts,
            ends: rows.iter().map(|row| at(row.0)).collect(),
            values: Values::Integers(rows.iter().map(|row| row.1).collect()),
        }
    }

    #[test]
    fn a_counter_has_a_rate_gaps_and_resets() {
        let rows = [
            (0, Some(0)),
            (10, Some(5)),
            (20, None),
            (30, Some(15)),
            (50, Some(25)),
            (60, Some(3)),
            (70, Some(4)),
        ];
        let found = MetricSummary::of(&samples(Kind::Counter, &rows), MS.times(70), 7);
        // 5 + 10 + 10 + 1 in 10 + 20 + 20 + 10 ms.
        assert!((found.mean.unwrap() - 26.0 / 0.06).abs() < 1e-9);
        let range = found.range.unwrap();
        assert!((range.0 - 100.0).abs() < 1e-9 && (range.1 - 500.0).abs() < 1e-9, "{range:?}");
        assert_eq!((found.seen, found.missing, found.resets), (6, 1, 1));
        assert_eq!(found.gaps, [Gap { start: at(10), end: at(30) }]);
        assert_eq!(found.longest_gap(), Some(MS.times(20)));
        let shape: Vec<bool> = found.shape.iter().map(Option::is_some).collect();
        assert_eq!(shape, [true, false, false, true, true, false, true]);
        assert!(!found.is_constant);
    }

    #[test]
    fn a_gauge_has_a_level_and_starts_when_it_starts() {
        let rows = [(0, None), (10, Some(4)), (20, Some(4)), (30, None)];
        let found = MetricSummary::of(&samples(Kind::Gauge, &rows), MS.times(30), 3);
        assert_eq!((found.mean, found.range), (Some(4.0), Some((4.0, 4.0))));
        assert!(found.is_constant && found.gaps.is_empty());
        let none = MetricSummary::of(&samples(Kind::Gauge, &[(0, None)]), Span::ZERO, 3);
        assert_eq!((none.mean, none.range, none.seen), (None, None, 0));
    }

    #[test]
    fn one_event_is_no_constant() {
        let found = MetricSummary::of(&samples(Kind::Event, &[(10, Some(7))]), MS.times(70), 7);
        assert!(!found.is_constant);
        assert!((found.mean.unwrap() - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_counter_that_was_seen_once_has_no_rate() {
        let found = MetricSummary::of(&samples(Kind::Counter, &[(10, Some(7))]), MS.times(70), 7);
        assert_eq!((found.mean, found.range, found.seen), (None, None, 1));
    }
}
