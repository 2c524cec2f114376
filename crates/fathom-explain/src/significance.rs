//! Whether a metric is significant.

mod beside;
mod chance;
mod past;
mod past_changes;
mod tail;

pub use beside::Beside;
pub use chance::{Chance, q_values};
pub(crate) use past::{Least, Observed, Seen};
pub use past::{Past, Pool};
pub use past_changes::PastChanges;

use crate::change::ChangeEvidence;
use crate::shape::ShapeEvidence;
use tail::tail;

/// A metric is called something if its q is below this.
pub(crate) const CALLED: f64 = 0.05;

/// How often chance alone would give a metric evidence as strong as this, in one family or the other:
/// by its own usual size, and not less often than metrics stood out as much at other places. What was
/// constant has no usual size; it is judged by how often metrics wake up. `None` without evidence.
///
/// Its own past has what is usual on both sides of the windows; without one the baseline's counts.
#[must_use]
pub fn chance(
    change: Option<&ChangeEvidence>,
    shape: Option<&ShapeEvidence>,
    past: Option<&Past>,
    pool: &Pool,
) -> Option<Chance> {
    let woke = change.and_then(|change| change.constant_before);
    let change = change.filter(|_| woke.is_none()).map(|change| {
        past.and_then(|past| past.change).unwrap_or_else(|| tail(change.z, change.degrees))
    });
    // Without the margin that the score has, which is there to rank by.
    let shape = shape.map(|shape| {
        let z = shape.r.atanh().abs() / shape.chance.atanh();
        past.and_then(|past| past.shape).unwrap_or_else(|| tail(z, shape.degrees))
    });
    let by_size = change.into_iter().chain(shape).reduce(f64::min).map(|tail| pool.of_size(tail));
    let is_still = past.is_some_and(Past::is_still);
    let by_waking = woke.map(|after| match is_still {
        true => pool.of_moving_here_alone(),
        false => pool.of_waking(after),
    });
    let rarer = |one: Chance, other: Chance| {
        if other.p_value() < one.p_value() { other } else { one }
    };
    by_size.into_iter().chain(by_waking).reduce(rarer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::distribution::student_t;

    fn p_value(
        change: Option<&ChangeEvidence>,
        shape: Option<&ShapeEvidence>,
        pool: &Pool,
    ) -> Option<f64> {
        chance(change, shape, None, pool).map(|chance| chance.p_value())
    }

    fn change(z: f64, degrees: f64) -> ChangeEvidence {
        ChangeEvidence { shift: 1.0, relative: None, z, degrees, constant_before: None }
    }

    fn shape(z: f64, degrees: f64) -> ShapeEvidence {
        let chance = 0.1_f64;
        let r = (z * chance.atanh()).tanh();
        ShapeEvidence { r, z, chance, degrees, occurrences: 1 }
    }

    fn past(values: &[f64], places: f64, reach: usize, degrees: f64) -> Past {
        let least = Least { size: 0.0, margin: 0.0 };
        let (seen, observed) = (Seen::plain(values), Observed::Change(0.0));
        Past::new(seen, places, [reach; 2], least, [degrees; 2], observed)
    }

    /// This many places, at which nothing happened, that a pool says nothing.
    fn endless() -> Pool {
        Pool::new(&[past(&[1.0, -1.0, 1.0, -1.0], f64::MAX, 0, 1.0)], 1, f64::MAX)
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
    }

    #[test]
    fn what_happens_now_and_then_is_not_rarer_than_that() {
        let (shape, change) = (shape(9.0, 50.0), change(12.0, 50.0));
        let alone = p_value(Some(&change), Some(&shape), &endless()).unwrap();
        assert_eq!(p_value(Some(&change), Some(&shape), &Pool::default()), Some(1.0));
        let quiet: Vec<f64> = (0..500).map(|n| if n % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let mut burst = quiet.clone();
        burst[100..105].fill(99.0);
        let calm: Vec<Past> = (0..1000).map(|_| past(&quiet, 100.0, 4, 50.0)).collect();
        let among = p_value(Some(&change), Some(&shape), &Pool::new(&calm, 1000, 100.0)).unwrap();
        assert!(alone < 1e-9 && among < 1e-5, "{alone} {among}");
        let rough: Vec<Past> = (0..1000).map(|_| past(&burst, 100.0, 4, 50.0)).collect();
        let among = p_value(Some(&change), Some(&shape), &Pool::new(&rough, 1000, 100.0)).unwrap();
        assert!((among * 100_001.0 - 1001.0).abs() < 1e-6, "{among}");
        assert_eq!(p_value(None, None, &Pool::new(&calm, 1000, 100.0)), None);
    }
}
