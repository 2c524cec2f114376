//! Takes executions by their numbers, puts tuples together, judges them, and says when there are
//! enough.

use super::absent_events::KnownEvents;
use super::adjustments::Adjustments;
use super::host_time::host_time;
use super::meaning::{Finding, Meaning};
use super::outcomes::{margin, outcome};
use super::property_parts::PropertyParts;
use super::question::{ParsedQuestion, ValueGoal};
use super::sameness::{Sameness, costs_of_given};
use super::sampling::MoreExecutions;
use super::tuples::{ExecutionIdentity, Tuples};
use super::worst_executions::{SeenExecution, WorstExecutions};
use crate::EngineError;
use fathom_formats::AttemptSlot;
use fathom_measure::experiment::{
    ExecutionFailure, Performed, Ticket, costs_in, know_no_more_than_was_seen,
};
use fathom_property::decide::{CheckCourse, ExecutionOutcome};
use fathom_property::{
    Bounds, Catalogue, ConditionCount, DataSource, Judged, JudgedAs, Note, QuestionDetails, Truth,
};
use fathom_record::{Ending, Observation, Unit};
use fathom_request::OnFailure;
use fathom_stats::quantile::spa::Direction;
use std::collections::{BTreeMap, BTreeSet};

/// Judges executions as they come.
pub(super) struct Judge {
    asked: ParsedQuestion,
    /// Its place among several questions.
    place: Option<usize>,
    systems: Vec<System>,
    tuples: Tuples,
    adjustments: Adjustments,
    on_failure: OnFailure,
    resolved: Option<Meaning>,
    /// The events that are known of each system.
    events: Vec<KnownEvents>,
    judged: Vec<Judged>,
    /// Of a question for a verdict, unless all executions are there already.
    course: Option<CheckCourse>,
    /// Of a question for a value.
    values: Vec<Bounds>,
    /// When the interval is looked at next.
    next_look: usize,
    notes: BTreeMap<Note, usize>,
    is_answered: bool,
    sameness: Sameness,
    /// In how many executions each condition of the property held, and of how many.
    triggered: (Vec<usize>, usize),
    /// The simulated time, where `runtime` is read and is how long the simulator took.
    host_time: Option<String>,
    parts: PropertyParts,
    /// What the worst executions did over their time, if that is wanted.
    worst: Option<WorstExecutions>,
}

/// The name of a system in errors.
#[derive(Debug, Clone)]
pub(super) struct System {
    pub(super) name: String,
    pub(super) shown: String,
}

const WAYS_ON: &str = "--on-failure skip leaves failed executions out, --on-failure count-as-false \
                       counts them as false";

/// Looks at a value's interval grow by this factor, so that looking costs little.
const GROWTH: f64 = 1.1;

impl Judge {
    /// `among` is the place among several questions, and the probability that any of their verdicts is
    /// wrong; systems come with the place of the first among those of all cells; `budget` is the number
    /// of tuples.
    pub(super) fn new(
        asked: ParsedQuestion,
        among: Option<(usize, f64)>,
        (first_system, systems): (usize, Vec<System>),
        adjustments: Adjustments,
        on_failure: OnFailure,
        budget: Option<u64>,
    ) -> Result<Judge, EngineError> {
        let names: Vec<String> = systems.iter().map(|system| system.name.clone()).collect();
        let roles = asked.roles(&names)?;
        let course = match (&asked, budget) {
            (ParsedQuestion::Verdict { question, vacuous, .. }, Some(budget)) => {
                let budget = usize::try_from(budget).unwrap_or(usize::MAX);
                Some(match among {
                    None => CheckCourse::new(*question, budget, *vacuous)?,
                    Some((_, bound)) => {
                        CheckCourse::one_of_several(*question, budget, *vacuous, bound)?
                    }
                })
            }
            _ => None,
        };
        let next_look = match &asked {
            ParsedQuestion::Value { question, .. } => question.samples_needed(),
            ParsedQuestion::Verdict { .. } => 0,
        };
        Ok(Judge {
            asked,
            place: among.map(|(place, _)| place),
            systems,
            tuples: Tuples::new(roles, first_system),
            adjustments,
            on_failure,
            resolved: None,
            events: Vec::new(),
            judged: Vec::new(),
            course,
            values: Vec::new(),
            next_look,
            notes: BTreeMap::new(),
            is_answered: false,
            sameness: Sameness::default(),
            triggered: (Vec::new(), 0),
            host_time: None,
            parts: PropertyParts::default(),
            worst: None,
        })
    }

    /// Keeps the signals and events of the worst executions, of `most` at most.
    pub(super) fn keep_worst(&mut self, most: usize) {
        self.worst = Some(WorstExecutions::new(most));
    }

    /// What is known of the question besides its report.
    pub(super) fn details(&self) -> QuestionDetails {
        QuestionDetails {
            threshold: self.resolved.as_ref().and_then(Meaning::threshold),
            worst: self.worst.as_ref().map(WorstExecutions::shown).unwrap_or_default(),
        }
    }

    /// How different the executions are.
    pub(super) fn sameness(&self) -> &Sameness {
        &self.sameness
    }

    /// The simulated time, where `runtime` is read and is how long the simulator took.
    pub(super) fn host_time(&self) -> Option<&str> {
        self.host_time.as_deref()
    }

    /// In how many executions each condition of the property held.
    pub(super) fn conditions(&self) -> Vec<ConditionCount> {
        let ParsedQuestion::Verdict { property, .. } = &self.asked else { return Vec::new() };
        let (held, of) = &self.triggered;
        let count = |(condition, &held_in): (String, &usize)| ConditionCount {
            condition,
            held_in,
            of: *of,
        };
        property.conditions().into_iter().zip(held).map(count).collect()
    }

    /// The systems of a tuple's executions.
    pub(super) fn tuple(&self) -> Vec<usize> {
        self.tuples.systems()
    }

    /// The names of a tuple's executions; empty for a single one.
    pub(super) fn tuple_names(&self) -> Vec<String> {
        self.tuples.names()
    }

    pub(super) fn asked(&self) -> &ParsedQuestion {
        &self.asked
    }

    pub(super) fn course(&self) -> Option<&CheckCourse> {
        self.course.as_ref()
    }

    pub(super) fn values(&self) -> &[Bounds] {
        &self.values
    }

    pub(super) fn judged(&self) -> &[Judged] {
        &self.judged
    }

    /// The same, for a report: a million of them are not kept twice.
    pub(super) fn take_judged(&mut self) -> Vec<Judged> {
        std::mem::take(&mut self.judged)
    }

    /// What every execution says, in their order, and by which margin.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = (ExecutionOutcome, Option<f64>)> + '_ {
        let counts_failures = self.on_failure == OnFailure::CountAsFalse;
        let both =
            move |judged: &Judged| (outcome(judged, counts_failures), margin(&judged.result));
        self.judged.iter().map(both)
    }

    /// Whether executions that fail are left out.
    pub(super) fn leaves_failed_out(&self) -> bool {
        self.on_failure == OnFailure::Skip
    }

    /// Whether the question is answered, so that no more executions are wanted.
    pub(super) fn is_answered(&self) -> bool {
        // What several questions decide together is not seen while one is fed.
        self.course.as_ref().map_or(self.is_answered, CheckCourse::is_settled)
    }

    pub(super) fn notes(&self) -> &BTreeMap<Note, usize> {
        &self.notes
    }

    /// What a value is in.
    pub(super) fn unit(&self) -> Unit {
        self.resolved.as_ref().map_or(Unit::Unknown, Meaning::unit)
    }

    /// Looks the names up in what the systems' executions have.
    pub(super) fn resolve(&mut self, catalogues: Vec<Catalogue>) -> Result<(), EngineError> {
        self.events = catalogues.iter().map(KnownEvents::of).collect();
        let names = self.systems.iter().map(|system| system.name.clone());
        let systems: Vec<(String, Catalogue)> = names.zip(catalogues).collect();
        let meaning = Meaning::of(&self.asked, &systems);
        self.resolved = Some(meaning.map_err(|error| error.of_question(self.place))?);
        Ok(())
    }

    /// Takes the next execution.
    pub(super) fn take(&mut self, performed: Performed) -> Result<MoreExecutions, EngineError> {
        let Some(tuple) = self.tuples.add(performed) else { return Ok(MoreExecutions::Wanted) };
        let runs = tuple.iter().map(|one| one.ticket.number + 1).collect();
        let seeds = tuple.iter().map(|one| one.ticket.seed).collect();
        let identity = ExecutionIdentity { runs, seeds, source: None, is_cut: false };
        let mut seen = Vec::new();
        let mut costs = Vec::new();
        for performed in tuple {
            match performed.outcome {
                Ok(observation) => {
                    let ending = performed.ending.unwrap_or(Ending::Exited(0));
                    costs.push(costs_in(&observation, ending, &performed.usage));
                    seen.push(observation);
                }
                Err(failure) => return self.failed(performed.ticket, &failure, identity),
            }
        }
        self.judge(&mut seen.iter_mut().collect::<Vec<_>>(), &costs, identity)
    }

    /// Whether its question is the only one.
    pub(super) fn is_alone(&self) -> bool {
        self.place.is_none()
    }

    /// Whether it judges executions of this system.
    pub(super) fn wants(&self, system: usize) -> bool {
        self.tuples.has_system(system)
    }

    /// The course of a verdict, which several questions decide together.
    pub(super) fn course_mut(&mut self) -> Option<&mut CheckCourse> {
        self.course.as_mut()
    }

    /// Judges a tuple of executions that were made elsewhere.
    pub(super) fn take_attempts(
        &mut self,
        attempts: &mut [AttemptSlot],
        source: DataSource,
    ) -> Result<MoreExecutions, EngineError> {
        let identity = ExecutionIdentity {
            runs: Vec::new(),
            seeds: Vec::new(),
            source: Some(source),
            is_cut: false,
        };
        let attempts = attempts.iter_mut().map(|slot| slot.attempt().as_mut());
        match attempts.collect::<Result<Vec<&mut Observation>, _>>() {
            Ok(mut seen) => {
                let costs: Vec<_> = seen.iter().map(|seen| costs_of_given(seen)).collect();
                self.judge(&mut seen, &costs, identity)
            }
            Err(failed) if self.on_failure == OnFailure::Stop => {
                Err(EngineError::command(match identity.source {
                    Some(source) => format!("{source}: it {}\n{WAYS_ON}", failed.how),
                    None => format!("it {}\n{WAYS_ON}", failed.how),
                }))
            }
            Err(failed) => Ok(self.count_failed(failed.how.clone(), identity)),
        }
    }

    fn judge(
        &mut self,
        seen: &mut [&mut Observation],
        costs: &[BTreeSet<&'static str>],
        identity: ExecutionIdentity,
    ) -> Result<MoreExecutions, EngineError> {
        for observation in seen.iter_mut() {
            self.adjustments.apply(observation)?;
            know_no_more_than_was_seen(observation);
        }
        let identity =
            ExecutionIdentity { is_cut: seen.iter().any(|seen| seen.is_cut()), ..identity };
        if self.resolved.is_none() {
            let catalogues = self.catalogues(seen)?;
            self.resolve(catalogues).map_err(|failure| {
                failure.with_advice(Some(
                    "these are the names of the first execution; an event that need not occur in \
                     it is told by --event NAME"
                        .to_string(),
                ))
            })?;
        }
        for (role, observation) in self.tuples.roles().iter().zip(seen.iter_mut()) {
            if let Some(known) = self.events.get(role.system) {
                known.add_absent(observation)?;
            }
        }
        let runs: Vec<&Observation> = seen.iter().map(|seen| &**seen).collect();
        let Some(meaning) = &self.resolved else { return Ok(MoreExecutions::Wanted) };
        let Finding { result, notes, triggered } =
            meaning.judge(&runs, self.asked.text(), &mut self.parts);
        for note in notes {
            *self.notes.entry(note).or_insert(0) += 1;
        }
        let (held, of) = &mut self.triggered;
        held.resize(triggered.len(), 0);
        held.iter_mut().zip(triggered).for_each(|(held, now)| *held += usize::from(now));
        *of += 1;
        let mentioned = meaning.mentioned();
        self.sameness.take(&runs, costs, mentioned, &result);
        self.host_time = self.host_time.take().or_else(|| host_time(&runs, costs, mentioned));
        if let Some(worst) = &mut self.worst {
            let names = self.tuples.roles().iter().map(|role| role.name.as_str()).collect();
            let seen = SeenExecution { place: self.judged.len(), names, runs: &runs };
            meaning.show(seen, &result, worst);
        }
        Ok(match &result {
            JudgedAs::Property { truth, .. } => self.count(Some(*truth), None, result, identity),
            JudgedAs::Value(bounds) => self.count(None, Some(*bounds), result, identity),
            JudgedAs::Failed(_) => MoreExecutions::Wanted,
        })
    }

    /// What a tuple's executions have, by system. A system may have several executions in it.
    fn catalogues(&self, seen: &[&mut Observation]) -> Result<Vec<Catalogue>, EngineError> {
        let mut catalogues = vec![Catalogue::new(); self.systems.len()];
        for (role, observation) in self.tuples.roles().iter().zip(seen) {
            if let Some(catalogue) = catalogues.get_mut(role.system) {
                catalogue.merge(&Catalogue::of(observation))?;
            }
        }
        Ok(catalogues)
    }

    fn failed(
        &mut self,
        ticket: Ticket,
        failure: &ExecutionFailure,
        identity: ExecutionIdentity,
    ) -> Result<MoreExecutions, EngineError> {
        if self.on_failure == OnFailure::Stop {
            return Err(EngineError::command(self.told(ticket, failure)));
        }
        Ok(self.count_failed(failure.how.clone(), identity))
    }

    /// Counts a failure as the user wants it counted.
    fn count_failed(&mut self, how: String, identity: ExecutionIdentity) -> MoreExecutions {
        let result = JudgedAs::Failed(how);
        let counts_as_false = self.on_failure == OnFailure::CountAsFalse;
        match &self.asked {
            ParsedQuestion::Verdict { .. } => {
                let outcome = if counts_as_false {
                    ExecutionOutcome::Failed
                } else {
                    ExecutionOutcome::Skipped
                };
                let margin = margin(&result);
                self.judged.push(identity.judged(result));
                self.feed(outcome, margin)
            }
            ParsedQuestion::Value { question, .. } => {
                // A failed execution stays within no value.
                let beyond = match question.direction {
                    Direction::Below | Direction::AtMost => f64::INFINITY,
                    Direction::Above | Direction::AtLeast => f64::NEG_INFINITY,
                };
                let bounds = counts_as_false.then(|| Bounds::exactly(beyond));
                self.count(None, bounds, result, identity)
            }
        }
    }

    /// What failed, so that it can be fixed.
    fn told(&self, ticket: Ticket, failure: &ExecutionFailure) -> String {
        let place = self.tuples.place_of(ticket.system);
        let system = place.and_then(|place| self.systems.get(place));
        let name = system.map_or("", |system| system.shown.as_str());
        let mut text =
            format!("{name} {} in run {} (seed {})", failure.how, ticket.number + 1, ticket.seed);
        for line in &failure.said {
            text.push_str(&format!("\n  {line}"));
        }
        if let Some(hint) = &failure.hint {
            text.push_str(&format!("\n{hint}"));
        }
        format!("{text}\n{WAYS_ON}")
    }

    fn count(
        &mut self,
        truth: Option<Truth>,
        bounds: Option<Bounds>,
        result: JudgedAs,
        identity: ExecutionIdentity,
    ) -> MoreExecutions {
        let margin = margin(&result);
        self.judged.push(identity.judged(result));
        if let Some(truth) = truth {
            return self.feed(ExecutionOutcome::from(truth), margin);
        }
        self.values.extend(bounds);
        let ParsedQuestion::Value { question, goal, .. } = &self.asked else {
            return MoreExecutions::Wanted;
        };
        if *goal == ValueGoal::Planned || self.is_answered || self.values.len() < self.next_look {
            return MoreExecutions::Wanted;
        }
        self.next_look = (self.values.len() as f64 * GROWTH).ceil() as usize;
        let answer = question.answer(&self.values);
        self.is_answered = match goal {
            ValueGoal::Precise(precision) => answer.relative_half_width() <= precision.get(),
            ValueGoal::BothEnds | ValueGoal::Planned => answer.interval.is_finite(),
        };
        if self.is_answered { MoreExecutions::Enough } else { MoreExecutions::Wanted }
    }

    fn feed(&mut self, outcome: ExecutionOutcome, margin: Option<f64>) -> MoreExecutions {
        let verdict = self.course.as_mut().and_then(|it| it.feed_with_margin(outcome, margin));
        self.is_answered = verdict.is_some();
        if self.is_answered { MoreExecutions::Enough } else { MoreExecutions::Wanted }
    }
}
