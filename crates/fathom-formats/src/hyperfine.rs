//! hyperfine's `--export-json`, of version 1 (times in a list) and 2 (an object per measurement).
//!
//! Wall time unless `--column` names another: `memory_usage_byte` in version 1; any measured key,
//! such as `time_user`, in version 2. Runs that exited with an error are measurements all the same.

use fathom_record::{Series, Unit};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::{ByOption, Flaw, quoted};
use crate::read::Request;
use crate::{json, metrics};

#[derive(Deserialize)]
struct Document {
    schema_version: Option<u64>,
    results: Vec<HyperfineResult>,
}

/// What hyperfine calls a result: one command.
#[derive(Deserialize)]
struct HyperfineResult {
    command: String,
    name: Option<String>,
    #[serde(default)]
    parameters: Map<String, Value>,
    times: Option<Vec<f64>>,
    memory_usage_byte: Option<Vec<f64>>,
    measurements: Option<Vec<Map<String, Value>>>,
}

/// Version 2 is the newest there is.
const NEWEST: u64 = 2;

pub(crate) fn read(text: &str, request: &Request<'_>) -> Result<Vec<Series>, Flaw> {
    let document: Document = json::parse(text)?;
    if let Some(version) = document.schema_version.filter(|&version| version > NEWEST) {
        return Err(Flaw::new(
            format!(
                "the file has hyperfine schema_version {version}, and this Fathom reads up to \
                 {NEWEST}"
            ),
            "use a newer Fathom, or export with hyperfine 2",
        ));
    }
    if document.results.is_empty() {
        return Err(Flaw::new(
            "the file contains no results",
            "let hyperfine finish at least one command",
        ));
    }
    let names = names(&document.results);
    let mut series = Vec::new();
    for (outcome, name) in document.results.iter().zip(&names) {
        match &outcome.measurements {
            Some(measurements) => version_2(name, measurements, request.columns, &mut series)?,
            None => version_1(name, outcome, request.columns, &mut series)?,
        }
    }
    Ok(series)
}

/// The `-n` name or the command; with its parameters where that does not tell two results apart.
fn names(results: &[HyperfineResult]) -> Vec<String> {
    let bare =
        |outcome: &HyperfineResult| outcome.name.clone().unwrap_or_else(|| outcome.command.clone());
    let all: Vec<String> = results.iter().map(bare).collect();
    let is_shared = |name: &String| all.iter().filter(|other| *other == name).count() > 1;
    all.iter()
        .zip(results)
        .map(|(name, outcome)| {
            if outcome.parameters.is_empty() || !is_shared(name) {
                return name.clone();
            }
            let parameters: Vec<String> = outcome.parameters.iter().map(parameter).collect();
            format!("{name} ({})", parameters.join(", "))
        })
        .collect()
}

/// Version 1 writes `"size": "10"`, version 2 `"size": {"value": "10"}`.
fn parameter((key, value): (&String, &Value)) -> String {
    match value.get("value").unwrap_or(value) {
        Value::String(text) => format!("{key}={text}"),
        other => format!("{key}={other}"),
    }
}

fn version_1(
    name: &str,
    outcome: &HyperfineResult,
    columns: &[String],
    series: &mut Vec<Series>,
) -> Result<(), Flaw> {
    let mut present = Vec::new();
    if outcome.times.is_some() {
        present.push("times");
    }
    if outcome.memory_usage_byte.is_some() {
        present.push("memory_usage_byte");
    }
    if outcome.times.is_none() && columns.iter().all(|column| column == "times") {
        return Err(Flaw::new(
            format!(
                "{} has only a summary (mean, min, max), not the individual times",
                quoted(name)
            ),
            "export with hyperfine's --export-json, and keep the \"times\" list in the file",
        ));
    }
    for metric in metrics::chosen(columns, "times", &present)? {
        let (values, unit) = match metric {
            "times" => (&outcome.times, Unit::SECONDS),
            _ => (&outcome.memory_usage_byte, Unit::Bytes),
        };
        let values = values.clone().unwrap_or_default();
        series.push(make(name, metric, unit, values)?);
    }
    Ok(())
}

fn version_2(
    name: &str,
    measurements: &[Map<String, Value>],
    columns: &[String],
    series: &mut Vec<Series>,
) -> Result<(), Flaw> {
    let mut present: Vec<&str> = Vec::new();
    for (key, _) in measurements.iter().flatten().filter(|(_, value)| value.get("value").is_some())
    {
        if !present.contains(&key.as_str()) {
            present.push(key);
        }
    }
    if measurements.is_empty() {
        return Err(no_measurements(name));
    }
    for metric in metrics::chosen(columns, "time_wall_clock", &present)? {
        let mut values = Vec::with_capacity(measurements.len());
        let mut unit: Option<Unit> = None;
        for (measurement, number) in measurements.iter().zip(1..) {
            let quantity = measurement.get(metric);
            let Some(value) = quantity.and_then(|q| q.get("value")).and_then(Value::as_f64) else {
                return Err(Flaw::new(
                    format!("{}: measurement {number} has no {metric}", quoted(name)),
                    ByOption("choose another metric with --column, or measure again"),
                ));
            };
            let text = quantity.and_then(|q| q.get("unit")).and_then(Value::as_str);
            let this = text.map_or(Unit::Unknown, Unit::parse);
            if *unit.get_or_insert_with(|| this.clone()) != this {
                return Err(Flaw::new(
                    format!(
                        "{}: measurement {number} has {metric} in a different unit",
                        quoted(name)
                    ),
                    "measure again with a single version of hyperfine",
                ));
            }
            values.push(value);
        }
        series.push(make(name, metric, unit.unwrap_or_default(), values)?);
    }
    Ok(())
}

fn make(name: &str, metric: &str, unit: Unit, values: Vec<f64>) -> Result<Series, Flaw> {
    let series = Series::new(name, unit, values).map_err(|_| no_measurements(name))?;
    Ok(series.with_metric(metric))
}

fn no_measurements(name: &str) -> Flaw {
    Flaw::new(format!("{} has no measurements", quoted(name)), "let hyperfine run it at least once")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str, columns: &[&str]) -> Result<Vec<Series>, Flaw> {
        let columns: Vec<String> = columns.iter().map(ToString::to_string).collect();
        read(text, &Request { source: "x.json", columns: &columns, ..Request::default() })
    }

    #[test]
    fn results_of_one_name_are_told_apart_by_their_parameters() {
        let text = r#"{"results":[
            {"command":"x","parameters":{"n":"1"},"times":[1]},
            {"command":"x","parameters":{"n":{"value":"2"}},"times":[2]},
            {"command":"y","parameters":{"n":"1"},"times":[3]}]}"#;
        let names: Vec<String> =
            read_text(text, &[]).unwrap().iter().map(|series| series.name().into()).collect();
        assert_eq!(names, ["x (n=1)", "x (n=2)", "y"]);
    }

    #[test]
    fn failed_runs_stay() {
        let text = r#"{"results":[{"command":"x","times":[1,2],"exit_codes":[0,1]}]}"#;
        assert_eq!(read_text(text, &[]).unwrap()[0].values(), [1.0, 2.0]);
    }

    #[test]
    fn several_metrics_make_several_series() {
        let text = r#"{"results":[{"command":"x","times":[1],"memory_usage_byte":[4096]}]}"#;
        let series = read_text(text, &["memory_usage_byte", "times"]).unwrap();
        assert_eq!(series[0].metric(), Some("memory_usage_byte"));
        assert_eq!(series[0].unit(), &Unit::Bytes);
        assert_eq!(series[1].metric(), Some("times"));
    }
}
