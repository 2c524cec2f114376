//! Subject after subject, until each is known well enough.

use super::plan::RunPlan;
use super::target::Target;
use crate::Watch;
use crate::measuring::conduct::Measurement;
use crate::measuring::machine::{LoadWatch, Machine, Stretch};
use crate::measuring::shell::is_empty_shell;
use crate::measuring::time_left::time_left;
use fathom_analyze::{StopReason, Subject};
use fathom_measure::{Bench, EmptyShell, MeasureError};
use fathom_record::{BlockSlot, Phase, Run, Unit};
use fathom_render::quantity::quick;
use fathom_stats::Interval;
use fathom_stats::paired::block_order;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// What was measured.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) runs: Vec<Run>,
    /// Why each subject's measurement ended; shorter than the subjects if not all were measured.
    pub(crate) stopped: Vec<StopReason>,
    /// What other programs used of the machine meanwhile.
    pub(crate) load: Vec<Stretch>,
    /// Why measuring ended early, if it did.
    pub(crate) error: Option<MeasureError>,
}

impl Measurement for Measured {
    fn runs(&self) -> &[Run] {
        &self.runs
    }
}

impl Measured {
    pub(crate) fn nothing() -> Measured {
        Measured { runs: Vec::new(), stopped: Vec::new(), load: Vec::new(), error: None }
    }

    /// What a session holds, by its runs and its plan.
    pub(super) fn of(runs: Vec<Run>, plan: Option<&str>) -> Measured {
        let load = Machine::read(plan).load;
        Measured { runs, stopped: stopped_of(plan), load, error: None }
    }
}

/// Measures subject after subject.
pub(crate) fn measure(
    plan: &RunPlan,
    bench: &mut Bench<'_>,
    before: Measured,
    watch: &mut dyn Watch,
) -> Measured {
    let mut measured = before;
    if let Err(error) = first_of_shell(plan, bench, &mut measured.runs) {
        measured.error = Some(error);
        return measured;
    }
    for target in plan.targets().iter().skip(measured.stopped.len()) {
        let mut load = LoadWatch::new(measured.runs.len(), bench.elapsed());
        let ended = one(plan, bench, target, &mut measured.runs, &mut load, watch);
        measured.load.extend_from_slice(load.seen());
        let mut machine = Machine::of(bench.keeper());
        machine.load.clone_from(&measured.load);
        let kept = machine.keep(bench.keeper());
        match ended {
            Ok(stopped) => measured.stopped.push(stopped),
            Err(error) => {
                measured.error = Some(error);
                return measured;
            }
        }
        let names: Vec<&str> = measured.stopped.iter().map(|stopped| stopped.name()).collect();
        let plan = json!({ "stopped": names }).to_string();
        if let Err(error) = kept.and_then(|()| bench.keeper().set_plan(&plan)) {
            measured.error = Some(error.into());
            return measured;
        }
    }
    measured
}

/// Begins a session with a run of the empty shell, where a shell runs the commands. It fills caches,
/// and says from the first that runs are kept with the shell's start-up.
fn first_of_shell(
    plan: &RunPlan,
    bench: &mut Bench<'_>,
    runs: &mut Vec<Run>,
) -> Result<(), MeasureError> {
    if has_empty_shell(plan) && !runs.iter().any(is_empty_shell) {
        runs.extend(bench.run_empty_shell(0, None)?);
    }
    Ok(())
}

/// Whether a shell runs the commands, whose start-up is subtracted. With `--work` it is part of the
/// set-up time, and the rate does not depend on it.
fn has_empty_shell(plan: &RunPlan) -> bool {
    plan.lines.is_none() && EmptyShell::of(&plan.subjects).is_some()
}

fn one(
    plan: &RunPlan,
    bench: &mut Bench<'_>,
    target: &Target<'_>,
    runs: &mut Vec<Run>,
    load: &mut LoadWatch,
    watch: &mut dyn Watch,
) -> Result<StopReason, MeasureError> {
    let name = plan.name(target);
    let subjects = target.subjects();
    let began = bench.elapsed();
    for &subject in &subjects {
        bench.set_up(subject)?;
    }
    let warmups = plan.warmup.saturating_mul(subjects.len());
    for warmup in 0..warmups {
        let line = || format!("{name}: warm-up {} of {warmups}", warmup + 1);
        watch.progress(&line);
        let subject = subjects[warmup % subjects.len()];
        runs.push(bench.run(subject, Phase::Warmup, None, &mut || watch.progress(&line))?);
    }
    let mut state = State::of(first_values(plan, runs, target));
    let mut next_look = plan.next_look(target, state.values.len().saturating_sub(1));
    let stopped = loop {
        let n = state.values.len();
        if n >= plan.rule.most {
            break if plan.is_fixed { StopReason::Fixed } else { StopReason::MaxRuns };
        }
        if next_look.is_some_and(|look| n >= look) && !plan.is_fixed {
            let found = plan.analysed(runs, target);
            if n >= plan.rule.fewest && found.iter().all(|found| plan.rule.is_reached(found)) {
                break StopReason::Precision;
            }
            state.needed = found.iter().filter_map(|found| plan.rule.needed(found)).max();
            state.see(&found);
            next_look = plan.next_look(target, n);
        } else if state.wants_view() {
            state.see(&plan.analysed(runs, target));
        }
        let spent = bench.elapsed().saturating_sub(began);
        if n >= plan.rule.fewest && plan.is_over(n, spent) {
            break StopReason::MaxTime;
        }
        let line = state.line(plan, name, spent);
        watch.progress(&|| line.clone());
        // The command, alternating with the shell that runs it: a coin decides which comes first.
        let (subject, order) = next_runs(plan, target, n);
        for (slot, what) in order.iter().copied().enumerate() {
            let place = (order.len() > 1).then_some(BlockSlot { block: n, slot });
            if what == What::EmptyShell {
                runs.extend(bench.run_empty_shell(subject, place)?);
                continue;
            }
            let started = Instant::now();
            let run = bench.run(subject, Phase::Measured, place, &mut || {
                watch.progress(&|| line.clone() + &so_far(n, started.elapsed()));
            })?;
            state.values.extend(plan.metrics.first().and_then(|metric| metric.of(&run)));
            runs.push(run);
        }
        load.after(runs, bench.overhead_per_run().unwrap_or(0.0), bench.elapsed());
    };
    for &subject in &subjects {
        bench.clean_up(subject)?;
    }
    Ok(stopped)
}

/// What a pair has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Command,
    EmptyShell,
}

/// What runs next: which subject, and what of it.
fn next_runs(plan: &RunPlan, target: &Target<'_>, n: usize) -> (usize, Vec<What>) {
    match target {
        Target::Command(subject) => (*subject, pair_order(plan, *subject, n)),
        Target::Line(line) => (line.subject_of_run(plan.request.seed, n), vec![What::Command]),
    }
}

/// What comes next: the command; where a shell runs it, also the empty shell. The order follows from
/// the seed, the subject and how many runs there were, so that a resumed session has the same coins.
fn pair_order(plan: &RunPlan, subject: usize, n: usize) -> Vec<What> {
    if !has_empty_shell(plan) {
        return vec![What::Command];
    }
    // Far enough apart that subjects do not share coins.
    const APART: usize = 1 << 32;
    let block = subject.wrapping_mul(APART).wrapping_add(n);
    match block_order(plan.request.seed, block, &[0, 1]).first() {
        Some(0) => vec![What::Command, What::EmptyShell],
        _ => vec![What::EmptyShell, What::Command],
    }
}

/// How long the first run takes so far, where that is worth a word: until it ends, nothing else is known.
fn so_far(runs: usize, elapsed: Duration) -> String {
    const WORTH: Duration = Duration::from_secs(1);
    if runs > 0 || elapsed < WORTH {
        return String::new();
    }
    format!(", {:.1} s so far", elapsed.as_secs_f64())
}

/// How far a target is.
struct State {
    values: Vec<f64>,
    needed: Option<usize>,
    /// As it was seen last.
    found: Option<Found>,
    /// After how many runs to see again what they say, whether or not the rule may stop there.
    next_view: usize,
}

/// What a look found.
enum Found {
    /// An interval of what is estimated.
    Of(Interval),
    /// A rate of work in words, with its interval.
    Rate(String),
}

impl Found {
    fn of(subject: &Subject) -> Option<Found> {
        if let Some(work) = &subject.work {
            let interval = work.rate_interval().filter(Interval::is_finite)?;
            let rate = work.found.as_ref().ok()?.rate;
            let unit = Unit::Other(work.rate_unit());
            let [lower, upper] = [interval.lower, interval.upper].map(|end| quick(end, &unit));
            return Some(Found::Rate(format!("{} ({lower} to {upper})", quick(rate, &unit))));
        }
        let interval = subject.estimates.first()?.interval();
        interval.filter(Interval::is_finite).map(Found::Of)
    }
}

impl State {
    /// The first interval that is shown: fewer runs have none.
    const FIRST_VIEW: usize = 6;

    fn of(values: Vec<f64>) -> State {
        State { values, needed: None, found: None, next_view: State::FIRST_VIEW }
    }

    /// Whether it is time to see what the runs say. This decides nothing: looks that may end the measuring
    /// are the rule's, and come later.
    fn wants_view(&self) -> bool {
        self.values.len() >= self.next_view
    }

    /// Takes what the runs say so far.
    fn see(&mut self, found: &[Subject]) {
        self.found = found.first().and_then(Found::of);
        let n = self.values.len();
        self.next_view = n + n.div_ceil(2).max(1);
    }

    /// "sleep 0.1: run 32, median 101 ms (100 ms to 103 ms), at most 3 s left"
    fn line(&self, plan: &RunPlan, name: &str, spent: Duration) -> String {
        let n = self.values.len();
        let mut line = format!("{name}: run {}", n + 1);
        if plan.rule.most < usize::MAX {
            line.push_str(&format!(" of {}", plan.rule.most));
        }
        if n == 0 {
            return line;
        }
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        let unit = plan.metrics.first().map(|metric| metric.unit()).unwrap_or_default();
        // Until a look there is no number without the shell.
        let has_shell = has_empty_shell(plan);
        let [whole, without] = if has_shell { [" with the shell", " without"] } else { [""; 2] };
        // The median of different amounts of work says nothing.
        if plan.lines.is_none() {
            line.push_str(&format!(", median {}{whole}", quick(sorted[n / 2], &unit)));
        }
        match &self.found {
            Some(Found::Of(Interval { lower, upper })) => {
                let [lower, upper] = [lower, upper].map(|end| quick(*end, &unit));
                line.push_str(&format!(" ({lower} to {upper}{without})"));
            }
            Some(Found::Rate(rate)) => line.push_str(&format!(", {rate}")),
            None => {}
        }
        let each = spent.as_secs_f64() / n as f64;
        let by_need = self.needed.map(|needed| each * needed.saturating_sub(n) as f64);
        let by_time = plan.limit(n, spent).map(|limit| limit.saturating_sub(spent).as_secs_f64());
        let by_runs = (plan.rule.most < usize::MAX).then(|| each * (plan.rule.most - n) as f64);
        let left = [by_need, by_time, by_runs].into_iter().flatten().reduce(f64::min);
        if let Some(left) = left {
            line.push_str(&format!(", {}", time_left(left)));
        }
        line
    }
}

fn first_values(plan: &RunPlan, runs: &[Run], target: &Target<'_>) -> Vec<f64> {
    let Some(metric) = plan.metrics.first() else { return Vec::new() };
    target.measured(runs).into_iter().filter_map(|run| metric.of(run)).collect()
}

/// Which subjects were finished, by the session's plan.
fn stopped_of(plan: Option<&str>) -> Vec<StopReason> {
    let plan: Value = plan.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let names = plan["stopped"].as_array().cloned().unwrap_or_default();
    let all = [
        StopReason::Fixed,
        StopReason::Precision,
        StopReason::Verdict,
        StopReason::MaxTime,
        StopReason::MaxRuns,
    ];
    let find = |name: &Value| all.into_iter().find(|stopped| name.as_str() == Some(stopped.name()));
    names.iter().map_while(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_first_run_says_how_long_it_takes() {
        assert_eq!(so_far(0, Duration::from_millis(900)), "");
        assert_eq!(so_far(0, Duration::from_millis(2140)), ", 2.1 s so far");
        assert_eq!(so_far(1, Duration::from_secs(9)), "");
    }

    #[test]
    fn views_are_few_and_early() {
        let mut state = State::of(Vec::new());
        let mut views = Vec::new();
        for n in 1..=40 {
            state.values.push(1.0);
            if state.wants_view() {
                state.see(&[]);
                views.push(n);
            }
        }
        assert_eq!(views, [6, 9, 14, 21, 32]);
    }
}
