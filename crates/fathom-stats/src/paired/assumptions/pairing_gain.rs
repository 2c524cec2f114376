//! What running side by side gains.
//!
//! What slows both commands of a block cancels in its ratio. Had both run at different times, it
//! would not: the interval would be wider by the root of var(a) + var(b) over var(b − a), where a
//! and b are the blocks' logarithms of either command.

use super::{SlottedBlock, median, robust_sd};
use crate::distribution::normal;
use crate::ranks::{correlation_of_ranks, midranks_of};

/// With fewer blocks there is no telling.
const FEWEST: usize = 10;

/// What pairing gains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairingGain {
    /// By what factor the interval is narrower than that of separate runs. Below 1 pairing costs:
    /// where one command is slow in a block, the other is quick.
    pub factor: f64,
    /// For pairing that does not cost.
    pub p_value: f64,
}

impl PairingGain {
    pub(super) fn of(blocks: &[SlottedBlock]) -> Option<PairingGain> {
        if blocks.len() < FEWEST {
            return None;
        }
        let sides = blocks.iter().map(|block| block.sums().map(|sum| 0.5 * sum));
        let (reference, subject): (Vec<f64>, Vec<f64>) = sides.map(|[a, b]| (a, b)).unzip();
        let spread = |of: &dyn Fn(f64, f64) -> f64| {
            let values = || reference.iter().zip(&subject).map(|(a, b)| of(*a, *b));
            robust_sd(values(), median(&mut values().collect::<Vec<f64>>())?)
        };
        // var(a) + var(b) is half of var(a + b) + var(b − a).
        let (sum, difference) = (spread(&|a, b| a + b)?, spread(&|a, b| b - a)?);
        let factor = (0.5 * ((sum / difference).powi(2) + 1.0)).sqrt();
        let ranks = correlation_of_ranks(&midranks_of(&reference), &midranks_of(&subject));
        let p_value = ranks.map_or(1.0, |(_, errors)| normal::cdf(errors));
        factor.is_finite().then_some(PairingGain { factor, p_value })
    }
}

#[cfg(test)]
mod tests {
    use super::super::scrambled;
    use super::*;

    fn noise(i: usize) -> f64 {
        0.02 * normal::quantile(scrambled(i))
    }

    /// Blocks in which the machine adds `together` to both, and `apart` to one what the other lacks.
    fn blocks(together: f64, apart: f64) -> Vec<SlottedBlock> {
        (0..2000)
            .map(|i| {
                let (both, one) = (together * noise(6 * i), apart * noise(6 * i + 5));
                let time = |side: f64, slot: usize| (both + side * one + noise(6 * i + slot)).exp();
                let runs =
                    [(0, time(1.0, 1)), (1, time(-1.0, 2)), (1, time(-1.0, 3)), (0, time(1.0, 4))];
                SlottedBlock::of(&runs, [0, 1], None).unwrap()
            })
            .collect()
    }

    #[test]
    fn drift_is_gained_and_what_is_taken_from_the_other_is_lost() {
        let gain = |together, apart| PairingGain::of(&blocks(together, apart)).unwrap();
        // Of the totals the variance is 4·together² + 1, of the differences 1, in those of a run.
        let drifting = gain(3.0, 0.0);
        let expected = (0.5_f64 * (4.0 * 9.0 + 2.0)).sqrt();
        assert!((drifting.factor / expected - 1.0).abs() < 0.1, "{drifting:?} {expected}");
        assert!(drifting.p_value > 0.99);
        assert!((gain(0.0, 0.0).factor - 1.0).abs() < 0.05);
        let costly = gain(0.0, 2.0);
        assert!(costly.factor < 0.8 && costly.p_value < 1e-6, "{costly:?}");
    }

    #[test]
    fn few_and_equal_blocks_tell_nothing() {
        let runs = [(0, 1.0), (1, 2.0), (1, 2.0), (0, 1.0)];
        let same = vec![SlottedBlock::of(&runs, [0, 1], None).unwrap(); 30];
        assert_eq!(PairingGain::of(&same), None);
        assert_eq!(PairingGain::of(&blocks(1.0, 0.0)[..9]), None);
    }
}
