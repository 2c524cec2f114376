//! What the cores share: the second-level cache and the memory behind it.

use crate::cache::Cache;
use crate::random::Random;

/// Bytes of a cache line.
pub const LINE_BYTES: u64 = 64;
const L2_WAYS: usize = 8;
const L2_CYCLES: u64 = 12;
const MEMORY_CYCLES: u64 = 110;
/// How long a line occupies the bus.
const BUS_CYCLES: u64 = 6;
/// An access that finds an error waits until it is corrected.
const CORRECTION_CYCLES: u64 = 2_500;
/// The mean distance of errors, and of those that follow another closely.
const ERROR_CYCLES: f64 = 25_000.0;
const CLUSTER_CYCLES: f64 = 2_000.0;
/// How often an error is followed closely.
const CLUSTER_SHARE: f64 = 0.25;

/// The second-level cache and the memory.
#[derive(Debug, Clone)]
pub struct Memory {
    l2: Cache,
    bus_free: u64,
    /// The variability: see [`Memory::access`].
    jitter: Random,
    errors: Random,
    next_error: f64,
    /// What happened so far.
    pub counts: MemoryCounts,
}

/// Numbers of what happened in the memory.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MemoryCounts {
    pub l2_accesses: u64,
    pub l2_misses: u64,
    pub errors: u64,
    /// Accesses to memory by what they took, in steps of [`LATENCY_STEP`] cycles; the last one
    /// holds all above.
    pub latencies: [u64; LATENCY_STEPS],
    pub latency_sum: u64,
}

/// Cycles that a step of the distribution of latencies spans.
pub const LATENCY_STEP: u64 = 50;
/// How many steps it has.
pub const LATENCY_STEPS: usize = 12;

/// What an access brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// When the data is there.
    pub ready: u64,
    /// Whether an error was found and corrected.
    pub had_error: bool,
}

impl Memory {
    /// Nothing in the cache; the random latencies and errors follow from the seed.
    pub fn new(l2_bytes: u64, seed: u64) -> Memory {
        let mut errors = Random::new(seed, 2);
        let next_error = errors.exponential(ERROR_CYCLES);
        Memory {
            l2: Cache::new((l2_bytes / LINE_BYTES) as usize, L2_WAYS),
            bus_free: 0,
            jitter: Random::new(seed, 1),
            errors,
            next_error,
            counts: MemoryCounts::default(),
        }
    }

    /// Puts a line in without counting it and in no time: what ran before the simulation did that.
    pub fn warm(&mut self, line: u64) {
        if self.l2.find(line).is_none() {
            self.l2.fill(line, 0);
        }
    }

    /// Brings a line to a core.
    ///
    /// Accesses that miss take 0 to 4 cycles more, each equally likely, as Alameldeen and Wood
    /// (2003) proposed: as little as that changes who gets the lock, and with it what follows.
    pub fn access(&mut self, line: u64, now: u64) -> Access {
        self.counts.l2_accesses += 1;
        let hit = now + L2_CYCLES;
        if let Some(ready) = self.l2.find(line) {
            return Access { ready: hit.max(ready), had_error: false };
        }
        self.counts.l2_misses += 1;
        let start = hit.max(self.bus_free);
        self.bus_free = start + BUS_CYCLES;
        let mut ready = start + MEMORY_CYCLES + self.jitter.below(5);
        let had_error = now as f64 >= self.next_error;
        if had_error {
            self.counts.errors += 1;
            ready += CORRECTION_CYCLES;
            let is_followed = self.errors.unit() < CLUSTER_SHARE;
            let mean = if is_followed { CLUSTER_CYCLES } else { ERROR_CYCLES };
            self.next_error = now as f64 + self.errors.exponential(mean);
        }
        let latency = ready - now;
        let step = ((latency / LATENCY_STEP) as usize).min(LATENCY_STEPS - 1);
        self.counts.latencies[step] += 1;
        self.counts.latency_sum += latency;
        self.l2.fill(line, ready);
        Access { ready, had_error }
    }
}

impl MemoryCounts {
    /// What happened since then.
    pub fn since(&self, then: &MemoryCounts) -> MemoryCounts {
        MemoryCounts {
            l2_accesses: self.l2_accesses - then.l2_accesses,
            l2_misses: self.l2_misses - then.l2_misses,
            errors: self.errors - then.errors,
            latencies: std::array::from_fn(|i| self.latencies[i] - then.latencies[i]),
            latency_sum: self.latency_sum - then.latency_sum,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_miss_takes_zero_to_four_cycles_more() {
        let mut memory = Memory::new(512 << 10, 1);
        memory.next_error = f64::INFINITY;
        let mut seen = [false; 5];
        for i in 0..100 {
            // Far enough apart that nobody waits for the bus.
            let now = 1_000 * i;
            let extra = memory.access(i, now).ready - now - L2_CYCLES - MEMORY_CYCLES;
            seen[extra as usize] = true;
        }
        assert_eq!(seen, [true; 5]);
        assert_eq!(memory.access(7, 200_000).ready, 200_000 + L2_CYCLES);
    }

    #[test]
    fn lines_follow_each_other_on_the_bus() {
        let mut memory = Memory::new(512 << 10, 1);
        memory.next_error = f64::INFINITY;
        let last = (0..10).map(|line| memory.access(line, 0).ready).last().unwrap();
        let without_jitter = L2_CYCLES + 9 * BUS_CYCLES + MEMORY_CYCLES;
        assert!((without_jitter..=without_jitter + 4).contains(&last), "{last}");
    }

    #[test]
    fn an_error_is_corrected_and_counted() {
        let mut memory = Memory::new(512 << 10, 1);
        memory.next_error = 5_000.0;
        assert!(!memory.access(1, 4_999).had_error);
        // A hit does not reach the memory.
        assert!(!memory.access(1, 5_500).had_error);
        let access = memory.access(2, 6_000);
        assert!(access.had_error && access.ready >= 6_000 + CORRECTION_CYCLES);
        assert_eq!(memory.counts.errors, 1);
        assert!(memory.next_error > 6_000.0);
    }
}
