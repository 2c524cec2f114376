//! JSON of any program.
//!
//! - One object: every number is a scalar under its path, true is 1 and false 0, null is missing;
//!   texts are left out. A list of objects: an execution each.
//! - Objects one after the other, which have a time: one execution. Without `event` the numbers of
//!   an object are samples of signals, and a signal that an object does not mention keeps its value;
//!   with it they are attributes of what happened. `run` tells several executions apart.
//! - Objects one after the other without a time: an execution each.
//!
//! A single object is not a trace, except that an `event` may come alone: programs print their
//! results, a `time` among them, as an object.

use std::collections::HashMap;

use fathom_record::{Observation, Scalar, Unit};

use super::attempts::{AttemptSlot, Attempts};
use super::flat::{Flat, Leaf};
use super::found::ParsedAttempts;
use super::groups::{self, Groups};
use super::heading::{self, Heading, is_event, is_run};
use super::timelines::{Timelines, Words};
use super::trace_rows::{self, RowsAre};
use crate::error::{Flaw, quoted};
use crate::json;

const ONE_OBJECT: &str =
    "if the objects are one execution over time, add a \"time\" to each. Otherwise keep one object";
const ONE_RUN: &str = "keep the objects of one run, and remove the run number";

pub(super) fn read(
    text: &str,
    are: Option<RowsAre>,
    group_by: Option<&str>,
) -> Result<ParsedAttempts, Flaw> {
    if text.trim_ascii_start().starts_with('[') {
        return list(text, are, group_by);
    }
    let group_by = group_by.map(str::to_string);
    let mut reader = Reader { are, group_by, ..Reader::default() };
    json::each(text, json::flaw, |flat, line| reader.add(flat, line))?;
    reader.finish()
}

/// Objects that are executions, unless they look like samples of one.
fn executions(all: Objects, are: Option<RowsAre>) -> Result<ParsedAttempts, Flaw> {
    let Objects { attempts: all, groups } = all;
    if are == Some(RowsAre::Samples) && all.len() > 1 {
        return Err(Flaw::new(
            "the objects have no time, so they cannot be samples",
            "name the time field \"time\" or \"time_ms\", and write one object per line",
        ));
    }
    if are.is_none() && all.len() > 1 {
        refuse_samples(&all)?;
    }
    Ok(ParsedAttempts { groups, ..ParsedAttempts::of(all, ONE_OBJECT) })
}

fn refuse_samples(all: &Attempts) -> Result<(), Flaw> {
    let mut slot = AttemptSlot::default();
    all.read_into(0, &mut slot);
    let Ok(first) = slot.attempt() else { return Ok(()) };
    let headings: Vec<Heading> = first
        .scalars()
        .iter()
        .map(|(name, scalar)| Heading { name: name.clone(), unit: scalar.unit.clone() })
        .collect();
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); headings.len()];
    let times = headings.iter().enumerate();
    let times = times.filter(|(column, heading)| trace_rows::may_be_time(heading, *column));
    let times: Vec<(usize, &Heading)> = times.collect();
    for index in 0..all.len() {
        all.read_into(index, &mut slot);
        let Ok(seen) = slot.attempt() else { continue };
        for (column, heading) in &times {
            let value = seen.scalars().get(&heading.name).map(|scalar| scalar.value);
            columns[*column].extend(value.filter(|value| value.is_finite()));
        }
    }
    trace_rows::refuse(&headings, &columns, all.len())
}

/// `[{...}, {...}]`
fn list(text: &str, are: Option<RowsAre>, group_by: Option<&str>) -> Result<ParsedAttempts, Flaw> {
    let objects: Vec<Flat> = json::parse(text)?;
    if objects.is_empty() {
        return Err(Flaw::new("the list is empty", "check that it is the right file"));
    }
    let mut all = Objects::default();
    for (flat, number) in objects.iter().zip(1..) {
        all.push(flat, group_by).map_err(|flaw| flaw.within(format!("object {number}")))?;
    }
    executions(all, are)
}

/// Objects that are executions, with their groups.
#[derive(Default)]
struct Objects {
    attempts: Attempts,
    groups: Option<Groups>,
}

impl Objects {
    fn push(&mut self, flat: &Flat, group_by: Option<&str>) -> Result<(), Flaw> {
        if let Some(field) = group_by {
            let name = match flat.top(|path| path == field) {
                Some((_, Leaf::Text(text))) if !text.trim().is_empty() => text.trim().to_string(),
                Some((_, Leaf::Number(number))) if number.is_finite() => number.to_string(),
                _ => return Err(groups::without_name(field)),
            };
            self.groups.get_or_insert_default().push(&name);
        }
        self.attempts.push(Ok(scalars(flat, group_by)?));
        Ok(())
    }
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    /// What the user says that objects are.
    are: Option<RowsAre>,
    /// The field with the group of each execution.
    group_by: Option<String>,
    /// The first object, until a second one says that the first was not all.
    first: Option<(Flat, u64)>,
    state: State,
}

#[derive(Default)]
enum State {
    #[default]
    Beginning,
    Executions(Objects),
    Trace(Box<Trace>),
}

impl Reader {
    fn add(&mut self, flat: Flat, line: u64) -> Result<(), Flaw> {
        if let State::Beginning = self.state {
            let Some((first, first_line)) = self.first.take() else {
                self.first = Some((flat, line));
                return Ok(());
            };
            self.state = match self.are {
                Some(RowsAre::Executions) => State::Executions(Objects::default()),
                _ => State::begun_by(&first, first_line)?,
            };
            self.state.add(&first, first_line, self.group_by.as_deref())?;
        }
        self.state.add(&flat, line, self.group_by.as_deref())
    }

    fn finish(mut self) -> Result<ParsedAttempts, Flaw> {
        if let Some((only, line)) = self.first.take() {
            let is_event =
                only.top(is_event).is_some_and(|(_, leaf)| matches!(leaf, Leaf::Text(_)));
            self.state = match State::begun_by(&only, line)? {
                trace @ State::Trace(_) if is_event => trace,
                _ => State::Executions(Objects::default()),
            };
            self.state.add(&only, line, self.group_by.as_deref())?;
        }
        match self.state {
            State::Trace(trace) => {
                Ok(ParsedAttempts::all(trace.lines.into_observations()?, ONE_RUN))
            }
            State::Executions(all) => executions(all, self.are),
            State::Beginning => {
                Err(Flaw::new("the file is empty", "check that it is the right file"))
            }
        }
    }
}

impl State {
    fn begun_by(first: &Flat, line: u64) -> Result<State, Flaw> {
        match first.top(|path| heading::time_unit(path).is_some()) {
            Some((path, Leaf::Number(_))) => {
                let unit = heading::time_unit(path).unwrap_or(Ok(Unit::Unknown));
                let unit = unit.map_err(|flaw| flaw.at_line(line))?;
                let lines = Timelines::new(unit, Words { piece: "line", part: "field" });
                Ok(State::Trace(Box::new(Trace {
                    time: path.to_string(),
                    lines,
                    signals: HashMap::new(),
                    attributes: HashMap::new(),
                })))
            }
            _ => Ok(State::Executions(Objects::default())),
        }
    }

    fn add(&mut self, flat: &Flat, line: u64, group_by: Option<&str>) -> Result<(), Flaw> {
        match self {
            State::Trace(trace) => trace.add(flat),
            State::Executions(all) => all.push(flat, group_by),
            State::Beginning => Ok(()),
        }
        .map_err(|flaw| flaw.at_line(line))
    }
}

/// Objects over time.
struct Trace {
    /// The field of the time.
    time: String,
    lines: Timelines,
    /// The numbers of signals and attributes by their paths, so that a path is taken apart once.
    signals: HashMap<String, usize>,
    attributes: HashMap<String, usize>,
}

fn known(places: &mut HashMap<String, usize>, path: &str, make: impl FnOnce() -> usize) -> usize {
    if let Some(&place) = places.get(path) {
        return place;
    }
    let place = make();
    places.insert(path.to_string(), place);
    place
}

impl Trace {
    fn add(&mut self, flat: &Flat) -> Result<(), Flaw> {
        let now = match flat.top(|path| path == self.time) {
            Some((_, Leaf::Number(time))) if !time.is_nan() => *time,
            _ => {
                return Err(Flaw::new(
                    format!(
                        "{} is missing or not a number, but the first object has it",
                        quoted(&self.time)
                    ),
                    "add the time to every object",
                ));
            }
        };
        let run = flat.top(is_run);
        let label = match run {
            None => String::new(),
            Some((_, Leaf::Number(number))) => number.to_string(),
            Some((_, Leaf::Text(text))) => text.clone(),
        };
        let is_value =
            |path: &str| path != self.time && run.is_none_or(|(run_path, _)| path != run_path);
        let values = flat.numbers().filter(|(path, _)| is_value(path));
        let lines = &mut self.lines;
        let execution = lines.execution(&label);
        lines.reach(execution, now)?;
        match flat.top(is_event) {
            Some((_, Leaf::Text(name))) => {
                let event = lines.event(name);
                lines.occurrence(execution, event, now)?;
                for (path, value) in values {
                    let attribute =
                        known(&mut self.attributes, path, || lines.attribute(Heading::of(path)));
                    lines.attribute_value(execution, event, attribute, value)?;
                }
            }
            Some((path, Leaf::Number(_))) => {
                return Err(Flaw::new(
                    format!("{} is not text", quoted(path)),
                    "use the name of the event as its value, or rename the field",
                ));
            }
            None => {
                for (path, value) in values {
                    let signal = known(&mut self.signals, path, || lines.signal(Heading::of(path)));
                    lines
                        .sample(execution, signal, now, value)
                        .map_err(|flaw| flaw.within(quoted(path)))?;
                }
            }
        }
        Ok(())
    }
}

/// An object that is an execution.
fn scalars(flat: &Flat, group_by: Option<&str>) -> Result<Observation, Flaw> {
    let mut seen = Observation::new();
    for (path, value) in flat.numbers().filter(|(path, _)| Some(*path) != group_by) {
        let Heading { name, unit } = Heading::of(path);
        if seen.scalars().contains_key(&name) {
            return Err(Flaw::new(
                format!("{} appears twice", quoted(&name)),
                "rename one of the two",
            ));
        }
        seen.set_scalar(name, Scalar::new(value, unit))
            .map_err(|error| Flaw::of_observation(&error, "correct it, or use null"))?;
    }
    if seen.scalars().is_empty() {
        return Err(Flaw::new(
            "the object has no numbers",
            "check that it is the file the execution wrote",
        ));
    }
    Ok(seen)
}
