//! How far out a statistic is.

use fathom_stats::distribution::student_t;

/// Degrees of freedom that say next to nothing.
const FEWEST: f64 = 0.1;
/// More make no difference.
const MOST: f64 = 1e4;

/// Both tails of Student's t beyond ±z; never 0.
pub(super) fn tail(z: f64, degrees: f64) -> f64 {
    if z.is_nan() || degrees.is_nan() {
        return 1.0;
    }
    let degrees = degrees.clamp(FEWEST, MOST);
    if z.is_infinite() {
        // It never did that before, in this many windows.
        return 1.0 / (degrees + 1.0);
    }
    (2.0 * student_t::cdf(degrees, -z.abs())).max(f64::MIN_POSITIVE)
}
