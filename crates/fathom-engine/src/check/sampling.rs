//! The loop: executions are started ahead, kept as they end, and handed on by their numbers.

use super::panel::Panel;
use super::saved_executions::SavedExecutions;
use crate::{EngineError, Watch};
use fathom_measure::experiment::{Fleet, FleetError, InOrder, Performed, Ticket, seed_of};
use fathom_property::CheckCost;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Which executions to run.
#[derive(Debug, Clone)]
pub(super) struct Executions {
    /// The systems of a tuple's executions, in order: `[0]` for a property of one execution.
    pub(super) systems: Vec<usize>,
    /// At most this many tuples.
    pub(super) tuples: u64,
    /// Into how many cells the systems are divided.
    pub(super) cells: usize,
    /// Where seeds come from.
    pub(super) seeds: SeedRule,
}

/// Where the seeds of executions come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SeedRule {
    /// Every execution has one of its own.
    ByNumber(u64),
    /// The first executions of all systems have the same, and so on.
    Shared(u64),
    /// Those of a system follow from its own, by place, so that other systems make no difference.
    BySystem(Vec<u64>),
}

impl Executions {
    /// Execution `number`. Those of a tuple follow each other, and none is in two tuples.
    pub(super) fn ticket(&self, number: u64) -> Ticket {
        let width = self.systems.len().max(1) as u64;
        let place = usize::try_from(number % width).unwrap_or(0);
        let system = self.systems.get(place).copied().unwrap_or(0);
        let seed = match &self.seeds {
            SeedRule::ByNumber(seed) => seed_of(*seed, number),
            SeedRule::Shared(seed) => seed_of(*seed, self.place_in_system(number / width, place)),
            SeedRule::BySystem(seeds) => {
                let seed = seeds.get(system).copied().unwrap_or(0);
                seed_of(seed, self.place_in_system(number / width, place))
            }
        };
        Ticket { number, system, seed }
    }

    /// The place of an execution among those of its system.
    fn place_in_system(&self, round: u64, place: usize) -> u64 {
        let system = self.systems.get(place);
        let is_same = |other: &&usize| Some(*other) == system;
        let all = self.systems.iter().filter(is_same).count() as u64;
        let before = self.systems.iter().take(place).filter(is_same).count() as u64;
        round * all + before
    }

    /// The cell of an execution.
    pub(super) fn cell_of(&self, number: u64) -> usize {
        let width = self.systems.len().max(1) as u64;
        let of_cell = (self.systems.len() / self.cells.max(1)).max(1);
        usize::try_from(number % width).unwrap_or(0) / of_cell
    }

    /// The next execution in turn, if it is there. Those of cells whose questions are answered are passed
    /// over: that follows from the executions before them, whichever ended first.
    pub(super) fn next_in_turn(&self, order: &mut InOrder, panel: &Panel) -> Option<Performed> {
        let most = self.most();
        while order.next_number() < most && !panel.is_open(self.cell_of(order.next_number())) {
            order.skip();
        }
        order.next_in_order()
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
    /// What is told once the first few executions ended.
    pub(super) forecast: Option<Forecast>,
    /// This many warm-up executions of each system run first. They do not count.
    pub(super) warmup: u64,
}

/// What is known of the cost of executions before the first of them ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Forecast {
    pub(super) fewest: Option<u64>,
    pub(super) at_once: usize,
    /// How many executions are there already.
    pub(super) kept: u64,
}

/// Warm-up executions are numbered from here on.
const FIRST_WARMUP: u64 = 1 << 62;

fn is_warmup(performed: &Performed) -> bool {
    performed.ticket.number >= FIRST_WARMUP
}

/// This number of executions shows how long one takes.
const FIRST_FEW: u64 = 3;
/// What takes less than this in all is over before anybody has read what it will take.
const WORTH_TELLING: Duration = Duration::from_secs(10);

/// How long executions took that ended.
#[derive(Debug, Default)]
struct Spent {
    executions: u64,
    time: Duration,
}

impl Spent {
    /// Adds an execution; what all will cost, if this was the last of the first few and it is worth telling.
    fn add(
        &mut self,
        performed: &Performed,
        forecast: Forecast,
        most: u64,
        deadline: Option<Instant>,
    ) -> Option<CheckCost> {
        self.executions += 1;
        self.time += performed.usage.wall.into();
        if self.executions != FIRST_FEW {
            return None;
        }
        let each = self.time / u32::try_from(FIRST_FEW).unwrap_or(1);
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let Forecast { fewest, at_once, kept } = forecast;
        let most = most.saturating_sub(kept);
        let fewest = fewest.map(|fewest| fewest.saturating_sub(kept));
        let in_all = each.mul_f64(most as f64 / at_once.max(1) as f64);
        (in_all >= WORTH_TELLING || left.is_some_and(|left| left < in_all)).then_some(CheckCost {
            each,
            at_once,
            fewest,
            most,
            left,
        })
    }
}

/// The order in which executions are passed on, and where each is.
struct State {
    order: InOrder,
    /// Performed, here or in the session that goes on.
    done: BTreeSet<u64>,
    under_way: BTreeSet<u64>,
    /// The first number that was never started.
    next: u64,
    /// How many warm-up executions each system has.
    warmup: u64,
    /// The systems that had theirs.
    warm: BTreeSet<usize>,
    /// How many there were in all.
    warmed: u64,
}

impl Sampler<'_> {
    /// Has executions performed and hands them on by their numbers. Those of `before` come first.
    pub(super) fn sample(
        self,
        before: Vec<Performed>,
        watch: &mut dyn Watch,
        panel: &mut Panel,
        line: &dyn Fn(&Panel, &str) -> String,
    ) -> Result<Sampled, EngineError> {
        let Sampler { fleet, executions, saved, under_way, deadline, forecast, warmup } = self;
        let done: BTreeSet<u64> = before.iter().map(|one| one.ticket.number).collect();
        let (order, warm) = (InOrder::default(), BTreeSet::new());
        let mut state = State { order, done, under_way, next: 0, warmup, warm, warmed: 0 };
        for performed in before {
            state.order.insert(performed);
        }
        let mut tell = forecast.map(|forecast| (forecast, Spent::default()));
        let result =
            run(fleet, executions, saved, deadline, &mut state, watch, panel, line, &mut tell);
        // Whatever ended it: what still runs is of no use any more. Executions can be repeated
        // from their seeds if the user goes on later.
        let cancelled = fleet.cancel()?;
        // What ended meanwhile is kept: a session that goes on has it.
        while let Ok(Some(performed)) = fleet.next(Some(Instant::now()), &mut |_| {}) {
            if is_warmup(&performed) {
                continue;
            }
            saved.save(&performed)?;
            state.order.insert(performed);
        }
        let unused = state.order.unused();
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
    panel: &mut Panel,
    line: &dyn Fn(&Panel, &str) -> String,
    forecast: &mut Option<(Forecast, Spent)>,
) -> Result<SamplingEnd, EngineError> {
    loop {
        while let Some(performed) = executions.next_in_turn(&mut state.order, panel) {
            if panel.take(performed)? == MoreExecutions::Enough {
                return Ok(SamplingEnd::Answered);
            }
        }
        let is_over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_over {
            return Ok(SamplingEnd::MostTime);
        }
        let tickets = wanted(fleet, executions, state, panel);
        if !tickets.is_empty() {
            match fleet.start(&tickets) {
                Ok(()) => state.under_way.extend(tickets.iter().map(|ticket| ticket.number)),
                Err(FleetError::Interrupted) => return Ok(SamplingEnd::Interrupted),
                Err(error) => return Err(error.into()),
            }
        }
        let mut tell = |status: &str| watch.progress(&|| line(panel, status));
        match fleet.next(deadline, &mut tell) {
            Ok(Some(mut performed)) => {
                state.under_way.remove(&performed.ticket.number);
                if is_warmup(&performed) {
                    continue;
                }
                state.done.insert(performed.ticket.number);
                saved.save(&performed)?;
                if let Some((forecast, spent)) = forecast
                    && let Some(cost) =
                        spent.add(&performed, *forecast, executions.most(), deadline)
                {
                    watch.check_costs(&cost);
                }
                performed.output = None;
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
fn wanted(
    fleet: &dyn Fleet,
    executions: &Executions,
    state: &mut State,
    panel: &Panel,
) -> Vec<Ticket> {
    let room = fleet.width().saturating_sub(state.under_way.len());
    let is_idle = state.under_way.is_empty();
    if room < fleet.batch() && !is_idle {
        return Vec::new();
    }
    let mut tickets = Vec::new();
    while tickets.len() < room && state.next < executions.most() {
        let number = state.next;
        state.next += 1;
        let is_there = state.done.contains(&number) || state.under_way.contains(&number);
        if !is_there && panel.is_open(executions.cell_of(number)) {
            let ticket = executions.ticket(number);
            tickets.extend(warmups(ticket.system, state));
            tickets.push(ticket);
        }
    }
    tickets
}

/// The executions before the first of a system.
fn warmups(system: usize, state: &mut State) -> Vec<Ticket> {
    if state.warmup == 0 || !state.warm.insert(system) {
        return Vec::new();
    }
    let first = state.warmed;
    state.warmed += state.warmup;
    let ticket = |number: u64| Ticket {
        number: FIRST_WARMUP + number,
        system,
        seed: seed_of(FIRST_WARMUP, number),
    };
    (first..state.warmed).map(ticket).collect()
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
    use fathom_record::{Ending as Exit, Observation, Scalar, Span, Unit, Usage};
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
            output: None,
            session: None,
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
            questions: vec![CheckQuestion::Property(property)],
            executions: ExecutionSource::Commands(Box::new(options)),
            ..CheckRequest::default()
        }
    }

    #[test]
    fn what_all_will_cost_is_told_after_three_executions() {
        let told = |seconds: u64, most: u64, at_once: usize, left: Option<u64>| {
            let forecast = Forecast { fewest: Some(59), at_once, kept: 0 };
            let deadline = left.map(|left| Instant::now() + Duration::from_secs(left));
            let mut spent = Spent::default();
            let ticket = Ticket { number: 0, system: 0, seed: 0 };
            let each = Performed {
                usage: Usage {
                    wall: Span::from_nanoseconds(seconds * 1_000_000_000),
                    ..Usage::default()
                },
                ..performed(ticket)
            };
            let mut costs = (0..5).map(|_| spent.add(&each, forecast, most, deadline));
            let costs: Vec<Option<CheckCost>> = costs.by_ref().collect();
            assert!([0, 1, 3, 4].iter().all(|n| costs[*n].is_none()), "only after the third");
            costs.into_iter().nth(2).flatten()
        };
        let cost = told(2, 100, 4, None).unwrap();
        assert_eq!((cost.each, cost.at_once, cost.most), (Duration::from_secs(2), 4, 100));
        assert_eq!((cost.fewest, cost.left), (Some(59), None));
        // 10 s in all are worth telling, 9 s are not, unless less time is left.
        assert!(told(1, 10, 1, None).is_some() && told(1, 20, 2, None).is_some());
        assert!(told(1, 9, 1, None).is_none() && told(1, 19, 2, None).is_none());
        assert!(told(1, 9, 1, Some(1000)).is_none());
        assert!(told(1, 9, 1, Some(5)).unwrap().left.is_some());
        assert!(told(1, 10, 0, None).is_some(), "at least one at once");
    }

    #[test]
    fn the_time_is_over_when_what_was_left_of_it_has_passed() {
        let (most, spent) = (Duration::from_secs(10), Duration::from_secs(4));
        let before = Instant::now();
        let left = Duration::from_secs(6);
        let found = deadline(Some(most), spent).unwrap();
        assert!(found >= before + left && found <= Instant::now() + left);
        assert!(deadline(Some(spent), most).unwrap() <= Instant::now());
        assert_eq!(deadline(None, spent), None);
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
            let (mut panel, _) = check.panel().unwrap();
            let executions = check.executions(&panel);
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
                forecast: None,
                warmup: 0,
            };
            let sampled =
                sampler.sample(before, &mut (), &mut panel, &|_, _| String::new());
            prop_assert_eq!(sampled.unwrap().end, SamplingEnd::Answered);
            let judged: Vec<u64> = panel.only().unwrap().judged().iter().map(|judged| judged.runs[0]).collect();
            prop_assert_eq!(judged, (1..=30).collect::<Vec<_>>());
            let delivered: BTreeSet<u64> = fleet.delivered.iter().copied().collect();
            prop_assert_eq!(delivered.len(), fleet.delivered.len(), "nothing is performed twice");
        }
    }
}
