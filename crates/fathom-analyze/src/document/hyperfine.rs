//! The runs of a report as the JSON that hyperfine 1 exports, for its scripts and for other programs that
//! read it.

use crate::{MeasuredRuns, Report, RunCost, Subject};
use fathom_stats::mean::Moments;
use fathom_stats::{Probability, quantile};
use serde::Serialize;
use std::collections::BTreeMap;

/// The JSON of hyperfine 1.
#[derive(Debug, Serialize)]
pub struct HyperfineDocument<'a> {
    results: Vec<HyperfineResult<'a>>,
}

/// A command. All times are in seconds.
#[derive(Debug, Serialize)]
struct HyperfineResult<'a> {
    command: &'a str,
    mean: f64,
    /// Of a single run there is none.
    stddev: Option<f64>,
    median: f64,
    /// The mean, as `system`.
    user: f64,
    system: f64,
    min: f64,
    max: f64,
    times: Vec<f64>,
    memory_usage_byte: Vec<u64>,
    exit_codes: Vec<i32>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<&'a str, &'a str>,
}

impl<'a> HyperfineDocument<'a> {
    /// Of all commands whose runs are known; `None` if there are none.
    #[must_use]
    pub fn of(report: &'a Report) -> Option<HyperfineDocument<'a>> {
        let results: Vec<_> = report.subjects.iter().filter_map(HyperfineResult::of).collect();
        (!results.is_empty()).then_some(HyperfineDocument { results })
    }

    /// As text, with a line break at its end.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

impl<'a> HyperfineResult<'a> {
    fn of(subject: &'a Subject) -> Option<HyperfineResult<'a>> {
        let MeasuredRuns { command, costs } = subject.runs.as_ref()?;
        let times = column(costs, |cost| cost.wall);
        let mut sorted = times.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let found = Moments::of(&times)?;
        let parameters = subject.parameters.iter();
        Some(HyperfineResult {
            command,
            mean: found.mean,
            stddev: (found.n > 1).then_some(found.sd),
            median: quantile::of_sorted(&sorted, Probability::HALF)?,
            user: Moments::of(&column(costs, |cost| cost.user))?.mean,
            system: Moments::of(&column(costs, |cost| cost.system))?.mean,
            min: *sorted.first()?,
            max: *sorted.last()?,
            times,
            memory_usage_byte: costs.iter().map(|cost| cost.peak_memory).collect(),
            exit_codes: costs.iter().map(|cost| cost.exit_code).collect(),
            parameters: parameters.map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        })
    }
}

/// Seconds are not negative there: where a command takes less than its shell, hyperfine writes 0.
fn column(costs: &[RunCost], seconds: impl Fn(&RunCost) -> f64) -> Vec<f64> {
    costs.iter().map(|cost| seconds(cost).max(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EstimateRequest, analyze};
    use fathom_record::{Environment, Series, Unit};
    use serde_json::{Value, json};

    fn report(times: &[f64], parameters: &[(&str, &str)]) -> Report {
        let series = Series::new("x", Unit::SECONDS, times.to_vec()).unwrap();
        let mut subject = analyze(series, &EstimateRequest::default());
        let text = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        subject.parameters = parameters.iter().map(text).collect();
        let cost = |wall: &f64| RunCost {
            wall: *wall,
            user: 0.5 * wall,
            system: -0.25,
            peak_memory: 4096,
            exit_code: 137,
        };
        let costs = times.iter().map(cost).collect();
        subject.runs = Some(MeasuredRuns { command: "x".to_string(), costs });
        Report {
            command_line: String::new(),
            seed: 1,
            environment: Environment::of_this_build(),
            session: None,
            overhead_per_run: None,
            harness: None,
            instructions: None,
            subjects: vec![subject],
            comparisons: None,
            warnings: Vec::new(),
        }
    }

    fn written(report: &Report) -> Value {
        let text = HyperfineDocument::of(report).unwrap().to_json().unwrap();
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_command_is_written_as_hyperfine_writes_it() {
        let found = written(&report(&[3.0, 1.0, 2.0, 6.0], &[("n", "4"), ("m", "x")]));
        let expected = json!({
            "command": "x", "mean": 3.0, "stddev": (14.0_f64 / 3.0).sqrt(), "median": 2.5,
            "user": 1.5, "system": 0.0, "min": 1.0, "max": 6.0, "times": [3.0, 1.0, 2.0, 6.0],
            "memory_usage_byte": [4096, 4096, 4096, 4096], "exit_codes": [137, 137, 137, 137],
            "parameters": { "m": "x", "n": "4" },
        });
        assert_eq!(found, json!({ "results": [expected] }));
    }

    #[test]
    fn a_single_run_has_no_deviation_and_negative_times_are_0() {
        let found = written(&report(&[-1.0], &[]));
        let result = &found["results"][0];
        assert_eq!((&result["stddev"], &result["times"]), (&Value::Null, &json!([0.0])));
        assert!(result.get("parameters").is_none());
    }

    #[test]
    fn there_is_nothing_to_write_without_runs() {
        let mut report = report(&[1.0, 2.0], &[]);
        report.subjects[0].runs = None;
        assert!(HyperfineDocument::of(&report).is_none());
    }
}
