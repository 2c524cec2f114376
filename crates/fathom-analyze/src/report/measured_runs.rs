//! The single runs of a command, for formats that list them.

/// The runs of a command that count, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRuns {
    /// The command, or what it was called.
    pub command: String,
    /// What each run cost.
    pub costs: Vec<RunCost>,
}

/// What a run cost, without the shell's start-up where a shell ran the command.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunCost {
    /// From its start to its end, in seconds.
    pub wall: f64,
    /// Processor time of the program, in seconds.
    pub user: f64,
    /// Processor time of the kernel on its behalf, in seconds.
    pub system: f64,
    /// The most memory it held at once, in bytes.
    pub peak_memory: u64,
    /// Its exit code; 128 plus the signal if one killed it, as shells say it.
    pub exit_code: i32,
}
