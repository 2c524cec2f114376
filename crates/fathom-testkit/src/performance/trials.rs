//! What the trials of a study have in common: effects, conditions, and an order by lot.

use crate::population::Generator;
use fathom_stats::Interval;
use rand_core::Rng;

/// By how many percent more steps the slower one takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Effect(pub(super) u32);

impl Effect {
    pub(super) const NONE: Effect = Effect(0);
    pub(super) const ONE: Effect = Effect(1);
    pub(super) const ALL: [Effect; 4] = [Effect::NONE, Effect::ONE, Effect(2), Effect(5)];

    /// As a share of 1.
    pub(super) fn share(self) -> f64 {
        0.01 * f64::from(self.0)
    }

    /// "A/A" or "+1%".
    pub(super) fn name(self) -> String {
        if self == Effect::NONE { "A/A".to_string() } else { format!("+{}%", self.0) }
    }
}

/// Whether there is a neighbour on the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    /// No.
    Quiet,
    /// One that alternates between work and sleep.
    Noisy,
}

impl Condition {
    pub(super) const BOTH: [Condition; 2] = [Condition::Quiet, Condition::Noisy];

    /// Its name in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Condition::Quiet => "quiet",
            Condition::Noisy => "noisy",
        }
    }

    /// Its name at the beginning of a sentence.
    pub(super) fn title(self) -> &'static str {
        match self {
            Condition::Quiet => "Quiet",
            Condition::Noisy => "Noisy",
        }
    }
}

/// Puts them in random order, so that what happens to the machine happens to all.
pub(super) fn shuffle<T>(items: &mut [T], rng: &mut Generator) {
    for last in (1..items.len()).rev() {
        let other = (uniform(rng) * (last + 1) as f64) as usize;
        items.swap(last, other.min(last));
    }
}

/// From 0 to below 1.
pub(super) fn uniform(rng: &mut Generator) -> f64 {
    (rng.next_u64() >> 11) as f64 * 2.0_f64.powi(-53)
}

/// Of the ratio the other way round.
pub(super) fn inverse(ratio: Interval) -> Interval {
    // A ratio is never negative; an end that is unknown may be said to be.
    Interval { lower: 1.0 / ratio.upper, upper: 1.0 / ratio.lower.max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::generator;

    #[test]
    fn the_interval_of_the_inverse_ratio() {
        let ends = |lower, upper| {
            let found = inverse(Interval { lower, upper });
            (found.lower, found.upper)
        };
        assert_eq!(ends(0.8, 1.25), (0.8, 1.25));
        assert_eq!(ends(0.5, f64::INFINITY), (0.0, 2.0));
        assert_eq!(ends(f64::NEG_INFINITY, 2.0), (0.5, f64::INFINITY));
    }

    #[test]
    fn a_shuffle_loses_nothing_and_follows_the_seed() {
        let shuffled = |seed| {
            let mut items: Vec<usize> = (0..100).collect();
            shuffle(&mut items, &mut generator(seed, 0));
            items
        };
        assert_ne!(shuffled(1), shuffled(2));
        let mut items = shuffled(1);
        assert_eq!(items, shuffled(1));
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
