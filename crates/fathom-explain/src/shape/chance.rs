//! How closely a metric follows shapes where it has no reason to.

use crate::fourier;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection};
use std::sync::Arc;

/// What a statistic usually is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chance {
    /// Its root mean square.
    pub(super) size: f64,
    /// How many independent values that rests on.
    pub(super) degrees: f64,
    /// How often the shape fits into what was looked at.
    pub(super) places: f64,
    /// The values that were looked at.
    pub(super) values: Vec<f64>,
}

/// Sums a statistic up over shifts.
pub(super) struct Shifts {
    transform: Arc<dyn Fft<f64>>,
    /// The rows that one value of the statistic looks at.
    rows: usize,
    /// Neighbouring values differ little: the spectrum uses every N-th value.
    stride: usize,
}

/// A stride is this share of a shape, or 1.
const STRIDES: usize = 16;

impl Shifts {
    pub(super) fn new(count: usize, rows: usize) -> Shifts {
        let stride = (rows / STRIDES).max(1);
        let transform = fourier::transform(count.div_ceil(stride), FftDirection::Forward);
        Shifts { transform, rows, stride }
    }

    /// Of the statistic at each shift, `NaN` at those that do not count. `None` if all are.
    pub(super) fn chance(&self, values: Vec<f64>) -> Option<Chance> {
        let (mut count, mut second, mut fourth) = (0_usize, 0.0, 0.0);
        for square in values.iter().filter(|value| !value.is_nan()).map(|value| value * value) {
            count += 1;
            second += square;
            fourth += square * square;
        }
        if count == 0 {
            return None;
        }
        let n = count as f64;
        let (second, fourth) = (second / n, fourth / n);
        let places = n / self.rows as f64;
        if second == 0.0 {
            return Some(Chance { size: 0.0, degrees: places.max(1.0), places, values });
        }
        let kurtosis = (fourth / (second * second)).max(3.0);
        let degrees = self.waves(&values).min(places) * 2.0 / (kurtosis - 1.0);
        Some(Chance { size: second.sqrt(), degrees: degrees.max(1.0), places, values })
    }

    /// The participation ratio of the spectrum: this many independent waves would have it. That is
    /// also the number of values over the sum of their squared autocorrelations.
    fn waves(&self, values: &[f64]) -> f64 {
        let some = values.iter().step_by(self.stride);
        let known = |value: &f64| if value.is_nan() { 0.0 } else { *value };
        let mut signal: Vec<Complex<f64>> =
            some.clone().map(|value| Complex::new(known(value), 0.0)).collect();
        signal.resize(self.transform.len(), Complex::default());
        self.transform.process(&mut signal);
        let (mut power, mut squared) = (0.0, 0.0);
        for bin in &signal {
            let square = bin.norm_sqr();
            power += square;
            squared += square * square;
        }
        let count = some.filter(|value| !value.is_nan()).count() as f64;
        let waves = count / self.transform.len() as f64 * power * power / squared;
        if waves.is_nan() { 1.0 } else { waves }
    }
}
