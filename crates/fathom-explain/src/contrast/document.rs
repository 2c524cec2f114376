//! A contrast as JSON.

use super::{
    Contrast, ContrastedMetric, ContrastedRun, Difference, LevelSpread, MetricOrigin, RunSide,
    SIGNIFICANT,
};
use crate::align::Fit;
use fathom_record::trace::{Kind, Layer};
use fathom_record::{Environment, Timestamp, Unit, own_json};
use serde::Serialize;

/// The JSON of `fathom explain` for two groups of runs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Contrast"))]
pub struct ContrastDocument<'a> {
    /// The version of the contract: `fathom/1`.
    schema: &'static str,
    /// The command as you typed it, without the path of the program.
    command_line: &'a str,
    /// The question as data: a [request](#requests).
    request: serde_json::Value,
    /// Which draws divide runs where there are too many ways to try all: always 0.
    seed: u64,
    /// What made the document.
    environment: &'a Environment,
    /// The two groups. Differences are those of the second from the first.
    groups: [GroupEntry<'a>; 2],
    /// The run whose phases are carried into the others; `null` if runs are not divided.
    reference_run: Option<&'a str>,
    /// The metric by which runs are aligned; `null` if they are not.
    common_metric: Option<&'a str>,
    /// The phases, in the time of the reference run.
    phases: Vec<PhaseEntry>,
    /// The runs.
    runs: Vec<ContrastedRunEntry<'a>>,
    /// The metrics that both groups have, those that differ most first.
    metrics: Vec<ContrastedEntry<'a>>,
    /// Metrics that only one group has.
    one_sided: Vec<OneSidedEntry<'a>>,
    /// The number of metrics that are equal in all runs.
    equal_metrics: usize,
    /// How many ways to divide the runs into such groups were compared.
    divisions: usize,
    /// Whether these are all ways.
    all_divisions: bool,
    /// The smallest p-value that groups of these sizes can have.
    smallest_p_value: f64,
    /// Below this p-value of the family a difference is significant.
    level: f64,
    /// How many runs the groups need at least for a significant difference.
    runs_needed: [usize; 2],
    /// Further remarks.
    notes: &'a [String],
}

/// A group of runs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GroupEntry<'a> {
    /// What it is called.
    name: &'a str,
    /// The number of its runs.
    runs: usize,
}

/// A phase of the reference run.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PhaseEntry {
    /// The number of the phase, from 1.
    phase: usize,
    /// When it begins, in seconds after the origin of the run.
    start: f64,
    /// When it ends, in seconds after the origin of the run.
    end: f64,
}

/// A run.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ContrastedRun"))]
struct ContrastedRunEntry<'a> {
    /// Its id.
    run: &'a str,
    /// The number of its group: 1 or 2.
    group: u8,
    /// When its phases begin and the last one ends, in seconds after its origin; empty if runs are not
    /// divided.
    phase_ends: Vec<f64>,
    /// How well it fits the reference; `null` for the reference, and if runs are not aligned.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = own_json::or_null(Fit::ALL.map(|fit| fit.as_str())))))]
    fit: Option<&'static str>,
}

/// A metric that both groups have.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ContrastedMetric"))]
struct ContrastedEntry<'a> {
    /// The rank, from 1.
    rank: usize,
    /// The name of the metric.
    metric: &'a str,
    /// Where it comes from: `traces`, `duration` (how long runs and phases take), or `selected_by` (the
    /// groups were made by it, so that its difference is no discovery).
    #[cfg_attr(feature = "schema", schemars(extend("enum" = MetricOrigin::ALL.map(MetricOrigin::name))))]
    origin: &'static str,
    /// The layer that it belongs to.
    layer: Layer,
    /// Its unit. The levels of counters and events are per second of it.
    unit: &'a Unit,
    /// What its levels are.
    kind: Kind,
    /// The phase in which it differs most, from 1; `null` for the whole run.
    most_in_phase: Option<usize>,
    /// Whether any of its differences is significant.
    is_significant: bool,
    /// Over the whole run.
    whole: DifferenceEntry<'a>,
    /// In each phase.
    phases: Vec<DifferenceEntry<'a>>,
}

/// A metric in both groups.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Difference"))]
struct DifferenceEntry<'a> {
    /// The levels of each group; `null` if none of its runs has one.
    groups: [Option<SpreadEntry>; 2],
    /// The median of the second group less that of the first; `null` if one is missing.
    change: Option<f64>,
    /// The same as a share of the first; `null` if that is 0.
    relative: Option<f64>,
    /// How far the groups are apart: Student's t on the scale of a normal variable; `null` if the
    /// groups were made by this metric.
    separation: Option<f64>,
    /// How often chance takes this metric so far apart here; `null` as above.
    p_value: Option<f64>,
    /// How often chance takes any metric so far that differs no more; `null` as above.
    family_p_value: Option<f64>,
    /// The level of each run, in the order of `runs`; `null` where it has none.
    levels: &'a [Option<f64>],
}

/// Levels of several runs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SpreadEntry {
    /// The median.
    median: f64,
    /// The smallest.
    min: f64,
    /// The largest.
    max: f64,
    /// How many runs have a level.
    runs: usize,
}

/// A metric that only one group has.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OneSidedEntry<'a> {
    /// Its name.
    metric: &'a str,
    /// The number of the group that has it: 1 or 2.
    group: u8,
}

impl MetricOrigin {
    /// All of them.
    pub const ALL: [MetricOrigin; 3] =
        [MetricOrigin::Traces, MetricOrigin::Duration, MetricOrigin::SelectedBy];

    /// Its name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MetricOrigin::Traces => "traces",
            MetricOrigin::Duration => "duration",
            MetricOrigin::SelectedBy => "selected_by",
        }
    }
}

impl<'a> ContrastDocument<'a> {
    /// The document of a contrast.
    #[must_use]
    pub fn of(
        contrast: &'a Contrast,
        command_line: &'a str,
        request: serde_json::Value,
        environment: &'a Environment,
    ) -> ContrastDocument<'a> {
        let [first, second] = contrast.sizes();
        let name = |place: usize| contrast.names.get(place).map_or("", String::as_str);
        let reference = contrast.runs.get(contrast.reference).map(|run| run.run.as_str());
        let phases = contrast.phases.iter().enumerate().map(|(place, phase)| PhaseEntry {
            phase: place + 1,
            start: phase.start.seconds(),
            end: phase.end.seconds(),
        });
        let one_sided = contrast.one_sided.iter();
        ContrastDocument {
            schema: own_json::SCHEMA,
            command_line,
            request,
            seed: 0,
            environment,
            groups: [
                GroupEntry { name: name(0), runs: first },
                GroupEntry { name: name(1), runs: second },
            ],
            reference_run: reference.filter(|_| !contrast.phases.is_empty()),
            common_metric: contrast.common.as_deref(),
            phases: phases.collect(),
            runs: contrast.runs.iter().map(run).collect(),
            metrics: contrast
                .metrics
                .iter()
                .enumerate()
                .map(|(place, one)| metric(place + 1, one))
                .collect(),
            one_sided: one_sided
                .map(|one| OneSidedEntry { metric: &one.metric, group: number(one.side) })
                .collect(),
            equal_metrics: contrast.still,
            divisions: contrast.divisions.0,
            all_divisions: contrast.divisions.1,
            smallest_p_value: contrast.smallest_p_value,
            level: SIGNIFICANT,
            runs_needed: contrast.sizes_needed,
            notes: &contrast.notes,
        }
    }

    /// As text, with a line break at its end.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

fn number(side: RunSide) -> u8 {
    match side {
        RunSide::First => 1,
        RunSide::Second => 2,
    }
}

fn run(run: &ContrastedRun) -> ContrastedRunEntry<'_> {
    ContrastedRunEntry {
        run: &run.run,
        group: number(run.side),
        phase_ends: run.moments.iter().copied().map(Timestamp::seconds).collect(),
        fit: run.fit.map(Fit::as_str),
    }
}

fn metric(rank: usize, one: &ContrastedMetric) -> ContrastedEntry<'_> {
    ContrastedEntry {
        rank,
        metric: &one.metric.name,
        origin: one.origin.name(),
        layer: one.metric.layer,
        unit: &one.metric.unit,
        kind: one.metric.kind,
        most_in_phase: one.place().map(|phase| phase + 1),
        is_significant: one.is_significant(),
        whole: difference(&one.whole),
        phases: one.phases.iter().map(difference).collect(),
    }
}

fn difference(one: &Difference) -> DifferenceEntry<'_> {
    let spread = |spread: LevelSpread| SpreadEntry {
        median: spread.median,
        min: spread.low,
        max: spread.high,
        runs: spread.runs,
    };
    let change = one.change();
    DifferenceEntry {
        groups: one.groups.map(|group| group.map(spread)),
        change: change.map(|(change, _)| change),
        relative: change.and_then(|(_, relative)| relative),
        separation: one.chance.map(|chance| chance.separation),
        p_value: one.chance.map(|chance| chance.p_value),
        family_p_value: one.chance.map(|chance| chance.family_p_value),
        levels: &one.levels,
    }
}
