//! What a sample is: seconds per call, or what a measurement of the bench's own says of a call.

use crate::function::Broken;
use crate::gauge::{Gauge, Reading};
use crate::instrument::Instrument;
use crate::meter::Meter;
use fathom_record::{Series, SeriesError, Span, TimeUnit, Unit};
use fathom_sys::clock::monotonic;

/// What is measured of a batch.
#[derive(Debug, Clone)]
pub(crate) enum SampleKind {
    Time(Instrument),
    Other(Measured),
}

/// What a measurement of the bench's own gives.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    gauge: Gauge,
    name: String,
    unit: Unit,
    /// What measuring nothing gives; subtracted from every batch.
    cost: f64,
    shortest_batch: Span,
}

impl SampleKind {
    /// What a suite measures.
    pub(crate) fn of(instrument: Instrument, meter: Option<&'static dyn Meter>) -> SampleKind {
        match meter {
            None => SampleKind::Time(instrument),
            Some(meter) => SampleKind::Other(Measured::by(meter)),
        }
    }

    pub(crate) fn gauge(&self) -> Gauge {
        match self {
            SampleKind::Time(_) => Gauge::Time,
            SampleKind::Other(measured) => measured.gauge,
        }
    }

    /// The time that a batch takes at least.
    pub(crate) fn shortest_batch(&self) -> Span {
        match self {
            SampleKind::Time(_) => Span::ZERO,
            SampleKind::Other(measured) => measured.shortest_batch,
        }
    }

    pub(crate) fn unit(&self) -> Unit {
        match self {
            SampleKind::Time(_) => Unit::SECONDS,
            // Times are seconds everywhere.
            SampleKind::Other(measured) => match measured.unit {
                Unit::Time(_) => Unit::SECONDS,
                ref unit => unit.clone(),
            },
        }
    }

    /// The name of what is measured, if it is not time.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            SampleKind::Time(_) => None,
            SampleKind::Other(measured) => Some(&measured.name),
        }
    }

    /// What a call took, if a batch of this many was read.
    pub(crate) fn per_call(&self, reading: Reading, calls: u64) -> Result<f64, Broken> {
        match self {
            SampleKind::Time(instrument) => Ok(instrument.per_call(reading.time, calls)),
            SampleKind::Other(measured) => measured.per_call(reading, calls),
        }
    }

    /// Whether calls that took this can be told from nothing.
    pub(crate) fn is_zero(&self, per_call: f64) -> bool {
        match self {
            SampleKind::Time(instrument) => instrument.is_zero(per_call),
            SampleKind::Other(_) => false,
        }
    }

    pub(crate) fn series(&self, name: String, values: Vec<f64>) -> Result<Series, SeriesError> {
        let series = Series::new(name, self.unit(), values)?;
        Ok(match self {
            SampleKind::Time(_) => series,
            SampleKind::Other(measured) => series.with_metric(measured.name.clone()),
        })
    }
}

impl Measured {
    /// What a meter gives, after it was tried on nothing.
    pub(crate) fn by(meter: &'static dyn Meter) -> Measured {
        const TRIES: usize = 101;
        /// What starting and ending takes stays below this share of a batch.
        const SHARE: u64 = 1000;
        let mut tries: Vec<(f64, Span)> = (0..TRIES)
            .map(|_| {
                let began = monotonic();
                meter.start();
                (meter.end(), monotonic() - began)
            })
            .collect();
        tries.sort_by(|one, other| one.0.total_cmp(&other.0));
        let cost = Some(tries[TRIES / 2].0).filter(|cost| cost.is_finite()).unwrap_or(0.0);
        tries.sort_by_key(|(_, took)| *took);
        let took = tries[TRIES / 2].1.nanoseconds().saturating_mul(SHARE);
        Measured {
            gauge: Gauge::Meter(meter),
            name: meter.name().to_string(),
            unit: Unit::parse(meter.unit()),
            cost,
            shortest_batch: Span::from_nanoseconds(took).max(meter.shortest_batch().into()),
        }
    }

    /// What a routine says that reads values of its own, whatever the gauge.
    pub(crate) fn by_the_routine(unit: &str) -> Measured {
        Measured {
            gauge: Gauge::Time,
            name: unit.to_string(),
            unit: Unit::parse(unit),
            cost: 0.0,
            shortest_batch: Span::ZERO,
        }
    }

    fn per_call(&self, reading: Reading, calls: u64) -> Result<f64, Broken> {
        let value = reading.value.ok_or_else(|| {
            Broken::Elsewhere(format!(
                "its {} is not measured: the measurement does not see other threads; use one that \
                 does, such as ProcessCpuTime",
                self.name
            ))
        })?;
        if !value.is_finite() {
            return Err(Broken::Elsewhere(format!(
                "its {} was {value} in a batch; a measurement must give a number",
                self.name
            )));
        }
        // What is subtracted must not turn something into less than nothing.
        let value = if value > 0.0 { (value - self.cost).max(0.0) } else { value };
        let per_call = value / calls.max(1) as f64;
        Ok(match self.unit {
            Unit::Time(unit) => unit.convert(per_call, TimeUnit::Seconds),
            _ => per_call,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Measurement;
    use crate::meter::kept;
    use std::time::Duration;

    /// Gives 3 for nothing.
    struct Fixed(&'static str);

    impl Measurement for Fixed {
        type Started = ();

        fn start(&self) {}

        fn end(&self, (): ()) -> f64 {
            3.0
        }

        fn name(&self) -> &str {
            "fixed"
        }

        fn unit(&self) -> &str {
            self.0
        }

        fn shortest_batch(&self) -> Duration {
            Duration::from_secs(7)
        }
    }

    fn instrument() -> Instrument {
        Instrument::from_bits([10.0_f64, 20.0, 0.3, 0.01].map(f64::to_bits))
    }

    fn of(unit: &'static str) -> SampleKind {
        SampleKind::of(instrument(), Some(kept(Fixed(unit))))
    }

    fn read(value: Option<f64>) -> Reading {
        Reading { value, ..Reading::of_time(Span::from_nanoseconds(5_030)) }
    }

    #[test]
    fn times_are_seconds_per_call() {
        let time = SampleKind::of(instrument(), None);
        let per_call = time.per_call(read(None), 1000).unwrap();
        assert_eq!(per_call, instrument().per_call(Span::from_nanoseconds(5_030), 1000));
        assert_eq!(
            (time.name(), time.unit(), time.shortest_batch()),
            (None, Unit::SECONDS, Span::ZERO)
        );
        assert!(time.gauge().meter().is_none());
        assert!(time.is_zero(0.0) && !time.is_zero(1e-6));
        let series = time.series("f".to_string(), vec![per_call]).unwrap();
        assert!(series.is_wall_time() && series.metric().is_none());
    }

    #[test]
    fn other_measurements_are_without_what_nothing_gives() {
        let faults = of("faults");
        assert_eq!((faults.name(), faults.unit()), (Some("fixed"), Unit::parse("faults")));
        assert!(faults.gauge().meter().is_some());
        assert!(faults.shortest_batch() >= Span::from_milliseconds(7_000));
        assert!(!faults.is_zero(0.0));
        let per_call = |value, calls| faults.per_call(read(Some(value)), calls).unwrap();
        assert_eq!(per_call(23.0, 10), 2.0);
        assert_eq!(per_call(2.0, 10), 0.0, "not less than nothing");
        assert_eq!(per_call(-2.0, 10), -0.2, "a measurement may be negative");
        assert_eq!(per_call(7.0, 0), 4.0);
        let series = faults.series("f".to_string(), vec![1.0]).unwrap();
        assert_eq!((series.metric(), series.unit()), (Some("fixed"), &Unit::parse("faults")));
        // Times of any unit are seconds.
        let milliseconds = of("ms");
        assert_eq!(milliseconds.unit(), Unit::SECONDS);
        assert!((milliseconds.per_call(read(Some(5.0)), 1).unwrap() - 0.002).abs() < 1e-15);
    }

    #[test]
    fn a_measurement_that_gives_no_number_is_named() {
        let why = |value| of("faults").per_call(read(value), 1).unwrap_err().to_string();
        assert!(why(None).starts_with("its fixed is not measured: the measurement does not see"));
        assert!(why(Some(f64::NAN)).starts_with("its fixed was NaN in a batch"));
        assert!(why(Some(f64::INFINITY)).starts_with("its fixed was inf in a batch"));
        let own = SampleKind::Other(Measured::by_the_routine("cycles"));
        assert_eq!((own.name(), own.unit()), (Some("cycles"), Unit::parse("cycles")));
        assert_eq!(own.shortest_batch(), Span::ZERO);
        assert!(own.gauge().meter().is_none());
        assert_eq!(own.per_call(read(Some(8.0)), 2).unwrap(), 4.0);
    }
}
