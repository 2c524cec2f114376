//! The JSON of `fathom doctor`.

use crate::measuring::programs::Programs;
use crate::{EngineError, provenance};
use fathom_analyze::checkup::{Checkup, Interruptions, NoiseFloorReport};
use fathom_record::finding::Finding;
use fathom_record::{Environment, own_json};
use serde::Serialize;

/// This machine, now: that is what it is about.
fn here() -> Environment {
    let folder = std::env::current_dir().unwrap_or_default();
    Environment::of_measurement(provenance::of_measurement(&Programs::default(), &folder))
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
    noise_floor: Option<&'a NoiseFloorReport>,
    /// What interrupts programs on each CPU; `null` with `--max-time 0s`.
    interruptions: Option<&'a Interruptions>,
}

impl<'a> CheckupDocument<'a> {
    /// Of a checkup that this command asked for.
    #[must_use]
    pub fn of(checkup: &'a Checkup, command_line: &'a str) -> CheckupDocument<'a> {
        CheckupDocument {
            schema: own_json::SCHEMA,
            command_line,
            environment: here(),
            findings: checkup.findings.iter().map(FindingEntry::of).collect(),
            noise_floor: checkup.floor.as_ref(),
            interruptions: checkup.interruptions.as_ref(),
        }
    }

    /// As text, with a line break at its end.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self) -> Result<String, EngineError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// A fact about the machine.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindingEntry<'a> {
    /// What it is about: `governor`, `turbo`, `load` and so on.
    topic: &'static str,
    /// How much it matters.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = fathom_record::finding::Level::ALL.map(|level| level.name()))))]
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
