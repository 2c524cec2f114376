//! A core's way to data: its TLB and first-level cache, and behind them what the cores share.

use crate::cache::Cache;
use crate::counts::Counts;
use crate::memory::{LINE_BYTES, Memory};
use crate::trace::Trace;

const L1_LINES: usize = (16 << 10) / LINE_BYTES as usize;
const L1_WAYS: usize = 4;
const L1_CYCLES: u64 = 3;
const PAGE_BYTES: u64 = 4096;
const TLB_PAGES: usize = 128;
const TLB_WAYS: usize = 4;
const WALK_CYCLES: u64 = 60;

/// TLB and first-level cache of one core.
#[derive(Debug, Clone)]
pub struct DataSide {
    is_traced: bool,
    l1: Cache,
    tlb: Cache,
    walker_free: u64,
}

impl DataSide {
    /// Nothing in it.
    pub fn new(is_traced: bool) -> DataSide {
        let l1 = Cache::new(L1_LINES, L1_WAYS);
        let tlb = Cache::new(TLB_PAGES, TLB_WAYS);
        DataSide { is_traced, l1, tlb, walker_free: 0 }
    }

    /// When data at this address is there.
    pub fn access(
        &mut self,
        address: u64,
        now: u64,
        memory: &mut Memory,
        trace: &mut Trace,
        counts: &mut Counts,
    ) -> u64 {
        counts.accesses += 1;
        let page = address / PAGE_BYTES;
        let translated = self.tlb.find(page).unwrap_or_else(|| {
            counts.tlb_misses += 1;
            // One walk at a time.
            self.walker_free = self.walker_free.max(now) + WALK_CYCLES;
            self.tlb.fill(page, self.walker_free);
            if self.is_traced {
                trace.tlb_miss.push(now);
                trace.handling.add(now, self.walker_free);
            }
            self.walker_free
        });
        let start = translated.max(now);
        let line = address / LINE_BYTES;
        if let Some(ready) = self.l1.find(line) {
            return ready.max(start + L1_CYCLES);
        }
        counts.l1_misses += 1;
        let access = memory.access(line, start + L1_CYCLES);
        if access.had_error {
            trace.error.push(now);
        }
        self.l1.fill(line, access.ready);
        access.ready
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_takes_its_time() {
        // A large warm cache behind it, so that nothing is random.
        let mut memory = Memory::new(16 << 20, 1);
        (0..256).for_each(|line| memory.warm(line));
        let (mut data, mut trace) = (DataSide::new(true), Trace::default());
        let mut counts = Counts::default();
        let mut access =
            |address, now| data.access(address, now, &mut memory, &mut trace, &mut counts);
        // Two pages at once: the second walk waits for the first.
        assert_eq!(access(0, 0), WALK_CYCLES + L1_CYCLES + 12);
        assert_eq!(access(PAGE_BYTES, 0), 2 * WALK_CYCLES + L1_CYCLES + 12);
        // The line is on its way, then there.
        assert_eq!(access(8, 1), WALK_CYCLES + L1_CYCLES + 12);
        assert_eq!(access(8, 1_000), 1_000 + L1_CYCLES);
        // Another line of a known page.
        assert_eq!(access(LINE_BYTES, 2_000), 2_000 + L1_CYCLES + 12);
        assert_eq!(trace.tlb_miss, [0, 0]);
        assert_eq!((counts.accesses, counts.l1_misses, counts.tlb_misses), (5, 3, 2));
    }
}
