//! What a run is, decided before it begins.

use crate::EngineError;
use crate::measuring::series::series;
use crate::measuring::settings::{self, Prepared};
use fathom_analyze::stopping::StoppingRule;
use fathom_analyze::{EstimateRequest, Statistic};
use fathom_measure::{CommandSubject, PrintedMetric};
use fathom_record::{Metric, Run};
use fathom_request::value::Named;
use fathom_request::{Effort, RunRequest};
use fathom_stats::dependence::SAMPLES_TO_JUDGE;
use std::time::Duration;

/// What to do.
#[derive(Debug)]
pub(crate) struct RunPlan {
    pub(crate) subjects: Vec<CommandSubject>,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) printed: Vec<PrintedMetric>,
    pub(crate) request: EstimateRequest,
    pub(crate) rule: StoppingRule,
    pub(crate) max_time: Option<Duration>,
    /// How long it may take to make enough runs to judge their dependence.
    time_to_judge: Duration,
    pub(crate) warmup: usize,
    pub(crate) is_fixed: bool,
    effort: Effort,
}

impl RunPlan {
    pub(crate) fn of(
        asked: &RunRequest,
        subjects: Vec<CommandSubject>,
        prepared: &Prepared,
        seed: u64,
    ) -> Result<RunPlan, EngineError> {
        let mut statistics = asked.statistics.clone();
        if statistics.is_empty() {
            statistics.push(Statistic::MEDIAN);
        }
        let cleaned = asked.cleaning.apply(EstimateRequest::default());
        let request = EstimateRequest {
            statistics,
            confidence: asked.confidence,
            seed,
            method: asked.method,
            ..cleaned
        };
        request.check().map_err(EngineError::usage)?;
        let count = |number: Option<u64>| number.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let (fixed, fewest, most) =
            (count(asked.runs), count(asked.min_runs), count(asked.max_runs));
        if let (Some(fewest), Some(most)) = (fewest, most)
            && fewest > most
        {
            return Err(EngineError::usage(format!(
                "--min-runs {fewest} is more than --max-runs {most}; swap them"
            )));
        }
        // An explicit time limit is kept.
        let default = if asked.max_time.is_some() { 1 } else { asked.effort.fewest_runs() };
        let most = fixed.or(most).unwrap_or(usize::MAX);
        let fewest = fixed.or(fewest).unwrap_or(default).min(most);
        Ok(RunPlan {
            subjects,
            metrics: prepared.metrics.clone(),
            printed: settings::printed(&asked.running)?,
            request,
            rule: StoppingRule { precision: asked.precision(), fewest, most },
            max_time: match fixed {
                Some(_) => None,
                None => Some(asked.max_time.unwrap_or(asked.effort.time_of_command())),
            },
            // An explicit time limit is kept.
            time_to_judge: asked.max_time.unwrap_or(asked.effort.time_to_judge()),
            warmup: asked.running.warmup.unwrap_or(0),
            is_fixed: fixed.is_some(),
            effort: asked.effort,
        })
    }

    /// The time after which no run of a subject begins, given what was spent on how many.
    pub(super) fn limit(&self, n: usize, spent: Duration) -> Option<Duration> {
        let limit = self.max_time?;
        let wanted = SAMPLES_TO_JUDGE.min(self.rule.most);
        if n == 0 || n >= wanted {
            return Some(limit);
        }
        // Only if the runs that are missing fit in: half of them would be of no use.
        let whole = spent.as_secs_f64() / n as f64 * wanted as f64;
        let fits = whole <= self.time_to_judge.as_secs_f64();
        Some(if fits { limit.max(self.time_to_judge) } else { limit })
    }

    /// The option that gives a subject this much time, and what to set it to.
    pub(super) fn option_for(&self, needed: Duration) -> String {
        if self.effort == Effort::Quick && needed <= Effort::Normal.time_to_judge() {
            return format!("--effort {}", Effort::Normal.name());
        }
        format!("--max-time {}s", needed.as_secs_f64().ceil())
    }

    /// Whether the time is over.
    pub(super) fn is_over(&self, n: usize, spent: Duration) -> bool {
        self.limit(n, spent).is_some_and(|limit| spent >= limit)
    }

    /// Every metric of a subject that is judged, analysed.
    pub(super) fn analysed(&self, runs: &[Run], subject: usize) -> Vec<fathom_analyze::Subject> {
        let name = &self.subjects[subject].name;
        let several = self.metrics.len() > 1;
        let one = |metric: &Metric| {
            let label = if several { format!("{name}: {metric}") } else { name.clone() };
            let series = series(runs, subject, &label, metric, &self.printed)?;
            Some(if self.is_fixed {
                fathom_analyze::analyze(series, &self.request)
            } else {
                self.rule.analyze(series, &self.request)
            })
        };
        self.metrics.iter().filter_map(one).collect()
    }
}
