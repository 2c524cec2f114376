//! The monitor: what a property is on one execution, or on one tuple of them.
//!
//! Time is dense. A formula becomes a [verdict](verdict) over the times of the execution: traces
//! of [grades](grade), which are robustness and truth in one. Every operator makes a new trace in
//! time that is in proportion to the lengths of the old ones, whatever the width of its window; a
//! moving percentile takes n log n.
//!
//! Times are compared as the floats they are: a window of 0.2 that begins at 0.1 ends at
//! 0.30000000000000004. Integers, as of cycles and nanoseconds, are exact.

mod attributes;
mod comparing;
mod edges;
mod evaluating;
mod functions;
mod grade;
mod integral;
mod interval;
mod moving_percentile;
mod occurrences;
mod over_events;
mod over_time;
mod percentile;
mod pointwise;
mod reach;
mod sampling;
mod shares;
mod sliding;
mod terms;
mod time_by_rank;
mod trace;
mod truth_over_time;
mod until;
mod value;
mod violated;

pub use violated::{TimeStretch, violated};

use crate::{Bounds, Decider, Formula, Judgement, Note, Term};
use evaluating::{Leaf, Monitor};
use fathom_record::Observation;
use grade::Grade;
use trace::Trace;

/// Judges a formula on an execution, or on a tuple of them in the order of the formula's runs.
///
/// What an execution lacks is unknown, and noted.
#[must_use]
pub fn judge(formula: &Formula, runs: &[&Observation]) -> Judgement {
    let mut monitor = Monitor::new(runs);
    let verdict = monitor.formula(formula);
    let [worst, .., best] = verdict.ways.each_ref().map(|way| way.first());
    let robustness = bounds(worst, best);
    Judgement {
        truth: verdict.truth(),
        robustness,
        decided_by: robustness.sure().and_then(|value| decider(&monitor.leaves, value)),
        notes: monitor.notes.into_iter().collect(),
    }
}

/// What a term is on an execution.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// Between which numbers it lies.
    pub bounds: Bounds,
    /// Whether it is unknown because its events did not occur.
    pub is_vacuous: bool,
    /// What a user should know.
    pub notes: Vec<Note>,
}

/// The value of a term on an execution, or on a tuple of them, at its beginning: all of it for
/// a term that does not vary, like a scalar or a summary of the whole.
#[must_use]
pub fn value(term: &Term, runs: &[&Observation]) -> Evaluated {
    let mut monitor = Monitor::new(runs);
    let value = monitor.term(term);
    let bounds = bounds(value.low.first(), value.high.first());
    let is_vacuous = value.vacuous.is_some_and(|vacuous| vacuous.first().holds());
    Evaluated {
        bounds,
        is_vacuous: is_vacuous && bounds.known().is_none(),
        notes: monitor.notes.into_iter().collect(),
    }
}

/// Bounds without negative zeros.
fn bounds(low: Grade, high: Grade) -> Bounds {
    Bounds { low: low.value() + 0.0, high: high.value() + 0.0 }
}

/// The comparison that a robustness is from. Operators only select and negate, so that it is one
/// among whose grades the value is; of several, the first in the text.
fn decider(leaves: &[Leaf], value: f64) -> Option<Decider> {
    if !value.is_finite() {
        return None;
    }
    let found = |leaf: &Leaf| {
        let places = leaf.grades.iter().find_map(|trace| place(trace, value))?;
        Some(Decider { at: places.time(), ..leaf.decider.clone() })
    };
    leaves.iter().filter_map(found).min_by_key(|decider| decider.span.start)
}

/// Where in a trace a grade is.
enum GradeTime {
    Always,
    At(f64),
}

impl GradeTime {
    fn time(&self) -> Option<f64> {
        match self {
            GradeTime::Always => None,
            GradeTime::At(time) => Some(*time),
        }
    }
}

/// The first time at which a value, or its negative, is among the grades of a trace.
fn place(trace: &Trace, value: f64) -> Option<GradeTime> {
    let is_it = |grade: &Grade| grade.value().abs() == value.abs();
    if let Some(grade) = trace.everywhere() {
        return is_it(&grade).then_some(GradeTime::Always);
    }
    let at_a_time = trace.at.iter().position(is_it).map(|index| trace.times[index]);
    let on_a_stretch = (0..trace.stretches()).find_map(|stretch| {
        let (start, stop) = (trace.after[stretch].value(), trace.until(stretch).value());
        let (low, high) = (start.min(stop), start.max(stop));
        let level = [value, -value].into_iter().find(|level| (low..=high).contains(level))?;
        let (from, to) = (trace.times[stretch], trace.times[stretch + 1]);
        let part = if start == stop { 0.0 } else { (level - start) / (stop - start) };
        Some(from + part * (to - from))
    });
    match (at_a_time, on_a_stretch) {
        (Some(a), Some(b)) => Some(GradeTime::At(a.min(b))),
        (found, None) | (None, found) => found.map(GradeTime::At),
    }
}
