//! A guard against an effect that itself changes over time.
//!
//! The coin makes slot noise harmless whatever its dependence. It cannot help if the difference
//! between the subjects drifts; then neighbouring log-ratios are alike, and the interval is widened
//! by how much. Widening cannot break an interval that covers.

use crate::Probability;
use crate::dependence::correlogram;
use crate::quantile::of_sorted;

/// What the guard found.
///
/// ```
/// use fathom_stats::paired::guard;
///
/// let mixed: Vec<f64> = (0..100).map(|i| f64::from((i * 37) % 101)).collect();
/// let slow: Vec<f64> = (0..100).map(|i| f64::from(i).sin() + f64::from(i / 25)).collect();
/// assert!(guard(&slow).lag1 > guard(&mixed).lag1);
/// assert!(guard(&slow).widening() > 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guard {
    /// The lag-1 autocorrelation of the log-ratios, outliers drawn in.
    pub lag1: f64,
    /// How much fewer blocks these are worth: 1 if they look independent.
    pub thinness: f64,
}

impl Guard {
    const QUIET: Guard = Guard { lag1: 0.0, thinness: 1.0 };

    /// Both half widths are multiplied by this.
    #[must_use]
    pub fn widening(&self) -> f64 {
        self.thinness.sqrt()
    }
}

/// Judges log-ratios in the order of their blocks.
#[must_use]
pub fn guard(log_ratios: &[f64]) -> Guard {
    let n = log_ratios.len();
    let size = n as f64;
    let most = (n / 4).min(100);
    let rho = correlogram(&drawn_in(log_ratios), most.max(1));
    let Some(&lag1) = rho.first() else { return Guard::QUIET };
    // A quarter of independent series pass this by chance and are widened a little for nothing.
    if lag1 * size.sqrt() <= 0.5 {
        return Guard { lag1, thinness: 1.0 };
    }
    // Geyer's initial positive sequence: sums of neighbouring lags until one is not positive.
    let at = |lag: usize| if lag == 0 { 1.0 } else { rho.get(lag - 1).copied().unwrap_or(0.0) };
    let pairs = (0..=most).step_by(2).map(|lag| at(lag) + at(lag + 1));
    let tau = -1.0 + 2.0 * pairs.take_while(|&pair| pair > 0.0).sum::<f64>();
    let tau = tau.max(1.0);
    Guard { lag1, thinness: tau * (1.0 + 6.0 * tau / size) }
}

/// Values farther than three standard deviations (by the median absolute deviation) from the median
/// are moved there: one burst is not dependence.
fn drawn_in(values: &[f64]) -> Vec<f64> {
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        of_sorted(&values, Probability::HALF).unwrap_or(0.0)
    };
    let centre = median(values.to_vec());
    let spread = median(values.iter().map(|value| (value - centre).abs()).collect());
    let reach = 3.0 * 1.4826 * spread;
    values.iter().map(|value| value.clamp(centre - reach, centre + reach)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_design_gives_these_numbers() {
        let d = [
            0.01, 0.012, 0.011, 0.009, 0.002, -0.001, -0.003, -0.002, 0.001, 0.004, 0.008, 0.011,
            0.013, 0.010, 0.006, 0.001,
        ];
        let found = guard(&d);
        assert!((found.lag1 - 0.7634).abs() < 5e-5, "{found:?}");
        assert!((found.thinness - 5.816).abs() < 5e-4, "{found:?}");
    }

    #[test]
    fn constant_and_short_series_are_left_alone() {
        assert_eq!(guard(&[0.0; 30]), Guard::QUIET);
        assert_eq!(guard(&[1.0]), Guard::QUIET);
        assert_eq!(guard(&[]), Guard::QUIET);
    }

    #[test]
    fn it_never_narrows() {
        let alternating: Vec<f64> = (0..40).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        assert_eq!(guard(&alternating).thinness, 1.0);
    }
}
