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

/// A program compared with itself: the smallest difference this machine can show.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "NoiseFloor"))]
pub struct Floor {
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
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SmallestDifference {
    /// The budget, in seconds.
    pub seconds: f64,
    /// The difference that it detects in four of five tries: 0.01 is 1%.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Checkup"))]
pub struct CheckupDocument<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// The command as you typed it, without the path of the program.
    command_line: &'a str,
    /// What made the document.
    environment: Environment,
    /// What helps or spoils measurements on this machine.
    findings: Vec<FindingEntry<'a>>,
    /// The smallest difference this machine can show; `null` with `--max-time 0s`.
    noise_floor: Option<&'a Floor>,
}

/// A fact about the machine.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindingEntry<'a> {
    /// What it is about: `governor`, `turbo`, `load` and so on.
    topic: &'static str,
    /// How much it matters.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = fathom_sys::host::Level::ALL.map(|level| level.name()))))]
    level: &'static str,
    /// The fact.
    says: &'a str,
    /// Why it matters.
    why: &'a str,
    /// What to do; `null` if there is nothing to do.
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
