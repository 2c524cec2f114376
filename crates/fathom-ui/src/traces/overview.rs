//! What was opened.

use super::OpeningQuestion;
use super::correlators::{about, family};
use super::question::WireScoreIn;
use super::series::drawn_unit;
use crate::OpenedTraces;
use fathom_explain::Correlator;
use fathom_record::trace::{Kind, Layer};
use serde::Serialize;
use std::collections::HashMap;

/// What was opened: runs, metrics, and the ways to rank them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "traces")]
pub struct TracesOverview {
    /// As it was typed.
    pub title: String,
    /// "fathom ui" and what opens the same traces, as it is typed in a shell.
    pub opens: String,
    /// In their order.
    pub runs: Vec<RunInfo>,
    /// Of all runs, each once, in the order they are first met.
    pub metrics: Vec<MetricInfo>,
    /// The metric by which runs are aligned unless another is chosen, if the traces say.
    pub common: Option<String>,
    /// All of them, the default first.
    pub correlators: Vec<CorrelatorInfo>,
    /// How metrics are scored unless one says otherwise.
    pub score_in: WireScoreIn,
    /// What a reader should know of the files.
    pub notes: Vec<String>,
    /// What is shown first, if requested.
    pub asked: Option<OpeningQuestion>,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunInfo {
    /// Unique.
    pub id: String,
    /// When it began, in seconds since 1970.
    pub origin: Option<f64>,
    /// How many it has.
    pub metrics: usize,
}

/// A metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricInfo {
    /// Unique.
    pub name: String,
    /// Where in the stack it comes from.
    pub layer: Layer,
    /// Empty if unknown.
    pub unit: String,
    /// What its values mean.
    pub kind: Kind,
    /// The runs that have it.
    pub runs: Vec<usize>,
}

/// A way to rank metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrelatorInfo {
    /// On the command line.
    pub name: &'static str,
    /// What it looks for.
    pub family: &'static str,
    /// In a few words.
    pub about: &'static str,
}

/// With more metrics than these, all runs together, scoring them all takes a while.
const QUICK: usize = 2000;

pub(super) fn overview(opened: &OpenedTraces) -> TracesOverview {
    let entries = opened.source.runs();
    let mut metrics: Vec<MetricInfo> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (run, entry) in entries.iter().enumerate() {
        for metric in &entry.metrics {
            let place = *places.entry(&metric.name).or_insert(metrics.len());
            match metrics.get_mut(place) {
                Some(known) => known.runs.push(run),
                None => metrics.push(MetricInfo {
                    name: metric.name.clone(),
                    layer: metric.layer,
                    unit: drawn_unit(metric),
                    kind: metric.kind,
                    runs: vec![run],
                }),
            }
        }
    }
    let in_all = |name: &&str| {
        let metric = places.get(name).and_then(|&place| metrics.get(place));
        metric.is_some_and(|metric| metric.runs.len() == entries.len())
    };
    let scores: usize = entries.iter().map(|entry| entry.metrics.len()).sum();
    let clock = |run: usize| opened.clocks.get(run).copied().flatten();
    let runs = entries.iter().enumerate().map(|(run, entry)| RunInfo {
        id: entry.id.clone(),
        origin: clock(run).map(|clock| clock.wall.seconds()),
        metrics: entry.metrics.len(),
    });
    TracesOverview {
        title: opened.title.clone(),
        opens: opened.opens(),
        runs: runs.collect(),
        common: opened.source.common().filter(in_all).map(str::to_string),
        correlators: Correlator::ALL.into_iter().rev().map(correlator).collect(),
        score_in: if scores <= QUICK { WireScoreIn::Every } else { WireScoreIn::Nearest },
        notes: opened.notes.clone(),
        asked: opened.asked.clone(),
        metrics,
    }
}

fn correlator(correlator: Correlator) -> CorrelatorInfo {
    let (family, about) = (family(correlator), about(correlator));
    CorrelatorInfo { name: correlator.as_str(), family, about }
}
