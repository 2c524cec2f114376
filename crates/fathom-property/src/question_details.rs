//! What a picture of an answer needs besides the report: the threshold, and what the worst executions
//! did over their time.

use crate::{Threshold, TimeStretch};
use fathom_record::{Signal, Unit};

/// What is known of a question besides its report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QuestionDetails {
    /// The number that the property compares with, if there is a single one.
    pub threshold: Option<Threshold>,
    /// What the worst executions did over their time, the worst first; of executions that have
    /// nothing over time, none.
    pub worst: Vec<ShownExecution>,
}

/// What an execution, or each of a tuple, did over its time, as far as the question reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownExecution {
    /// Which of the executions that were judged.
    pub place: usize,
    /// The executions of the tuple.
    pub runs: Vec<ShownRun>,
    /// When the property is violated.
    pub violated: Vec<TimeStretch>,
}

/// What one execution did over its time.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownRun {
    /// Its name in the tuple; empty for a single execution.
    pub name: String,
    /// When it ended.
    pub end: f64,
    /// What times are in.
    pub time_unit: Unit,
    /// What varied.
    pub signals: Vec<ShownSignal>,
    /// What happened, and when.
    pub events: Vec<(String, Vec<f64>)>,
}

/// A signal, and where the property draws the line.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownSignal {
    /// Its name.
    pub name: String,
    /// Its values.
    pub signal: Signal,
    /// The numbers that it is compared with, in its own unit.
    pub thresholds: Vec<f64>,
}
