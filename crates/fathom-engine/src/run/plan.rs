//! What a run is, decided before it begins.

use super::lines::{self, WorkLine};
use super::target::Target;
use crate::EngineError;
use crate::measuring::series::{series, unit_of};
use crate::measuring::settings::{self, Prepared};
use fathom_analyze::stopping::StoppingRule;
use fathom_analyze::{EstimateRequest, Statistic};
use fathom_measure::{CommandSubject, PrintedMetric};
use fathom_record::{Metric, Run, Series};
use fathom_request::value::Named;
use fathom_request::{EffortPreset, RunRequest};
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
    /// With `--work`: which runs make a line of time over work.
    pub(crate) lines: Option<Vec<WorkLine>>,
    effort: EffortPreset,
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
            subsession_range: asked.subsession_range.unwrap_or_default(),
            ..cleaned
        };
        request.check().map_err(EngineError::usage)?;
        let printed = settings::printed(&asked.running)?;
        let lines = match &asked.work {
            Some(work) => {
                let unit = |metric| (metric, unit_of(metric, &printed));
                lines::check_times(prepared.metrics.iter().map(unit))?;
                Some(lines::lines(asked, work, &subjects)?)
            }
            None => None,
        };
        // Numbers of runs are of each amount of work.
        let amounts = lines.as_deref().and_then(<[WorkLine]>::first).map_or(1, WorkLine::amounts);
        let count = |number: Option<u64>| {
            number.map(|n| usize::try_from(n).unwrap_or(usize::MAX).saturating_mul(amounts))
        };
        let (fixed, fewest, most) =
            (count(asked.runs), count(asked.min_runs), count(asked.max_runs));
        if let (Some(fewest), Some(most)) = (asked.min_runs, asked.max_runs)
            && fewest > most
        {
            return Err(EngineError::usage(format!(
                "--min-runs {fewest} is more than --max-runs {most}; swap them"
            )));
        }
        // An explicit time limit is kept.
        let default = match asked.max_time {
            Some(_) => 1,
            None => asked.effort.fewest_runs().next_multiple_of(amounts),
        };
        let most = fixed.or(most).unwrap_or(usize::MAX);
        let fewest = fixed.or(fewest).unwrap_or(default).min(most);
        Ok(RunPlan {
            subjects,
            metrics: prepared.metrics.clone(),
            printed,
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
            lines,
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
        if self.effort == EffortPreset::Quick && needed <= EffortPreset::Normal.time_to_judge() {
            return format!("--effort {}", EffortPreset::Normal.name());
        }
        format!("--max-time {}s", needed.as_secs_f64().ceil())
    }

    /// Whether the time is over.
    pub(super) fn is_over(&self, n: usize, spent: Duration) -> bool {
        self.limit(n, spent).is_some_and(|limit| spent >= limit)
    }

    /// What is measured, one after another.
    pub(crate) fn targets(&self) -> Vec<Target<'_>> {
        match &self.lines {
            Some(lines) => lines.iter().map(Target::Line).collect(),
            None => (0..self.subjects.len()).map(Target::Command).collect(),
        }
    }

    /// What a target is called.
    pub(super) fn name<'p>(&'p self, target: &Target<'p>) -> &'p str {
        match target {
            Target::Command(subject) => &self.subjects[*subject].name,
            Target::Line(line) => &line.name,
        }
    }

    /// After how many runs of a target to look next. Lines are looked at after whole rounds.
    pub(super) fn next_look(&self, target: &Target<'_>, n: usize) -> Option<usize> {
        let look = self.rule.next_look(n)?;
        Some(target.whole_rounds(look).min(self.rule.most))
    }

    /// Every metric of a target that is judged, analysed.
    pub(super) fn analysed(
        &self,
        runs: &[Run],
        target: &Target<'_>,
    ) -> Vec<fathom_analyze::Subject> {
        let name = self.name(target);
        let several = self.metrics.len() > 1;
        let one = |metric: &Metric| {
            let label = if several { format!("{name}: {metric}") } else { name.to_string() };
            match target {
                Target::Command(subject) => {
                    let series = series(runs, *subject, &label, metric, &self.printed)?;
                    Some(if self.is_fixed {
                        fathom_analyze::analyze(series, &self.request)
                    } else {
                        self.rule.analyze(series, &self.request)
                    })
                }
                Target::Line(line) => {
                    let of_line = target.measured(runs);
                    let measured = of_line.into_iter();
                    let pairs =
                        measured.filter_map(|run| Some((line.amount_of(run)?, metric.of(run)?)));
                    let (amounts, times): (Vec<f64>, Vec<f64>) = pairs.unzip();
                    let unit = unit_of(metric, &self.printed);
                    let times = Series::new(label, unit, times).ok()?;
                    let times = times.with_metric(metric.to_string());
                    let amounts = line.series(amounts)?;
                    Some(if self.is_fixed {
                        fathom_analyze::analyze_work(&amounts, times, &self.request)
                    } else {
                        self.rule.analyze_work(&amounts, times, &self.request)
                    })
                }
            }
        };
        self.metrics.iter().filter_map(one).collect()
    }
}
