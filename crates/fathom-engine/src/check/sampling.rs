//! The loop: executions are started ahead, kept as they end, and handed on by their numbers.

use super::judge::Judge;
use super::saved_executions::SavedExecutions;
use crate::{EngineError, Watch};
use fathom_measure::experiment::{Fleet, FleetError, InOrder, Performed, Ticket, seed_of};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Which executions to run.
#[derive(Debug, Clone)]
pub(super) struct Executions {
    /// The systems of a tuple's executions, in order: `[0]` for a property of one execution.
    pub(super) systems: Vec<usize>,
    /// At most this many tuples.
    pub(super) tuples: u64,
    /// Where seeds come from.
    pub(super) seed: u64,
}

impl Executions {
    /// Execution `number`. Those of a tuple follow each other, and none is in two tuples.
    pub(super) fn ticket(&self, number: u64) -> Ticket {
        let width = self.systems.len().max(1) as u64;
        let place = usize::try_from(number % width).unwrap_or(0);
        let system = self.systems.get(place).copied().unwrap_or(0);
        Ticket { number, system, seed: seed_of(self.seed, number) }
    }

    /// The largest number of executions.
    pub(super) fn most(&self) -> u64 {
        self.tuples.saturating_mul(self.systems.len().max(1) as u64)
    }
}

/// Whether more executions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoreExecutions {
    Wanted,
    Enough,
}

/// How sampling ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SamplingEnd {
    /// The question is answered.
    Answered,
    /// As many executions as were planned.
    MostRuns,
    /// The time is over.
    MostTime,
    /// The user ended it.
    Interrupted,
}

/// What was done besides what was handed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sampled {
    pub(super) end: SamplingEnd,
    /// Executions that were done and are not counted, because the answer came before them.
    pub(super) unused: usize,
    /// Executions that were stopped because they were no longer needed.
    pub(super) cancelled: usize,
}

/// Executions by whom, until when.
pub(super) struct Sampler<'a> {
    pub(super) fleet: &'a mut dyn Fleet,
    pub(super) executions: &'a Executions,
    pub(super) saved: &'a mut SavedExecutions,
    /// Executions that are under way already, in a session that goes on.
    pub(super) under_way: BTreeSet<u64>,
    pub(super) deadline: Option<Instant>,
}

/// The order in which executions are passed on, and where each is.
struct State {
    order: InOrder,
    /// Performed, here or in the session that goes on.
    done: BTreeSet<u64>,
    under_way: BTreeSet<u64>,
    /// The first number that was never started.
    next: u64,
}

impl Sampler<'_> {
    /// Has executions performed and hands them on by their numbers. Those of `before` come first.
    pub(super) fn sample(
        self,
        before: Vec<Performed>,
        watch: &mut dyn Watch,
        judge: &mut Judge,
        line: &dyn Fn(&Judge, &str) -> String,
    ) -> Result<Sampled, EngineError> {
        let Sampler { fleet, executions, saved, under_way, deadline } = self;
        let done: BTreeSet<u64> = before.iter().map(|one| one.ticket.number).collect();
        let mut state = State { order: InOrder::default(), done, under_way, next: 0 };
        for performed in before {
            state.order.insert(performed);
        }
        let result = run(fleet, executions, saved, deadline, &mut state, watch, judge, line);
        // Whatever ended it: what still runs is of no use any more. Executions can be repeated
        // from their seeds if the user goes on later.
        let cancelled = fleet.cancel()?;
        // What ended meanwhile is kept: a session that goes on has it.
        while let Ok(Some(performed)) = fleet.next(Some(Instant::now()), &mut |_| {}) {
            saved.save(&performed)?;
            state.order.insert(performed);
        }
        let unused = state.order.waiting();
        result.map(|end| Sampled { end, unused, cancelled })
    }
}

#[allow(clippy::too_many_arguments, reason = "a loop and everything it turns on")]
fn run(
    fleet: &mut dyn Fleet,
    executions: &Executions,
    saved: &mut SavedExecutions,
    deadline: Option<Instant>,
    state: &mut State,
    watch: &mut dyn Watch,
    judge: &mut Judge,
    line: &dyn Fn(&Judge, &str) -> String,
) -> Result<SamplingEnd, EngineError> {
    loop {
        while let Some(performed) = state.order.next_in_order() {
            if judge.take(performed)? == MoreExecutions::Enough {
                return Ok(SamplingEnd::Answered);
            }
        }
        let is_over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_over {
            return Ok(SamplingEnd::MostTime);
        }
        let tickets = wanted(fleet, executions, state);
        if !tickets.is_empty() {
            match fleet.start(&tickets) {
                Ok(()) => state.under_way.extend(tickets.iter().map(|ticket| ticket.number)),
                Err(FleetError::Interrupted) => return Ok(SamplingEnd::Interrupted),
                Err(error) => return Err(error.into()),
            }
        }
        let mut tell = |status: &str| watch.progress(&|| line(judge, status));
        match fleet.next(deadline, &mut tell) {
            Ok(Some(performed)) => {
                state.under_way.remove(&performed.ticket.number);
                state.done.insert(performed.ticket.number);
                saved.save(&performed)?;
                state.order.insert(performed);
            }
            // Nothing is under way and nothing more is wanted: everything was performed.
            Ok(None) if state.under_way.is_empty() => return Ok(SamplingEnd::MostRuns),
            // The time is over, which the next turn sees.
            Ok(None) if deadline.is_some_and(|deadline| Instant::now() >= deadline) => {}
            // Waiting for an execution that nothing runs would never end.
            Ok(None) => {
                return Err(EngineError::usage(format!(
                    "{} executions that were started are nowhere to be found, the first of them run \
                     {}; `fathom resume` starts them again",
                    state.under_way.len(),
                    state.under_way.first().map_or(0, |number| number + 1)
                )));
            }
            Err(FleetError::Interrupted) => return Ok(SamplingEnd::Interrupted),
            Err(error) => return Err(error.into()),
        }
    }
}

/// What to start now, so that the fleet has enough to do.
fn wanted(fleet: &dyn Fleet, executions: &Executions, state: &mut State) -> Vec<Ticket> {
    let room = fleet.width().saturating_sub(state.under_way.len());
    let is_idle = state.under_way.is_empty();
    if room < fleet.batch() && !is_idle {
        return Vec::new();
    }
    let mut tickets = Vec::new();
    while tickets.len() < room && state.next < executions.most() {
        let number = state.next;
        state.next += 1;
        if !state.done.contains(&number) && !state.under_way.contains(&number) {
            tickets.push(executions.ticket(number));
        }
    }
    tickets
}

/// When the time is over.
pub(super) fn deadline(most: Option<Duration>, spent: Duration) -> Option<Instant> {
    most.map(|most| Instant::now() + most.saturating_sub(spent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::prepared::PreparedCheck;
    use fathom_measure::Keeper;
    use fathom_record::{Ending as Exit, Observation, Scalar, Unit, Usage};
    use fathom_request::{
        CheckQuestion, CheckRequest, ExecutionBudget, ExecutionOptions, ExecutionSource,
        PropertyQuestion, SystemOptions,
    };
    use proptest::prelude::*;

    /// Performs executions in an order that follows from numbers it is given, and passes over
    /// tickets that it has had, as the fleet of a cluster does.
    struct Shuffling {
        width: usize,
        batch: usize,
        under_way: Vec<Ticket>,
        had: BTreeSet<u64>,
        picks: Vec<usize>,
        delivered: Vec<u64>,
    }

    impl Fleet for Shuffling {
        fn width(&self) -> usize {
            self.width
        }

        fn batch(&self) -> usize {
            self.batch
        }

        fn start(&mut self, tickets: &[Ticket]) -> Result<(), FleetError> {
            for ticket in tickets {
                if self.had.insert(ticket.number) {
                    self.under_way.push(*ticket);
                }
            }
            Ok(())
        }

        fn next(
            &mut self,
            _: Option<Instant>,
            _: &mut dyn FnMut(&str),
        ) -> Result<Option<Performed>, FleetError> {
            if self.under_way.is_empty() {
                return Ok(None);
            }
            let pick = self.picks.pop().unwrap_or(0) % self.under_way.len();
            let ticket = self.under_way.remove(pick);
            self.delivered.push(ticket.number);
            Ok(Some(performed(ticket)))
        }

        fn cancel(&mut self) -> Result<usize, FleetError> {
            Ok(std::mem::take(&mut self.under_way).len())
        }
    }

    fn performed(ticket: Ticket) -> Performed {
        let mut seen = Observation::new();
        seen.set_scalar("x", Scalar::new(1.0, Unit::Unknown)).unwrap();
        Performed {
            ticket,
            host: "here".into(),
            ending: Some(Exit::Exited(0)),
            usage: Usage::default(),
            outcome: Ok(seen),
        }
    }

    fn request() -> CheckRequest {
        let property = PropertyQuestion { text: "x > 0".into(), ..PropertyQuestion::default() };
        let options = ExecutionOptions {
            systems: SystemOptions::Command(vec!["true".into()]),
            metrics: vec!["x=last-number".into()],
            budget: ExecutionBudget::Exactly(30),
            ..ExecutionOptions::default()
        };
        CheckRequest {
            question: CheckQuestion::Property(property),
            executions: ExecutionSource::Commands(Box::new(options)),
            ..CheckRequest::default()
        }
    }

    proptest! {
        /// Whatever ends first, and whatever a session that goes on has done or under way: every
        /// execution is judged once, in the order of their numbers.
        #[test]
        fn every_execution_is_judged_once_and_in_order(
            width in 1_usize..7,
            batch in 1_usize..4,
            done in prop::collection::btree_set(0_u64..12, 0..8),
            running in prop::collection::btree_set(0_u64..12, 0..8),
            picks in prop::collection::vec(0_usize..10, 40),
        ) {
            let request = request();
            let check = PreparedCheck::of(&request, ".".into(), 1).unwrap();
            let (mut judge, _) = check.judge().unwrap();
            let executions = check.executions(&judge);
            let running: BTreeSet<u64> = running.difference(&done).copied().collect();
            let ticket = |&number: &u64| executions.ticket(number);
            let mut fleet = Shuffling {
                width,
                batch: batch.min(width),
                under_way: running.iter().map(ticket).collect(),
                had: done.union(&running).copied().collect(),
                picks,
                delivered: Vec::new(),
            };
            let before = done.iter().map(|number| performed(executions.ticket(*number)));
            let before: Vec<Performed> = before.collect();
            let mut saved = SavedExecutions::new(Keeper::Nothing, None, Duration::ZERO);
            let sampler = Sampler {
                fleet: &mut fleet,
                executions: &executions,
                saved: &mut saved,
                under_way: running,
                deadline: None,
            };
            let sampled =
                sampler.sample(before, &mut (), &mut judge, &|_, _| String::new());
            prop_assert_eq!(sampled.unwrap().end, SamplingEnd::Answered);
            let judged: Vec<u64> = judge.judged().iter().map(|judged| judged.runs[0]).collect();
            prop_assert_eq!(judged, (1..=30).collect::<Vec<_>>());
            let delivered: BTreeSet<u64> = fleet.delivered.iter().copied().collect();
            prop_assert_eq!(delivered.len(), fleet.delivered.len(), "nothing is performed twice");
        }
    }
}
