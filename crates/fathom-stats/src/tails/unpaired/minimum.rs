//! The ratio of two minima of separate results with the same shape of noise.

use super::Sides;
use crate::LogRatioInterval;
use crate::tails::p_value::p_value;
use crate::tails::{Shortage, TailRatio};

/// The probability that the lowest `k` of all runs are those of one side, if all orders are equally
/// likely.
fn all_of(k: usize, own: f64, other: f64) -> f64 {
    (0..k).map(|i| ((own - i as f64) / (own + other - i as f64)).max(0.0)).product()
}

/// The smallest k that is rarer than `tail`, of a side with `own` runs.
fn lead_needed(own: f64, other: f64, tail: f64) -> Option<usize> {
    (1..=own as usize).find(|&k| all_of(k, own, other) <= tail)
}

pub(super) fn look_at(sides: Sides<'_>) -> TailRatio {
    let n = sides.least();
    let sorted = |values: &[f64]| {
        let mut logs: Vec<f64> = values.iter().map(|run| run.ln()).collect();
        logs.sort_unstable_by(f64::total_cmp);
        logs
    };
    let (subject, reference) = (sorted(sides.subject.values()), sorted(sides.reference.values()));
    let estimate = subject[0] - reference[0];
    // Dependent runs come in groups, and a group is worth one.
    let stretch = |k: usize, thinness: f64| ((k as f64 * thinness).ceil() as usize).max(1);
    let interval = |alpha: f64| {
        let end = |low: &[f64], high: &[f64], own: f64, other: f64| {
            // Beyond this distance the lowest k are all of the side that is moved down.
            let k = lead_needed(own, other, 0.5 * alpha)?;
            let place = stretch(k, low.len() as f64 / own);
            Some(low.get(place - 1)? - high[0])
        };
        let sizes = [sides.subject.effective(), sides.reference.effective()];
        let upper = end(&subject, &reference, sizes[0], sizes[1]);
        let lower = end(&reference, &subject, sizes[1], sizes[0]).map(|end| -end);
        LogRatioInterval {
            lower: lower.unwrap_or(f64::NEG_INFINITY) - sides.tick,
            upper: upper.unwrap_or(f64::INFINITY) + sides.tick,
        }
    };
    let found = interval(sides.alpha);
    let needed = (crate::paired::fewest_blocks(sides.alpha) as f64 * sides.thinness()).ceil();
    TailRatio {
        log_ratio: estimate,
        interval: found,
        shortage: (!found.is_finite())
            .then(|| Shortage::Blocks { needed: (needed as usize).max(n + 1) }),
        used: n,
        thinness: sides.thinness(),
        shape: 1.0,
        p_value: p_value(|alpha| !interval(alpha).contains(0.0)),
        may_decide: true,
    }
}
