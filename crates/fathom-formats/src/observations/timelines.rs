//! Executions as they are put together from samples and events, one row or line at a time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fathom_record::{Attribute, Events, Observation, ObservationError, Shape, Signal, Unit};

use super::heading::Heading;
use crate::error::Flaw;

/// What a piece of the file is called in messages.
#[derive(Clone, Copy)]
pub(super) struct Words {
    /// What holds one time: "row", "line".
    pub(super) piece: &'static str,
    /// What holds one name: "column", "field".
    pub(super) part: &'static str,
}

/// The executions of a file. Signals, events, attributes and executions are known by the numbers
/// that the methods give out, so that a cell costs no look-up.
pub(super) struct Timelines {
    words: Words,
    time_unit: Unit,
    executions: Vec<Timeline>,
    labels: HashMap<String, usize>,
    signals: Names,
    events: Names,
    attributes: Names,
    /// The attributes that each event has ever had a value for.
    attributed: BTreeMap<usize, BTreeSet<usize>>,
    /// How many values were put in for attributes that occurrences do not have.
    filled: usize,
}

/// One execution.
#[derive(Default)]
struct Timeline {
    end: Option<f64>,
    /// By the signal's number.
    tracks: BTreeMap<usize, Track>,
    /// By the event's number.
    occurrences: BTreeMap<usize, Occurrences>,
}

#[derive(Default)]
struct Track {
    times: Vec<f64>,
    values: Vec<f64>,
}

#[derive(Default)]
struct Occurrences {
    times: Vec<f64>,
    /// By the attribute's number; NaN where one is missing, and not always as many as times.
    attributes: BTreeMap<usize, Vec<f64>>,
}

/// Names in the order of their first appearance.
#[derive(Default)]
struct Names {
    headings: Vec<Heading>,
    places: HashMap<String, usize>,
}

impl Names {
    fn number(&mut self, heading: Heading) -> usize {
        let next = self.headings.len();
        let place = *self.places.entry(heading.name.clone()).or_insert(next);
        if place == next {
            self.headings.push(heading);
        }
        place
    }
}

impl Timelines {
    pub(super) fn new(time_unit: Unit, words: Words) -> Timelines {
        Timelines {
            words,
            time_unit,
            executions: Vec::new(),
            labels: HashMap::new(),
            signals: Names::default(),
            events: Names::default(),
            attributes: Names::default(),
            attributed: BTreeMap::new(),
            filled: 0,
        }
    }

    /// The execution with this label; in the order of first appearance.
    pub(super) fn execution(&mut self, label: &str) -> usize {
        if let Some(&place) = self.labels.get(label) {
            return place;
        }
        let place = self.executions.len();
        self.executions.push(Timeline::default());
        self.labels.insert(label.to_string(), place);
        place
    }

    /// The signal with this heading.
    pub(super) fn signal(&mut self, heading: Heading) -> usize {
        self.signals.number(heading)
    }

    /// The event of this name.
    pub(super) fn event(&mut self, name: &str) -> usize {
        match self.events.places.get(name) {
            Some(&place) => place,
            None => self.events.number(Heading { name: name.to_string(), unit: Unit::Unknown }),
        }
    }

    /// The attribute with this heading, of whichever event.
    pub(super) fn attribute(&mut self, heading: Heading) -> usize {
        self.attributes.number(heading)
    }

    /// Says that the execution went on to this time.
    pub(super) fn reach(&mut self, execution: usize, time: f64) -> Result<(), Flaw> {
        if time < 0.0 {
            return Err(Flaw::new(
                format!("time {time} is before 0, the start of the execution"),
                "subtract the first time from all times",
            ));
        }
        if let Some(timeline) = self.executions.get_mut(execution) {
            timeline.end = Some(timeline.end.map_or(time, |end| end.max(time)));
        }
        Ok(())
    }

    /// A sample of a signal, NaN if it is missing.
    pub(super) fn sample(
        &mut self,
        execution: usize,
        signal: usize,
        time: f64,
        value: f64,
    ) -> Result<(), Flaw> {
        let Some(timeline) = self.executions.get_mut(execution) else { return Ok(()) };
        let track = timeline.tracks.entry(signal).or_default();
        match track.times.last() {
            Some(&last) if time == last => {
                let Words { piece, part } = self.words;
                return Err(Flaw::new(
                    format!("time {time} appears twice"),
                    format!(
                        "keep one of the two {piece}s. If each {piece} is a separate execution, \
                         rename the time {part}, for example to runtime"
                    ),
                ));
            }
            Some(&last) if time < last => return Err(disorder(self.words, last, time)),
            _ => {}
        }
        track.times.push(time);
        track.values.push(value);
        Ok(())
    }

    /// An occurrence of an event.
    pub(super) fn occurrence(
        &mut self,
        execution: usize,
        event: usize,
        time: f64,
    ) -> Result<(), Flaw> {
        let Some(timeline) = self.executions.get_mut(execution) else { return Ok(()) };
        let occurrences = timeline.occurrences.entry(event).or_default();
        if let Some(&last) = occurrences.times.last().filter(|&&last| time < last) {
            return Err(disorder(self.words, last, time));
        }
        occurrences.times.push(time);
        Ok(())
    }

    /// An attribute of the latest occurrence of an event.
    pub(super) fn attribute_value(
        &mut self,
        execution: usize,
        event: usize,
        attribute: usize,
        value: f64,
    ) -> Result<(), Flaw> {
        let Some(timeline) = self.executions.get_mut(execution) else { return Ok(()) };
        let occurrences = timeline.occurrences.entry(event).or_default();
        let before = occurrences.times.len().saturating_sub(1);
        let values = occurrences.attributes.entry(attribute).or_default();
        self.filled += before.saturating_sub(values.len());
        if self.filled > MOST_FILLED {
            return Err(too_many("attributes"));
        }
        values.resize(before, f64::NAN);
        values.push(value);
        if !value.is_nan() {
            self.attributed.entry(event).or_default().insert(attribute);
        }
        Ok(())
    }

    /// The executions. An event that never occurred in one of them is there without occurrences,
    /// if it did in another: it could be seen, and was not.
    pub(super) fn into_observations(self) -> Result<Vec<Observation>, Flaw> {
        if self.executions.len().saturating_mul(self.events.headings.len()) > MOST_FILLED {
            return Err(too_many("events"));
        }
        let mut filled = self.filled;
        let mut all = Vec::with_capacity(self.executions.len());
        for mut timeline in self.executions {
            let mut seen = Observation::new();
            seen.set_time_unit(self.time_unit.clone());
            for (place, track) in timeline.tracks {
                let Some(heading) = self.signals.headings.get(place) else { continue };
                Signal::new(heading.unit.clone(), Shape::Step, track.times, track.values)
                    .and_then(|signal| seen.set_signal(&heading.name, signal))
                    .map_err(|error| unfit(&error))?;
            }
            for (place, heading) in self.events.headings.iter().enumerate() {
                let occurrences = timeline.occurrences.remove(&place).unwrap_or_default();
                let attributes = self.attributed.get(&place);
                filled += occurrences.times.len() * attributes.map_or(0, BTreeSet::len);
                if filled > MOST_FILLED {
                    return Err(too_many("attributes"));
                }
                occurrences
                    .into_events(&self.attributes, attributes.into_iter().flatten())
                    .and_then(|events| seen.set_events(&heading.name, events))
                    .map_err(|error| unfit(&error))?;
            }
            if let Some(end) = timeline.end {
                seen.set_end(end).map_err(|error| unfit(&error))?;
            }
            all.push(seen);
        }
        Ok(all)
    }
}

impl Occurrences {
    fn into_events<'a>(
        mut self,
        names: &Names,
        attributed: impl Iterator<Item = &'a usize>,
    ) -> Result<Events, ObservationError> {
        let count = self.times.len();
        let mut attributes = BTreeMap::new();
        for place in attributed {
            let mut values = self.attributes.remove(place).unwrap_or_default();
            values.resize(count, f64::NAN);
            if let Some(heading) = names.headings.get(*place) {
                let attribute = Attribute { unit: heading.unit.clone(), values };
                attributes.insert(heading.name.clone(), attribute);
            }
        }
        Events::new(self.times, attributes)
    }
}

/// Every occurrence has all attributes of its event, and every execution all events, missing or
/// not. A file in which each line brings a new one would fill the memory with what is not there.
const MOST_FILLED: usize = 50_000_000;

fn too_many(what: &str) -> Flaw {
    Flaw::new(
        format!("the file has more different {what} than fit in memory"),
        "use names for kinds, and put what differs each time into numbers",
    )
}

fn disorder(words: Words, last: f64, time: f64) -> Flaw {
    let Words { piece, part } = words;
    Flaw::new(
        format!("time goes back from {last} to {time}"),
        format!(
            "sort the {piece}s by time. If they belong to several executions, add a {part} \
             \"run\"; if each {piece} is a separate execution, rename the time {part}"
        ),
    )
}

fn unfit(error: &ObservationError) -> Flaw {
    Flaw::of_observation(error, "correct it")
}
