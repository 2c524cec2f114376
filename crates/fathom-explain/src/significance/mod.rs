//! How sure it is that a metric stands out.

use crate::change::ChangeEvidence;
use crate::shape::ShapeEvidence;
use fathom_stats::distribution::student_t;
use fathom_stats::multiple;

/// Degrees of freedom that say next to nothing.
const FEWEST: f64 = 0.1;
/// More make no difference.
const MOST: f64 = 1e4;

/// The probability that chance alone would give a metric evidence as strong as this, in one family or
/// the other; `None` without evidence. Never 0.
#[must_use]
pub fn p_value(change: Option<&ChangeEvidence>, shape: Option<&ShapeEvidence>) -> Option<f64> {
    let change = change.map(|change| tail(change.z, change.degrees));
    // Without the margin that the score has, which is there to rank by.
    let shape =
        shape.map(|shape| tail(shape.r.atanh().abs() / shape.chance.atanh(), shape.degrees));
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

/// Both tails of Student's t beyond ±z; never 0.
fn tail(z: f64, degrees: f64) -> f64 {
    if z.is_nan() || degrees.is_nan() {
        return 1.0;
    }
    let degrees = degrees.clamp(FEWEST, MOST);
    if z.is_infinite() {
        // It never did that before, in so many windows.
        return 1.0 / (degrees + 1.0);
    }
    (2.0 * student_t::cdf(degrees, -z.abs())).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(z: f64, degrees: f64) -> ChangeEvidence {
        ChangeEvidence { shift: 1.0, relative: None, z, degrees, constant_before: None }
    }

    fn shape(z: f64, degrees: f64) -> ShapeEvidence {
        let chance = 0.1_f64;
        let r = (z * chance.atanh()).tanh();
        ShapeEvidence { r, z, chance, degrees, occurrences: 1 }
    }

    #[test]
    fn it_is_twice_the_smaller_tail() {
        assert_eq!(p_value(None, None), None);
        let both = p_value(Some(&change(2.0, 9.0)), Some(&shape(4.0, 9.0))).unwrap();
        let one = p_value(None, Some(&shape(4.0, 9.0))).unwrap();
        assert!((both - 2.0 * 2.0 * student_t::cdf(9.0, -4.0)).abs() < 1e-15);
        assert_eq!(both, one);
        assert_eq!(p_value(Some(&change(0.0, 9.0)), None), Some(1.0));
    }

    #[test]
    fn it_is_neither_0_nor_unknown() {
        for degrees in [f64::NAN, 0.0, 0.3, 1.0, 9.0, 1e9, f64::INFINITY] {
            for z in [0.0, 1e-300, 1.0, 50.0, 1e300, f64::INFINITY, f64::NAN] {
                let p = p_value(Some(&change(z, degrees)), Some(&shape(z, degrees))).unwrap();
                assert!(p > 0.0 && p <= 1.0, "{z} with {degrees}: {p}");
            }
        }
    }

    /// Few places do not make anything certain.
    #[test]
    fn few_places_say_little() {
        let few = p_value(None, Some(&shape(10.0, 1.0))).unwrap();
        let many = p_value(None, Some(&shape(10.0, 50.0))).unwrap();
        assert!(few > 0.1 && many < 1e-9, "{few} {many}");
        let woke = p_value(Some(&change(f64::INFINITY, 99.0)), None).unwrap();
        assert!((woke - 0.02).abs() < 1e-12, "{woke}");
    }

    #[test]
    fn metrics_without_p_do_not_count() {
        let q = q_values(&[Some(0.01), None, Some(0.04), Some(0.03), None, Some(0.2)]);
        let rounded: Vec<Option<f64>> =
            q.iter().map(|q| q.map(|q| (q * 1e6).round() / 1e6)).collect();
        assert_eq!(rounded, [Some(0.04), None, Some(0.053_333), Some(0.053_333), None, Some(0.2)]);
    }
}
