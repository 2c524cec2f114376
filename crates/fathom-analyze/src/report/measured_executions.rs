//! In how many executions of its program a function was measured.

/// The executions that a function's interval is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeasuredExecutions {
    /// One: another may differ by more than the interval is wide.
    One {
        /// Why it is only one, unless that was asked for.
        why: Option<String>,
    },
    /// Several, each of which counts once in the interval.
    Several {
        /// How many.
        count: usize,
    },
}

impl MeasuredExecutions {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            MeasuredExecutions::One { .. } => 1,
            MeasuredExecutions::Several { count } => *count,
        }
    }

    /// Why there is only one, where something is known of it.
    #[must_use]
    pub fn why_one(&self) -> Option<&str> {
        match self {
            MeasuredExecutions::One { why } => why.as_deref(),
            MeasuredExecutions::Several { .. } => None,
        }
    }
}
