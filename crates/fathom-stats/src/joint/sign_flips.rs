//! The signs that the coins of all blocks could have given.

use crate::drawn_number;

/// Up to this many blocks, every outcome of the coins is looked at.
const ALL_UP_TO: usize = 12;

/// Outcomes of the coins: each gives every block a sign. The first is the one that happened.
#[derive(Debug, Clone)]
pub(super) struct SignFlips {
    blocks: usize,
    seed: u64,
    /// Whether these are all outcomes, up to a change of all signs at once.
    pub(super) are_all: bool,
    pub(super) count: usize,
}

impl SignFlips {
    /// All outcomes of few blocks, or as many as asked for, most of them drawn.
    pub(super) fn of(blocks: usize, seed: u64, outcomes: usize) -> SignFlips {
        let are_all = blocks <= ALL_UP_TO;
        // Statistics are absolute, so an outcome and its opposite count once.
        let count = if are_all { 1 << blocks.saturating_sub(1) } else { outcomes.max(1) };
        SignFlips { blocks, seed, are_all, count }
    }

    /// The signs of all blocks in one outcome.
    pub(super) fn write(&self, outcome: usize, signs: &mut Vec<f64>) {
        signs.clear();
        let word = |place: usize| match (outcome, self.are_all) {
            (0, _) => 0,
            (_, true) => outcome as u64,
            // Words of one outcome are neighbours in the sequence.
            (_, false) => drawn_number(self.seed, (outcome * self.words() + place) as u64),
        };
        for place in 0..self.words() {
            let word = word(place);
            let coins = (self.blocks - 64 * place).min(64);
            signs.extend((0..coins).map(|coin| if word >> coin & 1 == 1 { -1.0 } else { 1.0 }));
        }
    }

    fn words(&self) -> usize {
        self.blocks.div_ceil(64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn signs_of(flips: &SignFlips, outcome: usize) -> Vec<f64> {
        let mut signs = Vec::new();
        flips.write(outcome, &mut signs);
        signs
    }

    #[test]
    fn few_blocks_have_every_outcome_or_its_opposite_once() {
        let flips = SignFlips::of(5, 1, 10_000);
        assert!(flips.are_all);
        let mut seen = BTreeSet::new();
        for outcome in 0..flips.count {
            let signs = signs_of(&flips, outcome);
            let opposite: Vec<i8> = signs.iter().map(|sign| -*sign as i8).collect();
            assert!(!seen.contains(&opposite));
            assert!(seen.insert(signs.iter().map(|sign| *sign as i8).collect::<Vec<i8>>()));
        }
        assert_eq!(seen.len(), 16);
    }

    #[test]
    fn the_first_outcome_is_what_happened() {
        for blocks in [1, 12, 13, 64, 65, 200] {
            assert_eq!(signs_of(&SignFlips::of(blocks, 3, 10_000), 0), vec![1.0; blocks]);
        }
    }

    #[test]
    fn drawn_coins_are_fair_and_do_not_repeat() {
        let flips = SignFlips::of(130, 7, 10_000);
        assert!(!flips.are_all);
        let all: Vec<Vec<f64>> =
            (1..flips.count).map(|outcome| signs_of(&flips, outcome)).collect();
        for block in 0..130 {
            let mean = all.iter().map(|signs| signs[block]).sum::<f64>() / all.len() as f64;
            // Five standard errors.
            assert!(mean.abs() < 0.05, "block {block}: {mean}");
        }
        for (one, other) in [(0, 1), (63, 64), (0, 129), (64, 128)] {
            let product = all.iter().map(|signs| signs[one] * signs[other]).sum::<f64>();
            assert!(product.abs() / (all.len() as f64) < 0.05);
        }
    }
}
