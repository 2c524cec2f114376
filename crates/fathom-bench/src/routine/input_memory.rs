//! How many inputs may be alive at once.
//!
//! Inputs of a batch are made before it. What they hold on the heap is not to be seen from their type,
//! so batches that are larger than any before are watched: by how much the process grew.

use fathom_sys::resident::resident_bytes;
use std::mem::size_of;

/// More inputs than this would not stay in the caches, however small they are.
const MOST_INPUTS: u64 = 8192;
/// The inputs and results of a batch have no more memory than this, unless a single one has.
const MOST_BYTES: u64 = 128 << 20;
/// Less growth than this says nothing: the kernel counts roughly, and allocators keep some in stock.
const NOTABLE_BYTES: u64 = 2 << 20;

/// What is known of the memory that inputs and their results take.
#[derive(Debug, Clone)]
pub(crate) struct InputMemory {
    /// No batch has more inputs.
    most: u64,
    /// The largest batch that was watched.
    watched: u64,
    /// What the process had before its first batch.
    before: Option<u64>,
    resident: fn() -> Option<u64>,
}

impl InputMemory {
    /// For inputs and results of these types.
    pub(crate) fn of<I, T>() -> InputMemory {
        let bytes = (size_of::<I>() + size_of::<T>()).max(1) as u64;
        let most = (MOST_BYTES / bytes).clamp(1, MOST_INPUTS);
        InputMemory { most, watched: 0, before: None, resident: resident_bytes }
    }

    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// Makes one input per call, or fewer if they would take too much memory.
    pub(crate) fn make<I>(
        &mut self,
        inputs: &mut Vec<I>,
        calls: u64,
        setup: &mut impl FnMut() -> I,
    ) {
        if self.before.is_none() {
            self.before = (self.resident)();
        }
        let calls = if calls > self.watched { calls.min(self.most) } else { calls };
        inputs.reserve(usize::try_from(calls).unwrap_or_default());
        for made in 1..=calls {
            inputs.push(setup());
            // Rarely enough not to take time, often enough to stop at twice the limit.
            if made > self.watched && made.is_power_of_two() && self.is_over(made) {
                break;
            }
        }
    }

    /// Looks after the calls of a batch, while inputs and results are there.
    pub(crate) fn look(&mut self, inputs: usize) {
        let inputs = inputs as u64;
        if inputs > self.watched {
            self.is_over(inputs);
            self.watched = inputs;
        }
    }

    /// Whether this many inputs reach the limit.
    fn is_over(&mut self, inputs: u64) -> bool {
        let Some((before, now)) = self.before.zip((self.resident)()) else { return false };
        let grown = now.saturating_sub(before);
        if grown >= NOTABLE_BYTES {
            let each = (grown / inputs).max(1);
            self.most = self.most.min((MOST_BYTES / each).max(1));
        }
        inputs >= self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn large_types_are_limited_before_the_first_input() {
        assert_eq!(InputMemory::of::<u8, ()>().most(), MOST_INPUTS);
        assert_eq!(InputMemory::of::<[u8; 8 << 20], ()>().most(), 16);
        assert_eq!(InputMemory::of::<[u8; 1 << 30], ()>().most(), 1);
    }

    thread_local!(static RESIDENT: Cell<u64> = const { Cell::new(1 << 30) });

    /// Makes inputs of these sizes in growing batches, as the harness does; returns the most bytes alive.
    fn most_alive(bytes: impl Fn(u64) -> u64) -> u64 {
        let mut memory = InputMemory::of::<u64, ()>();
        memory.resident = || Some(RESIDENT.get());
        let (mut calls, mut largest) = (1, 0);
        loop {
            let begun = RESIDENT.get();
            let (mut inputs, mut count) = (Vec::new(), 0);
            memory.make(&mut inputs, calls, &mut || {
                count += 1;
                RESIDENT.set(RESIDENT.get() + bytes(count));
            });
            largest = largest.max(RESIDENT.get() - begun);
            memory.look(inputs.len());
            RESIDENT.set(begun);
            if calls >= memory.most() {
                return largest;
            }
            calls = (2 * calls).min(memory.most());
        }
    }

    #[test]
    fn inputs_alive_at_once_are_limited_by_how_the_process_grows() {
        for each in [64 << 10, 1 << 20, 8 << 20, 100 << 20] {
            let alive = most_alive(|_| each);
            assert!(alive <= MOST_BYTES, "{each}: {alive}");
            assert!(alive >= MOST_BYTES / 2, "{each}: {alive}");
        }
        assert_eq!(most_alive(|_| 1 << 30), 1 << 30, "one there must be");
        assert_eq!(most_alive(|_| 100), 100 * MOST_INPUTS);
        // The first inputs are small, and those after them are not.
        let alive = most_alive(|count| if count <= 4 { 100 } else { 8 << 20 });
        assert!(alive <= 2 * MOST_BYTES, "{alive}");
    }

    /// Results that stay are seen after the first batch that made them.
    #[test]
    fn results_count_as_inputs_do() {
        let mut memory = InputMemory::of::<u64, ()>();
        memory.resident = || Some(RESIDENT.get());
        let mut inputs = Vec::new();
        memory.make(&mut inputs, 4, &mut || 0);
        RESIDENT.set(RESIDENT.get() + 4 * (16 << 20));
        memory.look(inputs.len());
        assert_eq!(memory.most(), 8, "of 16 MiB each");
    }
}
