//! Whole runs with phases, and what differs between two groups of them.

use crate::population::Generator;
use fathom_explain::align::AlignOptions;
use fathom_explain::contrast::{
    Contrast, ContrastQuestion, ContrastedMetric, PhaseChoice, RunSide, contrast_with,
};
use fathom_explain::{ExplainCache, RunEntry, SourceError, TraceSource};
use fathom_record::trace::{Kind, Layer, Samples, TraceMetric, Values};
use fathom_record::{Timestamp, Unit};
use rand_distr::{Distribution, Open01, StandardNormal};
use std::collections::BTreeMap;

/// What the page says of them.
pub(super) const ABOUT: &str = "Runs have three phases of 30 to 80 rows, whose lengths vary by up to a \
     fifth from run to run, and 16 metrics: levels with a lag-1 correlation of .7 and a level of their own \
     in each run, counts, and bursts. `work` follows the phases and aligns the runs. The planted metric is \
     moved in the second phase of the second group, by six standard deviations between runs; or the \
     phase takes half as long again. ";

/// The common metric, and 15 more.
const METRICS: usize = 15;
/// The metric that differs.
const DIFFERS: &str = "metric-0";

/// What differs between the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Planted {
    Nothing,
    Level,
    Length,
}

impl Planted {
    pub(super) const ALL: [Planted; 3] = [Planted::Nothing, Planted::Level, Planted::Length];

    pub(super) fn name(self) -> &'static str {
        match self {
            Planted::Nothing => "nothing",
            Planted::Level => "a level in phase 2",
            Planted::Length => "the length of phase 2",
        }
    }

    fn metric(self, found: &Contrast) -> Option<&ContrastedMetric> {
        let name = match self {
            Planted::Nothing => return None,
            Planted::Level => DIFFERS,
            Planted::Length => "duration",
        };
        found.metrics.iter().find(|one| one.metric.name == name)
    }

    /// Whether something is significant that does not differ.
    pub(super) fn has_false(self, found: &Contrast) -> bool {
        found.metrics.iter().filter(|one| one.is_significant()).any(|one| match self {
            Planted::Nothing => true,
            Planted::Level => one.metric.name != DIFFERS,
            // Longer phases weigh more in every mean of the whole run.
            Planted::Length => {
                one.metric.name != "duration" && one.phases.iter().any(|one| one.is_significant())
            }
        })
    }

    /// Whether what differs is significant in its phase.
    pub(super) fn is_found(self, found: &Contrast) -> bool {
        let phase = self.metric(found).and_then(|one| one.phases.get(1));
        phase.is_some_and(|one| one.is_significant())
    }

    /// Whether its phase is the one that is shown.
    pub(super) fn is_placed(self, found: &Contrast) -> bool {
        self.is_found(found) && self.metric(found).is_some_and(|one| one.place() == Some(1))
    }
}

/// Traces in memory.
pub(super) struct MadeRuns {
    runs: Vec<RunEntry>,
    sides: Vec<Option<RunSide>>,
    samples: BTreeMap<(String, String), Samples>,
}

impl MadeRuns {
    pub(super) fn draw(
        first: usize,
        second: usize,
        planted: Planted,
        rng: &mut Generator,
    ) -> MadeRuns {
        let uniform = |rng: &mut Generator| -> f64 { Open01.sample(rng) };
        let usual = [0; 3].map(|_| 30.0 + 50.0 * uniform(rng));
        let mut made = MadeRuns { runs: Vec::new(), sides: Vec::new(), samples: BTreeMap::new() };
        for run in 0..first + second {
            let is_second = run >= first;
            let id = format!("run-{}", run + 1);
            let mut phases: Vec<usize> = Vec::new();
            for (phase, usual) in usual.iter().enumerate() {
                let longer = is_second && phase == 1 && planted == Planted::Length;
                let length = usual * (0.9 + 0.2 * uniform(rng)) * if longer { 1.5 } else { 1.0 };
                phases.extend(std::iter::repeat_n(phase, length.round() as usize));
            }
            let mut metrics = Vec::new();
            let work = phases.iter().map(|phase| [1.0, 7.0, 3.0][*phase]).collect::<Vec<f64>>();
            let noise = wandering(work.len(), 0.3, rng);
            let work = work.iter().zip(noise).map(|(level, noise)| level + 0.3 * noise).collect();
            metrics.push(made.add(&id, "work", work));
            for number in 0..METRICS {
                let differs =
                    if is_second && number == 0 && planted == Planted::Level { 6.0 } else { 0.0 };
                let own: f64 = StandardNormal.sample(rng);
                let mut values = match number % 5 {
                    4 => (0..phases.len()).map(|_| (3.0 * uniform(rng)).floor()).collect(),
                    3 => bursts(phases.len(), rng),
                    _ => wandering(phases.len(), 0.7, rng),
                };
                for (value, phase) in values.iter_mut().zip(&phases) {
                    let level = if *phase == 1 { differs } else { 0.0 };
                    *value += 10.0 + own + level;
                }
                metrics.push(made.add(&id, &format!("metric-{number}"), values));
            }
            made.runs.push(RunEntry { id, metrics });
            made.sides.push(Some(if is_second { RunSide::Second } else { RunSide::First }));
        }
        made
    }

    fn add(&mut self, run: &str, name: &str, values: Vec<f64>) -> TraceMetric {
        let metric = TraceMetric {
            name: name.to_string(),
            ..TraceMetric::real("made", "m", Layer::Os, Kind::Gauge, Unit::Unknown)
        };
        let edge = |row: usize| Timestamp::from_seconds(row as f64);
        let samples = Samples {
            metric: metric.clone(),
            starts: (0..values.len()).map(edge).collect(),
            ends: (1..=values.len()).map(edge).collect(),
            values: Values::Reals(values.into_iter().map(Some).collect()),
        };
        self.samples.insert((run.to_string(), name.to_string()), samples);
        metric
    }

    /// What is found; `None` if that fails.
    pub(super) fn contrasted(&self) -> Option<Contrast> {
        let question = ContrastQuestion {
            names: ["first".to_string(), "second".to_string()],
            sides: self.sides.clone(),
            reference: None,
            alignment: AlignOptions { common: Some("work".to_string()), ..AlignOptions::default() },
            phases: PhaseChoice::Auto,
            only: Vec::new(),
            selected_by: Vec::new(),
        };
        contrast_with(self, &question, &ExplainCache::new(0), &|_| Ok(())).ok()
    }
}

impl TraceSource for MadeRuns {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        None
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        let found = self.samples.get(&(run.to_string(), metric.to_string()));
        found.cloned().ok_or_else(|| format!("{run} has no {metric}").into())
    }
}

/// Autoregressive noise with unit variance.
fn wandering(rows: usize, memory: f64, rng: &mut Generator) -> Vec<f64> {
    let mut value: f64 = StandardNormal.sample(rng);
    let new = (1.0 - memory * memory).sqrt();
    (0..rows)
        .map(|_| {
            let drawn: f64 = StandardNormal.sample(rng);
            value = memory * value + new * drawn;
            value
        })
        .collect()
}

/// Quiet, with a burst now and then.
fn bursts(rows: usize, rng: &mut Generator) -> Vec<f64> {
    let mut values = vec![0.0; rows];
    let mut row = 0;
    while row < rows {
        let gap: f64 = Open01.sample(rng);
        row += (60.0 * gap) as usize + 5;
        let height: f64 = Open01.sample(rng);
        values.iter_mut().skip(row).take(4).for_each(|value| *value = 5.0 * height);
    }
    values
}
