//! Takes executions by their numbers, puts tuples together, judges them, and says when there are
//! enough.

use super::adjustments::Adjustments;
use super::question::{ParsedQuestion, ValueGoal};
use super::report::outcome;
use super::sameness::{Sameness, costs_of_given};
use super::sampling::MoreExecutions;
use super::worst_executions::{SeenExecution, WorstExecutions};
use crate::EngineError;
use fathom_formats::AttemptSlot;
use fathom_measure::experiment::{
    ExecutionFailure, Performed, Ticket, costs_in, know_no_more_than_was_seen,
};
use fathom_property::decide::{CheckCourse, ExecutionOutcome};
use fathom_property::{
    Bounds, Catalogue, ConditionCount, DataSource, Decider, Demands, Judged, JudgedAs, Mentioned,
    NameMeaning, Note, QuestionDetails, Resolved, ResolvedExpression, RunRole, Threshold, Truth,
    judge, value,
};
use fathom_record::{Attribute, Ending, Events, Observation, Unit};
use fathom_request::OnFailure;
use fathom_stats::quantile::spa::Direction;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Judges executions as they come.
pub(super) struct Judge {
    asked: ParsedQuestion,
    /// Its place among several questions.
    place: Option<usize>,
    systems: Vec<System>,
    /// The place of the first of them among those of all cells.
    first_system: usize,
    roles: Vec<RunRole>,
    adjustments: Adjustments,
    on_failure: OnFailure,
    resolved: Option<Meaning>,
    /// The events that are known of each system.
    events: Vec<BTreeMap<String, BTreeMap<String, Unit>>>,
    pending: Vec<Performed>,
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
    parts: Parts,
    /// What the worst executions did over their time, if that is wanted.
    worst: Option<WorstExecutions>,
}

/// The name of a system in errors.
#[derive(Debug, Clone)]
pub(super) struct System {
    pub(super) name: String,
    pub(super) shown: String,
}

/// The question with its names looked up.
#[allow(clippy::large_enum_variant, reason = "there is one of them in a check")]
enum Meaning {
    Property(Resolved, Demands, Mentioned),
    Value(ResolvedExpression, Mentioned),
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
            first_system,
            roles,
            adjustments,
            on_failure,
            resolved: None,
            events: Vec::new(),
            pending: Vec::new(),
            judged: Vec::new(),
            course,
            values: Vec::new(),
            next_look,
            notes: BTreeMap::new(),
            is_answered: false,
            sameness: Sameness::default(),
            triggered: (Vec::new(), 0),
            host_time: None,
            parts: Parts::default(),
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
            threshold: match &self.resolved {
                Some(Meaning::Property(resolved, ..)) => Threshold::of(&resolved.formula),
                _ => None,
            },
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
        self.roles.iter().map(|role| self.first_system + role.system).collect()
    }

    /// The names of a tuple's executions; empty for a single one.
    pub(super) fn tuple_names(&self) -> Vec<String> {
        match self.roles.as_slice() {
            [] | [_] => Vec::new(),
            roles => roles.iter().map(|role| role.name.clone()).collect(),
        }
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
        match &self.resolved {
            Some(Meaning::Value(resolved, _)) => Unit::parse(&resolved.unit),
            _ => Unit::Unknown,
        }
    }

    /// Looks the names up in what the systems' executions have.
    pub(super) fn resolve(&mut self, catalogues: Vec<Catalogue>) -> Result<(), EngineError> {
        self.events = catalogues.iter().map(events).collect();
        let names = self.systems.iter().map(|system| system.name.clone());
        let systems: Vec<(String, Catalogue)> = names.zip(catalogues).collect();
        let meaning = match &self.asked {
            ParsedQuestion::Verdict { property, .. } => {
                property.resolve(&systems).map(|resolved| {
                    let demands = Demands::of(&resolved.formula);
                    let mentioned = Mentioned::in_formula(&resolved.formula);
                    Meaning::Property(resolved, demands, mentioned)
                })
            }
            ParsedQuestion::Value { expression, .. } => {
                expression.resolve(&systems).map(|resolved| {
                    let mentioned = Mentioned::in_term(&resolved.term);
                    Meaning::Value(resolved, mentioned)
                })
            }
        };
        let place = self.place;
        self.resolved = Some(meaning.map_err(|error| EngineError::from(error).of_question(place))?);
        Ok(())
    }

    /// Takes the next execution.
    pub(super) fn take(&mut self, performed: Performed) -> Result<MoreExecutions, EngineError> {
        self.pending.push(performed);
        let Some(tuple) = self.next_tuple() else { return Ok(MoreExecutions::Wanted) };
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
        self.roles.iter().any(|role| self.first_system + role.system == system)
    }

    /// The executions that make the next tuple, if they are all there: of each system the next that was
    /// not used.
    fn next_tuple(&mut self) -> Option<Vec<Performed>> {
        if self.pending.len() < self.roles.len() {
            return None;
        }
        let mut chosen: Vec<usize> = Vec::with_capacity(self.roles.len());
        for role in &self.roles {
            let is_next = |(place, one): &(usize, &Performed)| {
                one.ticket.system == self.first_system + role.system && !chosen.contains(place)
            };
            chosen.push(self.pending.iter().enumerate().find(is_next)?.0);
        }
        let mut rest: Vec<Option<Performed>> =
            std::mem::take(&mut self.pending).into_iter().map(Some).collect();
        let tuple =
            chosen.iter().filter_map(|&place| rest.get_mut(place).and_then(Option::take)).collect();
        self.pending = rest.into_iter().flatten().collect();
        Some(tuple)
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
        for (role, observation) in self.roles.iter().zip(seen.iter_mut()) {
            if let Some(known) = self.events.get(role.system) {
                add_what_did_not_occur(observation, known)?;
            }
        }
        let runs: Vec<&Observation> = seen.iter().map(|seen| &**seen).collect();
        match &self.resolved {
            Some(Meaning::Property(resolved, demands, mentioned)) => {
                let judgement = judge(&resolved.formula, &runs);
                let at = judgement.decided_by.as_ref().and_then(|decider| decider.at);
                let at = at.zip(runs.first());
                let at = at.map(|(at, seen)| Box::new((at, self.parts.time_unit(seen))));
                let (held, of) = &mut self.triggered;
                let triggered = demands.triggered(&runs);
                held.resize(triggered.len(), 0);
                held.iter_mut().zip(triggered).for_each(|(held, now)| *held += usize::from(now));
                *of += 1;
                // True because nothing was demanded is not the same as true.
                let is_vacuous = judgement.truth == Truth::True && demands.are_none(&runs);
                let decided_by = judgement.decided_by;
                let decided_by = decided_by.map(|it| self.parts.decided_by(it, self.asked.text()));
                for note in judgement.notes {
                    *self.notes.entry(note).or_insert(0) += 1;
                }
                let truth = if is_vacuous { Truth::Vacuous } else { judgement.truth };
                let robustness = judgement.robustness;
                let result = JudgedAs::Property { truth, robustness, decided_by, at };
                self.sameness.take(&runs, costs, mentioned, &result);
                self.host_time =
                    self.host_time.take().or_else(|| host_time(&runs, costs, mentioned));
                if let Some(worst) = &mut self.worst {
                    let names = self.roles.iter().map(|role| role.name.as_str()).collect();
                    let seen = SeenExecution { place: self.judged.len(), names, runs: &runs };
                    worst.take_property(seen, &resolved.formula, mentioned, &result);
                }
                Ok(self.count(Some(truth), None, result, identity))
            }
            Some(Meaning::Value(resolved, mentioned)) => {
                let found = value(&resolved.term, &runs);
                for note in found.notes {
                    *self.notes.entry(note).or_insert(0) += 1;
                }
                let bounds = found.bounds;
                let result = JudgedAs::Value(bounds);
                self.sameness.take(&runs, costs, mentioned, &result);
                self.host_time =
                    self.host_time.take().or_else(|| host_time(&runs, costs, mentioned));
                if let (Some(worst), ParsedQuestion::Value { question, .. }) =
                    (&mut self.worst, &self.asked)
                {
                    let names = self.roles.iter().map(|role| role.name.as_str()).collect();
                    let seen = SeenExecution { place: self.judged.len(), names, runs: &runs };
                    worst.take_value(seen, mentioned, bounds, question.direction);
                }
                Ok(self.count(None, Some(bounds), result, identity))
            }
            None => Ok(MoreExecutions::Wanted),
        }
    }

    /// What a tuple's executions have, by system. A system may have several executions in it.
    fn catalogues(&self, seen: &[&mut Observation]) -> Result<Vec<Catalogue>, EngineError> {
        let mut catalogues = vec![Catalogue::new(); self.systems.len()];
        for (role, observation) in self.roles.iter().zip(seen) {
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
        let place = ticket.system.checked_sub(self.first_system);
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

/// By how much an execution is on the right side, for a comparison with its neighbours. One that
/// failed is on the wrong side by more than any other.
fn margin(result: &JudgedAs) -> Option<f64> {
    match result {
        JudgedAs::Property { truth, robustness, .. } => match truth {
            Truth::True => Some(robustness.sure().unwrap_or(f64::INFINITY)),
            Truth::False => Some(robustness.sure().unwrap_or(f64::NEG_INFINITY)),
            Truth::Vacuous => Some(f64::INFINITY),
            Truth::Unknown => None,
        },
        JudgedAs::Failed(_) => Some(f64::NEG_INFINITY),
        JudgedAs::Value(_) => None,
    }
}

/// The simulated time of executions whose `runtime` is read and is how long the simulator took.
fn host_time(
    seen: &[&Observation],
    costs: &[BTreeSet<&'static str>],
    mentioned: &Mentioned,
) -> Option<String> {
    let (seen, _) = seen.iter().zip(costs).enumerate().find_map(|(run, (seen, costs))| {
        let reads = mentioned.names.contains(&(run, "runtime".to_string()));
        (reads && costs.contains("runtime")).then_some((seen, run))
    })?;
    if let Some(name) = Catalogue::of(seen).simulated_time() {
        return Some(name.to_string());
    }
    let is_traced = !seen.signals().is_empty() || !seen.events().is_empty();
    let is_simulated = ["cycles", "ticks"].contains(&seen.time_unit().symbol());
    (is_traced && is_simulated).then(|| "duration".to_string())
}

/// The events that a system has, with their attributes.
fn events(catalogue: &Catalogue) -> BTreeMap<String, BTreeMap<String, Unit>> {
    let event = |(name, named): (&String, &NameMeaning)| match named {
        NameMeaning::Event { attributes } => Some((name.clone(), attributes.clone())),
        _ => None,
    };
    catalogue.names().iter().filter_map(event).collect()
}

/// An event that other executions have and this one does not name did not occur in it.
fn add_what_did_not_occur(
    seen: &mut Observation,
    known: &BTreeMap<String, BTreeMap<String, Unit>>,
) -> Result<(), EngineError> {
    for (name, attributes) in known {
        if !seen.events().contains_key(name) {
            let attributes = attributes.iter().map(|(name, unit)| {
                (name.clone(), Attribute { unit: unit.clone(), values: Vec::new() })
            });
            let none = Events::new(Vec::new(), attributes.collect())?;
            seen.set_events(name, none)?;
        }
    }
    Ok(())
}

/// The unit and the text of a part of the property.
type PropertyPart = Arc<(String, String)>;

/// What many executions have in common in what is said of them, each once in memory.
#[derive(Debug, Default)]
struct Parts {
    /// Parts of the property by their place.
    decided_by: Vec<(Range<usize>, PropertyPart)>,
    time_unit: Option<Arc<str>>,
}

impl Parts {
    fn decided_by(&mut self, decider: Decider, text: &str) -> PropertyPart {
        let Decider { unit, span, .. } = decider;
        let is_it =
            |(known, part): &&(Range<usize>, PropertyPart)| *known == span && part.0 == unit;
        if let Some((_, part)) = self.decided_by.iter().find(is_it) {
            return Arc::clone(part);
        }
        let part = text.get(span.clone()).unwrap_or_default().trim().to_string();
        let part = Arc::new((unit, part));
        self.decided_by.push((span, Arc::clone(&part)));
        part
    }

    fn time_unit(&mut self, seen: &Observation) -> Arc<str> {
        let symbol = seen.time_unit().symbol();
        match &self.time_unit {
            Some(unit) if **unit == *symbol => Arc::clone(unit),
            _ => Arc::clone(self.time_unit.insert(symbol.into())),
        }
    }
}

/// Which executions.
struct ExecutionIdentity {
    runs: Vec<u64>,
    seeds: Vec<u32>,
    source: Option<DataSource>,
    is_cut: bool,
}

impl ExecutionIdentity {
    fn judged(self, result: JudgedAs) -> Judged {
        let ExecutionIdentity { runs, seeds, source, is_cut } = self;
        Judged { runs: runs.into(), seeds: seeds.into(), source, is_cut, result }
    }
}
