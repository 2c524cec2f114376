//! How many independent samples are as good for a whole distribution.

use crate::Confidence;
use crate::dependence::{Declined, SAMPLES_TO_JUDGE, Thinness};
use crate::distribution::{normal, student_t};

/// Below this effective size nothing is said.
const LEAST_EFFECTIVE: f64 = 4.0;

/// Where the distribution is also judged separately: bursts are only in its upper end.
const PLACES: [f64; 7] = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95];

/// From this thinness on, dependence is evident. Independent series seldom look that thin at any of
/// the places, so that few are made wider by the noise of looking.
const EVIDENT: f64 = 2.5;

/// What samples in time order are worth for all of their distribution: by the thinness of their
/// ranks, which see every part of it alike, or of a part that is evidently thinner. Fewer than the
/// effective size, since that is itself an estimate.
///
/// ```
/// use fathom_stats::Confidence;
/// use fathom_stats::band::worth;
///
/// // Ten samples in a row are the same: they tell about as much as one.
/// let slow: Vec<f64> = (0..1000).map(|i| f64::from(((i / 10) * 37) % 101)).collect();
/// assert!(worth(&slow, Confidence::DEFAULT).is_ok_and(|worth| worth < 200));
/// assert!(worth(&slow[..5], Confidence::DEFAULT).is_err());
/// ```
pub fn worth(values: &[f64], confidence: Confidence) -> Result<usize, Declined> {
    let n = values.len();
    if n < SAMPLES_TO_JUDGE {
        return Err(Declined::TooFew { n });
    }
    let ranks = midranks(values);
    let of_ranks = Thinness::of(&ranks).ok_or(Declined::Constant)?.tau;
    let tau = PLACES
        .iter()
        .filter_map(|place| of_place(&ranks, place * n as f64))
        .filter(|tau| *tau >= EVIDENT)
        .fold(of_ranks, f64::max);
    let effective = n as f64 / tau;
    if effective < LEAST_EFFECTIVE {
        let needed = (LEAST_EFFECTIVE * tau).ceil() as usize;
        return Err(Declined::TooDependent { effective, needed });
    }
    let tail = 0.5 * confidence.alpha();
    let shrink = normal::quantile(tail) / student_t::quantile(effective, tail);
    Ok(usize::max(1, (effective * shrink * shrink + 1e-9).floor() as usize))
}

/// The thinness of "is its rank at most this"; `None` if there are too few on one side to tell.
fn of_place(ranks: &[f64], place: f64) -> Option<f64> {
    let series: Vec<f64> = ranks.iter().map(|&rank| f64::from(u8::from(rank <= place))).collect();
    let at_most = series.iter().filter(|is_there| **is_there > 0.0).count();
    if at_most.min(ranks.len() - at_most) < SAMPLES_TO_JUDGE {
        return None;
    }
    Thinness::of(&series).map(|thinness| thinness.tau)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependence_costs_and_ties_do_not_matter() {
        let apart: Vec<f64> = (0..200).map(|i| f64::from((i * 89) % 199)).collect();
        let alike: Vec<f64> = (0..200).map(|i| f64::from((i / 10) % 2)).collect();
        let [apart, alike] = [apart, alike].map(|it| worth(&it, Confidence::DEFAULT).unwrap());
        assert!(apart > 120 && alike < 20, "{apart} {alike}");
        assert_eq!(midranks(&[3.0, 1.0, 3.0, 2.0, 3.0]), [4.0, 1.0, 4.0, 2.0, 4.0]);
    }

    #[test]
    fn what_cannot_be_judged_is_declined() {
        let of = |values: &[f64]| worth(values, Confidence::DEFAULT);
        assert_eq!(of(&[1.0; 19]), Err(Declined::TooFew { n: 19 }));
        assert_eq!(of(&[]), Err(Declined::TooFew { n: 0 }));
        assert_eq!(of(&[1.0; 50]), Err(Declined::Constant));
        let slope: Vec<f64> = (0..50).map(f64::from).collect();
        assert!(matches!(of(&slope), Err(Declined::TooDependent { .. })));
    }

    #[test]
    fn only_the_order_matters() {
        let values: Vec<f64> = (0..100).map(|i| f64::from((i * i) % 101)).collect();
        let stretched: Vec<f64> = values.iter().map(|value| value.exp()).collect();
        let of = |values: &[f64]| worth(values, Confidence::DEFAULT);
        assert_eq!(of(&values), of(&stretched));
    }
}
