//! The course of a check of commands: from the first execution to the answer.

use super::answer::CheckAnswer;
use super::expectation::expectation;
use super::fleet::CheckFleet;
use super::judge::Judge;
use super::prepared::PreparedCheck;
use super::question::ParsedQuestion;
use super::report::{Circumstances, report};
use super::sampling::{MoreExecutions, Sampled, Sampler, SamplingEnd, deadline};
use super::saved_executions::SavedExecutions;
use super::{programs, systems};
use crate::{Answer, Engine, EngineError, ErrorKind};
use fathom_measure::experiment::{InOrder, Performed};
use fathom_property::CheckStopReason;
use fathom_property::decide::{CheckCourse, CheckVerdict};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// With what a check begins, or goes on.
pub(super) struct Begin {
    /// Where executions are saved.
    pub(super) saved: SavedExecutions,
    /// The folder of the session's executions, if it is saved.
    pub(super) folder: Option<PathBuf>,
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
    let Begin { mut saved, folder, before, mut warnings, command_line } = begin;
    let folder = folder.as_deref();
    let (mut judge, plan) = check.judge()?;
    let executions = check.executions(&judge);
    let programs = check.programs();
    if before.is_empty()
        && let Some(expected) = expectation(check, plan.as_ref())
    {
        engine.watch.check_begins(&expected);
    }
    let done: BTreeSet<u64> = before.iter().map(|one| one.ticket.number).collect();
    let mut fleet = CheckFleet::of(check, folder, &done)?;
    let under_way = fleet.under_way();
    let deadline = deadline(check.options().budget.time(), saved.spent());
    let budget = check.budget();
    let sampler = Sampler {
        fleet: fleet.fleet(),
        executions: &executions,
        saved: &mut saved,
        under_way,
        deadline,
    };
    let sampled = sampler
        .sample(before, engine.watch, &mut judge, &|judge, status| progress(judge, budget, status));
    engine.watch.clear();
    warnings.extend(fleet.warnings());
    warnings.extend(doubts(check, &judge));
    let id = saved.id();
    let Sampled { end, unused, cancelled } = sampled.map_err(|error| {
        let id = id.filter(|_| !judge.judged().is_empty());
        error.with_advice(id.map(|id| {
            format!("the executions before it are saved: fathom show {id}, fathom resume {id}")
        }))
    })?;
    let stopped = match end {
        SamplingEnd::Answered | SamplingEnd::MostRuns => stopped_of(&judge, check),
        SamplingEnd::MostTime => CheckStopReason::MaxTime,
        SamplingEnd::Interrupted => CheckStopReason::Interrupted,
    };
    // An answer is not lost because it cannot be marked as one.
    let finished = match stopped {
        CheckStopReason::Interrupted => Ok(()),
        _ => saved.finish("done"),
    };
    warnings.extend(finished.err().map(|error| error.to_string()));
    if judge.judged().is_empty() {
        return Err(match stopped {
            CheckStopReason::Interrupted => EngineError::interrupted(),
            _ => EngineError::usage(
                "the time was over before the first execution ended. Allow more with --max-time",
            ),
        });
    }
    let seconds = saved.spent().as_secs_f64();
    let caveats = programs::caveats(check, &programs, folder, id, judge.judged().len())?;
    let circumstances = Circumstances {
        command_line,
        seed: check.seed(),
        session: id,
        unused: unused + cancelled,
        stopped,
        plan,
        is_given: false,
        origin: check.origin(),
        caveats,
        warnings,
    };
    let answer = CheckAnswer::of_commands(report(&judge, circumstances)?, check, &judge);
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
fn progress(judge: &Judge, budget: u64, status: &str) -> String {
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
pub(super) fn replay(judge: &mut Judge, performed: Vec<Performed>) -> Result<usize, EngineError> {
    let mut order = InOrder::default();
    for one in performed {
        order.insert(one);
    }
    while let Some(one) = order.next_in_order() {
        if judge.take(one)? == MoreExecutions::Enough {
            break;
        }
    }
    Ok(order.waiting())
}

/// Why a session has no more executions, as far as they show it.
pub(super) fn stopped_of(judge: &Judge, check: &PreparedCheck<'_>) -> CheckStopReason {
    let verdict = judge.course().and_then(CheckCourse::verdict);
    let is_full = judge.judged().len() as u64 >= check.budget();
    let is_hopeless = judge.course().is_some_and(CheckCourse::is_hopeless);
    match verdict {
        Some(CheckVerdict::Inconclusive) if is_hopeless && !is_full => CheckStopReason::Dependent,
        Some(CheckVerdict::Inconclusive) => at_most_runs(check),
        _ if judge.is_answered() && check.has_exact_number() => CheckStopReason::Fixed,
        _ if judge.is_answered() => CheckStopReason::Answered,
        _ if is_full => at_most_runs(check),
        _ => CheckStopReason::Interrupted,
    }
}

/// Why it ends when all executions ran: because that number was requested, or is the limit.
fn at_most_runs(check: &PreparedCheck<'_>) -> CheckStopReason {
    let is_fixed = matches!(check.question(), ParsedQuestion::Value { precision: None, .. })
        || check.has_exact_number();
    if is_fixed { CheckStopReason::Fixed } else { CheckStopReason::MaxRuns }
}

/// Whether the executions are what the methods take them for.
pub(super) fn doubts(check: &PreparedCheck<'_>, judge: &Judge) -> Vec<String> {
    all_alike(check, judge).into_iter().collect()
}

/// A simulator that is not given a seed repeats itself, and repeating says nothing.
fn all_alike(check: &PreparedCheck<'_>, judge: &Judge) -> Option<String> {
    const ENOUGH: usize = 5;
    // Said in the headline.
    if judge.sameness().caveat(check.origin(), "executions").is_some() {
        return None;
    }
    let judged = judge.judged();
    let (first, rest) = judged.split_first()?;
    let without = check.recipe().systems.iter().find(|system| !systems::mentions_seed(system))?;
    let is_alike = judged.len() >= ENOUGH && rest.iter().all(|one| one.result == first.result);
    is_alike.then(|| {
        format!(
            "all executions are exactly alike and {} has no {{seed}}: if it repeats the same \
             execution, their number says nothing; hand it {{seed}}",
            without.name
        )
    })
}
