//! Which run of a comparison ran in which slot of its block, and what ran before it.

use crate::measuring::shell::is_empty_shell;
use fathom_record::{Metric, Phase, Run};
use fathom_stats::paired::SlottedBlock;
use std::collections::BTreeMap;

/// What ran in every slot, block by block.
#[derive(Debug)]
pub(super) struct Slots {
    blocks: BTreeMap<usize, Vec<(usize, f64)>>,
}

/// The number that the empty shell has among commands.
const EMPTY_SHELL: usize = usize::MAX;

impl Slots {
    pub(super) fn of(runs: &[Run], metric: &Metric) -> Slots {
        let mut blocks: BTreeMap<usize, Vec<(usize, usize, f64)>> = BTreeMap::new();
        for run in runs.iter().filter(|run| run.phase != Phase::Warmup) {
            let Some((place, value)) = run.place.zip(metric.of(run)) else { continue };
            let who = if is_empty_shell(run) { EMPTY_SHELL } else { run.subject };
            blocks.entry(place.block).or_default().push((place.slot, who, value));
        }
        let in_order = |mut slots: Vec<(usize, usize, f64)>| {
            slots.sort_by_key(|(slot, ..)| *slot);
            slots.into_iter().map(|(_, who, value)| (who, value)).collect()
        };
        Slots {
            blocks: blocks.into_iter().map(|(block, slots)| (block, in_order(slots))).collect(),
        }
    }

    /// The blocks with these numbers, for reference and subject, and the numbers of those that are
    /// whole. A last block of a single pair is not.
    pub(super) fn slotted(
        &self,
        numbers: &[usize],
        sides: [usize; 2],
    ) -> (Vec<SlottedBlock>, Vec<usize>) {
        let of = |number: usize| {
            let runs = self.blocks.get(&number)?;
            // A block that was cut off ended before a pause.
            let last = number.checked_sub(1).and_then(|last| self.blocks.get(&last));
            let before = last.filter(|last| last.len() == runs.len()).and_then(|last| last.last());
            SlottedBlock::of(runs, sides, before.map(|(who, _)| *who))
        };
        let whole = numbers.iter().filter_map(|&number| Some((of(number)?, number)));
        whole.unzip()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measuring::scripted::took;
    use fathom_record::{BlockSlot, Timestamp};
    use fathom_stats::paired::SlotSide;

    fn runs(block: usize, subjects: &[usize]) -> Vec<Run> {
        let run = |(slot, subject): (usize, &usize)| Run {
            subject: *subject,
            phase: Phase::Measured,
            place: Some(BlockSlot { block, slot }),
            began: Timestamp::ZERO,
            ending: took(1.0).ending,
            usage: took(1.0 + *subject as f64).usage,
            readings: Vec::new(),
        };
        subjects.iter().enumerate().map(run).collect()
    }

    #[test]
    fn slots_are_in_their_order_and_half_a_block_is_none() {
        let mut all = runs(0, &[1, 0, 0, 1]);
        all.reverse();
        all.extend(runs(1, &[0, 1]));
        let (blocks, numbers) = Slots::of(&all, &Metric::WallTime).slotted(&[0, 1], [0, 1]);
        assert_eq!((blocks.len(), numbers), (1, vec![0]));
        assert_eq!(blocks[0].middle(), Some(SlotSide::Reference));
        assert!((blocks[0].block().log_ratio - 2.0_f64.ln()).abs() < 1e-12);
    }

    /// What ran before a block is known unless the block before was cut off.
    #[test]
    fn a_pause_separates_blocks() {
        let of = |first: &[usize]| {
            let all = [runs(4, first), runs(5, &[1, 0, 0, 1])].concat();
            Slots::of(&all, &Metric::WallTime).slotted(&[5], [0, 1]).0[0]
        };
        let alone = Slots::of(&runs(5, &[1, 0, 0, 1]), &Metric::WallTime).slotted(&[5], [0, 1]).0;
        assert_eq!(of(&[0, 1, 1]), alone[0]);
        assert_ne!(of(&[0, 1, 1, 0]), alone[0]);
    }
}
