//! The default interval: the narrowest pair of ranks that is sure enough.

use super::RankPair;
use crate::distribution::binomial::Binomial;
use crate::{Confidence, Probability, Sides};

/// The exact ranks for the p-quantile of n samples.
///
/// Two-sided: the narrowest finite pair l < u with P(l ≤ Bin(n, p) ≤ u − 1) ≥ C; among equally
/// narrow pairs the one with the highest coverage, then the lower one. Where n is too small for a
/// finite pair, one end is infinite, and where even that is too small, both.
///
/// ```
/// use fathom_stats::{quantile, Confidence, Probability, Sides};
/// let c = Confidence::new(0.9)?;
/// let pair = quantile::exact(22, Probability::HALF, c, Sides::Both);
/// assert_eq!((pair.lower, pair.upper), (Some(7), Some(15)));
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[must_use]
pub fn exact(n: usize, p: Probability, confidence: Confidence, sides: Sides) -> RankPair {
    match sides {
        Sides::Both => narrowest_finite(n, p, confidence)
            .unwrap_or_else(|| narrowest_half_infinite(n, p, confidence)),
        Sides::Lower => RankPair::with_coverage(n, p, lower_bound(n, p, confidence), None),
        Sides::Upper => RankPair::with_coverage(n, p, None, upper_bound(n, p, confidence)),
    }
}

/// The smallest n at which [`exact`] has all the ends that were asked for.
///
/// ```
/// use fathom_stats::{Confidence, Probability, Sides, quantile};
/// // The smallest and the largest of six values cover the median with 1 − 2/2⁶.
/// assert_eq!(quantile::samples_needed(Probability::HALF, Confidence::DEFAULT, Sides::Both), 6);
/// ```
#[must_use]
pub fn samples_needed(p: Probability, confidence: Confidence, sides: Sides) -> usize {
    let (p, q) = (p.get(), 1.0 - p.get());
    // The widest pair [x(1), x(n)] misses when all samples lie on one side.
    let covered = |n: usize| {
        let n = n as f64;
        match sides {
            Sides::Both => 1.0 - p.powf(n) - q.powf(n),
            Sides::Lower => 1.0 - q.powf(n),
            Sides::Upper => 1.0 - p.powf(n),
        }
    };
    smallest(|n| confidence.is_reached_by(covered(n)))
}

/// The smallest n ≥ 1 for which a property that stays true once true holds.
pub(crate) fn smallest(holds: impl Fn(usize) -> bool) -> usize {
    let mut high = 1;
    while !holds(high) && high < usize::MAX / 4 {
        high *= 2;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle }
    }
    high
}

/// Grows a window of successes from the mode, always taking the likelier neighbour. The binomial
/// law is unimodal, so this is the likeliest window of each width.
fn narrowest_finite(n: usize, p: Probability, confidence: Confidence) -> Option<RankPair> {
    // S = 0 and S = n always miss a finite pair.
    let (first, last) = (1, n.checked_sub(1)?);
    if first > last {
        return None;
    }
    let binomial = Binomial::new(n, p);
    let odds = p.get() / (1.0 - p.get());
    let mode = ((n + 1) as f64 * p.get()).floor() as usize;
    let (mut low, mut high) = (mode.clamp(first, last), mode.clamp(first, last));
    let at_mode = binomial.pmf(low);
    let (mut at_low, mut at_high) = (at_mode, at_mode);
    let mut covered = CompensatedSum::starting_at(at_mode);
    while !confidence.is_reached_by(covered.total()) {
        // P(S = k ± 1) from P(S = k).
        let below =
            if low > first { at_low * low as f64 / ((n - low + 1) as f64 * odds) } else { -1.0 };
        let above =
            if high < last { at_high * (n - high) as f64 * odds / (high + 1) as f64 } else { -1.0 };
        if below < 0.0 && above < 0.0 {
            return None;
        }
        // Equal up to rounding counts as equal: then the lower one.
        if below >= above * (1.0 - 1e-12) {
            low -= 1;
            at_low = below;
            covered.add(below);
        } else {
            high += 1;
            at_high = above;
            covered.add(above);
        }
    }
    Some(RankPair { lower: Some(low), upper: Some(high + 1), coverage: covered.total().min(1.0) })
}

fn narrowest_half_infinite(n: usize, p: Probability, confidence: Confidence) -> RankPair {
    let upper = upper_bound(n, p, confidence);
    let lower = lower_bound(n, p, confidence);
    let at_most = RankPair::with_coverage(n, p, None, upper);
    let at_least = RankPair::with_coverage(n, p, lower, None);
    let upper_width = upper.unwrap_or(n + 1);
    let lower_width = n + 1 - lower.unwrap_or(0);
    if upper_width < lower_width
        || (upper_width == lower_width && at_most.coverage >= at_least.coverage - 1e-12)
    {
        at_most
    } else {
        at_least
    }
}

/// The largest l with P(S ≥ l) ≥ C.
fn lower_bound(n: usize, p: Probability, confidence: Confidence) -> Option<usize> {
    let binomial = Binomial::new(n, p);
    let rank = last_true(n, |l| confidence.is_reached_by(binomial.at_least(l)));
    (rank > 0).then_some(rank)
}

/// The smallest u with P(S ≤ u − 1) ≥ C.
fn upper_bound(n: usize, p: Probability, confidence: Confidence) -> Option<usize> {
    let binomial = Binomial::new(n, p);
    // Mirror: among ranks from the top, the largest that still reaches C.
    let from_top = last_true(n, |v| confidence.is_reached_by(binomial.at_most(n - v)));
    (from_top > 0).then(|| n + 1 - from_top)
}

/// The largest k in 0..=n for which `holds`, a property that stays false once false.
/// It is taken to hold at 0.
pub(crate) fn last_true(n: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, n + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

/// Neumaier's sum: windows at n = 10⁹ add sixty thousand terms.
struct CompensatedSum {
    sum: f64,
    lost: f64,
}

impl CompensatedSum {
    fn starting_at(sum: f64) -> CompensatedSum {
        CompensatedSum { sum, lost: 0.0 }
    }

    fn add(&mut self, term: f64) {
        let next = self.sum + term;
        self.lost +=
            if self.sum >= term { (self.sum - next) + term } else { (term - next) + self.sum };
        self.sum = next;
    }

    fn total(&self) -> f64 {
        self.sum + self.lost
    }
}
