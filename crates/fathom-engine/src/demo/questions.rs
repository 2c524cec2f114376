//! What the tour asks. Each request is small enough for its part of two minutes, whatever the machine.

use crate::EngineError;
use fathom_record::{Metric, shell};
use fathom_render::demo::DemoTruth;
use fathom_request::value::OptionValue;
use fathom_request::{
    CheckQuestion, CheckRequest, CompareRequest, EffortPreset, ExecutionBudget, ExecutionOptions,
    ExecutionSource, ExplainRequest, PropertyQuestion, RecordRequest, RunRequest, SystemOptions,
    TraceFiles, TypedSpan,
};
use fathom_stats::Probability;
use std::path::Path;
use std::time::Duration;

/// What the tour's program does in which question.
pub const TRUTH: DemoTruth = DemoTruth {
    units: 50,
    slow_start: 15,
    slow_run: 120,
    slow_factor: super::workload::SLOW_FACTOR,
    versions: [100, 105],
    limit: 65,
    below_limit: 0.9,
    serve: Duration::from_secs(8),
    churn: [Duration::from_secs(6), Duration::from_millis(6300)],
    churn_megabytes: super::workload::CHURN_MEGABYTES,
};

/// How many metrics an explanation shows.
pub(super) const TOP: usize = 5;

/// The folder of traces, within a temporary one.
pub(super) const TRACES: &str = "traces";

/// Enough runs to find the slow ones, and few enough for a slow machine.
const RUNS_TO_CLEAN: u64 = 200;

/// The share of executions that have to stay below the limit.
const ASKED: f64 = 0.8;

/// The smallest random amount of work, in units.
const LEAST_WORK: u64 = 20;

/// The work of a request, in units.
const REQUEST_WORK: u64 = 20;

/// What is asked about the program with this name.
pub(super) struct Questions<'p> {
    pub(super) program: &'p str,
}

impl Questions<'_> {
    pub(super) fn measure(&self) -> RunRequest {
        let mut request = RunRequest::default();
        request.subjects.commands = vec![self.line(&["--work", &TRUTH.units.to_string()])];
        request.max_time = Some(Duration::from_secs(8));
        request
    }

    pub(super) fn clean(&self) -> RunRequest {
        let mut request = RunRequest::default();
        let (start, later) = (TRUTH.slow_start.to_string(), TRUTH.slow_run.to_string());
        let words =
            ["--work", &TRUTH.units.to_string(), "--slow-start", &start, "--slow-run", &later];
        request.subjects.commands = vec![self.line(&words)];
        request.runs = Some(RUNS_TO_CLEAN);
        request.running.on = vec![Metric::CpuTime];
        request
    }

    pub(super) fn difference(&self) -> CompareRequest {
        self.compare(TRUTH.versions, Duration::from_secs(15))
    }

    pub(super) fn same(&self) -> CompareRequest {
        let [old, _] = TRUTH.versions;
        self.compare([old, old], Duration::from_secs(10))
    }

    fn compare(&self, versions: [u64; 2], time: Duration) -> CompareRequest {
        let mut request = CompareRequest::default();
        let command = |units: u64| self.line(&["--work", &units.to_string()]);
        request.subjects.commands = versions.map(command).to_vec();
        request.max_time = Some(time);
        request
    }

    pub(super) fn check(&self) -> Result<CheckRequest, EngineError> {
        let command = self.words(&["--work", &LEAST_WORK.to_string(), "--seed", "{seed}"]);
        let options = ExecutionOptions {
            systems: SystemOptions::Command(command),
            metrics: vec!["work=last-number".to_string()],
            budget: ExecutionBudget::AtMost {
                effort: EffortPreset::default(),
                runs: None,
                time: Some(Duration::from_secs(10)),
            },
            ..ExecutionOptions::default()
        };
        let text = format!("work < {}", TRUTH.limit);
        Ok(CheckRequest {
            questions: vec![CheckQuestion::Property(PropertyQuestion {
                text,
                ..Default::default()
            })],
            probability: Probability::new(ASKED).map_err(EngineError::usage)?,
            executions: ExecutionSource::Commands(Box::new(options)),
            ..CheckRequest::default()
        })
    }

    pub(super) fn record(&self) -> RecordRequest {
        let serve = TRUTH.serve.text();
        let (work, churn) = (REQUEST_WORK.to_string(), churn());
        let words = ["--work", &work, "--serve", &serve, "--churn", &churn];
        let mut request = RecordRequest { command: self.words(&words), ..RecordRequest::default() };
        // Everything at once: a second run for the other probes would take another part of the time.
        request.sampling.runs = Some(1);
        request.application.metrics = vec!["latency[ms]=took ([0-9.]+)".to_string()];
        request
    }

    /// The words of a command that runs the tour's program.
    fn words(&self, options: &[&str]) -> Vec<String> {
        let first = [self.program, "demo-work"];
        first.iter().chain(options).map(|word| word.to_string()).collect()
    }

    fn line(&self, options: &[&str]) -> String {
        let words = self.words(options);
        shell::line(words.iter().map(String::as_str))
    }
}

pub(super) fn explain(traces: &Path) -> Result<ExplainRequest, EngineError> {
    Ok(ExplainRequest {
        traces: TraceFiles { paths: vec![traces.to_path_buf()], ..TraceFiles::default() },
        target: "app.latency".to_string(),
        windows: vec![TypedSpan::read(&churn()).map_err(EngineError::usage)?],
        ..ExplainRequest::default()
    })
}

/// "6s..6.3s"
fn churn() -> String {
    TRUTH.churn.map(|moment| format!("{}s", moment.as_secs_f64())).join("..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::workload::DemoWork;

    #[test]
    fn nine_seeds_in_ten_stay_below_the_limit() {
        let work = |seed| DemoWork { units: LEAST_WORK, seed: Some(seed), ..DemoWork::default() };
        let below = (0..2000).filter(|seed| work(*seed).units_of_run(0) < TRUTH.limit).count();
        let share = below as f64 / 2000.0;
        assert!((share - TRUTH.below_limit).abs() < 0.02, "{share}");
    }

    #[test]
    fn slow_runs_are_those_that_the_notices_expect() {
        let work = DemoWork {
            units: TRUTH.units,
            slow_start: TRUTH.slow_start as u64,
            slow_run: Some(TRUTH.slow_run as u64),
            ..DemoWork::default()
        };
        for run in 0..RUNS_TO_CLEAN {
            let factor = if TRUTH.is_slow(run as usize) { TRUTH.slow_factor } else { 1 };
            assert_eq!(work.units_of_run(run), factor * TRUTH.units, "run {run}");
        }
    }

    #[test]
    fn the_window_is_short_enough_for_significance() {
        let [from, to] = TRUTH.churn;
        // Twenty windows' worth before it.
        assert!(from >= 20 * (to - from) && to < TRUTH.serve);
    }
}
