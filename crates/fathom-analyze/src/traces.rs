//! What the metrics of a trace look like, one by one: levels, rates, gaps, shape.

use fathom_record::trace::{Kind, Samples, TraceMetric};

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
    /// Where it begins, in nanoseconds after the run's origin.
    pub start_ns: i64,
    /// Where it ends.
    pub end_ns: i64,
}

impl MetricSummary {
    /// Sums up one metric of a run that took `length_ns`.
    #[must_use]
    pub fn of(samples: &Samples, length_ns: i64, stretches: usize) -> MetricSummary {
        let missing = samples.missing();
        let rates = samples.rates();
        let per_second: Vec<f64> = rates.iter().filter_map(|rate| rate.per_second()).collect();
        let levels: Vec<f64> = samples.values.reals().flatten().collect();
        let whole = samples.between(&[0, length_ns.max(1)]);
        let counter_mean = || {
            let growth: f64 = rates.iter().map(|rate| rate.growth).sum();
            let time: f64 = rates.iter().map(|rate| seconds(rate.start_ns, rate.end_ns)).sum();
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
            shape: samples.between(&edges(length_ns, stretches)),
        }
    }

    /// The longest gap, in nanoseconds.
    #[must_use]
    pub fn longest_gap_ns(&self) -> Option<i64> {
        self.gaps.iter().map(|gap| gap.end_ns - gap.start_ns).max()
    }
}

#[allow(clippy::cast_precision_loss, reason = "lengths of time are far below 2^53 ns")]
fn seconds(start: i64, end: i64) -> f64 {
    end.saturating_sub(start) as f64 * 1e-9
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
    let mut last: Option<i64> = None;
    let mut skipped = false;
    for (&end, value) in samples.end_ns.iter().zip(samples.values.reals()) {
        if value.is_none() {
            skipped = last.is_some();
            continue;
        }
        if let (Some(before), true) = (last, skipped) {
            gaps.push(Gap { start_ns: before, end_ns: end });
        }
        (last, skipped) = (Some(end), false);
    }
    gaps
}

/// Edges of stretches of equal length.
fn edges(length_ns: i64, stretches: usize) -> Vec<i64> {
    let count = i128::try_from(stretches.max(1)).unwrap_or(1);
    let length = i128::from(length_ns.max(1));
    let edge = |n: i128| i64::try_from(length * n / count).unwrap_or(i64::MAX);
    (0..=count).map(edge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;
    use fathom_record::trace::{Layer, Values};

    const MS: i64 = 1_000_000;

    fn samples(kind: Kind, rows: &[(i64, Option<i64>)]) -> Samples {
        let mut start = 0;
        let starts = rows.iter().map(|row| std::mem::replace(&mut start, row.0) * MS).collect();
        Samples {
            metric: TraceMetric::integer("p", "a", Layer::Os, kind, Unit::Unknown),
            start_ns: starts,
            end_ns: rows.iter().map(|row| row.0 * MS).collect(),
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
        let found = MetricSummary::of(&samples(Kind::Counter, &rows), 70 * MS, 7);
        // 5 + 10 + 10 + 1 in 10 + 20 + 20 + 10 ms.
        assert!((found.mean.unwrap() - 26.0 / 0.06).abs() < 1e-9);
        let range = found.range.unwrap();
        assert!((range.0 - 100.0).abs() < 1e-9 && (range.1 - 500.0).abs() < 1e-9, "{range:?}");
        assert_eq!((found.seen, found.missing, found.resets), (6, 1, 1));
        assert_eq!(found.gaps, [Gap { start_ns: 10 * MS, end_ns: 30 * MS }]);
        assert_eq!(found.longest_gap_ns(), Some(20 * MS));
        let shape: Vec<bool> = found.shape.iter().map(Option::is_some).collect();
        assert_eq!(shape, [true, false, false, true, true, false, true]);
        assert!(!found.is_constant);
    }

    #[test]
    fn a_gauge_has_a_level_and_starts_when_it_starts() {
        let rows = [(0, None), (10, Some(4)), (20, Some(4)), (30, None)];
        let found = MetricSummary::of(&samples(Kind::Gauge, &rows), 30 * MS, 3);
        assert_eq!((found.mean, found.range), (Some(4.0), Some((4.0, 4.0))));
        assert!(found.is_constant && found.gaps.is_empty());
        let none = MetricSummary::of(&samples(Kind::Gauge, &[(0, None)]), 0, 3);
        assert_eq!((none.mean, none.range, none.seen), (None, None, 0));
    }

    #[test]
    fn one_event_is_no_constant() {
        let found = MetricSummary::of(&samples(Kind::Event, &[(10, Some(7))]), 70 * MS, 7);
        assert!(!found.is_constant);
        assert!((found.mean.unwrap() - 100.0).abs() < 1e-9);
    }
}
