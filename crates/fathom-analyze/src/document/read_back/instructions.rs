//! Counted instructions, read back.

use super::gate;
use crate::{ComparedCounts, CountedFunction, InstructionCounter, InstructionReport};
use serde_json::Value;

/// Reads it back; `None` if there is none, or it is incomplete.
pub(super) fn read(entry: &Value) -> Option<InstructionReport> {
    let named = |counter: &InstructionCounter| entry["counter"] == counter.name();
    let counter = InstructionCounter::ALL.into_iter().find(named)?;
    let list = |key: &str| entry[key].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |entry: &Value, key: &str| Some(entry[key].as_str()?.to_string());
    let function = |entry: &Value| {
        let counts = entry["counts"].as_array()?.iter().map(Value::as_f64);
        let counts: Option<Vec<f64>> = counts.collect();
        CountedFunction::new(text(entry, "name")?, entry["calls"].as_u64()?, counts?)
    };
    let functions: Vec<CountedFunction> =
        list("functions").iter().map(function).collect::<Option<_>>()?;
    let comparison = |entry: &Value| {
        let of = |key: &str| functions.iter().find(|one| entry[key] == one.name());
        let compared = ComparedCounts::of(of("reference")?, of("subject")?, &[])?;
        let gates = entry["gates"].as_array()?.iter().map(gate).collect::<Option<_>>()?;
        Some(ComparedCounts { gates, ..compared })
    };
    let comparisons = list("comparisons").iter().map(comparison).collect::<Option<_>>()?;
    Some(InstructionReport { counter, functions, comparisons })
}
