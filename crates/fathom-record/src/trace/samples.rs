//! One metric of one run, as it is read back.

use super::{Kind, TraceMetric, Values};
use crate::{Span, Timestamp};
use std::sync::Arc;

/// The rows of one metric in one run, in the order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    /// Which metric.
    pub metric: TraceMetric,
    /// When each row starts, counted from the run's origin.
    pub starts: Arc<[Timestamp]>,
    /// When each row ends.
    pub ends: Arc<[Timestamp]>,
    /// The values, as many.
    pub values: Values,
}

/// What a counter did from one row to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Where the difference begins: the end of the last row before that has a value.
    pub start: Timestamp,
    /// Where it ends.
    pub end: Timestamp,
    /// By how much it grew.
    pub growth: f64,
    /// How many rows without a value lie between: when in them it grew is unknown.
    pub missing: usize,
}

impl Rate {
    /// Per second; `None` for an interval without length.
    #[must_use]
    pub fn per_second(&self) -> Option<f64> {
        let length = self.end - self.start;
        (length > Span::ZERO).then(|| self.growth / (length.nanoseconds_f64() * 1e-9))
    }
}

impl Samples {
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

    /// How many rows have no value.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.values.reals().filter(Option::is_none).count()
    }

    /// The growth of a counter between each value and the next one seen, across gaps. Where the
    /// counter went back, because it was reset or wrapped, what grew is unknown and there is no rate.
    /// Empty for other kinds.
    #[must_use]
    pub fn rates(&self) -> Vec<Rate> {
        if self.metric.kind != Kind::Counter {
            return Vec::new();
        }
        let mut rates = Vec::with_capacity(self.len());
        let mut before = None;
        let mut missing = 0;
        for (n, &end) in self.ends.iter().enumerate() {
            let value = self.values.get(n);
            if value.real().is_none() {
                missing += 1;
                continue;
            }
            if let Some((start, earlier)) = before.replace((end, value))
                && let Some(growth) = growth(earlier, value)
                && growth >= 0.0
            {
                rates.push(Rate { start, end, growth, missing });
            }
            missing = 0;
        }
        rates
    }

    /// The growth of a counter within each row, from the row before to it. What grew is unknown in the
    /// first row, next to a row without a value, and where the counter went back. All unknown for other
    /// kinds.
    #[must_use]
    pub fn growths(&self) -> Vec<Option<f64>> {
        let is_counter = self.metric.kind == Kind::Counter;
        let mut before = super::Value::Missing;
        let mut growths = Vec::with_capacity(self.len());
        for n in 0..self.len() {
            let value = self.values.get(n);
            let earlier = std::mem::replace(&mut before, value);
            let grew = growth(earlier, value).filter(|growth| is_counter && *growth >= 0.0);
            growths.push(grew);
        }
        growths
    }
}

/// The difference, exact for integers as far as a double can be.
#[allow(clippy::cast_precision_loss, reason = "differences are small, and who reads them a double")]
fn growth(earlier: super::Value, later: super::Value) -> Option<f64> {
    match (earlier, later) {
        (super::Value::Integer(earlier), super::Value::Integer(later)) => {
            Some(later.checked_sub(earlier)? as f64)
        }
        (earlier, later) => Some(later.real()? - earlier.real()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unit;
    use crate::trace::Layer;

    fn counter(values: Vec<Option<i64>>) -> Samples {
        let metric = TraceMetric::integer("p", "a", Layer::Os, Kind::Counter, Unit::Unknown);
        let ends: Arc<[Timestamp]> =
            (0..values.len()).map(|n| Timestamp::from_seconds(n as f64)).collect();
        Samples { metric, starts: ends.clone(), ends, values: Values::Integers(values) }
    }

    #[test]
    fn rates_span_gaps_and_skip_resets() {
        let samples = counter(vec![Some(10), None, Some(14), Some(3), Some(5)]);
        let per_second: Vec<_> = samples.rates().iter().map(|rate| rate.per_second()).collect();
        assert_eq!(per_second, [Some(2.0), Some(2.0)]);
        assert_eq!(samples.missing(), 1);
        assert_eq!(samples.rates().iter().map(|rate| rate.missing).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn growth_is_of_one_row_or_unknown() {
        let samples = counter(vec![Some(10), Some(12), None, Some(14), Some(3), Some(5)]);
        assert_eq!(samples.growths(), [None, Some(2.0), None, None, None, Some(2.0)]);
        let metric = TraceMetric { kind: Kind::Gauge, ..samples.metric.clone() };
        assert_eq!(Samples { metric, ..samples }.growths(), [None; 6]);
    }

    #[test]
    fn differences_of_large_counters_are_exact() {
        let samples = counter(vec![Some(i64::MAX - 3), Some(i64::MAX)]);
        assert_eq!(samples.rates()[0].growth, 3.0);
    }
}
