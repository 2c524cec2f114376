//! A program and its descendants.

/// The processes of a program: the one it began with and all that descend from it.
#[derive(Debug)]
pub struct ProcessTree {
    root: u32,
    processes: Vec<u32>,
}

impl ProcessTree {
    /// The tree below a process, which is in it even before it was looked at.
    #[must_use]
    pub fn new(root: u32) -> ProcessTree {
        ProcessTree { root, processes: vec![root] }
    }

    /// Looks who lives. Cheap, so that it may be called before every sample; how often it really
    /// looks is its own affair.
    pub fn refresh(&mut self, _now_ns: u64) {}

    /// The process it began with.
    #[must_use]
    pub fn root(&self) -> u32 {
        self.root
    }

    /// Those that live, the root first.
    #[must_use]
    pub fn processes(&self) -> &[u32] {
        &self.processes
    }
}
