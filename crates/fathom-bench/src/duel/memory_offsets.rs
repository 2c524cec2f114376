//! Where the stack and the heap of an execution begin.
//!
//! The system moves both by whole pages, and by 16 bytes or more within the page for the stack
//! alone. What is allocated first would always lie at the same place of its page, and that place can
//! be a slow one: so each execution begins its heap elsewhere.

use fathom_stats::drawn_number;
use fathom_sys::heap_offset;
use std::process::Command;

/// The most bytes by which each moves: a page holds every distance to a cache line's begin.
const MOST: usize = 4096;
/// What memory is aligned to.
const STEP: usize = 16;

/// What an execution's environment says of its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MemoryOffsets {
    stack: usize,
    heap: usize,
}

impl MemoryOffsets {
    /// Those of one execution, drawn independently of every other one's.
    pub(crate) fn draw(seed: u64, round: usize, side: usize) -> MemoryOffsets {
        // A sequence that is not the coins' of the rounds.
        const OFFSETS: u64 = 0x6f66_6673_6574;
        let drawn = drawn_number(seed ^ OFFSETS, 2 * round as u64 + side as u64);
        let offset = |bits: u64| STEP * (bits as usize % (MOST / STEP));
        MemoryOffsets { stack: offset(drawn >> 32), heap: offset(drawn & 0xffff_ffff) }
    }

    /// Sets them for a process.
    pub(crate) fn apply(self, command: &mut Command) {
        // The environment lies above the stack, so a longer one begins it lower.
        command.env("FATHOM_STACK_OFFSET", "x".repeat(self.stack));
        command.env(heap_offset::VARIABLE, self.heap.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn they_vary_within_a_page() {
        let drawn: Vec<MemoryOffsets> = (0..64)
            .flat_map(|round| [0, 1].map(|side| MemoryOffsets::draw(3, round, side)))
            .collect();
        for of in [|one: &MemoryOffsets| one.stack, |one: &MemoryOffsets| one.heap] {
            let distinct: BTreeSet<usize> = drawn.iter().map(of).collect();
            assert!(distinct.len() > 80, "{} of 128", distinct.len());
            assert!(distinct.iter().all(|bytes| bytes % STEP == 0 && *bytes < MOST));
        }
        assert_eq!(drawn[5], MemoryOffsets::draw(3, 2, 1));
    }
}
