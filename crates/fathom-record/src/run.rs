//! A run: one execution of one command, and what it cost.

use serde::{Deserialize, Serialize};

/// One execution of one command, as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Which of the session's subjects, from 0.
    pub subject: usize,
    /// Whether it counts.
    pub phase: Phase,
    /// Its place in the order of a comparison.
    pub place: Option<BlockSlot>,
    /// When it began, in nanoseconds after the session did.
    pub began_ns: u64,
    /// How it ended.
    pub ending: Ending,
    /// What it cost.
    pub usage: Usage,
    /// Counters, and what the program printed, by name.
    pub readings: Vec<Reading>,
}

/// Whether a run counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before measuring, to fill caches and to see how long runs take.
    Warmup,
    /// A measurement.
    Measured,
    /// The shell without a command, alternating with the subject's runs under `-S`.
    EmptyShell,
}

/// Where a run stands in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSlot {
    /// The block, from 0.
    pub block: usize,
    /// The place in the block, from 0.
    pub slot: usize,
}

/// How an execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It exited with this status.
    Exited(i32),
    /// This signal killed it.
    Signalled(i32),
    /// It took longer than it was allowed to, and was killed.
    TimedOut,
}

impl Ending {
    /// Whether it exited with status 0.
    #[must_use]
    pub fn is_success(self) -> bool {
        self == Ending::Exited(0)
    }
}

/// What one execution cost, as the kernel accounts for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// From the start of the program to its end, in nanoseconds.
    pub wall_ns: u64,
    /// Processor time in the program and its children, in nanoseconds.
    pub user_ns: u64,
    /// Processor time in the kernel on their behalf, in nanoseconds.
    pub system_ns: u64,
    /// The most memory it held at once, in bytes.
    pub peak_memory: u64,
    /// Page faults that needed no disk.
    pub minor_faults: u64,
    /// Page faults that did.
    pub major_faults: u64,
    /// How often it waited for something.
    pub voluntary_switches: u64,
    /// How often it was made to wait for others.
    pub involuntary_switches: u64,
}

/// A named number that a run gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// "instructions", "requests".
    pub name: String,
    /// The number; finite.
    pub value: f64,
}
