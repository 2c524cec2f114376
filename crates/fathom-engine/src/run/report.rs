//! From runs to the report.

use super::measure::Measured;
use super::plan::RunPlan;
use crate::measuring::machine::Machine;
use crate::measuring::series::{measured as counted_runs, measured_runs, oddities, resources};
use fathom_analyze::{Report, StopReason, Subject, Warning};
use fathom_record::{Environment, Metric, Run};
use fathom_render::rough;
use fathom_stats::dependence::SAMPLES_TO_JUDGE;
use std::time::Duration;

/// The report of what was measured.
pub(crate) fn report(
    plan: &RunPlan,
    measured: &Measured,
    seed: u64,
    warnings: Vec<String>,
) -> Report {
    let machine = Machine { load: measured.load.clone(), ..Machine::default() };
    let mut subjects = Vec::new();
    for (index, subject) in plan.subjects.iter().enumerate() {
        for (place, mut found) in plan.analysed(&measured.runs, index).into_iter().enumerate() {
            found.stopped = measured.stopped.get(index).copied().unwrap_or(StopReason::Interrupted);
            found.parameters.clone_from(&subject.parameters);
            found.resources = resources(&measured.runs, index);
            told_of_load(&mut found, &machine, &measured.runs, index);
            if place == 0 {
                found.runs = Some(measured_runs(&measured.runs, index, &subject.name));
                found
                    .warnings
                    .extend(too_few(plan, &found, &measured.runs, index).map(Warning::from));
                let judged = plan.metrics.first().unwrap_or(&Metric::WallTime);
                let odd = oddities(&measured.runs, index, subject, plan.warmup, judged);
                found.warnings.extend(odd.into_iter().map(Warning::from));
            }
            subjects.push(found);
        }
    }
    Report {
        command_line: String::new(),
        seed,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        harness: None,
        instructions: None,
        subjects,
        comparisons: None,
        warnings: warnings.into_iter().map(Warning::from).collect(),
    }
}

/// Marks a slow beginning as disturbed if it ran under other load.
fn told_of_load(found: &mut Subject, machine: &Machine, runs: &[Run], index: usize) {
    if let Some(start) = found.labelled.as_ref().map(|labelled| labelled.start())
        && let Some(load) = machine.around(runs, index, start)
    {
        found.tell_load(load);
    }
}

/// What it takes to judge whether runs depend on each other, where the time did not allow for it.
fn too_few(plan: &RunPlan, found: &Subject, runs: &[Run], index: usize) -> Option<String> {
    let runs = counted_runs(runs, index);
    if found.stopped != StopReason::MaxTime || runs.len() >= SAMPLES_TO_JUDGE {
        return None;
    }
    let (first, last) = (runs.first()?, runs.last()?);
    let took = (last.ended() - first.began).seconds();
    let needed = took / runs.len() as f64 * SAMPLES_TO_JUDGE as f64 * 1.1;
    Some(format!(
        "the time allowed for {} {}; {SAMPLES_TO_JUDGE} show whether they depend on each other, and \
         take about {}: {}",
        runs.len(),
        if runs.len() == 1 { "run" } else { "runs" },
        rough(needed),
        plan.option_for(Duration::from_secs_f64(needed.clamp(0.0, 1e9)))
    ))
}
