//! How many independent samples are as good for a whole distribution.

use crate::Confidence;
use crate::dependence::{Declined, SAMPLES_TO_JUDGE, Thinness};
use crate::distribution::{normal, student_t};

/// Below this effective size nothing is said.
const LEAST_EFFECTIVE: f64 = 4.0;

/// What samples in time order are worth, by the thinness of their ranks: whatever part of the
/// distribution is dependent, the ranks see it. Fewer than the effective size, since that is itself
/// an estimate.
pub(super) fn worth(values: &[f64], confidence: Confidence) -> Result<usize, Declined> {
    let n = values.len();
    if n < SAMPLES_TO_JUDGE {
        return Err(Declined::TooFew { n });
    }
    let thinness = Thinness::of(&midranks(values)).ok_or(Declined::Constant)?;
    let effective = thinness.effective(n);
    if effective < LEAST_EFFECTIVE {
        let needed = (LEAST_EFFECTIVE * thinness.tau).ceil() as usize;
        return Err(Declined::TooDependent { effective, needed });
    }
    let tail = 0.5 * confidence.alpha();
    let shrink = normal::quantile(tail) / student_t::quantile(effective, tail);
    Ok(usize::max(1, (effective * shrink * shrink + 1e-9).floor() as usize))
}

/// Ranks in time order; ties share the middle of theirs.
fn midranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0.0;
    for ties in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let count = ties.len() as f64;
        for &index in ties {
            ranks[index] = before + 0.5 * (count + 1.0);
        }
        before += count;
    }
    ranks
}
