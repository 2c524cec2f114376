//! Whether a run depends on what ran before it.
//!
//! In the middle of a block the same command runs twice: first after another one, then after
//! itself. By how much the first took longer is noise of two slots, plus the command's carry-over
//! if it has any. A coin decides which command is in the middle, so comparing blocks with the one
//! in the middle and blocks with the other tests whether their carry-over differs, exactly,
//! whatever the slots do. In the same way another coin decides whether the run before a block was
//! of the command that the block begins with; that tells what carry-over both have.

use super::rank_sum::GroupShift;
use super::{SlotSide, SlottedBlock};

/// How much longer runs take after another command than after their own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CarryOver {
    /// The subject's carry-over less the reference's, as a log-ratio.
    pub difference: f64,
    /// What both have on average; `None` where more than two commands take turns, or the blocks are
    /// too few.
    pub common: Option<f64>,
    /// By how much the log-ratio of the comparison is larger because of the difference.
    pub bias: f64,
    /// For no carry-over at all.
    pub p_value: f64,
    /// Whether the smaller part of it is due to the difference, which biases the ratio. What both
    /// have does not.
    pub is_unequal: bool,
}

impl CarryOver {
    /// The carry-over of reference and subject, where both can be told.
    ///
    /// ```
    /// use fathom_stats::paired::CarryOver;
    /// let (difference, common) = (0.04, Some(0.02));
    /// let (bias, p_value, is_unequal) = (0.025, 0.001, true);
    /// let found = CarryOver { difference, common, bias, p_value, is_unequal };
    /// assert_eq!(found.of_each(), Some([0.0, 0.04]));
    /// ```
    #[must_use]
    pub fn of_each(&self) -> Option<[f64; 2]> {
        let common = self.common?;
        Some([common - 0.5 * self.difference, common + 0.5 * self.difference])
    }

    pub(super) fn of(blocks: &[SlottedBlock]) -> Option<CarryOver> {
        let in_middle = |side: SlotSide| -> Vec<f64> {
            let blocks = blocks.iter().filter(|block| block.middle() == Some(side));
            blocks.map(|block| block.decrease(side)).collect()
        };
        let between =
            GroupShift::of(&in_middle(SlotSide::Reference), &in_middle(SlotSide::Subject))?;
        let outside = |wanted: bool, of_subject: f64| -> Vec<f64> {
            let outer = blocks.iter().filter_map(|block| Some((block, block.outer()?)));
            outer
                .filter(|(_, (_, follows_itself))| *follows_itself == wanted)
                .map(|(block, (side, _))| match side {
                    SlotSide::Subject => block.decrease(side) + of_subject,
                    SlotSide::Reference => block.decrease(side) - of_subject,
                })
                .collect()
        };
        // The last run of the block follows the other command; the first may follow its own.
        let after_other = outside(false, 0.0);
        let of_both = GroupShift::of(&outside(true, 0.0), &after_other);
        // By how much the two differ is known already; without it the group is not of two kinds.
        let common = GroupShift::of(&outside(true, 0.5 * between.shift), &after_other);
        let unequal = between.p_value;
        let (p_value, is_unequal) = match of_both {
            Some(of_both) => {
                ((2.0 * unequal.min(of_both.p_value)).min(1.0), unequal <= of_both.p_value)
            }
            None => (unequal, true),
        };
        Some(CarryOver {
            difference: between.shift,
            common: common.map(|common| common.shift),
            bias: between.shift * share_after_another(blocks),
            p_value,
            is_unequal,
        })
    }
}

/// The share of runs that follow another command than their own. Of k commands in mirrored order
/// one is in the middle, and one begins a block, after itself in one of k.
fn share_after_another(blocks: &[SlottedBlock]) -> f64 {
    let share = |block: &SlottedBlock| {
        let k = block.participants().max(1) as f64;
        1.0 - (k + 1.0) / (2.0 * k * k)
    };
    blocks.iter().map(share).sum::<f64>() / blocks.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::super::scrambled;
    use super::*;
    use crate::paired::block_order;

    /// Blocks in which runs of each command take this much longer after the other.
    fn blocks(carried: [f64; 2], count: usize) -> Vec<SlottedBlock> {
        let mut before = None;
        (0..count)
            .map(|block| {
                let last = before;
                let order = block_order(3, block, &[0, 1]);
                let runs: Vec<(usize, f64)> = order
                    .into_iter()
                    .enumerate()
                    .map(|(slot, who)| {
                        let after_another = before.is_some_and(|before| before != who);
                        before = Some(who);
                        let carried = if after_another { carried[who] } else { 0.0 };
                        let noise = 0.004 * scrambled(block * 4 + slot);
                        (who, (carried + noise + 0.001 * block as f64).exp())
                    })
                    .collect();
                SlottedBlock::of(&runs, [0, 1], last).unwrap()
            })
            .collect()
    }

    #[test]
    fn what_each_carries_is_found() {
        for carried in [[0.0, 0.05], [0.03, 0.0], [0.04, 0.04], [-0.02, 0.03]] {
            let found = CarryOver::of(&blocks(carried, 120)).unwrap();
            let each = found.of_each().unwrap();
            for (found, planted) in each.iter().zip(carried) {
                assert!((found - planted).abs() < 0.003, "{carried:?} {each:?}");
            }
            assert!(found.p_value < 1e-6, "{found:?}");
            assert!((found.bias - 0.625 * (carried[1] - carried[0])).abs() < 0.002, "{found:?}");
        }
        assert!(!CarryOver::of(&blocks([0.04, 0.04], 120)).unwrap().is_unequal);
        assert!(CarryOver::of(&blocks([0.0, 0.04], 120)).unwrap().is_unequal);
    }

    /// The bias is what the estimate of the comparison is off by.
    #[test]
    fn the_bias_is_that_of_the_log_ratio() {
        let blocks = blocks([0.0, 0.08], 4000);
        let mean = blocks.iter().map(|block| block.block().log_ratio).sum::<f64>() / 4000.0;
        let found = CarryOver::of(&blocks).unwrap();
        assert!((found.bias - mean).abs() < 0.002, "{found:?} {mean}");
    }

    #[test]
    fn nothing_carried_is_nothing_found_and_few_tell_nothing() {
        let found = CarryOver::of(&blocks([0.0, 0.0], 120)).unwrap();
        assert!(found.p_value > 0.05 && found.difference.abs() < 0.002, "{found:?}");
        assert_eq!(CarryOver::of(&blocks([0.0, 0.5], 10)), None);
    }
}
