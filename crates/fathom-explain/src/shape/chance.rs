//! How closely a metric follows shapes where it has no reason to.

use rustfft::num_complex::Complex;
use rustfft::{Fft, FftPlannerScalar};
use std::sync::Arc;

/// What a statistic usually is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chance {
    /// Its root mean square.
    pub(super) size: f64,
    /// How many independent values that rests on.
    pub(super) degrees: f64,
}

/// Sums a statistic up over shifts.
pub(super) struct Shifts {
    transform: Arc<dyn Fft<f64>>,
    /// The rows that one value of the statistic looks at.
    rows: usize,
}

impl Shifts {
    pub(super) fn new(count: usize, rows: usize) -> Shifts {
        let transform = FftPlannerScalar::new().plan_fft_forward(count.max(1));
        Shifts { transform, rows }
    }

    /// Of the statistic at each shift, `None` at those that do not count. `None` if there are fewer
    /// than two lengths of the shape.
    pub(super) fn chance(&self, statistic: impl Iterator<Item = Option<f64>>) -> Option<Chance> {
        let (mut count, mut second, mut fourth) = (0_usize, 0.0, 0.0);
        let mut signal: Vec<Complex<f64>> = Vec::with_capacity(self.transform.len());
        for value in statistic.take(self.transform.len()) {
            if let Some(value) = value {
                let square = value * value;
                count += 1;
                second += square;
                fourth += square * square;
            }
            signal.push(Complex::new(value.unwrap_or(0.0), 0.0));
        }
        signal.resize(self.transform.len(), Complex::default());
        if count == 0 {
            return None;
        }
        let n = count as f64;
        let (second, fourth) = (second / n, fourth / n);
        if second == 0.0 {
            return Some(Chance { size: 0.0, degrees: (n / self.rows as f64).max(1.0) });
        }
        self.transform.process(&mut signal);
        let (mut power, mut power_squared) = (0.0, 0.0);
        for bin in &signal {
            let square = bin.norm_sqr();
            power += square;
            power_squared += square * square;
        }
        // The participation ratio of the spectrum: so many independent waves would have it.
        let share = n / self.transform.len() as f64;
        let waves = share * power * power / power_squared;
        let kurtosis = (fourth / (second * second)).max(3.0);
        let degrees = waves.min(n / self.rows as f64) * 2.0 / (kurtosis - 1.0);
        Some(Chance { size: second.sqrt(), degrees: degrees.max(1.0) })
    }
}
