//! Comparisons over time.

use super::grade::Grade;
use super::interval::{compared, grade, graded};
use super::pointwise::{Stretch, by_step, each_stretch};
use super::trace::{Builder, Trace};
use super::truth_over_time::TruthOverTime;
use super::value::Value;
use crate::{Arithmetic, Relation};
use std::rc::Rc;

/// Where and by how much one value compares with another.
pub(super) fn compare(left: &Value, relation: Relation, right: &Value) -> TruthOverTime {
    let reach = left.reach.and(right.reach);
    let (left, right) = (left.within(reach), right.within(reach));
    let (worst, best) = compared(relation, left.beyond, right.beyond);
    let beyond = match left.is_vacuous_beyond || right.is_vacuous_beyond {
        true => [worst, best, worst, best],
        false => [worst, worst, best, best],
    };
    if left.is_exact() && right.is_exact() && !left.has_slopes() && !right.has_slopes() {
        let of_values = |a: Grade, b: Grade| graded(relation, a.value(), b.value());
        let trace = Rc::new(by_step(&left.low, &right.low, of_values));
        return TruthOverTime { ways: [0; 4].map(|_| Rc::clone(&trace)), beyond, reach };
    }
    let (margin, at_zero) = match relation {
        Relation::Greater => (left.combined(Arithmetic::Subtract, &right), Grade::JUST_FALSE),
        Relation::AtLeast => (left.combined(Arithmetic::Subtract, &right), Grade::JUST_TRUE),
        Relation::Less => (right.combined(Arithmetic::Subtract, &left), Grade::JUST_FALSE),
        Relation::AtMost => (right.combined(Arithmetic::Subtract, &left), Grade::JUST_TRUE),
        Relation::Equal => {
            let distance = left.combined(Arithmetic::Subtract, &right).magnitude();
            (distance.negated(), Grade::JUST_TRUE)
        }
        Relation::Unequal => {
            let distance = left.combined(Arithmetic::Subtract, &right).magnitude();
            (distance, Grade::JUST_FALSE)
        }
    };
    let worst = Rc::new(of_margin(&margin.low, at_zero));
    let best = if margin.is_exact() {
        Rc::clone(&worst)
    } else {
        Rc::new(of_margin(&margin.high, at_zero))
    };
    let (first, second) = match &margin.vacuous {
        Some(vacuous) if !margin.is_exact() => {
            (select(vacuous, &best, &worst), select(vacuous, &worst, &best))
        }
        _ => (Rc::clone(&worst), Rc::clone(&best)),
    };
    TruthOverTime { ways: [worst, first, second, best], beyond, reach }
}

/// The grades of a margin over time. Where a line crosses 0 there is a time.
fn of_margin(margin: &Trace, at_zero: Grade) -> Trace {
    if margin.until.is_none() {
        return margin.map(|margin| grade(margin.value(), at_zero));
    }
    let at_time = |margin: Grade| grade(margin.value(), at_zero);
    let mut made = Builder::with_capacity(margin.times.len());
    for stretch in 0..margin.stretches() {
        let (time, next) = (margin.times[stretch], margin.times[stretch + 1]);
        let (start, stop) = (margin.after[stretch].value(), margin.until(stretch).value());
        let at = at_time(margin.at[stretch]);
        if start == stop {
            let grade = at_time(margin.after[stretch]);
            made.push(time, at, grade, grade);
            continue;
        }
        // What tends to 0 does so from the side where the line is.
        let tends = |end: f64, other: f64| {
            let from = if other > 0.0 { Grade::JUST_TRUE } else { Grade::JUST_FALSE };
            if end == 0.0 { from } else { Grade::of(end) }
        };
        let changes_sign = (start < 0.0 && stop > 0.0) || (start > 0.0 && stop < 0.0);
        let crossing = time + (next - time) * (start / (start - stop));
        match changes_sign {
            true if crossing > time && crossing < next => {
                made.push(time, at, Grade::of(start), tends(0.0, start));
                made.push(crossing, at_zero, tends(0.0, stop), Grade::of(stop));
            }
            // Too close to an end for a time of its own.
            true if crossing <= time => made.push(time, at, tends(0.0, stop), Grade::of(stop)),
            true => made.push(time, at, Grade::of(start), tends(0.0, start)),
            false => made.push(time, at, tends(start, stop), tends(stop, start)),
        }
    }
    let end = margin.times[margin.stretches()];
    made.finish(end, at_time(margin.last()))
}

/// The first trace where a condition holds, the second elsewhere.
fn select(condition: &Trace, then: &Rc<Trace>, otherwise: &Rc<Trace>) -> Rc<Trace> {
    match condition.everywhere() {
        Some(grade) if grade.holds() => return Rc::clone(then),
        Some(_) => return Rc::clone(otherwise),
        None => {}
    }
    let pick = |[condition, then, otherwise]: [Grade; 3]| {
        if condition.holds() { then } else { otherwise }
    };
    let end = condition.times[condition.stretches()];
    let mut made = Builder::default();
    let last = each_stretch([condition, then, otherwise], end, |stretch| {
        let Stretch { time, at, after, until, .. } = stretch;
        made.push(time, pick(at), pick(after), pick(until));
    });
    Rc::new(made.finish(end, pick(last)))
}
