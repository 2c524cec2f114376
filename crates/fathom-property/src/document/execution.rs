//! An execution and what came of it, in JSON.

use crate::{Bounds, Judged, JudgedAs};
use fathom_record::own_json::End;
use serde::Serialize;

/// An execution, or a tuple of executions.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ExecutionEntry<'a> {
    /// The numbers of its runs.
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    runs: &'a [u64],
    /// The seeds of its runs.
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    seeds: &'a [u32],
    /// The file it was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// Whether it satisfies the property.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::Truth::ALL.map(|truth| truth.name()))))]
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<&'static str>,
    /// How far the property is from changing its truth: lowest and highest. Negative if it is
    /// false.
    #[serde(skip_serializing_if = "Option::is_none")]
    robustness: Option<[End; 2]>,
    /// The unit of the robustness.
    #[serde(skip_serializing_if = "Option::is_none")]
    robustness_unit: Option<&'a str>,
    /// The part of the property that decided it.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'a str>,
    /// The time at which it was decided, if that changes over time.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<f64>,
    /// The unit of that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_unit: Option<&'a str>,
    /// `true` if the execution was cut short.
    #[serde(skip_serializing_if = "is_false")]
    cut: bool,
    /// The value of the expression: lowest and highest. Present with `--estimate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<[End; 2]>,
    /// Why the execution failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
}

impl<'a> ExecutionEntry<'a> {
    pub(super) fn of(judged: &'a Judged) -> ExecutionEntry<'a> {
        let ends = |bounds: &Bounds| [End(bounds.low), End(bounds.high)];
        let mut entry = ExecutionEntry {
            runs: &judged.runs,
            seeds: &judged.seeds,
            source: judged.source.as_ref().map(ToString::to_string),
            truth: None,
            robustness: None,
            robustness_unit: None,
            decided_by: None,
            at: None,
            at_unit: None,
            cut: judged.is_cut,
            value: None,
            failure: None,
        };
        match &judged.result {
            JudgedAs::Property { truth, robustness, decided_by, at } => {
                entry.truth = Some(truth.name());
                entry.robustness = Some(ends(robustness));
                if let Some((unit, part)) = decided_by.as_deref() {
                    entry.robustness_unit = Some(unit);
                    entry.decided_by = Some(part);
                }
                if let Some((time, unit)) = at.as_deref() {
                    entry.at = Some(*time);
                    entry.at_unit = Some(unit);
                }
            }
            JudgedAs::Value(bounds) => entry.value = Some(ends(bounds)),
            JudgedAs::Failed(reason) => entry.failure = Some(reason),
        }
        entry
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
