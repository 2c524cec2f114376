//! Whether one law can explain the times.

use super::{GrowthLaw, LARGEST_FALL, LARGEST_RISE};
use crate::Interval;

/// A size with the limits of its time, all sizes together at the confidence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounded {
    pub(super) size: f64,
    pub(super) time: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

/// One law against the times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowthCandidate {
    /// The law.
    pub law: GrowthLaw,
    /// Whether the times do not reject it.
    pub is_possible: bool,
    /// The fixed part of the time in the fit.
    pub fixed: f64,
    /// The part of lower order at the largest size in the fit: of n for n², of n² for n³, 0 for other
    /// laws.
    pub lower_order: f64,
    /// The growing part of the time at the largest size in the fit. At the size n it is
    /// [`GrowthLaw::share`] of that.
    pub growing: f64,
    /// The largest factor by which the cost per unit rises between two sizes, as the fit has it.
    pub rise: f64,
    /// The largest factor by which it falls.
    pub fall: f64,
}

/// What a law takes at every size but for the fixed cost, in units of the growing part at the largest
/// size.
struct Shape {
    shares: Vec<f64>,
    /// The part of lower order at the largest size.
    lower_order: f64,
    /// The fixed costs that are allowed.
    fixed: Interval,
}

impl GrowthCandidate {
    /// Fits a law to times in the order of their sizes.
    pub(super) fn of(law: GrowthLaw, times: &[Bounded]) -> GrowthCandidate {
        // The possible ones come first, and of these the one that scatters least.
        let best = shapes(law, times)
            .into_iter()
            .map(|shape| {
                let possible = possible_fixed(times, &shape);
                let range = possible.unwrap_or(shape.fixed);
                let (fixed, scatter) = best_fixed(times, &shape.shares, range);
                (possible.is_none(), scatter, fixed, shape)
            })
            .min_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let (is_rejected, _, fixed, shape) = best.unwrap_or((
            true,
            0.0,
            0.0,
            Shape { shares: Vec::new(), lower_order: 0.0, fixed: ZERO },
        ));
        let costs: Vec<f64> = times
            .iter()
            .zip(&shape.shares)
            .map(|(one, share)| one.time / (fixed + share))
            .collect();
        let logs: f64 = costs.iter().map(|cost| libm::log(*cost)).sum();
        let level = libm::exp(logs / costs.len().max(1) as f64);
        let (mut rise, mut fall) = (1.0_f64, 1.0_f64);
        for (at, before) in costs.iter().enumerate() {
            for after in &costs[at + 1..] {
                rise = rise.max(after / before);
                fall = fall.max(before / after);
            }
        }
        GrowthCandidate {
            law,
            is_possible: !is_rejected,
            fixed: level * fixed,
            lower_order: level * shape.lower_order,
            growing: level,
            rise,
            fall,
        }
    }

    /// The time at a size, as fitted.
    #[must_use]
    pub fn at(&self, size: f64, largest: f64) -> f64 {
        let lower = self.law.lower_order().map_or(0.0, |lower| lower.share(size, largest));
        self.fixed + self.lower_order * lower + self.growing * self.law.share(size, largest)
    }
}

const ZERO: Interval = Interval { lower: 0.0, upper: 0.0 };

pub(super) fn is_possible(law: GrowthLaw, times: &[Bounded]) -> bool {
    shapes(law, times).iter().any(|shape| possible_fixed(times, shape).is_some())
}

/// The shapes of a law: one for each part of lower order that is tried.
fn shapes(law: GrowthLaw, times: &[Bounded]) -> Vec<Shape> {
    /// Parts of lower order from a thousandth of the largest that is allowed to all of it.
    const PARTS: i32 = 12;
    const SMALLEST: f64 = 1e-3;
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Vec::new() };
    let of = |law: GrowthLaw| -> Vec<f64> {
        times.iter().map(|one| law.share(one.size, last.size)).collect()
    };
    let shares = of(law);
    if law == GrowthLaw::Constant {
        return vec![Shape { shares, lower_order: 0.0, fixed: ZERO }];
    }
    let middle = libm::sqrt(first.size * last.size);
    // What does not grow like the law is at most this much at the middle size.
    let most = law.share(middle, last.size);
    let Some(lower) = law.lower_order() else {
        return vec![Shape {
            shares,
            lower_order: 0.0,
            fixed: Interval { lower: 0.0, upper: most },
        }];
    };
    let lower_shares = of(lower);
    let lower_middle = lower.share(middle, last.size);
    let parts =
        (1..=PARTS).map(|part| libm::pow(SMALLEST, 1.0 - f64::from(part) / f64::from(PARTS)));
    std::iter::once(0.0)
        .chain(parts)
        .map(|part| {
            let lower_order = part * most / lower_middle;
            let with_lower = |(share, lower): (&f64, &f64)| share + lower_order * lower;
            Shape {
                shares: shares.iter().zip(&lower_shares).map(with_lower).collect(),
                lower_order,
                fixed: Interval { lower: 0.0, upper: (1.0 - part) * most },
            }
        })
        .collect()
}

/// The fixed costs, in units of the growing part at the largest size, with which the cost per unit
/// rises and falls by no more than is allowed between any two sizes; `None` if there is none. Each
/// pair of sizes gives two linear inequalities.
fn possible_fixed(times: &[Bounded], shape: &Shape) -> Option<Interval> {
    // Rounding must not reject times that follow a law exactly.
    const ROUNDING: f64 = 1e-12;
    let (mut range, shares) = (shape.fixed, &shape.shares);
    for (i, small) in times.iter().enumerate() {
        for (large, share) in times.iter().zip(shares).skip(i + 1) {
            let before = shares[i];
            // large.lower / (fixed + share) ≤ LARGEST_RISE · small.upper / (fixed + before)
            let most = LARGEST_RISE * small.upper;
            // large.upper / (fixed + share) ≥ small.lower / (fixed + before) / LARGEST_FALL
            let least = LARGEST_FALL * large.upper;
            let inequalities = [
                (most - large.lower, large.lower * before - most * share),
                (least - small.lower, small.lower * share - least * before),
            ];
            for (factor, bound) in inequalities {
                if factor > 0.0 {
                    range.lower = range.lower.max(bound / factor);
                } else if factor < 0.0 {
                    range.upper = range.upper.min(bound / factor);
                } else if bound > 0.0 {
                    return None;
                }
            }
        }
    }
    let is_empty = range.lower > range.upper * (1.0 + ROUNDING);
    (!is_empty).then(|| Interval { lower: range.lower.min(range.upper), upper: range.upper })
}

/// The fixed cost whose costs per unit scatter least in the logarithm, and the sum of their squares.
fn best_fixed(times: &[Bounded], shares: &[f64], range: Interval) -> (f64, f64) {
    const GRID: u32 = 40;
    const STEPS: u32 = 40;
    let scatter = |fixed: f64| -> f64 {
        let logs: Vec<f64> = times
            .iter()
            .zip(shares)
            .map(|(one, share)| libm::log(one.time / (fixed + share)))
            .collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let sum: f64 = logs.iter().map(|log| (log - mean) * (log - mean)).sum();
        // Without a fixed cost, a share of 0 has no finite cost.
        if sum.is_finite() { sum } else { f64::INFINITY }
    };
    if range.upper <= range.lower {
        return (range.lower, scatter(range.lower));
    }
    // Fixed costs matter as shares of the smallest time, which may be a millionth of the largest.
    let positive = shares.iter().copied().filter(|share| *share > 0.0).fold(1.0, f64::min);
    let start = range.lower.max((1e-3 * positive).min(0.5 * range.upper));
    let (from, to) = (libm::log(start), libm::log(range.upper));
    let at = |step: f64| libm::exp(from + (to - from) * step / f64::from(GRID));
    let best = (0..=GRID)
        .map(|step| (scatter(at(f64::from(step))), f64::from(step)))
        .min_by(|one, other| one.0.total_cmp(&other.0))
        .map_or(0.0, |(_, step)| step);
    let (mut low, mut high) = ((best - 1.0).max(0.0), (best + 1.0).min(f64::from(GRID)));
    for _ in 0..STEPS {
        let [one, other] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if scatter(at(one)) <= scatter(at(other)) {
            high = other;
        } else {
            low = one;
        }
    }
    let found = at(0.5 * (low + high)).clamp(range.lower, range.upper);
    let [at_found, at_lower] = [found, range.lower].map(scatter);
    if at_lower <= at_found { (range.lower, at_lower) } else { (found, at_found) }
}
