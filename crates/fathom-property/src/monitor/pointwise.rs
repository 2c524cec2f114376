//! Two traces combined, time by time.

use super::grade::Grade;
use super::trace::{Builder, Cursor, Trace};
use std::rc::Rc;

/// The smaller of two at every time: both hold.
pub(super) fn lower(a: &Rc<Trace>, b: &Rc<Trace>) -> Rc<Trace> {
    match (a.everywhere(), b.everywhere()) {
        (Some(Grade::TRUE), _) | (_, Some(Grade::FALSE)) => Rc::clone(b),
        (_, Some(Grade::TRUE)) | (Some(Grade::FALSE), _) => Rc::clone(a),
        _ if Rc::ptr_eq(a, b) => Rc::clone(a),
        _ if a.until.is_none() && b.until.is_none() => Rc::new(by_step(a, b, Grade::min)),
        _ => Rc::new(by_line(a, b, Grade::min)),
    }
}

/// The larger of two at every time: one holds.
pub(super) fn higher(a: &Rc<Trace>, b: &Rc<Trace>) -> Rc<Trace> {
    match (a.everywhere(), b.everywhere()) {
        (Some(Grade::FALSE), _) | (_, Some(Grade::TRUE)) => Rc::clone(b),
        (_, Some(Grade::FALSE)) | (Some(Grade::TRUE), _) => Rc::clone(a),
        _ if Rc::ptr_eq(a, b) => Rc::clone(a),
        _ if a.until.is_none() && b.until.is_none() => Rc::new(by_step(a, b, Grade::max)),
        _ => Rc::new(by_line(a, b, Grade::max)),
    }
}

/// Any function of two traces without slopes.
pub(super) fn by_step(a: &Trace, b: &Trace, f: impl Fn(Grade, Grade) -> Grade) -> Trace {
    if let Some(a) = a.everywhere() {
        return b.map(|b| f(a, b));
    }
    if let Some(b) = b.everywhere() {
        return a.map(|a| f(a, b));
    }
    if have_same_times(a, b) {
        let zip = |a: &[Grade], b: &[Grade]| {
            Rc::new(a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect::<Vec<Grade>>())
        };
        let at = zip(&a.at, &b.at);
        let after = match Rc::ptr_eq(&a.at, &a.after) && Rc::ptr_eq(&b.at, &b.after) {
            true => Rc::clone(&at),
            false => zip(&a.after, &b.after),
        };
        return Trace { times: Rc::clone(&a.times), at, after, until: None };
    }
    let (ends_a, ends_b) = (a.stretches(), b.stretches());
    let mut merged = Builder::with_capacity(ends_a + ends_b + 1);
    let (mut i, mut j) = (0, 0);
    let (mut after_a, mut after_b) = (a.after[0], b.after[0]);
    merged.step(0.0, f(a.at[0], b.at[0]), f(after_a, after_b));
    // Both have the same last time.
    while i < ends_a && j < ends_b {
        let (next_a, next_b) = (a.times[i + 1], b.times[j + 1]);
        let time = next_a.min(next_b);
        let (mut at_a, mut at_b) = (after_a, after_b);
        if next_a == time {
            i += 1;
            (at_a, after_a) = (a.at[i], a.after[i]);
        }
        if next_b == time {
            j += 1;
            (at_b, after_b) = (b.at[j], b.after[j]);
        }
        if i == ends_a && j == ends_b {
            return merged.finish(time, f(at_a, at_b));
        }
        merged.step(time, f(at_a, at_b), f(after_a, after_b));
    }
    merged.finish(a.times[ends_a], f(a.last(), b.last()))
}

pub(super) fn have_same_times(a: &Trace, b: &Trace) -> bool {
    Rc::ptr_eq(&a.times, &b.times) || a.times == b.times
}

/// A stretch on which several traces are straight.
pub(super) struct Stretch<const N: usize> {
    /// When it begins.
    pub(super) time: f64,
    /// The grades at its beginning.
    pub(super) at: [Grade; N],
    /// Those just after it.
    pub(super) after: [Grade; N],
    /// Those at its end.
    pub(super) until: [Grade; N],
    /// When it ends.
    pub(super) next: f64,
}

/// Goes through the stretches of several traces together, and returns their common end and the
/// grades there. Traces that are the same everywhere have one such stretch, up to `end`.
pub(super) fn each_stretch<const N: usize>(
    traces: [&Trace; N],
    end: f64,
    mut visit: impl FnMut(Stretch<N>),
) -> [Grade; N] {
    let mut cursors = traces.map(Cursor::new);
    let mut time = 0.0;
    while time < end {
        let at = cursors.each_mut().map(|cursor| cursor.at(time));
        let after = cursors.each_ref().map(|cursor| cursor.after(time));
        let next = cursors.iter().map(Cursor::next).fold(end, f64::min);
        let until = cursors.each_ref().map(|cursor| cursor.until(next));
        visit(Stretch { time, at, after, until, next });
        time = next;
    }
    cursors.each_mut().map(|cursor| cursor.at(end))
}

/// The end of two traces, at least one of them not constant.
pub(super) fn common_end(a: &Trace, b: &Trace) -> f64 {
    a.times.last().copied().unwrap_or(0.0).max(b.times.last().copied().unwrap_or(0.0))
}

/// The smaller or larger of two traces with slopes; where they cross there is a new time.
fn by_line(a: &Trace, b: &Trace, pick: impl Fn(Grade, Grade) -> Grade) -> Trace {
    let end = common_end(a, b);
    let mut merged = Builder::with_capacity(a.times.len() + b.times.len());
    let last = each_stretch([a, b], end, |stretch| {
        let Stretch { time, at, after, until, .. } = stretch;
        let at = pick(at[0], at[1]);
        let ends = (pick(after[0], after[1]), pick(until[0], until[1]));
        match crossing(&stretch) {
            Some((crossing, grade)) => {
                merged.push(time, at, ends.0, grade);
                merged.push(crossing, grade, grade, ends.1);
            }
            None => merged.push(time, at, ends.0, ends.1),
        }
    });
    merged.finish(end, pick(last[0], last[1]))
}

/// Where in a stretch two lines cross, if inside of it, and at what height.
pub(super) fn crossing(stretch: &Stretch<2>) -> Option<(f64, Grade)> {
    let Stretch { time, after, until, next, .. } = stretch;
    let first = after[0].value() - after[1].value();
    let second = until[0].value() - until[1].value();
    let changes_sign = (first < 0.0 && second > 0.0) || (first > 0.0 && second < 0.0);
    // Infinite grades have no slope, and so do not cross.
    if !(changes_sign && first.is_finite() && second.is_finite()) {
        return None;
    }
    let fraction = first / (first - second);
    let crossing = time + (next - time) * fraction;
    let is_inside = crossing > *time && crossing < *next;
    is_inside.then(|| (crossing, after[0].between(until[0], fraction)))
}
