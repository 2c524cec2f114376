//! Shares: of the time, and of occurrences.

use super::evaluating::Monitor;
use super::grade::Grade;
use super::integral::{self, Kind, Line};
use super::pointwise::{Stretch, each_stretch};
use super::reach::Reach;
use super::sampling::Moments;
use super::trace::{Builder, Trace};
use super::truth_over_time::{TruthOverTime, is_best};
use super::value::Value;
use crate::{Bounds, Formula, Occurrence, Window};
use std::array::from_fn;
use std::rc::Rc;

impl Monitor<'_> {
    /// The share of the time for which a formula holds.
    pub(super) fn share_of_time(&mut self, window: Option<&Window>, of: &Formula) -> Value {
        let of = self.formula(of);
        let Some(window) = window else { return self.share_of_all(&of) };
        let reach = self.in_window(window, of.reach);
        let width = window.to - window.from;
        if width.is_nan() || width <= 0.0 || (width.is_infinite() && reach.is_cut) {
            return Value::unknown(reach);
        }
        // What comes after the end may come, and count, or may not.
        let tail = from_fn(|way| {
            (reach.is_cut && is_best(way)).then(|| f64::from(u8::from(of.beyond[way].holds())))
        });
        let shares = TruthOverTime::each(&of.ways, tail, |trace, tail| {
            let measure = measured(&trace.spread(reach.end));
            let (lines, last) =
                integral::slide(&measure, window, reach.end, (*tail, &[]), Kind::Over(width));
            Rc::new(of_lines(&lines, last, reach.end, |bounds| bounds.low))
        });
        let vacuous = vacuous(&shares, reach.end);
        let [low, .., high] = shares;
        Value::between(low, high, reach).with_vacuous(vacuous)
    }

    fn share_of_all(&mut self, of: &TruthOverTime) -> Value {
        let reach = self.settled(of.reach);
        if reach.is_cut {
            return Value::unknown(reach);
        }
        let shares = TruthOverTime::each(&of.ways, [(); 4], |trace, ()| {
            let time = integral::whole(&measured(&trace.spread(reach.end)));
            Trace::constant(Grade::of(time / reach.end))
        });
        if shares[0].first().value().is_nan() {
            return Value::unknown(reach);
        }
        let vacuous = vacuous(&shares, reach.end);
        let [low, .., high] = shares.map(|share| share.first().value());
        Value::constant(Bounds { low, high }, reach).with_vacuous(vacuous)
    }

    /// The share of an event's occurrences at which a formula holds.
    pub(super) fn share_of_events(&mut self, of: &Formula, at: &Occurrence) -> Value {
        let Some(occurrences) = self.occurrences(at) else {
            return Value::unknown(Reach::EVERYWHERE);
        };
        let moments = Moments { times: &occurrences.times, events: None, numbers: &[] };
        let (holds, reach) = self.formula_at(of, &moments);
        let reach = occurrences.reach.and(reach).timeless();
        if reach.is_cut {
            return Value::unknown(reach);
        }
        let mut tally = Tally::default();
        for ((&time, is_in), holds) in occurrences.times.iter().zip(&occurrences.is_in).zip(holds) {
            if time <= reach.end {
                tally.add(*is_in, holds.map(Grade::holds));
            }
        }
        tally.share(reach)
    }
}

/// How many occurrences there are, and at how many a formula holds.
#[derive(Default)]
struct Tally {
    /// That surely count: all, and where it holds, in each of the ways.
    sure: usize,
    sure_holds: [usize; 4],
    /// That may count, where it holds at worst, and at best.
    perhaps: usize,
    perhaps_holds: (usize, usize),
}

impl Tally {
    fn add(&mut self, is_in: [bool; 4], holds: [bool; 4]) {
        let one = |is_so: bool| usize::from(is_so);
        if is_in[0] {
            self.sure += 1;
            self.sure_holds = from_fn(|way| self.sure_holds[way] + one(holds[way]));
        } else if is_in[3] {
            self.perhaps += 1;
            self.perhaps_holds.0 += one(holds[0]);
            self.perhaps_holds.1 += one(holds[3]);
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn share(&self, reach: Reach) -> Value {
        let share = |of: usize, all: usize| of as f64 / all as f64;
        if self.perhaps == 0 && self.sure == 0 {
            return Value::vacuous(reach);
        }
        if self.sure == 0 {
            return Value::unknown(reach);
        }
        // At worst those that do not hold count too, at best those that do.
        let low = share(self.sure_holds[0], self.sure + self.perhaps - self.perhaps_holds.0);
        let (holds, best) = (self.sure_holds[3], self.perhaps_holds.1);
        let high = share(holds + best, self.sure + best);
        let [worst, first, second, best] = self.sure_holds;
        let is_vacuous = self.perhaps == 0 && worst != best && worst == second && first == best;
        let vacuous = is_vacuous.then(|| Trace::constant(Grade::TRUE));
        Value::constant(Bounds { low, high }, reach).with_vacuous(vacuous)
    }
}

/// Where unknown values make no difference, but events that did not occur do.
fn vacuous(ways: &[Rc<Trace>; 4], end: f64) -> Option<Rc<Trace>> {
    let [a, b, c, d] = ways;
    if Rc::ptr_eq(a, d) {
        return None;
    }
    let is_same = |[a, b, c, d]: [Grade; 4]| a == c && b == d;
    let is_so = |grades: [Grade; 4]| is_same(grades) && grades[0] != grades[3];
    let mut made = Builder::default();
    let last = each_stretch([a, b, c, d], end, |stretch| {
        let Stretch { time, at, after, until, .. } = stretch;
        let is_inside = is_same(after) && is_same(until) && (is_so(after) || is_so(until));
        let inside = Grade::certain(is_inside);
        made.step(time, Grade::certain(is_so(at)), inside);
    });
    Some(Rc::new(made.finish(end, Grade::certain(is_so(last)))))
}

/// 1 where it holds, 0 elsewhere. Instants have no length and are left out.
fn measured(trace: &Trace) -> Trace {
    let one = |grade: Grade| Grade::of(if grade.holds() { 1.0 } else { 0.0 });
    let Some(&end) = trace.times.last() else { return trace.clone() };
    let mut made = Builder::with_capacity(trace.times.len());
    for stretch in 0..trace.stretches() {
        let after = one(trace.after[stretch]);
        made.step(trace.times[stretch], after, after);
    }
    let made = Rc::new(made.finish(end, one(trace.last())));
    Rc::unwrap_or_clone(made.spread(end))
}

/// One of the bounds of lines as a trace.
pub(super) fn of_lines(
    lines: &[Line],
    last: Bounds,
    end: f64,
    bound: impl Fn(Bounds) -> f64,
) -> Trace {
    let mut made = Builder::with_capacity(lines.len() + 1);
    let bound = |bounds: Bounds| Grade::of(bound(bounds));
    for line in lines {
        made.push(line.time, bound(line.at), bound(line.after), bound(line.until));
    }
    made.finish(end, bound(last))
}
