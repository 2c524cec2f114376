//! The course of a check of commands: from the first execution to the answer.

use super::answer::CheckAnswer;
use super::expectation::{expectation, fewest};
use super::fleet::CheckFleet;
use super::panel::Panel;
use super::prepared::PreparedCheck;
use super::report::{Circumstances, joint_report};
use super::run_verdicts::RunVerdicts;
use super::sampling::{
    Executions, Forecast, MoreExecutions, Sampled, Sampler, SamplingEnd, deadline,
};
use super::saved_executions::SavedExecutions;
use super::{programs, recorded_executions, systems};
use crate::{Answer, Engine, EngineError, ErrorKind};
use fathom_measure::experiment::{InOrder, Performed};
use fathom_property::CheckStopReason;
use fathom_record::Environment;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// With what a check begins, or goes on.
pub(super) struct Begin {
    /// Where executions are saved.
    pub(super) saved: SavedExecutions,
    /// The folder of the session's executions, if it is saved.
    pub(super) folder: Option<PathBuf>,
    /// With what it is measured.
    pub(super) environment: Environment,
    /// Those of a session that goes on.
    pub(super) before: Vec<Performed>,
    pub(super) warnings: Vec<String>,
    /// The command that asked, for the record.
    pub(super) command_line: String,
}

/// Runs executions until the question is answered.
pub(super) fn conduct(
    engine: &mut Engine<'_>,
    check: &PreparedCheck<'_>,
    begin: Begin,
) -> Result<Answer<CheckAnswer>, EngineError> {
    let Begin { mut saved, folder, environment, before, mut warnings, command_line } = begin;
    let folder = folder.as_deref();
    let (mut panel, plan) = check.panel()?;
    let executions = check.executions(&panel);
    let programs = check.programs();
    // A check that has only executions of another session has not begun.
    let is_new = before.iter().all(|performed| performed.session.is_some());
    let expected = expectation(check, plan.as_ref()).filter(|_| is_new);
    if let Some(expected) = &expected {
        engine.watch.check_begins(expected);
    }
    let done: BTreeSet<u64> = before.iter().map(|one| one.ticket.number).collect();
    let mut fleet = CheckFleet::of(check, folder, &environment, &done, is_new)?;
    let under_way = fleet.under_way();
    // A tuple takes several executions.
    let width = executions.systems.len().max(1) as u64;
    let forecast = expected.as_ref().map(|expected| Forecast {
        fewest: fewest(expected).map(|tuples| tuples * width),
        at_once: fleet.fleet().width(),
        kept: before.len() as u64,
    });
    let deadline = deadline(check.options().budget.time(), saved.spent());
    let budget = check.budget();
    let sampler = Sampler {
        fleet: fleet.fleet(),
        executions: &executions,
        saved: &mut saved,
        under_way,
        deadline,
        forecast,
        warmup: check.options().warmup,
    };
    let sampled = sampler
        .sample(before, engine.watch, &mut panel, &|panel, status| progress(panel, budget, status));
    engine.watch.clear();
    warnings.extend(fleet.warnings());
    warnings.extend(doubts(check, &panel));
    let id = saved.id();
    let Sampled { end, unused, cancelled } = sampled.map_err(|error| {
        let id = id.filter(|_| !panel.is_empty());
        error.with_advice(id.map(|id| {
            format!("the executions before it are saved: fathom show {id}, fathom resume {id}")
        }))
    })?;
    let stopped = match end {
        SamplingEnd::Answered | SamplingEnd::MostRuns => stopped_of(&panel, check),
        SamplingEnd::MostTime => CheckStopReason::MaxTime,
        SamplingEnd::Interrupted => CheckStopReason::Interrupted,
    };
    // An answer is not lost because it cannot be marked as one.
    let finished = match stopped {
        CheckStopReason::Interrupted => Ok(()),
        _ => saved.finish("done"),
    };
    warnings.extend(finished.err().map(|error| error.to_string()));
    if panel.is_empty() {
        return Err(match stopped {
            CheckStopReason::Interrupted => EngineError::interrupted(),
            _ => EngineError::usage(
                "the time was over before the first execution ended. Allow more with --max-time",
            ),
        });
    }
    let recorded = check.recordings(folder);
    let next_to_traces = recorded.as_deref().and_then(Path::parent);
    for folder in folder.into_iter().chain(next_to_traces).collect::<BTreeSet<_>>() {
        RunVerdicts::of_panel(&panel).write(folder)?;
    }
    let seconds = saved.spent().as_secs_f64();
    let caveats = programs::caveats(check, &programs, folder, id, panel.rounds() as usize)?;
    let circumstances = Circumstances {
        command_line,
        seed: check.seed(),
        session: id,
        unused: unused + cancelled,
        stopped,
        plan,
        is_given: false,
        origin: check.origin(),
        environment,
        recorded: recorded.as_deref().and_then(recorded_executions::of),
        caveats,
        warnings,
    };
    let report = joint_report(&mut panel, circumstances)?;
    let answer = CheckAnswer::of_commands(report, check, &panel);
    let interrupted = stopped == CheckStopReason::Interrupted;
    Ok(Answer {
        gates: answer.gates(),
        report: answer,
        seconds: Some(seconds),
        ended_early: interrupted.then(|| match id {
            Some(id) => EngineError::interrupted_session(id),
            None => EngineError::new(ErrorKind::Interrupted, "interrupted".to_string()),
        }),
    })
}

/// How far it is, in a line.
fn progress(panel: &Panel, budget: u64, status: &str) -> String {
    let budget = budget.saturating_mul(panel.cells() as u64);
    let Some(judge) = panel.only() else {
        return format!(
            "{} executions, {} of {} questions answered, {budget} at most; {status}",
            panel.taken(),
            panel.answered(),
            panel.judges().len()
        );
    };
    let so_far = match judge.course() {
        Some(course) => {
            let counts = course.counts();
            match counts.samples() {
                0 => "no execution yet".to_string(),
                n => format!(
                    "{n} executions, {} true ({:.1}%), {budget} at most",
                    counts.counted_true(),
                    100.0 * counts.counted_true() as f64 / n as f64
                ),
            }
        }
        None => format!("{} executions of {budget}", judge.judged().len()),
    };
    format!("{so_far}; {status}")
}

/// Judges the executions of a session again; says how many of them do not count.
pub(super) fn replay(
    panel: &mut Panel,
    executions: &Executions,
    performed: Vec<Performed>,
) -> Result<usize, EngineError> {
    let mut order = InOrder::default();
    for one in performed {
        order.insert(one);
    }
    while let Some(one) = executions.next_in_turn(&mut order, panel) {
        if panel.take(one)? == MoreExecutions::Enough {
            break;
        }
    }
    Ok(order.unused())
}

/// Why a session has no more executions, as far as they show it.
pub(super) fn stopped_of(panel: &Panel, check: &PreparedCheck<'_>) -> CheckStopReason {
    let is_full = panel.rounds() >= check.budget();
    let is_answered = panel.is_answered();
    match panel.has_open_verdict() {
        true if is_answered && panel.is_hopeless() && !is_full => CheckStopReason::Dependent,
        true if is_answered => at_most_runs(check),
        _ if is_answered && check.has_exact_number() => CheckStopReason::Fixed,
        _ if is_answered => CheckStopReason::Answered,
        _ if is_full => at_most_runs(check),
        _ => CheckStopReason::Interrupted,
    }
}

/// Why it ends when all executions ran: because that number was requested, or is the limit.
fn at_most_runs(check: &PreparedCheck<'_>) -> CheckStopReason {
    let is_fixed = check.questions().have_planned_number() || check.has_exact_number();
    if is_fixed { CheckStopReason::Fixed } else { CheckStopReason::MaxRuns }
}

/// Whether the executions are what the methods take them for.
pub(super) fn doubts(check: &PreparedCheck<'_>, panel: &Panel) -> Vec<String> {
    all_alike(check, panel).into_iter().collect()
}

/// A simulator that is not given a seed repeats itself, and repeating says nothing.
fn all_alike(check: &PreparedCheck<'_>, panel: &Panel) -> Option<String> {
    const ENOUGH: usize = 5;
    let without = check.recipe().systems.iter().find(|system| !systems::mentions_seed(system))?;
    let is_alike = panel.judges().iter().all(|judge| {
        let judged = judge.judged();
        let is_same =
            judged.first().is_some_and(|first| judged.iter().all(|one| one.result == first.result));
        // Said in the headline.
        let is_said = judge.sameness().caveat(check.origin(), "executions").is_some();
        judged.len() >= ENOUGH && is_same && !is_said
    });
    is_alike.then(|| {
        format!(
            "all executions are exactly alike and {} has no {{seed}}: if it repeats the same \
             execution, their number says nothing; hand it {{seed}}",
            without.name
        )
    })
}
