//! Prometheus' range queries: a response, several in a list or one after the other.
//!
//! A metric's name is the series' with its labels, `node_load1{instance="a",job="node"}`, labels in
//! the order of their names. What has no name, as the result of an expression, is called by its
//! labels, or `value`. `NaN`, `+Inf` and `-Inf` are missing. Names that end with `_total`, `_count`,
//! `_sum` or `_bucket` are counters. A series that several responses hold, as when a long range was
//! asked for in pieces, is put together.

use std::collections::BTreeMap;
use std::fmt::Write;

use fathom_record::trace::Value;
use fathom_record::{Decimal, TimeUnit, Timestamp};

use super::column::{self, Column};
use super::prometheus_json::{self, Sample};
use super::prometheus_times::{self, Group};
use super::run::Content;
use super::timeline::{self, Scale};
use super::{ImportOptions, naming};
use crate::error::{Flaw, quoted};
use crate::number::{self, NumberFlaw};

pub(super) fn read(text: &str, options: &ImportOptions) -> Result<Content, Flaw> {
    let (all, warnings) = prometheus_json::series(text)?;
    let mut merged: Vec<Merged> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for series in &all {
        let name = name(&series.metric);
        let place = *places.entry(name.clone()).or_insert_with(|| {
            merged.push(Merged { name, times: Vec::new(), values: Vec::new() });
            merged.len() - 1
        });
        if let Some(series_so_far) = merged.get_mut(place) {
            series_so_far.extend(&series.values)?;
        }
    }
    let first = merged.iter().filter_map(|series| series.times.first()).min().copied();
    let Some(first) = first else {
        return Err(Flaw::new(
            "the answer contains no samples",
            "check the names and labels in the query, and that its time range has data",
        ));
    };
    let (origin, clock) = Scale::of_number(first).origin(first);
    let times: Vec<Vec<Timestamp>> = merged.iter().map(|series| series.times.clone()).collect();
    let mut samplers = Vec::new();
    for (n, group) in prometheus_times::groups(&times).into_iter().enumerate() {
        let name = if n == 0 { "prometheus".into() } else { format!("prometheus-{}", n + 1) };
        let end: Vec<Timestamp> = group.times.iter().map(|time| time.relative_to(origin)).collect();
        let columns = columns(&group, &merged, options);
        samplers.push((name, column::rows(&timeline::starts(&end), &end, &columns)));
    }
    let notes = warnings.iter().map(|warning| format!("Prometheus warned: {warning}")).collect();
    Ok(Content { clock, time_unit: TimeUnit::Seconds, samplers, notes })
}

struct Merged {
    name: String,
    times: Vec<Timestamp>,
    values: Vec<Value>,
}

impl Merged {
    fn extend(&mut self, samples: &[Sample]) -> Result<(), Flaw> {
        let is_first = self.times.is_empty();
        for (n, Sample(time, text)) in samples.iter().enumerate() {
            let place = || format!("series {}, sample {}", quoted(&self.name), n + 1);
            let exact = Decimal::of_double(*time);
            let exact = exact.and_then(|time| time.nanoseconds(TimeUnit::Seconds));
            let exact = exact.map(Timestamp::from_nanoseconds).ok_or_else(|| {
                Flaw::new(format!("time {time} is out of range"), "use seconds since 1970")
                    .within(place())
            })?;
            if self.times.last().is_some_and(|&last| exact <= last) {
                let remedy = if n == 0 && !is_first {
                    "use ranges that follow each other, or different series"
                } else {
                    "query Prometheus again (its samples increase in time)"
                };
                return Err(Flaw::new(
                    format!("time {time} does not come after the previous sample"),
                    remedy,
                )
                .within(place()));
            }
            let value = value(text)
                .map_err(|flaw| flaw.about(text, "query Prometheus again").within(place()))?;
            self.times.push(exact);
            self.values.push(value);
        }
        Ok(())
    }
}

fn value(text: &str) -> Result<Value, NumberFlaw> {
    if let Ok(whole) = text.parse::<i64>() {
        return Ok(Value::Integer(whole));
    }
    match number::parse(text) {
        Ok(value) => Ok(Value::Real(value)),
        Err(NumberFlaw::NotFinite) => Ok(Value::Missing),
        Err(flaw) => Err(flaw),
    }
}

fn name(labels: &BTreeMap<String, String>) -> String {
    let mut name = labels.get("__name__").cloned().unwrap_or_default();
    let mut open = "{";
    for (label, value) in labels.iter().filter(|(label, _)| *label != "__name__") {
        // Writing to a string cannot fail.
        let _ = write!(name, "{open}{label}={value:?}");
        open = ",";
    }
    if open == "," {
        name.push('}');
    }
    if name.is_empty() { "value".to_string() } else { name }
}

fn columns(group: &Group<'_>, all: &[Merged], options: &ImportOptions) -> Vec<Column> {
    let mut columns = Vec::with_capacity(group.series.len());
    for series in group.series.iter().filter_map(|&series| all.get(series)) {
        let name = &series.name;
        let kind = options.kind(name, naming::kind(name));
        let (layer, unit) = (naming::layer(name), naming::unit(name));
        let mut column = Column::new("prometheus", name.clone(), layer, kind, unit);
        let mut samples = series.times.iter().zip(&series.values).peekable();
        for time in group.times {
            let sample = samples.next_if(|(at, _)| *at == time);
            column.push(sample.map_or(Value::Missing, |(_, value)| *value));
        }
        columns.push(column);
    }
    columns
}
