//! The standard normal distribution.

use super::concave_root::{self, Point};
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// P(Z ≤ z).
///
/// ```
/// assert_eq!(fathom_stats::distribution::normal::cdf(0.0), 0.5);
/// ```
#[must_use]
pub fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// The z with P(Z ≤ z) = p; −∞ for p ≤ 0 and ∞ for p ≥ 1.
///
/// ```
/// let z = fathom_stats::distribution::normal::quantile(0.975);
/// assert!((z - 1.959963984540054).abs() < 1e-15);
/// ```
#[must_use]
pub fn quantile(p: f64) -> f64 {
    // p − ½ is exact near ½, and 1 − p is exact for p ≥ ½.
    let centre = p - 0.5;
    if centre.abs() < 0.1 {
        return central_quantile(centre.abs()).copysign(centre);
    }
    if p > 0.5 { -lower_quantile(1.0 - p) } else { lower_quantile(p) }
}

/// The z ≥ 0 with P(0 ≤ Z ≤ z) = centre.
fn central_quantile(centre: f64) -> f64 {
    if centre == 0.0 {
        return 0.0;
    }
    concave_root::solve(centre * TAU.sqrt(), |z| Point {
        value: libm::erf(z * FRAC_1_SQRT_2) - 2.0 * centre,
        slope: 2.0 * density(z),
    })
}

/// The z < 0 with P(Z ≤ z) = p, for p well below ½.
fn lower_quantile(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let start = -(-2.0 * (2.0 * p).ln()).sqrt();
    concave_root::solve(start, |z| {
        let tail = cdf(z);
        // ln(tail / p) without losing the digits of a ratio near one.
        Point { value: ((tail - p) / p).ln_1p(), slope: density(z) / tail }
    })
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / TAU.sqrt()
}
