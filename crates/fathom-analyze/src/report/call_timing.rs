//! What the time of a function's call is.

/// Whether calls could overlap in the processor while they were timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallTiming {
    /// They could: the time is that between two results of many calls.
    Throughput,
    /// Each call waited for the one before: the time is that from a call's input to its result.
    Latency,
}

impl CallTiming {
    /// Both.
    pub const ALL: [CallTiming; 2] = [CallTiming::Throughput, CallTiming::Latency];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CallTiming::Throughput => "throughput",
            CallTiming::Latency => "latency",
        }
    }
}
