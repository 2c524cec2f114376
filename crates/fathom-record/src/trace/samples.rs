//! One metric of one run, as it is read back.

use super::{Kind, TraceMetric, Values};
use std::sync::Arc;

/// The rows of one metric in one run, in the order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    /// Which metric.
    pub metric: TraceMetric,
    /// When each row starts, in nanoseconds after the run's origin.
    pub start_ns: Arc<[i64]>,
    /// When each row ends.
    pub end_ns: Arc<[i64]>,
    /// The values, as many.
    pub values: Values,
}

/// What a counter did from one row to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Where the difference begins: the end of the last row before that has a value.
    pub start_ns: i64,
    /// Where it ends.
    pub end_ns: i64,
    /// By how much it grew.
    pub growth: f64,
    /// How many rows without a value lie between: when in them it grew is unknown.
    pub missing: usize,
}

impl Rate {
    /// Per second; `None` for an interval without length.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "intervals are far below 2^53 ns")]
    pub fn per_second(&self) -> Option<f64> {
        let length = self.end_ns.saturating_sub(self.start_ns);
        (length > 0).then(|| self.growth / (length as f64 * 1e-9))
    }
}

impl Samples {
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
        for (n, &end_ns) in self.end_ns.iter().enumerate() {
            let value = self.values.get(n);
            if value.real().is_none() {
                missing += 1;
                continue;
            }
            if let Some((start_ns, earlier)) = before.replace((end_ns, value))
                && let Some(growth) = growth(earlier, value)
                && growth >= 0.0
            {
                rates.push(Rate { start_ns, end_ns, growth, missing });
            }
            missing = 0;
        }
        rates
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
        let end_ns: Arc<[i64]> = (0..values.len() as i64).map(|n| n * 1_000_000_000).collect();
        Samples { metric, start_ns: end_ns.clone(), end_ns, values: Values::Integers(values) }
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
    fn differences_of_large_counters_are_exact() {
        let samples = counter(vec![Some(i64::MAX - 3), Some(i64::MAX)]);
        assert_eq!(samples.rates()[0].growth, 3.0);
    }
}
