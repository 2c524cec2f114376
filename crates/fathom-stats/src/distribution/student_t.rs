//! Student's t distribution.

use super::beta::{Tails, UnitPoint, quantile_of_tails, regularised};

/// P(T ≤ t) with `df` degrees of freedom.
///
/// ```
/// use fathom_stats::distribution::student_t::cdf;
/// assert_eq!(cdf(3.0, 0.0), 0.5);
/// // One degree of freedom is Cauchy's distribution.
/// assert!((cdf(1.0, 1.0) - 0.75).abs() < 1e-14);
/// ```
#[must_use]
pub fn cdf(df: f64, t: f64) -> f64 {
    let square = t * t;
    let at = if square.is_finite() {
        UnitPoint { x: df / (df + square), y: square / (df + square) }
    } else {
        UnitPoint { x: 0.0, y: 1.0 }
    };
    let tail = 0.5 * regularised(0.5 * df, 0.5, at).lower;
    if t < 0.0 { tail } else { 1.0 - tail }
}

/// The t with P(T ≤ t) = p; −∞ for p ≤ 0 and ∞ for p ≥ 1.
///
/// ```
/// let t = fathom_stats::distribution::student_t::quantile(3.0, 0.975);
/// assert!((t - 3.182446305284263).abs() < 1e-12);
/// ```
#[must_use]
pub fn quantile(df: f64, p: f64) -> f64 {
    if p > 0.5 { upper_quantile(df, 1.0 - p, p - 0.5) } else { -upper_quantile(df, p, 0.5 - p) }
}

/// The t ≥ 0 exceeded with probability `tail`; `centre` is ½ − tail, known precisely.
fn upper_quantile(df: f64, tail: f64, centre: f64) -> f64 {
    if tail <= 0.0 {
        return f64::INFINITY;
    }
    // df / (df + T²) is Beta(df/2, ½).
    let tails = Tails { lower: 2.0 * tail, upper: 2.0 * centre };
    let UnitPoint { x, y } = quantile_of_tails(0.5 * df, 0.5, tails);
    (df * (y / x)).sqrt()
}
