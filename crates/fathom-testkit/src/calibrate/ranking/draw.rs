//! Draws that all worlds need.

use crate::population::Generator;
use rand_distr::{Distribution, Open01, StandardNormal};

/// Between 0 and 1.
pub(super) fn uniform(rng: &mut Generator) -> f64 {
    Open01.sample(rng)
}

/// Standard normal.
pub(super) fn normal(rng: &mut Generator) -> f64 {
    StandardNormal.sample(rng)
}

/// Between two numbers.
pub(super) fn between(low: f64, high: f64, rng: &mut Generator) -> f64 {
    low + (high - low) * uniform(rng)
}

/// Between two positive numbers, small ones as often as large ones.
pub(super) fn log_between(low: f64, high: f64, rng: &mut Generator) -> f64 {
    between(low.ln(), high.ln(), rng).exp()
}

/// Below `count`.
pub(super) fn below(count: usize, rng: &mut Generator) -> usize {
    ((uniform(rng) * count as f64) as usize).min(count.saturating_sub(1))
}

/// From `low` to `high`, both included.
pub(super) fn count(low: usize, high: usize, rng: &mut Generator) -> usize {
    low + below(high - low + 1, rng)
}

/// With this probability.
pub(super) fn chance(probability: f64, rng: &mut Generator) -> bool {
    uniform(rng) < probability
}

/// One of several.
pub(super) fn one_of<T: Copy>(choices: &[T], rng: &mut Generator) -> T {
    choices[below(choices.len(), rng)]
}

/// How often something rare happened, if it happens `rate` times on average.
pub(super) fn poisson(rate: f64, rng: &mut Generator) -> f64 {
    if rate > 50.0 {
        return (rate + rate.sqrt() * normal(rng)).round().max(0.0);
    }
    let (limit, mut product, mut count) = ((-rate).exp(), uniform(rng), 0.0);
    while product > limit {
        product *= uniform(rng);
        count += 1.0;
    }
    count
}

/// Puts into an order that chance chose.
pub(super) fn shuffle<T>(items: &mut [T], rng: &mut Generator) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last + 1, rng));
    }
}
