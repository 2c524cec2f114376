//! How sure it is that a metric stands out.

use crate::change::ChangeEvidence;
use crate::shape::ShapeEvidence;
use fathom_stats::distribution::student_t;
use fathom_stats::multiple;

/// The probability that chance alone would give a metric evidence as strong as this, in one family or
/// the other; `None` without evidence. Never 0.
#[must_use]
pub fn p_value(change: Option<&ChangeEvidence>, shape: Option<&ShapeEvidence>) -> Option<f64> {
    let change = change.map(|change| tail(change.z, change.degrees));
    let shape = shape.map(|shape| tail(shape.z, shape.degrees));
    let smaller = change.into_iter().chain(shape).reduce(f64::min)?;
    // Two families had the chance.
    Some((2.0 * smaller).min(1.0))
}

/// Among metrics with a q of at most this one, the share that chance put there, by Benjamini and
/// Hochberg. Metrics without a p-value have none and do not count.
#[must_use]
pub fn q_values(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let known: Vec<f64> = p.iter().flatten().copied().collect();
    let mut adjusted = multiple::benjamini_hochberg(&known).into_iter();
    p.iter().map(|p| p.and_then(|_| adjusted.next())).collect()
}

/// Both tails of Student's t beyond ±z.
fn tail(z: f64, degrees: f64) -> f64 {
    let degrees = degrees.max(0.1);
    if !z.is_finite() {
        // It never did that before, in so many windows.
        return 1.0 / (degrees + 1.0);
    }
    (2.0 * student_t::cdf(degrees, -z)).clamp(f64::MIN_POSITIVE, 1.0)
}
