//! A property or expression that is ready to be judged.

use crate::formula::{Formula, Term};

/// A property for executions of given systems.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// What is to hold.
    pub formula: Formula,
    /// The executions it is judged on: one, or a tuple of several.
    pub runs: Vec<RunRole>,
}

/// A numeric expression for executions of given systems.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedExpression {
    /// What has one value for each execution or tuple.
    pub term: Term,
    /// What the value is in; empty for a pure number, or where the data do not say.
    pub unit: String,
    /// The executions it is of.
    pub runs: Vec<RunRole>,
}

/// An execution's part in a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRole {
    /// What the property calls it.
    pub name: String,
    /// Which of the given systems it is an execution of.
    pub system: usize,
}

impl Resolved {
    /// Whether it is about several executions at once.
    #[must_use]
    pub fn is_hyper(&self) -> bool {
        self.runs.len() > 1
    }
}

impl ResolvedExpression {
    /// Whether it is about several executions at once.
    #[must_use]
    pub fn is_hyper(&self) -> bool {
        self.runs.len() > 1
    }
}
