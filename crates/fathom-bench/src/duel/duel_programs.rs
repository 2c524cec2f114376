//! Where a round takes place: two fresh processes on one processor.

use super::memory_offsets::MemoryOffsets;
use super::opponent::Opponent;
use super::{DuelError, DuelOptions, Program};
use fathom_stats::paired::block_order;
use std::path::PathBuf;

/// Both programs, and the processors there are.
pub(super) struct DuelPrograms<'a> {
    programs: [&'a Program; 2],
    processors: Vec<usize>,
    options: &'a DuelOptions,
}

impl<'a> DuelPrograms<'a> {
    pub(super) fn new(
        old: &'a Program,
        new: &'a Program,
        options: &'a DuelOptions,
    ) -> DuelPrograms<'a> {
        // Where they cannot be asked for, the system chooses.
        let processors = fathom_sys::affinity::allowed().unwrap_or_default();
        DuelPrograms { programs: [old, new], processors, options }
    }

    /// The executables as they were built.
    pub(super) fn as_built(&self) -> [PathBuf; 2] {
        self.programs.map(|program| program.executable.clone())
    }

    /// Starts both for a round, in an order that a coin decides, and puts them on the same
    /// processor: on two of them the one on the busier processor would seem slower, and chance does
    /// not decide which that is. The next round is on the next processor.
    pub(super) fn open(
        &self,
        executables: &[PathBuf; 2],
        round: usize,
    ) -> Result<[Opponent; 2], DuelError> {
        let is_old_first = block_order(!self.options.seed, round, &[0, 1])[0] == 0;
        let start = |side: usize| {
            let offsets = MemoryOffsets::draw(self.options.seed, round, side);
            let word = self.options.selection.word_for_workers();
            Opponent::start(self.programs[side], &executables[side], offsets, word)
        };
        let mut opponents = if is_old_first {
            let old = start(0)?;
            [old, start(1)?]
        } else {
            let new = start(1)?;
            [start(0)?, new]
        };
        if !self.processors.is_empty() {
            let processor = self.processors[round % self.processors.len()];
            // Where it is not allowed they stay where they are, both alike.
            let _ = opponents.each_mut().map(|opponent| opponent.pin(processor));
        }
        Ok(opponents)
    }
}
