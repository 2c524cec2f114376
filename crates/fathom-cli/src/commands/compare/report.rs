//! From runs and the course to the report.

use super::measure::Measured;
use super::plan::Plan;
use crate::commands::measuring::series::{oddities, resources, series};
use crate::commands::written;
use crate::failure::Outcome;
use fathom_analyze::compare::{Comparison, GateOutcome, Pairing};
use fathom_analyze::{Report, analyze};
use fathom_record::{Environment, Phase, Run};

/// The report of what was measured; `None` before the first block.
pub(crate) fn report(
    plan: &Plan,
    measured: &Measured,
    seed: u64,
    warnings: Vec<String>,
) -> Option<Report> {
    let trial = measured.trial.as_ref()?;
    let each = seconds_per_block(&measured.runs, trial.course().blocks());
    let reference = &plan.subjects[plan.reference].name;
    let comparisons: Vec<Comparison> = plan
        .others()
        .into_iter()
        .enumerate()
        .filter_map(|(index, subject)| {
            let names = [reference.as_str(), plan.subjects[subject].name.as_str()];
            Comparison::of(trial.course(), index, names, Pairing::Runs, each)
        })
        .collect();
    if comparisons.is_empty() {
        return None;
    }
    // The reference first, as in the sentence "compared with".
    let order = std::iter::once(plan.reference).chain(plan.others());
    let subjects = order.filter_map(|index| {
        let subject = &plan.subjects[index];
        let series = series(&measured.runs, index, &subject.name, &plan.metric, &plan.printed)?;
        let mut found = analyze(series, &plan.request);
        found.stopped = measured.stopped;
        found.parameters.clone_from(&subject.parameters);
        found.resources = resources(&measured.runs, index);
        // Drift, dependence and few samples spoil the medians beside the verdict, not the verdict;
        // and warm-up precedes a comparison, so that the first run is not slow.
        found.warnings = oddities(&measured.runs, index, subject, 1);
        Some(found)
    });
    Some(Report {
        command_line: written::command_line(written::typed().iter().map(String::as_str)),
        seed,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        harness: None,
        subjects: subjects.collect(),
        comparisons: Some(comparisons),
        warnings,
    })
}

/// What a block really took, on average.
fn seconds_per_block(runs: &[Run], blocks: usize) -> f64 {
    let measured = || runs.iter().filter(|run| run.phase == Phase::Measured);
    let began = measured().next().map_or(0, |run| run.began_ns);
    let ended = measured().next_back().map_or(0, |run| run.began_ns + run.usage.wall_ns);
    ended.saturating_sub(began) as f64 / 1e9 / blocks.max(1) as f64
}

/// The outcome by the gates.
pub(crate) fn gated(comparisons: &[Comparison]) -> Outcome {
    let outcomes =
        || comparisons.iter().flat_map(|found| &found.gates).map(|(_, outcome)| *outcome);
    if outcomes().any(|outcome| outcome == GateOutcome::Failed) {
        Outcome::GateFailed
    } else if outcomes().any(|outcome| outcome == GateOutcome::Open) {
        Outcome::GateOpen
    } else {
        Outcome::Done
    }
}
