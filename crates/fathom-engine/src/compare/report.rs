//! From runs and the course to the report.

use super::measure::Measured;
use super::plan::ComparePlan;
use super::slots::Slots;
use crate::measuring::series::{measured, measured_runs, oddities, resources, series};
use fathom_analyze::compare::{Comparison, Pairing, analyze_counted, median_at};
use fathom_analyze::{Report, Warning};
use fathom_record::{Environment, Metric, Phase, Run, Timestamp};
use fathom_stats::paired::Assumptions;
use std::collections::BTreeSet;

/// The report of what was measured; `None` before the first block.
pub(crate) fn report(
    plan: &ComparePlan,
    measured: &Measured,
    seed: u64,
    warnings: Vec<String>,
) -> Option<Report> {
    let trial = measured.trial.as_ref()?;
    let each = seconds_per_block(&measured.runs, trial.course().blocks());
    let pairing = if trial.is_of_single_pairs() { Pairing::SingleRuns } else { Pairing::Runs };
    let reference = &plan.subjects[plan.reference].name;
    // The reference first, as in the sentence "compared with".
    let order: Vec<usize> = std::iter::once(plan.reference).chain(plan.others()).collect();
    let slots = Slots::of(&measured.runs, &plan.metric);
    let comparisons: Vec<Comparison> = plan
        .others()
        .into_iter()
        .enumerate()
        .filter_map(|(index, subject)| {
            let names = [reference.as_str(), plan.subjects[subject].name.as_str()];
            let found = Comparison::of(trial.course(), index, names, pairing, each)?;
            let found =
                if trial.has_half_block(index) { found.with_last_block_halved() } else { found };
            let counted = trial.counted(index);
            let (blocks, numbers) = slots.slotted(trial.taken(index), [plan.reference, subject]);
            let counts: Vec<bool> = numbers.iter().map(|number| counted.contains(number)).collect();
            let found = found.with_assumptions(Assumptions::of(&blocks, &counts));
            let median = |of: usize| {
                let values = Values::of(&measured.runs, of, &plan.metric);
                median_at(&values.values, &values.places(&counted))
            };
            Some(found.with_medians(median(plan.reference), median(subject)))
        })
        .collect();
    if comparisons.is_empty() {
        return None;
    }
    let subjects = order.into_iter().filter_map(|index| {
        let subject = &plan.subjects[index];
        let series = series(&measured.runs, index, &subject.name, &plan.metric, &plan.printed)?;
        // The medians of the reference count the blocks that any of its comparisons counts.
        let counted: BTreeSet<usize> = match plan.others().iter().position(|one| *one == index) {
            Some(place) => trial.counted(place),
            None => (0..plan.others().len()).flat_map(|place| trial.counted(place)).collect(),
        };
        let places = Values::of(&measured.runs, index, &plan.metric).places(&counted);
        let mut found = analyze_counted(series, &places, &plan.request);
        found.stopped = measured.stopped;
        found.parameters.clone_from(&subject.parameters);
        found.resources = resources(&measured.runs, index);
        found.runs = Some(measured_runs(&measured.runs, index, &subject.name));
        // Drift, dependence and few samples spoil the medians beside the verdict, not the verdict;
        // and warm-up precedes a comparison, so that the first run is not slow.
        let odd = oddities(&measured.runs, index, subject, 1, &plan.metric);
        found.warnings = odd.into_iter().map(Warning::from).collect();
        Some(found)
    });
    Some(Report {
        command_line: String::new(),
        seed,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        harness: None,
        instructions: None,
        subjects: subjects.collect(),
        comparisons: Some(comparisons),
        warnings: warnings.into_iter().map(Warning::from).collect(),
    })
}

/// The values of a subject's runs, and the blocks that they belong to.
struct Values {
    values: Vec<f64>,
    blocks: Vec<Option<usize>>,
}

impl Values {
    /// In the order of the subject's series.
    fn of(runs: &[Run], subject: usize, metric: &Metric) -> Values {
        let (values, blocks) = measured(runs, subject)
            .into_iter()
            .filter_map(|run| Some((metric.of(run)?, run.place.map(|place| place.block))))
            .unzip();
        Values { values, blocks }
    }

    /// Where the values of these blocks are.
    fn places(&self, wanted: &BTreeSet<usize>) -> Vec<usize> {
        let is_wanted =
            |place: &usize| self.blocks[*place].is_some_and(|block| wanted.contains(&block));
        (0..self.values.len()).filter(is_wanted).collect()
    }
}

/// What a block really took, on average.
fn seconds_per_block(runs: &[Run], blocks: usize) -> f64 {
    let counted = || runs.iter().filter(|run| run.phase == Phase::Measured);
    let began = counted().next().map_or(Timestamp::ZERO, |run| run.began);
    let ended = counted().next_back().map_or(Timestamp::ZERO, Run::ended);
    (ended - began).seconds() / blocks.max(1) as f64
}
