//! How much memory a value holds.

use fathom_record::Timestamp;
use fathom_record::trace::{Samples, Values};
use std::mem::size_of;
use std::sync::Arc;

/// Something whose size is known.
pub(crate) trait Held {
    /// About how many bytes it holds, itself included.
    fn held(&self) -> usize;
}

impl Held for Samples {
    fn held(&self) -> usize {
        // Times are those of a sampler, which all its metrics share.
        let times = |times: &Arc<[Timestamp]>| match Arc::strong_count(times) {
            1 => times.len() * size_of::<Timestamp>(),
            _ => 0,
        };
        let values = match &self.values {
            Values::Reals(values) => values.len() * size_of::<Option<f64>>(),
            Values::Integers(values) => values.len() * size_of::<Option<i64>>(),
        };
        size_of::<Samples>() + times(&self.starts) + times(&self.ends) + values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;
    use fathom_record::trace::{Kind, Layer, TraceMetric};

    #[test]
    fn times_that_others_hold_do_not_count() {
        let one = Samples {
            metric: TraceMetric::real("p", "a", Layer::Os, Kind::Gauge, Unit::Unknown),
            starts: (0..100).map(Timestamp::from_nanoseconds).collect(),
            ends: (1..101).map(Timestamp::from_nanoseconds).collect(),
            values: Values::Reals(vec![Some(1.0); 100]),
        };
        let alone = one.held();
        assert!((3200..3600).contains(&alone), "{alone}");
        let other = one.clone();
        assert_eq!(alone - other.held(), 1600);
    }
}
