//! A value: a number over time, with what is not known of it.

use super::grade::Grade;
use super::interval;
use super::pointwise::{Stretch, by_step, each_stretch, higher, lower};
use super::reach::Reach;
use super::trace::{Builder, Trace};
use crate::{Arithmetic, Bounds};
use std::rc::Rc;

/// Between which numbers a term lies over time. What is known has one trace for both.
#[derive(Debug, Clone)]
pub(super) struct Value {
    /// No less than this.
    pub(super) low: Rc<Trace>,
    /// No more than this.
    pub(super) high: Rc<Trace>,
    /// Where its events did not occur; `None` for nowhere.
    pub(super) vacuous: Option<Rc<Trace>>,
    /// After the end, if the execution was cut and there is anything.
    pub(super) beyond: Bounds,
    /// Whether its events did not occur.
    pub(super) is_vacuous_beyond: bool,
    /// Up to when.
    pub(super) reach: Reach,
}

impl Value {
    /// The same at all times.
    pub(super) fn constant(bounds: Bounds, reach: Reach) -> Value {
        let low = Trace::constant(Grade::of(bounds.low));
        let high = match bounds.known() {
            Some(_) => Rc::clone(&low),
            None => Trace::constant(Grade::of(bounds.high)),
        };
        let reach = reach.timeless();
        Value { low, high, vacuous: None, beyond: bounds, is_vacuous_beyond: false, reach }
    }

    /// Nothing is known.
    pub(super) fn unknown(reach: Reach) -> Value {
        Value::constant(Bounds::UNKNOWN, reach)
    }

    /// Of events that did not occur.
    pub(super) fn vacuous(reach: Reach) -> Value {
        Value::unknown(reach).with_vacuous(Some(Trace::constant(Grade::TRUE)))
    }

    /// With times at which it is vacuous. What is timeless is so at all times.
    pub(super) fn with_vacuous(self, vacuous: Option<Rc<Trace>>) -> Value {
        let is_vacuous_beyond = self.reach.is_timeless && vacuous.is_some();
        Value { vacuous, is_vacuous_beyond, ..self }
    }

    /// Varies between two traces; one if they are equal.
    pub(super) fn varying(low: Trace, high: Trace, reach: Reach) -> Value {
        let low = Rc::new(low);
        let high = if *low == high { Rc::clone(&low) } else { Rc::new(high) };
        Value::between(low, high, reach)
    }

    /// Varies and is known.
    pub(super) fn known(trace: Trace, reach: Reach) -> Value {
        let low = Rc::new(trace);
        Value::between(Rc::clone(&low), low, reach)
    }

    /// Varies between two traces.
    pub(super) fn between(low: Rc<Trace>, high: Rc<Trace>, reach: Reach) -> Value {
        let reach = reach.varying();
        let beyond = Bounds::UNKNOWN;
        Value { low, high, vacuous: None, beyond, is_vacuous_beyond: false, reach }
    }

    /// Whether there is one number at each time.
    pub(super) fn is_exact(&self) -> bool {
        Rc::ptr_eq(&self.low, &self.high)
    }

    /// Whether it has slopes.
    pub(super) fn has_slopes(&self) -> bool {
        self.low.until.is_some() || self.high.until.is_some()
    }

    /// The part of it in a reach that is no longer.
    pub(super) fn within(&self, reach: Reach) -> Value {
        if self.reach.is_timeless || self.reach.end <= reach.end {
            return Value { reach, ..self.clone() };
        }
        let low = self.low.clipped(reach.end);
        let high = if self.is_exact() { Rc::clone(&low) } else { self.high.clipped(reach.end) };
        let vacuous = self.vacuous.as_ref().map(|vacuous| vacuous.clipped(reach.end));
        Value { vacuous, ..Value::between(low, high, reach) }
    }

    /// The negative.
    pub(super) fn negated(&self) -> Value {
        let negated = |trace: &Rc<Trace>| Rc::new(trace.negated());
        let low = negated(&self.high);
        let high = if self.is_exact() { Rc::clone(&low) } else { negated(&self.low) };
        Value { low, high, beyond: interval::negated(self.beyond), ..self.clone() }
    }

    /// The magnitude.
    pub(super) fn magnitude(&self) -> Value {
        let negated = self.negated();
        let (low, high) = if self.is_exact() {
            let both = higher(&self.low, &negated.low);
            (Rc::clone(&both), both)
        } else {
            let zero = Trace::constant(Grade::JUST_TRUE);
            let low = higher(&zero, &higher(&self.low, &negated.low));
            (low, higher(&self.high, &negated.high))
        };
        Value { low, high, beyond: interval::magnitude(self.beyond), ..self.clone() }
    }

    /// Times the first number, divided by the second.
    pub(super) fn scaled(&self, times: f64, divided_by: f64) -> Value {
        let scale = |grade: Grade| Grade::of(grade.value() * times / divided_by);
        if self.is_exact() {
            let trace = self.low.map(scale);
            if trace.all(Grade::is_finite) {
                let beyond = interval::scaled(self.beyond, times, divided_by);
                let low = Rc::new(trace);
                return Value { high: Rc::clone(&low), low, beyond, ..self.clone() };
            }
        }
        let scaled = |bounds| interval::scaled(bounds, times, divided_by);
        self.each(self.reach, |[low, high]| scaled(Bounds { low, high }))
    }

    pub(super) fn each(&self, reach: Reach, f: impl Fn([f64; 2]) -> Bounds) -> Value {
        let mut made = Pair::default();
        let bounds = |grades: [Grade; 2]| f(grades.map(Grade::value));
        let last = each_stretch([&self.low, &self.high], end_of(reach), |stretch| {
            let (after, until) = (bounds(stretch.after), bounds(stretch.until));
            made.push(stretch.time, bounds(stretch.at), after, until);
        });
        let Value { low, high, .. } = made.finish(reach, bounds(last));
        let beyond = f([self.beyond.low, self.beyond.high]);
        Value { low, high, beyond, reach, ..self.clone() }
    }

    /// Two values combined.
    pub(super) fn combined(&self, operator: Arithmetic, other: &Value) -> Value {
        let reach = self.reach.and(other.reach);
        let (a, b) = (self.within(reach), other.within(reach));
        let beyond = interval::combined(operator, a.beyond, b.beyond);
        let vacuous = match (&a.vacuous, &b.vacuous) {
            (Some(a), Some(b)) => Some(higher(a, b)),
            (one, other) => one.clone().or(other.clone()),
        };
        let pick = match operator {
            Arithmetic::Smaller => Some(lower as fn(&Rc<Trace>, &Rc<Trace>) -> Rc<Trace>),
            Arithmetic::Larger => Some(higher as fn(&Rc<Trace>, &Rc<Trace>) -> Rc<Trace>),
            _ => None,
        };
        let is_vacuous_beyond = a.is_vacuous_beyond || b.is_vacuous_beyond;
        let made = |low, high| Value { low, high, vacuous, beyond, is_vacuous_beyond, reach };
        let is_exact = a.is_exact() && b.is_exact();
        if let Some(pick) = pick {
            let low = pick(&a.low, &b.low);
            let high = if is_exact { Rc::clone(&low) } else { pick(&a.high, &b.high) };
            return made(low, high);
        }
        if is_exact && !a.has_slopes() && !b.has_slopes() {
            let trace = by_step(&a.low, &b.low, |a, b| {
                Grade::of(interval::combined_exactly(operator, a.value(), b.value()))
            });
            if trace.all(Grade::is_finite) {
                let low = Rc::new(trace);
                return made(Rc::clone(&low), low);
            }
        }
        let mut pair = Pair::default();
        let traces = [&*a.low, &*a.high, &*b.low, &*b.high];
        let last = each_stretch(traces, end_of(reach), |stretch| {
            let at = at_once(operator, stretch.at);
            let (after, until) = on_stretch(operator, &stretch);
            pair.push(stretch.time, at, after, until);
        });
        let Value { low, high, .. } = pair.finish(reach, at_once(operator, last));
        made(low, high)
    }
}

/// The end of a reach, or any time if it has none: what is timeless is the same up to there.
pub(super) fn end_of(reach: Reach) -> f64 {
    if reach.end.is_finite() { reach.end } else { 1.0 }
}

fn at_once(operator: Arithmetic, [a, b, c, d]: [Grade; 4]) -> Bounds {
    let bounds = |low: Grade, high: Grade| Bounds { low: low.value(), high: high.value() };
    interval::combined(operator, bounds(a, b), bounds(c, d))
}

/// Two values combined on a stretch: just after its beginning, and at its end. Where that is not
/// straight, it is a level pair of bounds that it stays between.
fn on_stretch(operator: Arithmetic, stretch: &Stretch<4>) -> (Bounds, Bounds) {
    let Stretch { after, until, .. } = stretch;
    let ends = (at_once(operator, *after), at_once(operator, *until));
    let is_level = |i: usize| after[i] == until[i];
    let is_number = |i: usize| is_level(i) && is_level(i + 1) && after[i] == after[i + 1];
    let is_straight = match operator {
        Arithmetic::Add | Arithmetic::Subtract => true,
        Arithmetic::Multiply => is_number(0) || is_number(2),
        Arithmetic::Divide => is_number(2),
        Arithmetic::Smaller | Arithmetic::Larger => false,
    };
    if is_straight || (0..4).all(is_level) {
        // A line that leaves the range of numbers on its way is unknown from the start.
        let is_whole = ends.0.low.is_finite() == ends.1.low.is_finite()
            && ends.0.high.is_finite() == ends.1.high.is_finite();
        return if is_whole { ends } else { (Bounds::UNKNOWN, Bounds::UNKNOWN) };
    }
    let lowest = |i: usize| after[i].min(until[i]);
    let highest = |i: usize| after[i].max(until[i]);
    let hull = at_once(operator, [lowest(0), highest(1), lowest(2), highest(3)]);
    (hull, hull)
}

/// Puts a value together.
#[derive(Default)]
pub(super) struct Pair {
    low: Builder,
    high: Builder,
}

impl Pair {
    /// The bounds at a time, just after it, and at the end of the stretch after it.
    pub(super) fn push(&mut self, time: f64, at: Bounds, after: Bounds, until: Bounds) {
        let [at_low, after_low, until_low] = [at.low, after.low, until.low].map(Grade::of);
        let [at_high, after_high, until_high] = [at.high, after.high, until.high].map(Grade::of);
        self.low.push(time, at_low, after_low, until_low);
        self.high.push(time, at_high, after_high, until_high);
    }

    /// The value, with its bounds at its end.
    pub(super) fn finish(self, reach: Reach, at: Bounds) -> Value {
        let end = end_of(reach);
        let low = self.low.finish(end, Grade::of(at.low));
        Value::varying(low, self.high.finish(end, Grade::of(at.high)), reach)
    }
}
