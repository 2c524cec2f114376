//! How much single runs differ, and how much the machine drifts: two numbers that a plain standard
//! deviation mixes up.
//!
//! The two runs of one command in the middle of a block follow each other directly, so they differ
//! by the luck of single runs and hardly by drift. The totals of blocks differ by drift and by a
//! quarter of that luck. (The model also takes the luck to be of the same size all the time, which
//! the verdict does not need, but whose change is worth knowing.)

use super::{SlotSide, SlottedBlock, robust_sd, two_sided};
use crate::dependence::Thinness;
use crate::ranks::{correlation_of_ranks, midranks_of};

/// With fewer differences of neighbours there is no telling.
const FEWEST: usize = 10;

/// The sizes of noise, as standard deviations of logarithms: .02 is 2%.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunNoise {
    /// Of single runs.
    pub of_runs: f64,
    /// Of single runs of the reference and of the subject; `None` where one has too few.
    pub of_each: Option<[f64; 2]>,
    /// Of the machine's speed from block to block, without what single runs add to it.
    pub of_machine: f64,
    /// Of single runs in the first half of the blocks, and in the second.
    pub halves: [f64; 2],
    /// For single runs that differ as much at the end as at the beginning.
    pub p_value: f64,
}

impl RunNoise {
    pub(super) fn of(blocks: &[SlottedBlock]) -> Option<RunNoise> {
        let steps: Vec<(SlotSide, f64)> = blocks
            .iter()
            .filter_map(|block| Some((block.middle()?, block.decrease(block.middle()?))))
            .collect();
        if steps.len() < FEWEST {
            return None;
        }
        let sd_of = |steps: &mut dyn Iterator<Item = &(SlotSide, f64)>| {
            robust_sd(steps.map(|(_, step)| *step), 0.0).map(|sd| sd / 2.0_f64.sqrt())
        };
        let of_runs = sd_of(&mut steps.iter())?;
        let of_side = |wanted: SlotSide| {
            let of_it = || steps.iter().filter(move |(side, _)| *side == wanted);
            sd_of(&mut of_it()).filter(|_| of_it().count() >= FEWEST / 2)
        };
        let (first, second) = steps.split_at(steps.len() / 2);
        Some(RunNoise {
            of_runs,
            of_each: of_side(SlotSide::Reference)
                .zip(of_side(SlotSide::Subject))
                .map(|(reference, subject)| [reference, subject]),
            of_machine: of_machine(blocks, of_runs)?,
            halves: [sd_of(&mut first.iter())?, sd_of(&mut second.iter())?],
            p_value: p_of_change(&steps),
        })
    }
}

/// The spread of the blocks' totals beyond that of the four runs in them.
fn of_machine(blocks: &[SlottedBlock], of_runs: f64) -> Option<f64> {
    let mut totals: Vec<f64> = blocks.iter().map(|one| 0.25 * one.block().log_total).collect();
    let centre = super::median(&mut totals)?;
    let sd = robust_sd(totals.into_iter(), centre)?;
    Some((sd * sd - 0.25 * of_runs * of_runs).max(0.0).sqrt())
}

/// Whether the sizes of the steps grow or shrink with time, beyond what stretches of more and of
/// less noise do by chance.
fn p_of_change(steps: &[(SlotSide, f64)]) -> f64 {
    let sizes: Vec<f64> = steps.iter().map(|(_, step)| step.abs()).collect();
    let ranks = midranks_of(&sizes);
    let times: Vec<f64> = (1..=ranks.len()).map(|place| place as f64).collect();
    let Some((rho, errors)) = correlation_of_ranks(&ranks, &times) else { return 1.0 };
    // What is left beside a straight line tells how alike neighbours are without the change.
    let middle = 0.5 * (ranks.len() as f64 + 1.0);
    let left: Vec<f64> =
        ranks.iter().zip(&times).map(|(rank, time)| rank - rho * (time - middle)).collect();
    let tau = Thinness::of(&left).map_or(1.0, |thinness| thinness.tau);
    two_sided(errors / tau.sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::scrambled;
    use super::*;
    use crate::distribution::normal;
    use crate::paired::block_order;

    fn normal(i: usize) -> f64 {
        normal::quantile(scrambled(i))
    }

    fn blocks(count: usize, sd: impl Fn(usize) -> f64, drift: f64) -> Vec<SlottedBlock> {
        (0..count)
            .map(|block| {
                let slow = drift * normal(5 * block + 4);
                let order = block_order(5, block, &[0, 1]).into_iter().enumerate();
                let runs: Vec<(usize, f64)> = order
                    .map(|(slot, who)| (who, (slow + sd(block) * normal(5 * block + slot)).exp()))
                    .collect();
                SlottedBlock::of(&runs, [0, 1], None).unwrap()
            })
            .collect()
    }

    #[test]
    fn luck_and_drift_are_told_apart() {
        let found = RunNoise::of(&blocks(1500, |_| 0.02, 0.06)).unwrap();
        assert!((found.of_runs - 0.02).abs() < 0.002, "{found:?}");
        assert!((found.of_machine - 0.06).abs() < 0.005, "{found:?}");
        assert!(found.p_value > 0.05, "{found:?}");
        let quiet = RunNoise::of(&blocks(1500, |_| 0.02, 0.0)).unwrap();
        assert!(quiet.of_machine < 0.006, "{quiet:?}");
    }

    #[test]
    fn growing_noise_is_noticed() {
        let found = RunNoise::of(&blocks(60, |block| 0.01 + 0.0015 * block as f64, 0.0)).unwrap();
        assert!(found.p_value < 0.01 && found.halves[1] > 1.5 * found.halves[0], "{found:?}");
    }

    #[test]
    fn few_and_equal_runs_tell_little() {
        assert_eq!(RunNoise::of(&blocks(9, |_| 0.02, 0.0)), None);
        let found = RunNoise::of(&blocks(30, |_| 0.0, 0.0)).unwrap();
        assert_eq!((found.of_runs, found.of_machine, found.p_value), (0.0, 0.0, 1.0));
    }
}
