//! Where a round takes place: two fresh processes on one processor.

use super::opponent::Opponent;
use super::{DuelError, DuelOptions, Program};
use fathom_stats::paired::block_order;

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

    /// Starts both for a round, in an order that a coin decides, and puts them on the same
    /// processor: on two of them the one on the busier processor would seem slower, and chance does
    /// not decide which that is. The next round is on the next processor.
    pub(super) fn open(&self, round: usize) -> Result<[Opponent; 2], DuelError> {
        let [old, new] = self.programs;
        let is_old_first = block_order(!self.options.seed, round, &[0, 1])[0] == 0;
        let mut opponents = if is_old_first {
            let old = self.start(old)?;
            [old, self.start(new)?]
        } else {
            let new = self.start(new)?;
            [self.start(old)?, new]
        };
        if !self.processors.is_empty() {
            let processor = self.processors[round % self.processors.len()];
            // Where it is not allowed they stay where they are, both alike.
            let _ = opponents.each_mut().map(|opponent| opponent.pin(processor));
        }
        Ok(opponents)
    }

    fn start(&self, program: &Program) -> Result<Opponent, DuelError> {
        Opponent::start(program, self.options.selection.word_for_workers())
    }
}
