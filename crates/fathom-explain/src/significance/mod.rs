//! How sure it is that a metric stands out.

mod past;
mod past_changes;
mod tail;

pub(crate) use past::{CALLED, Least};
pub use past::{Past, Pool};
pub use past_changes::PastChanges;

use crate::change::ChangeEvidence;
use crate::shape::ShapeEvidence;
use fathom_stats::multiple;
use tail::tail;

/// The probability that chance alone would give a metric evidence as strong as this, in one family or
/// the other: by its own usual size, and not less often than metrics stood out as much at other places.
/// `None` without evidence. Never 0.
#[must_use]
pub fn p_value(
    change: Option<&ChangeEvidence>,
    shape: Option<&ShapeEvidence>,
    pool: &Pool,
) -> Option<f64> {
    let change = change.map(|change| tail(change.z, change.degrees));
    // Without the margin that the score has, which is there to rank by.
    let shape =
        shape.map(|shape| tail(shape.r.atanh().abs() / shape.chance.atanh(), shape.degrees));
    let tail = change.into_iter().chain(shape).reduce(f64::min)?;
    // Two families had the chance; the pool has what stood out in either.
    Some((2.0 * tail).max(pool.share(tail)).min(1.0))
}

/// Among metrics with a q of at most this one, the share that chance put there, by Benjamini and
/// Hochberg. Metrics without a p-value have none and do not count.
#[must_use]
pub fn q_values(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let known: Vec<f64> = p.iter().flatten().copied().collect();
    let mut adjusted = multiple::benjamini_hochberg(&known).into_iter();
    p.iter().map(|p| p.and_then(|_| adjusted.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::distribution::student_t;

    fn change(z: f64, degrees: f64) -> ChangeEvidence {
        ChangeEvidence { shift: 1.0, relative: None, z, degrees, constant_before: None }
    }

    fn shape(z: f64, degrees: f64) -> ShapeEvidence {
        let chance = 0.1_f64;
        let r = (z * chance.atanh()).tanh();
        ShapeEvidence { r, z, chance, degrees, occurrences: 1 }
    }

    /// So many places, at which nothing happened, that a pool says nothing.
    fn endless() -> Pool {
        let least = Least { size: 0.0, margin: 0.0 };
        let past = Past::new(&[1.0, -1.0, 1.0, -1.0], f64::MAX, [0; 2], least, [1.0; 2]);
        Pool::new(&[past], 1)
    }

    #[test]
    fn it_is_twice_the_smaller_tail() {
        assert_eq!(p_value(None, None, &endless()), None);
        let both = p_value(Some(&change(2.0, 9.0)), Some(&shape(4.0, 9.0)), &endless()).unwrap();
        let one = p_value(None, Some(&shape(4.0, 9.0)), &endless()).unwrap();
        assert!((both - 2.0 * 2.0 * student_t::cdf(9.0, -4.0)).abs() < 1e-15);
        assert_eq!(both, one);
        assert_eq!(p_value(Some(&change(0.0, 9.0)), None, &endless()), Some(1.0));
    }

    #[test]
    fn it_is_neither_0_nor_unknown() {
        for degrees in [f64::NAN, 0.0, 0.3, 1.0, 9.0, 1e9, f64::INFINITY] {
            for z in [0.0, 1e-300, 1.0, 50.0, 1e300, f64::INFINITY, f64::NAN] {
                let p = p_value(Some(&change(z, degrees)), Some(&shape(z, degrees)), &endless())
                    .unwrap();
                assert!(p > 0.0 && p <= 1.0, "{z} with {degrees}: {p}");
            }
        }
    }

    /// Few places do not make anything certain.
    #[test]
    fn few_places_say_little() {
        let few = p_value(None, Some(&shape(10.0, 1.0)), &endless()).unwrap();
        let many = p_value(None, Some(&shape(10.0, 50.0)), &endless()).unwrap();
        assert!(few > 0.1 && many < 1e-9, "{few} {many}");
        let woke = p_value(Some(&change(f64::INFINITY, 99.0)), None, &endless()).unwrap();
        assert!((woke - 0.02).abs() < 1e-12, "{woke}");
    }

    #[test]
    fn metrics_without_p_do_not_count() {
        let q = q_values(&[Some(0.01), None, Some(0.04), Some(0.03), None, Some(0.2)]);
        let rounded: Vec<Option<f64>> =
            q.iter().map(|q| q.map(|q| (q * 1e6).round() / 1e6)).collect();
        assert_eq!(rounded, [Some(0.04), None, Some(0.053_333), Some(0.053_333), None, Some(0.2)]);
    }

    #[test]
    fn what_happens_now_and_then_is_not_rarer_than_that() {
        let (shape, change) = (shape(9.0, 50.0), change(12.0, 50.0));
        let alone = p_value(Some(&change), Some(&shape), &endless()).unwrap();
        assert_eq!(p_value(Some(&change), Some(&shape), &Pool::default()), Some(1.0));
        let quiet: Vec<f64> = (0..500).map(|n| if n % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let mut burst = quiet.clone();
        burst[100..105].fill(99.0);
        let least = Least { size: 0.0, margin: 0.0 };
        let past = |values: &[f64]| Past::new(values, 100.0, [4; 2], least, [50.0; 2]);
        let calm: Vec<Past> = (0..1000).map(|_| past(&quiet)).collect();
        let among = p_value(Some(&change), Some(&shape), &Pool::new(&calm, 1000)).unwrap();
        assert!(alone < 1e-9 && among == alone, "{alone} {among}");
        let rough: Vec<Past> = (0..1000).map(|_| past(&burst)).collect();
        let among = p_value(Some(&change), Some(&shape), &Pool::new(&rough, 1000)).unwrap();
        assert!((among * 100_001.0 - 1001.0).abs() < 1e-6, "{among}");
        assert_eq!(p_value(None, None, &Pool::new(&calm, 1000)), None);
    }
}
