//! The occurrences of an event that are meant, and what is counted of them.

use super::edges::{Edges, edges};
use super::evaluating::Monitor;
use super::grade::Grade;
use super::interval::exactly;
use super::reach::Reach;
use super::sampling::Moments;
use super::trace::{Builder, Trace};
use super::value::{Pair, Value};
use crate::{Bounds, Happening, Occurrence, Window};
use fathom_record::Events;
use std::array::from_fn;
use std::ops::Range;
use std::rc::Rc;

/// Occurrences, in the order of their times.
pub(super) struct Occurrences<'a> {
    /// When.
    pub(super) times: Vec<f64>,
    /// Whether each is one, in each of the ways. In the last, all are.
    pub(super) is_in: Vec<[bool; 4]>,
    /// What has the attributes, if any.
    pub(super) events: Option<&'a Events>,
    /// Which of its occurrences each is.
    pub(super) numbers: Vec<usize>,
    /// Up to when they are known.
    pub(super) reach: Reach,
}

impl<'a> Monitor<'a> {
    /// The occurrences that are meant; `None` if nothing is known of them.
    pub(super) fn occurrences(&mut self, occurrence: &Occurrence) -> Option<Occurrences<'a>> {
        let mut found = match &occurrence.what {
            Happening::Event(source) => {
                let run = self.run(source)?;
                let Some(events) = run.events().get(&source.name) else {
                    self.missing(source);
                    return None;
                };
                let n = events.times().len();
                Occurrences {
                    times: events.times().to_vec(),
                    is_in: vec![[true; 4]; n],
                    events: Some(events),
                    numbers: (0..n).collect(),
                    reach: Reach::of(run),
                }
            }
            Happening::Edge(edge, of) => {
                let edges = self.edge(*edge, of);
                let [.., best] = &edges.ways;
                // Where nothing is known there may be any number of them.
                if (0..best.stretches()).any(|stretch| best.after[stretch].holds()) {
                    return None;
                }
                let holds = |(&time, grade): (&f64, &Grade)| grade.holds().then_some(time);
                let times: Vec<f64> =
                    best.times.iter().zip(best.at.iter()).filter_map(holds).collect();
                let ways = edges.ways.map(|way| way.sampled(&times));
                let is_in = |i: usize| from_fn(|way| ways[way][i].holds());
                let is_in = (0..times.len()).map(is_in).collect();
                Occurrences { times, is_in, events: None, numbers: vec![], reach: edges.reach }
            }
        };
        if let Some(condition) = &occurrence.condition {
            let moments =
                Moments { times: &found.times, events: found.events, numbers: &found.numbers };
            let (holds, reach) = self.formula_at(condition, &moments);
            found.reach = found.reach.and(reach);
            found.keep(&holds);
        }
        Some(found)
    }

    /// How often something occurs.
    pub(super) fn count(&mut self, window: Option<&Window>, of: &Occurrence) -> Value {
        let Some(found) = self.occurrences(of) else { return Value::unknown(Reach::EVERYWHERE) };
        let groups = found.groups();
        let mut sums = vec![(0.0, 0.0)];
        let mut sum = (0.0, 0.0);
        for (_, group) in &groups {
            for is_in in &found.is_in[group.clone()] {
                sum.0 += f64::from(u8::from(is_in[0]));
                sum.1 += f64::from(u8::from(is_in[3]));
            }
            sums.push(sum);
        }
        let bounds = |range: &Range<usize>| {
            let (from, to) = (sums[range.start], sums[range.end]);
            Bounds { low: to.0 - from.0, high: to.1 - from.1 }
        };
        let Some(window) = window else {
            let mut all = bounds(&(0..groups.len()));
            if found.reach.is_cut {
                all.high = f64::INFINITY;
            }
            return Value::constant(all, found.reach);
        };
        let reach = self.in_window(window, found.reach);
        let mut counted = over_groups(&groups, window, reach, bounds);
        if let Some(beyond) = sees_beyond(window, reach) {
            counted.high = super::pointwise::higher(&counted.high, &beyond);
        }
        counted
    }

    /// The mean time between occurrences that follow each other.
    pub(super) fn gap(&mut self, of: &Occurrence) -> Value {
        let Some(found) = self.occurrences(of) else { return Value::unknown(Reach::EVERYWHERE) };
        if found.reach.is_cut || !found.is_sure() {
            return Value::unknown(found.reach);
        }
        let times = &found.times;
        let (Some(first), Some(last), 2..) = (times.first(), times.last(), times.len()) else {
            return Value::vacuous(found.reach);
        };
        #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let gaps = (times.len() - 1) as f64;
        Value::constant(exactly((last - first) / gaps), found.reach)
    }
}

impl Occurrences<'_> {
    /// Keeps those at which a condition may hold, and that are within reach.
    fn keep(&mut self, holds: &[[Grade; 4]]) {
        let end = if self.reach.is_timeless { f64::INFINITY } else { self.reach.end };
        let kept: Vec<usize> = (0..self.times.len())
            .filter(|&i| holds[i][3].holds() && self.times[i] <= end)
            .collect();
        let is_in = |&i: &usize| from_fn(|way| self.is_in[i][way] && holds[i][way].holds());
        let is_in = kept.iter().map(is_in).collect();
        self.times = kept.iter().map(|&i| self.times[i]).collect();
        self.numbers = kept.iter().filter_map(|&i| self.numbers.get(i).copied()).collect();
        self.is_in = is_in;
    }

    /// Whether each of them surely is one.
    pub(super) fn is_sure(&self) -> bool {
        self.is_in.iter().all(|is_in| is_in[0])
    }

    /// Times at which something occurs, each with its occurrences.
    pub(super) fn groups(&self) -> Vec<(f64, Range<usize>)> {
        let mut groups: Vec<(f64, Range<usize>)> = Vec::new();
        for (i, &time) in self.times.iter().enumerate() {
            match groups.last_mut() {
                Some((last, group)) if *last == time => group.end = i + 1,
                _ => groups.push((time, i..i + 1)),
            }
        }
        groups
    }
}

/// A value that depends on which groups are in the window around each time.
pub(super) fn over_groups(
    groups: &[(f64, Range<usize>)],
    window: &Window,
    reach: Reach,
    mut value: impl FnMut(&Range<usize>) -> Bounds,
) -> Value {
    let times: Vec<f64> = groups.iter().map(|(time, _)| *time).collect();
    let mut made = Pair::default();
    let mut last = Bounds::UNKNOWN;
    if super::reach::is_empty(window) {
        return Pair::default().finish(reach, value(&(0..0)));
    }
    for (edges, at, after) in ranges(&times, window, reach.end) {
        if edges.time >= reach.end {
            last = value(&at);
        } else {
            let (at, after) = (value(&at), value(&after));
            made.push(edges.time, at, after, after);
        }
    }
    made.finish(reach, last)
}

/// Which of some increasing times are in a window around the present, and just after it.
pub(super) fn ranges(
    times: &[f64],
    window: &Window,
    end: f64,
) -> impl Iterator<Item = (Edges, Range<usize>, Range<usize>)> {
    let (mut from, mut to) = (0, 0);
    edges(times, window, end, &[]).into_iter().map(move |edges| {
        let is_met = |i: usize, edge: f64| times.get(i) == Some(&edge);
        let advance = |i: &mut usize, edge: f64| {
            while times.get(*i).is_some_and(|&time| time < edge) {
                *i += 1;
            }
        };
        advance(&mut from, edges.from);
        advance(&mut to, edges.to);
        let (from_met, to_met) = (is_met(from, edges.from), is_met(to, edges.to));
        let at_from = from + usize::from(from_met && !window.includes_from);
        let at_to = to + usize::from(to_met && window.includes_to);
        let (after_from, after_to) = (from + usize::from(from_met), to + usize::from(to_met));
        (edges, at_from..at_to.max(at_from), after_from..after_to.max(after_from))
    })
}

/// True where the window around the present reaches beyond the end of a cut execution.
pub(super) fn sees_beyond(window: &Window, reach: Reach) -> Option<Rc<Trace>> {
    if !reach.is_cut {
        return None;
    }
    let last = reach.end - window.to;
    if last < 0.0 {
        return Some(Trace::constant(Grade::TRUE));
    }
    if last >= reach.end {
        return Some(Trace::constant(Grade::FALSE));
    }
    let mut made = Builder::default();
    if last > 0.0 {
        made.step(0.0, Grade::FALSE, Grade::FALSE);
    }
    made.step(last, Grade::FALSE, Grade::TRUE);
    Some(Rc::new(made.finish(reach.end, Grade::TRUE)))
}
