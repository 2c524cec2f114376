//! `perf stat -I 1000 -x,`: what was counted in each interval.
//!
//! A counter of a trace is a total, so the counts of the intervals are added up, exactly, from a row
//! of zeros at time 0, when perf began to count. Milliseconds become nanoseconds. An interval that
//! was not counted is missing, and the total goes on from where it was. Derived metrics (`insn per
//! cycle`) are gauges; rates per second are left out, since the counters give them.

use std::collections::BTreeMap;

use fathom_record::trace::{Kind, Value};
use fathom_record::{TimeUnit, Timestamp, Unit};

use super::column::{self, Column};
use super::naming::slug;
use super::perf_line::{self, Derived, PerfLine, Reading};
use super::run::Content;
use super::timeline;
use crate::error::{Flaw, quoted};
use crate::numbers::significant_lines;

pub(super) fn read(text: &str) -> Result<Content, Flaw> {
    let Some((first, line)) = significant_lines(text).next() else {
        return Err(Flaw::new(
            "the file contains only comments",
            "check that perf ran the command",
        ));
    };
    let separator = match perf_line::separator(first) {
        Some(" ") => {
            return Err(Flaw::new(
                "the columns are formatted for reading, or separated by spaces",
                "record with perf stat -I 1000 -x, -o FILE",
            )
            .at_line(line));
        }
        Some(separator) => separator,
        None => {
            return Err(Flaw::new(
                format!(
                    "{} does not begin with a time, as lines from perf stat -I do",
                    quoted(first)
                ),
                "record with perf stat -I 1000 -x, -o FILE",
            )
            .at_line(line));
        }
    };
    let mut table = Intervals::default();
    for (text, line) in significant_lines(text) {
        let at_line = |flaw: Flaw| flaw.at_line(line);
        if let Some(read) = PerfLine::parse(text, separator).map_err(at_line)? {
            table.add(&read).map_err(at_line)?;
        }
    }
    table.finish()
}

/// Totals are kept in 10^-9 of the unit, in which two decimals add up exactly.
const PLACES: i32 = 9;
const ONE: i128 = 1_000_000_000;

#[derive(Default)]
struct Intervals {
    ends: Vec<Timestamp>,
    counters: Vec<Counter>,
    gauges: Vec<Column>,
    places: BTreeMap<String, PerfColumn>,
}

#[derive(Clone, Copy)]
enum PerfColumn {
    Counter(usize),
    Gauge(usize),
}

struct Counter {
    name: String,
    event: String,
    unit: String,
    total: i128,
    /// Per row; the first is time 0.
    totals: Vec<Option<i128>>,
}

impl Intervals {
    fn add(&mut self, line: &PerfLine<'_>) -> Result<(), Flaw> {
        match self.ends.last() {
            Some(&last) if line.time == last => {}
            Some(&last) if line.time < last => {
                return Err(Flaw::new(
                    "this time is before that of the previous line",
                    "if the file holds several recordings (--append), put each in its own file",
                ));
            }
            None if line.time <= Timestamp::ZERO => {
                return Err(Flaw::new(
                    "the time is not greater than 0",
                    "correct it, or record again",
                ));
            }
            _ => self.ends.push(line.time),
        }
        let at_place = |name: String| match line.place.as_str() {
            "" => name,
            place => format!("{name}@{place}"),
        };
        if let Some(reading) = &line.reading {
            self.count(at_place(format!("perf.{}", reading.event)), reading)?;
        }
        if let Some(derived) = &line.derived
            && !derived.unit.ends_with("/sec")
        {
            let words = slug(derived.unit);
            let event = line.reading.as_ref().map(|reading| reading.event.as_str());
            let name = event.map_or_else(|| words.clone(), |event| format!("{event}.{words}"));
            self.derive(at_place(format!("perf.{name}")), derived);
        }
        Ok(())
    }

    fn count(&mut self, name: String, reading: &Reading<'_>) -> Result<(), Flaw> {
        let place = match self.places.get(&name) {
            Some(&place) => place,
            None => {
                let place = PerfColumn::Counter(self.counters.len());
                self.counters.push(Counter {
                    name: name.clone(),
                    event: reading.event.clone(),
                    unit: reading.unit.to_string(),
                    total: 0,
                    totals: Vec::new(),
                });
                self.places.insert(name.clone(), place);
                place
            }
        };
        let rows = self.ends.len();
        let PerfColumn::Counter(place) = place else { return Err(twice(&name)) };
        let Some(counter) = self.counters.get_mut(place) else { return Ok(()) };
        if counter.totals.len() > rows {
            return Err(twice(&name));
        }
        if counter.unit != reading.unit {
            return Err(Flaw::new(
                format!(
                    "{} is in {} here, but was in {} before",
                    quoted(&name),
                    quoted(reading.unit),
                    quoted(&counter.unit)
                ),
                "record again with a single version of perf",
            ));
        }
        counter.totals.resize(rows, None);
        let total = match reading.value {
            Some(value) => {
                let sum = value.scaled(PLACES).and_then(|value| counter.total.checked_add(value));
                counter.total = sum.ok_or_else(|| too_large(&name))?;
                Some(counter.total)
            }
            None => None,
        };
        counter.totals.push(total);
        Ok(())
    }

    /// A second line about the same derived metric, as for the halves of a hybrid processor, is
    /// skipped: it follows from the counters anyway.
    fn derive(&mut self, name: String, derived: &Derived<'_>) {
        let place = match self.places.get(&name) {
            Some(&place) => place,
            None => {
                let layer = super::naming::layer(&name);
                let unit = Unit::Other(derived.unit.to_string());
                let place = PerfColumn::Gauge(self.gauges.len());
                self.gauges.push(Column::new("perf", name.clone(), layer, Kind::Gauge, unit));
                self.places.insert(name, place);
                place
            }
        };
        let rows = self.ends.len();
        if let PerfColumn::Gauge(place) = place
            && let Some(gauge) = self.gauges.get_mut(place)
            && gauge.len() <= rows
        {
            gauge.extend_to(rows);
            gauge.push(Value::Real(derived.value));
        }
    }

    fn finish(mut self) -> Result<Content, Flaw> {
        if self.counters.is_empty() {
            return Err(Flaw::new(
                "the file contains no event counts",
                "record with perf stat -I 1000 -x, and without --metric-only",
            ));
        }
        self.ends.insert(0, Timestamp::ZERO);
        let rows = self.ends.len();
        let mut columns = Vec::with_capacity(self.counters.len() + self.gauges.len());
        let mut silent = Vec::new();
        for counter in self.counters {
            if counter.totals.iter().all(Option::is_none) {
                silent.push(counter.name.clone());
            }
            columns.push(counter.into_column(rows)?);
        }
        for mut gauge in self.gauges {
            gauge.extend_to(rows);
            columns.push(gauge);
        }
        let start = timeline::starts(&self.ends);
        let rows = column::rows(&start, &self.ends, &columns);
        let note = || format!("perf did not count {}", crate::error::listed(&silent, 6));
        let notes = (!silent.is_empty()).then(note).into_iter().collect();
        let samplers = vec![("perf".to_string(), rows)];
        Ok(Content { clock: None, time_unit: TimeUnit::Seconds, samplers, notes })
    }
}

impl Counter {
    fn into_column(mut self, rows: usize) -> Result<Column, Flaw> {
        self.totals.resize(rows, None);
        let time = TimeUnit::parse(&self.unit);
        let unit = match time {
            // Milliseconds with two decimals are whole nanoseconds.
            Some(_) => Unit::Time(TimeUnit::Nanoseconds),
            None => Unit::parse(&self.unit),
        };
        // 10^-9 of the unit are in one nanosecond.
        let of_one = match time {
            Some(TimeUnit::Seconds) => 1,
            Some(TimeUnit::Milliseconds) => 1_000,
            Some(TimeUnit::Microseconds) => 1_000_000,
            Some(TimeUnit::Nanoseconds) | None => ONE,
            Some(TimeUnit::Minutes | TimeUnit::Hours) => return Err(too_large(&self.name)),
        };
        // Before it began to count there was nothing, unless it never did.
        if self.totals.iter().any(Option::is_some)
            && let Some(first) = self.totals.first_mut()
        {
            *first = Some(0);
        }
        let is_whole = time.is_some() || self.totals.iter().flatten().all(|total| total % ONE == 0);
        let layer = perf_line::layer(&self.event);
        let mut column = Column::new("perf", self.name.clone(), layer, Kind::Counter, unit);
        for total in &self.totals {
            column.push(match total {
                None => Value::Missing,
                Some(total) if is_whole => {
                    let whole = (total + of_one / 2).div_euclid(of_one);
                    Value::Integer(i64::try_from(whole).map_err(|_| too_large(&self.name))?)
                }
                Some(total) => Value::Real(in_ones(*total)),
            });
        }
        Ok(column)
    }
}

#[allow(clippy::cast_precision_loss, reason = "the sum is exact, and a double is what is kept")]
fn in_ones(total: i128) -> f64 {
    total as f64 / ONE as f64
}

fn twice(name: &str) -> Flaw {
    Flaw::new(
        format!("{} is counted twice at this time", quoted(name)),
        "record each event once, and write one recording per file",
    )
}

fn too_large(name: &str) -> Flaw {
    Flaw::new(
        format!("the total of {} does not fit in 64 bits", quoted(name)),
        "correct the value, or record again",
    )
}
