//! What `fathom doctor` found: facts about a machine, and the smallest difference it can show.

mod interruptions;

pub use interruptions::{
    ClockReading, CpuInterruptions, InterruptionCause, Interruptions, KernelCounts,
};

use fathom_record::finding::Finding;
use serde::Serialize;

/// Everything that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkup {
    /// What helps or spoils measurements.
    pub findings: Vec<Finding>,
    /// What the machine can detect, if it was measured.
    pub floor: Option<NoiseFloorReport>,
    /// What interrupts programs on each CPU, if it was measured.
    pub interruptions: Option<Interruptions>,
}

/// A program compared with itself: the smallest difference this machine can show.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "NoiseFloor"))]
pub struct NoiseFloorReport {
    /// The number of pairs of runs.
    pub pairs: usize,
    /// How long all of them took, in seconds.
    pub seconds: f64,
    /// How long the fastest run took, in seconds.
    pub run_seconds: f64,
    /// The ratio of the program to itself.
    pub ratio: f64,
    /// The lower end of its interval.
    pub lower: f64,
    /// The upper end of its interval.
    pub upper: f64,
    /// The number of blocks.
    pub blocks: usize,
    /// The number of blocks that ran next to other load and do not count.
    #[serde(rename = "blocks_set_aside")]
    pub set_aside: usize,
    /// The smallest difference that `fathom compare` detects, for some budgets.
    #[serde(rename = "smallest_difference")]
    pub smallest: Vec<SmallestDifference>,
}

/// What a budget can detect.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SmallestDifference {
    /// The budget, in seconds.
    pub seconds: f64,
    /// The difference that it detects in four of five tries: 0.01 is 1%.
    #[serde(rename = "difference")]
    pub share: f64,
}
