//! What differs between two groups of runs.

use super::{AllLevels, ContrastQuestion, RunSide, SIGNIFICANT, poorly_aligned};
use crate::align::{CarriedMoments, Fit};
use fathom_record::trace::{Kind, Layer, Number, TraceMetric};
use fathom_record::{TimeUnit, Timestamp, Unit};
use fathom_stats::two_groups::{self, GroupDifference, GroupDifferences};
use std::collections::HashMap;

/// What differs between two groups of runs.
#[derive(Debug, Clone)]
pub struct Contrast {
    /// What the groups are called.
    pub names: [String; 2],
    /// The runs that take part.
    pub runs: Vec<ContrastedRun>,
    /// The place of the run whose phases were carried into the others.
    pub reference: usize,
    /// The metric by which most runs were aligned; `None` if they were not.
    pub common: Option<String>,
    /// The phases, in the reference's time; none if runs were not divided.
    pub phases: Vec<ContrastPhase>,
    /// The metrics of both groups, those that differ most first.
    pub metrics: Vec<ContrastedMetric>,
    /// Metrics that only one group has.
    pub one_sided: Vec<OneSidedMetric>,
    /// How many metrics never differ between any two runs.
    pub still: usize,
    /// How many ways to divide the runs were compared, and whether these are all.
    pub divisions: (usize, bool),
    /// The smallest p-value that so many runs can give.
    pub smallest_p_value: f64,
    /// How many runs each group needs at least for a significant difference.
    pub sizes_needed: [usize; 2],
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// A run that takes part.
#[derive(Debug, Clone)]
pub struct ContrastedRun {
    /// Its id.
    pub run: String,
    /// Its group.
    pub side: RunSide,
    /// Where phases begin and the last one ends, in its time; none if runs were not divided.
    pub moments: Vec<Timestamp>,
    /// How well it fits the reference; `None` for that one, and if runs were not aligned.
    pub fit: Option<Fit>,
}

/// A phase of the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContrastPhase {
    /// When it begins.
    pub start: Timestamp,
    /// When it ends.
    pub end: Timestamp,
}

/// Where a metric comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricOrigin {
    /// The traces.
    Traces,
    /// It is how long runs and phases take.
    Duration,
    /// The traces, and the groups were made by it: that it differs is no discovery.
    SelectedBy,
}

/// A metric that both groups have.
#[derive(Debug, Clone)]
pub struct ContrastedMetric {
    /// It.
    pub metric: TraceMetric,
    /// Where it comes from.
    pub origin: MetricOrigin,
    /// Over whole runs.
    pub whole: Difference,
    /// In each phase.
    pub phases: Vec<Difference>,
}

/// A metric that only one group has.
#[derive(Debug, Clone, PartialEq)]
pub struct OneSidedMetric {
    /// Its name.
    pub metric: String,
    /// Which group has it.
    pub side: RunSide,
}

/// What a metric was in both groups. Counters are growth per second, events amounts per second.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The level of each run that takes part, in the order of runs.
    pub levels: Vec<Option<f64>>,
    /// What the levels of each group are like; `None` if no run has one.
    pub groups: [Option<LevelSpread>; 2],
    /// What chance has to do with it; `None` if the groups were made by this metric.
    pub chance: Option<GroupDifference>,
}

/// Levels of several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelSpread {
    /// The middle one.
    pub median: f64,
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// How many runs there are.
    pub runs: usize,
}

impl LevelSpread {
    fn of(mut levels: Vec<f64>) -> Option<LevelSpread> {
        levels.sort_by(f64::total_cmp);
        let runs = levels.len();
        let (low, high) = (*levels.first()?, *levels.last()?);
        let (one, other) = (*levels.get((runs - 1) / 2)?, *levels.get(runs / 2)?);
        Some(LevelSpread { median: one * 0.5 + other * 0.5, low, high, runs })
    }
}

impl Difference {
    fn new(levels: Vec<Option<f64>>, sides: &[RunSide], chance: Option<GroupDifference>) -> Self {
        let group = |side: RunSide| {
            let of_group = levels.iter().zip(sides).filter(|(_, one)| **one == side);
            LevelSpread::of(of_group.filter_map(|(level, _)| *level).collect())
        };
        let groups = [group(RunSide::First), group(RunSide::Second)];
        Difference { groups, chance, levels }
    }

    /// By how much the second group is above the first, and the same as a share of the first, if that
    /// is not 0.
    #[must_use]
    pub fn change(&self) -> Option<(f64, Option<f64>)> {
        let [Some(first), Some(second)] = self.groups else { return None };
        let change = second.median - first.median;
        let relative = (first.median != 0.0).then(|| change / first.median.abs());
        Some((change, relative.filter(|share| share.is_finite())))
    }

    /// Whether it is more than chance, among all that were looked at.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.chance.is_some_and(|chance| chance.family_p_value < SIGNIFICANT)
    }

    /// How far the groups are apart.
    #[must_use]
    pub fn separation(&self) -> f64 {
        self.chance.map_or(0.0, |chance| chance.separation)
    }
}

impl ContrastedMetric {
    /// Where it differs most: in whole runs (`None`), or in a phase, counted from 0.
    #[must_use]
    pub fn place(&self) -> Option<usize> {
        let mut most = (self.whole.separation(), None);
        for (phase, difference) in self.phases.iter().enumerate() {
            if difference.separation() > most.0 {
                most = (difference.separation(), Some(phase));
            }
        }
        most.1
    }

    /// How it differs there.
    #[must_use]
    pub fn most(&self) -> &Difference {
        self.place().and_then(|phase| self.phases.get(phase)).unwrap_or(&self.whole)
    }

    /// Whether any of its differences is significant.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.most().is_significant()
    }

    /// Whole runs first, then each phase.
    pub fn differences(&self) -> impl Iterator<Item = (Option<usize>, &Difference)> {
        let phases = self.phases.iter().enumerate().map(|(phase, one)| (Some(phase), one));
        std::iter::once((None, &self.whole)).chain(phases)
    }
}

impl Contrast {
    /// How many runs each group has.
    #[must_use]
    pub fn sizes(&self) -> [usize; 2] {
        let size = |side: RunSide| self.runs.iter().filter(|run| run.side == side).count();
        [size(RunSide::First), size(RunSide::Second)]
    }

    /// Whether so many runs can show anything.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.smallest_p_value < SIGNIFICANT
    }

    /// The metrics that are compared.
    pub fn compared(&self) -> impl Iterator<Item = &ContrastedMetric> {
        self.metrics.iter().filter(|one| one.origin != MetricOrigin::SelectedBy)
    }
}

/// A metric, and its level of each run: in whole runs, then in each phase.
pub(super) struct MetricRow {
    pub(super) metric: TraceMetric,
    is_duration: bool,
    pub(super) cells: Vec<Vec<Option<f64>>>,
}

/// The metrics in the order in which they are first met, after the duration.
pub(super) fn rows(levels: &AllLevels, carried: Option<&CarriedMoments>) -> Vec<MetricRow> {
    let runs = levels.len();
    let mut rows = vec![duration(levels, carried)];
    let mut places: HashMap<String, usize> = HashMap::new();
    let count = rows.first().map_or(1, |row| row.cells.len());
    for (run, of_run) in levels.iter().enumerate() {
        for one in &of_run.metrics {
            let place = *places.entry(one.metric.name.clone()).or_insert_with(|| {
                rows.push(MetricRow {
                    metric: one.metric.clone(),
                    is_duration: false,
                    cells: vec![vec![None; runs]; count],
                });
                rows.len() - 1
            });
            let Some(row) = rows.get_mut(place) else { continue };
            for (cell, level) in
                row.cells.iter_mut().zip(std::iter::once(one.whole).chain(one.phases.clone()))
            {
                if let Some(free) = cell.get_mut(run) {
                    *free = level;
                }
            }
        }
    }
    rows
}

/// How long runs and their phases take.
fn duration(levels: &AllLevels, carried: Option<&CarriedMoments>) -> MetricRow {
    let metric = TraceMetric {
        name: "duration".to_string(),
        layer: Layer::Application,
        unit: Unit::Time(TimeUnit::Seconds),
        kind: Kind::Gauge,
        number: Number::Real,
        probe: "contrast".to_string(),
        about: "how long runs and phases take".to_string(),
    };
    let seconds = |(start, end): (Timestamp, Timestamp)| (end - start).seconds();
    let cells = match carried {
        Some(carried) => {
            let phases = carried.runs.first().map_or(0, |run| run.moments.len().saturating_sub(1));
            let ends =
                |moments: &[Timestamp]| moments.first().copied().zip(moments.last().copied());
            let whole = carried.runs.iter().map(|run| ends(&run.moments).map(seconds)).collect();
            let of_phase = |phase: usize| {
                let span =
                    |moments: &[Timestamp]| Some((*moments.get(phase)?, *moments.get(phase + 1)?));
                carried.runs.iter().map(|run| span(&run.moments).map(seconds)).collect()
            };
            let divided = if phases > 1 { phases } else { 0 };
            std::iter::once(whole).chain((0..divided).map(of_phase)).collect()
        }
        None => vec![levels.iter().map(|run| run.span.map(seconds)).collect()],
    };
    MetricRow { metric, is_duration: true, cells }
}

/// All that a contrast is made of.
pub(super) struct Parts<'a> {
    pub(super) question: &'a ContrastQuestion,
    pub(super) source_runs: Vec<String>,
    pub(super) sides: &'a [RunSide],
    pub(super) place: usize,
    pub(super) carried: Option<&'a CarriedMoments>,
    pub(super) rows: Vec<MetricRow>,
    /// Of the cells of rows that are compared, one after the other.
    pub(super) differences: GroupDifferences,
    pub(super) notes: Vec<String>,
}

/// Puts it together.
pub(super) fn contrast(parts: Parts<'_>) -> Contrast {
    let Parts { question, source_runs, sides, place, carried, rows, differences, mut notes } =
        parts;
    let mut chances = differences.measures.iter().copied();
    let mut metrics = Vec::new();
    let mut one_sided = Vec::new();
    let mut still = 0;
    for row in rows {
        let is_selected = question.selected_by.contains(&row.metric.name);
        let mut all = row.cells.into_iter().map(|levels| {
            let chance = if is_selected { None } else { chances.next() };
            Difference::new(levels, sides, chance)
        });
        let Some(whole) = all.next() else { continue };
        let phases: Vec<Difference> = all.collect();
        let has = |side: usize| {
            let mut all = std::iter::once(&whole).chain(&phases);
            all.any(|one| one.groups.get(side).is_some_and(Option::is_some))
        };
        let origin = match (is_selected, row.is_duration) {
            (true, _) => MetricOrigin::SelectedBy,
            (false, true) => MetricOrigin::Duration,
            (false, false) => MetricOrigin::Traces,
        };
        match (has(0), has(1)) {
            (true, true) => {}
            (false, false) => continue,
            (is_first, _) => {
                let side = if is_first { RunSide::First } else { RunSide::Second };
                one_sided.push(OneSidedMetric { metric: row.metric.name, side });
                continue;
            }
        }
        let metric = ContrastedMetric { metric: row.metric, origin, whole, phases };
        if !is_selected && metric.most().separation() <= 0.0 {
            still += 1;
            continue;
        }
        metrics.push(metric);
    }
    // Equal ones stay in their order.
    metrics.sort_by(|one, other| other.most().separation().total_cmp(&one.most().separation()));
    let phases = carried.and_then(|carried| carried.runs.get(place)).map(|run| {
        let stretch = |pair: &[Timestamp]| match pair {
            [start, end] => Some(ContrastPhase { start: *start, end: *end }),
            _ => None,
        };
        let all: Vec<ContrastPhase> = run.moments.windows(2).filter_map(stretch).collect();
        if all.len() > 1 { all } else { Vec::new() }
    });
    if let Some(carried) = carried {
        notes.extend(poor_note(carried, &source_runs, phases.as_deref().unwrap_or_default()));
    }
    let runs: Vec<ContrastedRun> = source_runs
        .into_iter()
        .zip(sides)
        .enumerate()
        .map(|(number, (run, side))| {
            let carried = carried.and_then(|carried| carried.runs.get(number));
            ContrastedRun {
                run,
                side: *side,
                moments: carried.map_or_else(Vec::new, |run| run.moments.clone()),
                fit: carried.and_then(|run| run.fit),
            }
        })
        .collect();
    let size = |side: RunSide| runs.iter().filter(|run| run.side == side).count();
    let (first, second) = (size(RunSide::First), size(RunSide::Second));
    let needed = two_groups::sizes_needed(first, second, SIGNIFICANT);
    Contrast {
        names: question.names.clone(),
        runs,
        reference: place,
        common: carried.map(|carried| carried.common.clone()),
        phases: phases.unwrap_or_default(),
        metrics,
        one_sided,
        still,
        divisions: (differences.divisions, differences.are_all),
        smallest_p_value: two_groups::smallest_p_value(first, second),
        sizes_needed: [needed.0, needed.1],
        notes,
    }
}

/// That phases of some runs may be wrong.
fn poor_note(
    carried: &CarriedMoments,
    runs: &[String],
    phases: &[ContrastPhase],
) -> Option<String> {
    const SHOWN: usize = 3;
    let poor: Vec<&str> =
        poorly_aligned(carried).filter_map(|run| runs.get(run)).map(String::as_str).collect();
    let more = poor.len().saturating_sub(SHOWN);
    let shown = poor.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!poor.is_empty() && !phases.is_empty()).then(|| {
        format!(
            "{shown}{more} fit the reference poorly by {}, so that phases there may be elsewhere; whole \
             runs are not affected. Try another --common",
            carried.common
        )
    })
}
