//! Which probes are recorded together: the planning of runs.

use super::PlanError;
use super::application;
use super::common_metric::find_common;
use super::offer::Offer;
use super::plan_error::LEAST_INTERVAL;
use super::planned_cost::{least_round, too_dear};
use super::selection::{patterns, select};
use fathom_record::Span;
use fathom_record::trace::{Layer, PlannedProbe, PlannedRun, PlannedSampler, RecordingPlan};
use fathom_sys::probes::SourceFamily;
use std::time::Duration;

/// Probes that are too dear for the interval are read this often.
const SLOW: Duration = Duration::from_secs(1);

/// Sampling that takes more than this share of its interval cannot keep its schedule.
const BUSIEST: f64 = 0.5;

/// What the user requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingOptions {
    /// The time between two samples.
    pub interval: Duration,
    /// Only these probes; all if there is none.
    pub probes: Vec<String>,
    /// A run for each of these lists of probes, instead of the usual groups.
    pub groups: Vec<String>,
    /// How many runs; one per group when absent.
    pub runs: Option<usize>,
    /// The metric that every run has.
    pub common: Option<String>,
    /// Whether the program's own metrics are recorded, too.
    pub application: bool,
}

impl Default for RecordingOptions {
    fn default() -> RecordingOptions {
        RecordingOptions {
            interval: Duration::from_millis(10),
            probes: Vec::new(),
            groups: Vec::new(),
            runs: None,
            common: None,
            application: false,
        }
    }
}

/// Some probes that are recorded together, by their places among the offers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    name: String,
    places: Vec<usize>,
}

/// Plans a recording.
pub fn plan(offers: &[Offer], options: &RecordingOptions) -> Result<RecordingPlan, PlanError> {
    if options.interval < LEAST_INTERVAL {
        return Err(PlanError::IntervalTooSmall(options.interval));
    }
    if options.runs == Some(0) {
        return Err(PlanError::NoRuns);
    }
    let (selected, mut groups) = choose(offers, options)?;
    let common = find_common(offers, &selected, options)?;
    if let Some(place) = common.as_ref().and_then(|common| common.place) {
        share_with_all(&mut groups, place);
    }
    if options.groups.is_empty() {
        drop_contained(&mut groups);
    }
    if groups.is_empty() {
        // The program's own metrics alone are something, too.
        groups.push(Group { name: application::PROBE.to_string(), places: Vec::new() });
    }
    let groups = spread(&groups, options.runs);
    let mut warnings: Vec<String> = Vec::new();
    match &common {
        Some(common) => warnings.extend(common.warning.clone()),
        None if groups.len() > 1 => {
            warnings.push(
                "no metric is in every run, so the runs cannot be aligned by one".to_string(),
            );
        }
        None => {}
    }
    let mut runs: Vec<PlannedRun> = Vec::new();
    for group in &groups {
        let run = run(offers, runs.len(), group, options);
        check_interval(&run)?;
        // A group that is repeated is warned of once.
        if runs.iter().all(|earlier| earlier.group != run.group) {
            warnings.extend(multiplexed(offers, group));
            warnings.extend(too_dear(&run));
        }
        runs.push(run);
    }
    let refused =
        |offer: &Offer| Some((offer.name.clone(), offer.found.as_ref().err()?.to_string()));
    Ok(RecordingPlan {
        runs,
        common: common.map(|common| common.name),
        interval: options.interval,
        unavailable: offers.iter().filter_map(refused).collect(),
        warnings,
    })
}

/// What may be in any run, and the groups.
fn choose(
    offers: &[Offer],
    options: &RecordingOptions,
) -> Result<(Vec<usize>, Vec<Group>), PlanError> {
    let readable: Vec<usize> = (0..offers.len()).filter(|&n| offers[n].found.is_ok()).collect();
    match (options.probes.as_slice(), options.groups.as_slice()) {
        ([], []) => {
            if readable.is_empty() && !options.application {
                let reasons = offers.iter().filter_map(|offer| {
                    Some(format!("; {}: {}", offer.name, offer.found.as_ref().err()?))
                });
                return Err(PlanError::Nothing(reasons.collect()));
            }
            let groups = usual(offers, &readable);
            Ok((readable, groups))
        }
        (probes, []) => {
            let selected = select(offers, probes, options.application)?;
            let groups = usual(offers, &selected);
            // A metric of a probe that was not chosen is common only if that is wished for.
            let may_be = if options.common.is_some() { readable } else { selected };
            Ok((may_be, groups))
        }
        ([], lists) => {
            let group = |list: &String| {
                let places = select(offers, &patterns(list)?, options.application)?;
                Ok(Group { name: list.trim().to_string(), places })
            };
            Ok((readable, lists.iter().map(group).collect::<Result<_, _>>()?))
        }
        _ => Err(PlanError::BothChosen),
    }
}

/// The usual groups: the program, the machine, and each set of the processor's counters; what is
/// cheap is in all of them.
fn usual(offers: &[Offer], selected: &[usize]) -> Vec<Group> {
    let mut families: Vec<SourceFamily> = selected.iter().map(|&n| offers[n].family).collect();
    families.sort_unstable();
    families.dedup();
    // Alone it is a group, too.
    if families != [SourceFamily::Perf] {
        families.retain(|family| *family != SourceFamily::Perf);
    }
    let group = |family: &SourceFamily| {
        let name = match family {
            SourceFamily::Perf => "perf".to_string(),
            SourceFamily::Process => "process".to_string(),
            SourceFamily::System => "system".to_string(),
            SourceFamily::Hardware(number) => format!("hardware-{number}"),
        };
        let belongs = |n: &usize| {
            matches!(offers[*n].family, SourceFamily::Perf) || offers[*n].family == *family
        };
        Group { name, places: selected.iter().copied().filter(belongs).collect() }
    };
    families.iter().map(group).collect()
}

/// The probe that has the common metric is in every group.
fn share_with_all(groups: &mut [Group], place: usize) {
    for group in groups {
        if let Err(at) = group.places.binary_search(&place) {
            group.places.insert(at, place);
        }
    }
}

/// A group whose probes are all in another one needs no run: the processor's counters, if all runs
/// have them anyway.
fn drop_contained(groups: &mut Vec<Group>) {
    let all = groups.clone();
    let is_in = |one: &Group, other: &Group| one.places.iter().all(|n| other.places.contains(n));
    groups.retain(|group| {
        let larger = |other: &&Group| other.places.len() > group.places.len();
        !all.iter().filter(larger).any(|other| is_in(group, other))
    });
}

/// The requested number of runs: neighbouring groups are merged, or all are repeated in order.
fn spread(groups: &[Group], runs: Option<usize>) -> Vec<Group> {
    let count = groups.len();
    let runs = runs.unwrap_or(count);
    if runs >= count {
        return groups.iter().cycle().take(runs).cloned().collect();
    }
    let together = |n: usize| {
        let some = groups.get(n * count / runs..(n + 1) * count / runs).unwrap_or_default();
        let names: Vec<&str> = some.iter().map(|group| group.name.as_str()).collect();
        let mut places: Vec<usize> = some.iter().flat_map(|group| &group.places).copied().collect();
        places.sort_unstable();
        places.dedup();
        Group { name: names.join("+"), places }
    };
    (0..runs).map(together).collect()
}

/// What happens if more of the processor's counters are read than it has.
fn multiplexed(offers: &[Offer], group: &Group) -> Option<String> {
    let sets: Vec<&str> = group
        .places
        .iter()
        .map(|&n| &offers[n])
        .filter(|offer| matches!(offer.family, SourceFamily::Hardware(_)))
        .map(|offer| offer.name.as_str())
        .collect();
    (sets.len() > 1).then(|| {
        format!(
            "{} share one run: the processor has too few counters, so they take turns and their \
             counts are estimates. Use more runs to avoid that.",
            sets.join(" and ")
        )
    })
}

fn run(offers: &[Offer], n: usize, group: &Group, options: &RecordingOptions) -> PlannedRun {
    let offers: Vec<&Offer> = group.places.iter().map(|&n| &offers[n]).collect();
    let least =
        |offer: &Offer| offer.found.as_ref().map_or(Duration::ZERO, |found| found.least_interval);
    let (fast, slow): (Vec<&Offer>, Vec<&Offer>) =
        offers.into_iter().partition(|offer| least(offer) <= options.interval);
    let slowest = slow.iter().map(|offer| least(offer)).max().unwrap_or_default();
    let probes = |offers: &[&Offer]| offers.iter().map(|offer| offer.planned()).collect();
    let mut samplers = Vec::new();
    for (name, offers, interval) in
        [("fast", fast, options.interval), ("slow", slow, SLOW.max(options.interval).max(slowest))]
    {
        if !offers.is_empty() {
            let probes = probes(&offers);
            samplers.push(PlannedSampler {
                name: name.to_string(),
                interval: Some(interval),
                probes,
            });
        }
    }
    // In every run, because listening changes what the program does.
    if options.application {
        samplers.push(PlannedSampler {
            name: application::PROBE.to_string(),
            interval: None,
            probes: vec![PlannedProbe {
                name: application::PROBE.to_string(),
                about: "metrics from the program itself".to_string(),
                layer: Layer::Application,
                metrics: Vec::new(),
                cpu_per_sample: Span::ZERO,
            }],
        });
    }
    PlannedRun { id: format!("run-{}", n + 1), group: group.name.clone(), samplers }
}

fn check_interval(run: &PlannedRun) -> Result<(), PlanError> {
    for sampler in &run.samplers {
        let Some(interval) = sampler.interval else { continue };
        let takes = Duration::from(sampler.cpu_per_sample());
        if takes > interval.mul_f64(BUSIEST) {
            let costliest = sampler.probes.iter().max_by_key(|probe| probe.cpu_per_sample);
            return Err(PlanError::IntervalTooSmallForProbes {
                interval,
                group: format!("the group {}", run.group),
                takes,
                costliest: costliest.map_or_else(String::new, |probe| probe.name.clone()),
                least: least_round(takes.div_f64(BUSIEST)),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
