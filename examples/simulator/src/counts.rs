//! What is counted in a core: power and statistics follow from it.

/// Numbers of what happened in a core.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counts {
    pub instructions: u64,
    pub accesses: u64,
    pub l1_misses: u64,
    pub tlb_misses: u64,
    pub branches: u64,
    pub mispredictions: u64,
    pub lock_attempts: u64,
}

impl Counts {
    /// What happened since then.
    pub fn since(&self, then: &Counts) -> Counts {
        Counts {
            instructions: self.instructions - then.instructions,
            accesses: self.accesses - then.accesses,
            l1_misses: self.l1_misses - then.l1_misses,
            tlb_misses: self.tlb_misses - then.tlb_misses,
            branches: self.branches - then.branches,
            mispredictions: self.mispredictions - then.mispredictions,
            lock_attempts: self.lock_attempts - then.lock_attempts,
        }
    }
}
