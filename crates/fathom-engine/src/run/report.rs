//! From runs to the report.

use super::lines::WorkLine;
use super::measure::Measured;
use super::plan::RunPlan;
use super::target::Target;
use crate::measuring::machine::Machine;
use crate::measuring::series::{failures, measured_runs, oddities, resources, slow_first};
use fathom_analyze::{Report, StopReason, Subject, Warning};
use fathom_measure::EmptyShell;
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
    for (place, target) in plan.targets().iter().enumerate() {
        let stopped = measured.stopped.get(place).copied().unwrap_or(StopReason::Interrupted);
        for (metric, mut found) in plan.analysed(&measured.runs, target).into_iter().enumerate() {
            found.stopped = stopped;
            let is_first = metric == 0;
            if is_first {
                let runs = target.measured(&measured.runs);
                found.warnings.extend(too_few(plan, &found, &runs).map(Warning::from));
            }
            match target {
                Target::Command(index) => {
                    of_command(&mut found, plan, *index, &machine, &measured.runs, is_first);
                }
                Target::Line(line) => of_line(&mut found, plan, line, &measured.runs, is_first),
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

/// What is known of a command besides its estimates.
fn of_command(
    found: &mut Subject,
    plan: &RunPlan,
    index: usize,
    machine: &Machine,
    runs: &[Run],
    is_first: bool,
) {
    let subject = &plan.subjects[index];
    found.parameters.clone_from(&subject.parameters);
    found.resources = resources(runs, index);
    told_of_load(found, machine, runs, index);
    if is_first {
        found.runs = Some(measured_runs(runs, index, &subject.name));
        let judged = plan.metrics.first().unwrap_or(&Metric::WallTime);
        let odd = oddities(runs, index, subject, plan.warmup, judged);
        found.warnings.extend(odd.into_iter().map(Warning::from));
    }
}

/// What is known of a line besides its rate. What else its runs used depends on the work.
fn of_line(found: &mut Subject, plan: &RunPlan, line: &WorkLine, runs: &[Run], is_first: bool) {
    found.parameters.clone_from(&line.parameters);
    if !is_first {
        return;
    }
    let measured = Target::Line(line).measured(runs);
    let mut odd: Vec<String> = failures(&measured).into_iter().collect();
    let by_line = |run: &Run| found.work.as_ref()?.time_of(line.amount_of(run)?);
    let is_judged = plan.metrics.first() == Some(&Metric::WallTime);
    if let (Some(first), true) = (measured.first(), is_judged && plan.warmup == 0)
        && let (Some(took), Some(expected)) = (Metric::WallTime.of(first), by_line(first))
    {
        let is_prepared = plan.subjects[first.subject].hooks.prepare.is_some();
        odd.extend(slow_first(took, expected, "the line gives it", is_prepared));
    }
    let is_in_shell = EmptyShell::of(&plan.subjects).is_some();
    odd.extend(is_in_shell.then(|| "the set-up time includes the start of the shell".to_string()));
    found.warnings.extend(odd.into_iter().map(Warning::from));
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
fn too_few(plan: &RunPlan, found: &Subject, runs: &[&Run]) -> Option<String> {
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
