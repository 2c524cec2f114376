//! A signal: a number over an execution's time.

use super::{ObservationError, check_time};
use crate::Unit;

/// A number over time, known at increasing times; between them as its [`Shape`] says. Its last
/// value holds to the end. Before its first time, and where a value is NaN, it is missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    unit: Unit,
    shape: Shape,
    times: Vec<f64>,
    values: Vec<f64>,
}

/// What a signal does between two of its times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// It keeps its value until the next time, where it jumps.
    #[default]
    Step,
    /// It goes straight to the next value.
    Linear,
}

impl Signal {
    /// A signal with these values at these times.
    ///
    /// # Errors
    /// The times do not increase from 0 or later, a value is infinite, or their numbers differ.
    pub fn new(
        unit: Unit,
        shape: Shape,
        times: Vec<f64>,
        values: Vec<f64>,
    ) -> Result<Signal, ObservationError> {
        if times.len() != values.len() {
            return Err(ObservationError::Lengths { times: times.len(), values: values.len() });
        }
        times.iter().try_for_each(|&time| check_time(time))?;
        for pair in times.windows(2) {
            if let &[previous, next] = pair
                && next <= previous
            {
                return Err(ObservationError::TimesNotIncreasing { previous, next });
            }
        }
        if let Some(&value) = values.iter().find(|value| value.is_infinite()) {
            return Err(ObservationError::NotFinite { value });
        }
        Ok(Signal { unit, shape, times, values })
    }

    /// The same signal with another shape.
    #[must_use]
    pub fn with_shape(mut self, shape: Shape) -> Signal {
        self.shape = shape;
        self
    }

    /// The same signal, its values in another unit.
    #[must_use]
    pub fn with_unit(mut self, unit: Unit) -> Signal {
        self.unit = unit;
        self
    }

    /// What its values are in.
    #[must_use]
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// What it does between its times.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// When its value is known.
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Its values then; NaN where one is missing.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_increase_and_values_are_finite() {
        let signal = |times: &[f64], values: &[f64]| {
            Signal::new(Unit::Unknown, Shape::Step, times.to_vec(), values.to_vec())
        };
        assert!(signal(&[0.0, 1.0], &[2.0, f64::NAN]).is_ok());
        for (times, values) in [
            (&[0.0, 0.0][..], &[1.0, 2.0][..]),
            (&[1.0, 0.5], &[1.0, 2.0]),
            (&[-1.0], &[1.0]),
            (&[f64::NAN], &[1.0]),
            (&[0.0], &[f64::INFINITY]),
            (&[0.0], &[]),
        ] {
            assert!(signal(times, values).is_err(), "{times:?} {values:?}");
        }
    }
}
