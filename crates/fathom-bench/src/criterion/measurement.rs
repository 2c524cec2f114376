//! What is measured: time, unless a bench brings its own measurement.

use super::throughput::Throughput;
use std::time::{Duration, Instant};

/// A measurement of the bench's own.
///
/// Values are in the unit that [`scale_for_machines`](ValueFormatter::scale_for_machines) names.
/// "ns", "us", "ms" and "s" are times, whatever is measured; another unit stands behind the numbers
/// as it is.
///
/// ```
/// use fathom_bench::criterion::Throughput;
/// use fathom_bench::criterion::measurement::{Measurement, ValueFormatter};
/// use std::time::{Duration, Instant};
///
/// struct HalfTime;
///
/// impl Measurement for HalfTime {
///     type Intermediate = Instant;
///     type Value = Duration;
///     fn start(&self) -> Instant {
///         Instant::now()
///     }
///     fn end(&self, start: Instant) -> Duration {
///         start.elapsed() / 2
///     }
///     fn add(&self, one: &Duration, other: &Duration) -> Duration {
///         *one + *other
///     }
///     fn zero(&self) -> Duration {
///         Duration::ZERO
///     }
///     fn to_f64(&self, value: &Duration) -> f64 {
///         value.as_nanos() as f64
///     }
///     fn formatter(&self) -> &dyn ValueFormatter {
///         &Nanoseconds
///     }
/// }
///
/// struct Nanoseconds;
///
/// impl ValueFormatter for Nanoseconds {
///     fn scale_values(&self, _typical: f64, _values: &mut [f64]) -> &'static str {
///         "ns"
///     }
///     fn scale_throughputs(&self, _: f64, _: &Throughput, _: &mut [f64]) -> &'static str {
///         "per ns"
///     }
///     fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
///         "ns"
///     }
/// }
///
/// let _ = fathom_bench::criterion::Criterion::default().with_measurement(HalfTime);
/// ```
pub trait Measurement {
    /// What is known when a measurement starts.
    type Intermediate;
    /// What was measured.
    type Value;

    /// Right before the first call.
    fn start(&self) -> Self::Intermediate;

    /// Right after the last call.
    fn end(&self, i: Self::Intermediate) -> Self::Value;

    /// Two measurements together.
    fn add(&self, v1: &Self::Value, v2: &Self::Value) -> Self::Value;

    /// Of no calls at all.
    fn zero(&self) -> Self::Value;

    /// As a number.
    fn to_f64(&self, value: &Self::Value) -> f64;

    /// In which unit.
    fn formatter(&self) -> &dyn ValueFormatter;

    /// Whether this is the clock on the wall, for which Fathom has its own.
    #[doc(hidden)]
    fn is_wall_time(&self) -> bool {
        false
    }
}

/// How values of a [`Measurement`] are written. Fathom only asks for the unit.
pub trait ValueFormatter {
    /// A value with its unit.
    fn format_value(&self, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_values(value, &mut values);
        format!("{} {unit}", values[0])
    }

    /// A rate with its unit.
    fn format_throughput(&self, throughput: &Throughput, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_throughputs(value, throughput, &mut values);
        format!("{} {unit}", values[0])
    }

    /// Turns values into a unit for people, and names it.
    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str;

    /// Turns values into rates for people, and names their unit.
    fn scale_throughputs(
        &self,
        typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str;

    /// Turns values into the unit for programs, and names it.
    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str;
}

/// What a value of 1 is, as programs are told it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ValueScale {
    /// A number of nanoseconds.
    Nanoseconds(f64),
    /// A number of another unit.
    Other { each: f64, unit: &'static str },
}

impl ValueScale {
    pub(super) fn of<M: Measurement>(measurement: &M) -> ValueScale {
        let mut one = [1.0];
        let unit = measurement.formatter().scale_for_machines(&mut one);
        let [each] = one;
        match unit {
            "ns" => ValueScale::Nanoseconds(each),
            "us" | "µs" | "μs" => ValueScale::Nanoseconds(1e3 * each),
            "ms" => ValueScale::Nanoseconds(1e6 * each),
            "s" => ValueScale::Nanoseconds(1e9 * each),
            unit => ValueScale::Other { each, unit },
        }
    }

    /// The unit, if it is not one of time.
    pub(super) fn foreign_unit(self) -> Option<&'static str> {
        match self {
            ValueScale::Nanoseconds(_) => None,
            ValueScale::Other { unit, .. } => Some(unit),
        }
    }
}

/// The clock on the wall.
#[derive(Debug, Clone, Copy, Default)]
pub struct WallTime;

impl Measurement for WallTime {
    type Intermediate = Instant;
    type Value = Duration;

    fn start(&self) -> Instant {
        Instant::now()
    }

    fn end(&self, i: Instant) -> Duration {
        i.elapsed()
    }

    fn add(&self, v1: &Duration, v2: &Duration) -> Duration {
        *v1 + *v2
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Nanoseconds
    }

    fn is_wall_time(&self) -> bool {
        true
    }
}

/// Values are nanoseconds and stay so.
struct Nanoseconds;

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, _typical_value: f64, _values: &mut [f64]) -> &'static str {
        "ns"
    }

    fn scale_throughputs(
        &self,
        _typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let per_call = throughput.in_our_words().per_call() as f64;
        for value in values {
            *value = 1e9 * per_call / *value;
        }
        "/s"
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "ns"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Of(&'static str, f64);

    impl ValueFormatter for Of {
        fn scale_values(&self, _: f64, _: &mut [f64]) -> &'static str {
            self.0
        }
        fn scale_throughputs(&self, _: f64, _: &Throughput, _: &mut [f64]) -> &'static str {
            self.0
        }
        fn scale_for_machines(&self, values: &mut [f64]) -> &'static str {
            values.iter_mut().for_each(|value| *value *= self.1);
            self.0
        }
    }

    impl Measurement for Of {
        type Intermediate = ();
        type Value = f64;
        fn start(&self) {}
        fn end(&self, (): ()) -> f64 {
            1.0
        }
        fn add(&self, one: &f64, other: &f64) -> f64 {
            one + other
        }
        fn zero(&self) -> f64 {
            0.0
        }
        fn to_f64(&self, value: &f64) -> f64 {
            *value
        }
        fn formatter(&self) -> &dyn ValueFormatter {
            self
        }
    }

    #[test]
    fn times_are_told_from_other_units() {
        assert_eq!(ValueScale::of(&WallTime), ValueScale::Nanoseconds(1.0));
        assert_eq!(ValueScale::of(&Of("ms", 0.5)), ValueScale::Nanoseconds(5e5));
        assert_eq!(ValueScale::of(&Of("us", 1.0)), ValueScale::Nanoseconds(1e3));
        let cycles = ValueScale::Other { each: 2.0, unit: "cycles" };
        assert_eq!(ValueScale::of(&Of("cycles", 2.0)), cycles);
        assert_eq!(cycles.foreign_unit(), Some("cycles"));
    }

    #[test]
    fn values_are_written_with_their_unit() {
        assert_eq!(Nanoseconds.format_value(5.0), "5 ns");
        let rate = Nanoseconds.format_throughput(&Throughput::Elements(3), 1e9);
        assert_eq!(rate, "3 /s");
    }
}
