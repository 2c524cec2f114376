//! How all subjects are run.

use crate::environment_offset::EnvironmentOffset;
use crate::laboratory::{Input, Output};
use crate::printed_metric::PrintedMetric;
use fathom_record::Ending;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How all subjects are run.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// What they read.
    pub input: Input,
    /// Where their output goes.
    pub output: Output,
    /// The processor they are bound to.
    pub cpu: Option<usize>,
    /// How long a run may take.
    pub timeout: Option<Duration>,
    /// What is counted.
    pub counters: Vec<String>,
    /// What is read from their output.
    pub metrics: Vec<PrintedMetric>,
    /// Which exit codes are not failures besides 0.
    pub tolerated: Tolerated,
    /// How the environment's size varies.
    pub environment_offset: Option<EnvironmentOffset>,
    /// What runs between any two runs, by a shell.
    pub between: Option<String>,
    /// Where random choices start.
    pub seed: u64,
}

/// Which failures of a command are not failures of the measurement.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tolerated {
    /// None.
    #[default]
    Nothing,
    /// All, signals included.
    Everything,
    /// Exiting with one of these codes.
    Codes(Vec<i32>),
}

impl Tolerated {
    /// Whether an ending is acceptable. One by time-out never is: the time would be the limit's.
    #[must_use]
    pub fn accepts(&self, ending: Ending) -> bool {
        match (self, ending) {
            (_, Ending::Exited(0)) => true,
            (_, Ending::TimedOut) => false,
            (Tolerated::Everything, _) => true,
            (Tolerated::Codes(codes), Ending::Exited(code)) => codes.contains(&code),
            _ => false,
        }
    }
}
