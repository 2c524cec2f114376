//! What was found on this machine.

use crate::EngineError;
use fathom_record::{Environment, own_json};
use fathom_sys::host::Finding;
use serde::Serialize;

/// Everything that was found.
#[derive(Debug)]
pub struct Checkup {
    /// What helps or spoils measurements.
    pub findings: Vec<Finding>,
    /// What the machine can detect, if it was measured.
    pub floor: Option<Floor>,
}

/// A program compared with itself.
#[derive(Debug, Serialize)]
pub struct Floor {
    /// How many pairs of runs there were.
    pub pairs: usize,
    /// How long all of them took.
    pub seconds: f64,
    /// How long the quickest run took.
    pub run_seconds: f64,
    /// The ratio of the program to itself.
    pub ratio: f64,
    /// The lower end of its interval.
    pub lower: f64,
    /// The upper end of its interval.
    pub upper: f64,
    /// How many blocks of runs there were.
    pub blocks: usize,
    /// How many of them ran beside other load and do not count.
    #[serde(rename = "blocks_set_aside")]
    pub set_aside: usize,
    /// The smallest difference that `fathom compare` finds, for each budget.
    #[serde(rename = "smallest_difference")]
    pub smallest: Vec<SmallestDifference>,
}

/// What a budget shows.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SmallestDifference {
    /// The budget.
    pub seconds: f64,
    /// The difference that it shows in four of five tries.
    #[serde(rename = "difference")]
    pub share: f64,
}

impl Checkup {
    /// As JSON.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self, command_line: &str) -> Result<String, EngineError> {
        let document = CheckupDocument {
            schema: own_json::SCHEMA,
            command_line,
            environment: Environment::of_this_build(),
            findings: self.findings.iter().map(FindingEntry::of).collect(),
            noise_floor: self.floor.as_ref(),
        };
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }
}

/// The JSON of `fathom doctor`.
#[derive(Debug, Serialize)]
pub struct CheckupDocument<'a> {
    /// Which version of Fathom's JSON it is.
    schema: &'static str,
    /// The command that asked.
    command_line: &'a str,
    /// What made it.
    environment: Environment,
    /// What helps or spoils measurements.
    findings: Vec<FindingEntry<'a>>,
    /// What the machine can detect; null if it was not measured.
    noise_floor: Option<&'a Floor>,
}

/// A fact about the machine, judged.
#[derive(Debug, Serialize)]
pub struct FindingEntry<'a> {
    /// What it is about.
    topic: &'static str,
    /// How much it matters.
    level: &'static str,
    /// The fact.
    says: &'a str,
    /// Why it matters.
    why: &'a str,
    /// What to do.
    remedy: Option<&'a str>,
}

impl FindingEntry<'_> {
    fn of(finding: &Finding) -> FindingEntry<'_> {
        FindingEntry {
            topic: finding.topic.name(),
            level: finding.level.name(),
            says: &finding.says,
            why: &finding.why,
            remedy: finding.remedy.as_deref(),
        }
    }
}
