//! OpenJDK's unified log, `-Xlog:gc*,safepoint`: G1, Parallel, Serial, Shenandoah and ZGC.
//!
//! A line is written when its event has ended, so an event reaches back from its line's time by its
//! duration. There are four samplers:
//!
//! - `pauses`: events. `gc.pause` is every pause, `gc.pause.young`, `gc.pause.full`, ... one kind,
//!   `gc.cause.allocation-failure`, ... one cause; its phases (`gc.phase.*`) and processor times
//!   (`gc.cpu.*`) are in its row; `gc.stall.*` are threads that waited.
//! - `concurrent`: events, the phases that run concurrently with the program.
//! - `heap`: levels before and after each collection, and what there is room for, in bytes, or in
//!   regions (`gc.regions.*`).
//! - `safepoints`: events, with how long it took to reach and to leave them.

use std::collections::BTreeMap;

use fathom_record::trace::{Clock, Kind, Layer, TraceMetric};
use fathom_record::{Span, TimeUnit, Timestamp, Unit};

use super::gc_decorations::Decorations;
use super::gc_message::Message;
use super::gc_sizes::Change;
use super::naming::slug;
use super::run::Content;
use super::sparse::Sparse;
use crate::error::Flaw;

const WHAT_TO_LOG: &str =
    "log with java -Xlog:gc*,safepoint:file=gc.log (JDK 9 or later), which includes the uptime";

pub(super) fn read(text: &str) -> Result<Content, Flaw> {
    let mut log = Log::default();
    for (line, number) in text.lines().zip(1_u64..) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        log.lines += 1;
        log.add(line, number)?;
    }
    log.finish()
}

#[derive(Default)]
struct Log {
    pauses: Sparse,
    concurrent: Sparse,
    heap: Sparse,
    safepoints: Sparse,
    /// What was logged about a collection before its pause.
    pending: BTreeMap<u64, Pending>,
    /// The row of the last pause of each collection, for the times that follow it.
    last_pause: BTreeMap<u64, usize>,
    clock: Option<Clock>,
    /// Wall time of the first line, if there is no uptime.
    first_wall: Option<Timestamp>,
    latest: Option<Timestamp>,
    has_begun: bool,
    lines: u64,
    unknown: u64,
    undated: u64,
}

#[derive(Default)]
struct Pending {
    at: Timestamp,
    phases: Vec<(String, Span)>,
    levels: Vec<(TraceMetric, i64)>,
}

impl Log {
    fn add(&mut self, line: &str, number: u64) -> Result<(), Flaw> {
        let (decorations, message) = Decorations::take(line);
        let (id, message) = Message::parse(message);
        let time = self.time(decorations);
        let Some(message) = message else {
            self.unknown += 1;
            return Ok(());
        };
        if message == Message::Using && std::mem::replace(&mut self.has_begun, true) {
            return Err(several("a second virtual machine starts here", number));
        }
        let Some(at) = time else {
            self.undated += 1;
            return Ok(());
        };
        // Threads may overtake each other by microseconds when they log; a new machine begins at 0.
        const SECOND: Span = Span::from_milliseconds(1_000);
        if self.latest.is_some_and(|latest| at < latest - SECOND) {
            return Err(several("this time is long before the lines above", number));
        }
        self.latest = self.latest.max(Some(at));
        self.take(id, message, at);
        Ok(())
    }

    fn time(&mut self, decorations: Decorations) -> Option<Timestamp> {
        let Decorations { uptime, wall } = decorations;
        let began = |wall: Timestamp| Clock { monotonic: Timestamp::ZERO, wall };
        if let (Some(uptime), Some(wall), None) = (uptime, wall, self.clock) {
            // The machine started by its uptime before now.
            self.clock = Some(began(wall.relative_to(uptime)));
        }
        if uptime.is_some() {
            return uptime;
        }
        let first = *self.first_wall.get_or_insert(wall?);
        let origin = self.clock.get_or_insert(began(first)).wall;
        wall.map(|wall| wall.relative_to(origin))
    }

    fn take(&mut self, id: Option<u64>, message: Message<'_>, at: Timestamp) {
        match message {
            Message::Start | Message::Using => {}
            Message::Pause { kind, details, heap, took } => {
                let row = self.pauses.add(at - took, at);
                for name in pause_names(kind, &details) {
                    self.pauses.set_span(row, &duration(&name), took);
                }
                let phases = id.and_then(|id| self.pending.get_mut(&id));
                for (name, took) in
                    phases.map(|all| std::mem::take(&mut all.phases)).unwrap_or_default()
                {
                    self.pauses.set_span(row, &duration(&name), took);
                }
                if let Some(id) = id {
                    self.last_pause.insert(id, row);
                }
                self.levels(id, heap, at);
            }
            Message::Concurrent { name, heap, took } => {
                let row = self.concurrent.add(at - took, at);
                self.concurrent.set_span(
                    row,
                    &duration(&format!("gc.concurrent.{}", slug(name))),
                    took,
                );
                if heap.is_some() {
                    self.levels(id, heap, at);
                }
            }
            Message::Cycle { heap } => self.levels(id, Some(heap), at),
            Message::Phase { name, took } => {
                let pending = self.pending_of(id, at);
                pending.phases.push((format!("gc.phase.{}", slug(name)), took));
            }
            Message::Changes(changes) => {
                for (name, change) in changes {
                    let levels = levels_of(&space(name, &change), change);
                    self.pending_of(id, at).levels.extend(levels);
                }
                if id.is_none() {
                    self.levels(id, None, at);
                }
            }
            Message::Metaspace { used, committed } => {
                let level = |name| level(&format!("gc.metaspace.{name}"), true);
                let levels = [(level("after"), used), (level("capacity"), committed)];
                self.pending_of(id, at).levels.extend(levels);
                if id.is_none() {
                    self.levels(id, None, at);
                }
            }
            Message::Cpu(times) => {
                let row = match id.and_then(|id| self.last_pause.get(&id)) {
                    Some(&row) => row,
                    None => self.pauses.add(at, at),
                };
                for (name, time) in ["user", "sys", "real"].into_iter().zip(times) {
                    self.pauses.set_span(row, &duration(&format!("gc.cpu.{name}")), time);
                }
            }
            Message::Stall { kind, took } => {
                let row = self.pauses.add(at - took, at);
                self.pauses.set_span(row, &duration(&format!("gc.stall.{}", slug(kind))), took);
            }
            Message::Safepoint { operation, times } => self.safepoint(operation, &times, at),
        }
    }

    fn safepoint(&mut self, operation: Option<&str>, times: &[(&str, Span)], at: Timestamp) {
        let total = times.iter().find(|(name, _)| *name == "Total");
        let total = total.map_or(Span::ZERO, |(_, time)| *time);
        let row = self.safepoints.add(at - total, at);
        for &(name, time) in times {
            let name = match name {
                "Reaching safepoint" => "reaching".to_string(),
                "At safepoint" => "at".to_string(),
                "Leaving safepoint" => "leaving".to_string(),
                "Time since last" => "since-last".to_string(),
                other => slug(other),
            };
            self.safepoints.set_span(row, &duration(&format!("safepoint.{name}")), time);
        }
        if let Some(operation) = operation {
            self.safepoints.set_span(row, &duration(&format!("safepoint.for.{operation}")), total);
        }
    }

    /// What is known of the collection, or of none: a number that no collection has.
    fn pending_of(&mut self, id: Option<u64>, at: Timestamp) -> &mut Pending {
        let pending = self.pending.entry(id.unwrap_or(u64::MAX)).or_default();
        pending.at = at;
        pending
    }

    /// A row of levels: those of the heap, and what was said of the collection before.
    fn levels(&mut self, id: Option<u64>, heap: Option<Change>, at: Timestamp) {
        let pending = self.pending.remove(&id.unwrap_or(u64::MAX)).unwrap_or_default();
        let heap = heap.into_iter().flat_map(|change| levels_of("gc.heap", change));
        let mut levels = heap.chain(pending.levels).peekable();
        if levels.peek().is_none() {
            return;
        }
        let row = self.heap.add(at, at);
        for (metric, value) in levels {
            self.heap.set(row, &metric, value);
        }
    }

    fn finish(mut self) -> Result<Content, Flaw> {
        // The log may end before the line that would have told the rest.
        for (_, Pending { at, phases, levels }) in std::mem::take(&mut self.pending) {
            for (name, took) in phases {
                let row = self.pauses.add(at - took, at);
                self.pauses.set_span(row, &duration(&name), took);
            }
            if !levels.is_empty() {
                let row = self.heap.add(at, at);
                levels.iter().for_each(|(metric, value)| self.heap.set(row, metric, *value));
            }
        }
        let all = [
            ("pauses", self.pauses, false),
            ("concurrent", self.concurrent, false),
            ("heap", self.heap, true),
            ("safepoints", self.safepoints, false),
        ];
        let samplers: Vec<_> = all
            .into_iter()
            .filter(|(_, sparse, _)| !sparse.is_empty())
            .map(|(name, sparse, are_levels)| (name.to_string(), sparse.into_rows(are_levels)))
            .collect();
        if samplers.is_empty() {
            return Err(match self.undated {
                0 => Flaw::new("no line describes a collection or a safepoint", WHAT_TO_LOG),
                _ => Flaw::new("the lines have no times", WHAT_TO_LOG),
            });
        }
        let counted = |count: u64, what: &str| {
            (count > 0).then(|| format!("{count} of {} lines {what}", self.lines))
        };
        let notes = [
            counted(self.unknown, "were not recognized"),
            counted(self.undated, "have no time and were skipped"),
        ];
        let notes = notes.into_iter().flatten().collect();
        Ok(Content { clock: self.clock, time_unit: TimeUnit::Seconds, samplers, notes })
    }
}

fn several(what: &str, line: u64) -> Flaw {
    Flaw::new(what, "split the file so that each virtual machine is its own run").at_line(line)
}

/// The metrics that a pause is an event of.
fn pause_names(kind: &str, details: &[&str]) -> Vec<String> {
    let kind_name = format!("gc.pause.{}", slug(kind));
    let mut names = vec!["gc.pause".to_string(), kind_name.clone()];
    let has_cause = ["Young", "Full", "Mixed", "Initial Mark"].contains(&kind);
    match details {
        [kind, cause] if has_cause => {
            names.push(format!("{kind_name}.{}", slug(kind)));
            names.push(format!("gc.cause.{}", slug(cause)));
        }
        [cause] if has_cause => names.push(format!("gc.cause.{}", slug(cause))),
        _ => {}
    }
    names
}

fn duration(name: &str) -> TraceMetric {
    metric(name, Kind::Event, Unit::Time(TimeUnit::Nanoseconds))
}

fn level(name: &str, is_bytes: bool) -> TraceMetric {
    metric(name, Kind::Gauge, if is_bytes { Unit::Bytes } else { Unit::Other("regions".into()) })
}

fn metric(name: &str, kind: Kind, unit: Unit) -> TraceMetric {
    let metric = TraceMetric::integer("gc-log", "", Layer::Vm, kind, unit);
    TraceMetric { name: name.to_string(), ..metric }
}

fn levels_of(name: &str, change: Change) -> Vec<(TraceMetric, i64)> {
    let level = |part: &str| level(&format!("{name}.{part}"), change.is_bytes);
    let mut levels = vec![(level("before"), change.before), (level("after"), change.after)];
    levels.extend(change.capacity.map(|capacity| (level("capacity"), capacity)));
    levels
}

/// Where a space belongs: regions, the metaspace and its halves, or the heap.
fn space(name: &str, change: &Change) -> String {
    match (name, name.strip_suffix(" regions")) {
        (_, Some(kind)) if !change.is_bytes => format!("gc.regions.{}", slug(kind)),
        ("Metaspace", _) => "gc.metaspace".to_string(),
        ("NonClass" | "Class", _) => format!("gc.metaspace.{}", slug(name)),
        _ => format!("gc.heap.{}", slug(name)),
    }
}
