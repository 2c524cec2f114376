//! The largest or smallest grade in a window that slides along a trace.

use super::grade::Grade;
use super::pointwise::{higher, lower};
use super::reach::{has_present, is_empty};
use super::trace::{Builder, Trace};
use crate::Window;
use std::rc::Rc;

/// Which of the grades in a window counts.
pub(super) trait Choice {
    /// The grade of an empty window.
    const NONE: Grade;
    /// Whether one makes the other irrelevant.
    fn beats(a: Grade, b: Grade) -> bool;
    /// The one of two traces that counts, at every time.
    fn of(a: &Rc<Trace>, b: &Rc<Trace>) -> Rc<Trace>;
}

/// The largest: at some time of the window.
pub(super) struct Largest;

/// The smallest: at all times of the window.
pub(super) struct Smallest;

impl Choice for Largest {
    const NONE: Grade = Grade::FALSE;

    #[inline]
    fn beats(a: Grade, b: Grade) -> bool {
        a >= b
    }

    fn of(a: &Rc<Trace>, b: &Rc<Trace>) -> Rc<Trace> {
        higher(a, b)
    }
}

impl Choice for Smallest {
    const NONE: Grade = Grade::TRUE;

    #[inline]
    fn beats(a: Grade, b: Grade) -> bool {
        a <= b
    }

    fn of(a: &Rc<Trace>, b: &Rc<Trace>) -> Rc<Trace> {
        lower(a, b)
    }
}

/// The grade that counts in the window around each time. After the trace's end comes `beyond`,
/// if there is anything.
///
/// It takes time in proportion to the trace's times, whatever the window's width.
pub(super) fn slide<C: Choice>(
    trace: &Rc<Trace>,
    window: &Window,
    end: f64,
    beyond: Option<Grade>,
) -> Rc<Trace> {
    if is_empty(window) {
        return Trace::constant(C::NONE);
    }
    if let Some(grade) = trace.everywhere()
        && has_present(window)
        && (window.to == f64::INFINITY || beyond.is_none())
    {
        let grade = match beyond {
            Some(beyond) if C::beats(beyond, grade) => beyond,
            _ => grade,
        };
        return Trace::constant(grade);
    }
    let trace = &trace.spread(end);
    if trace.until.is_none() {
        return Rc::new(over_elements::<C, Steps<'_>>(Steps(trace), trace, window, beyond));
    }
    // Of a line, what counts in a window is at one of its ends, or at one of the window's.
    let ends = Rc::new(over_elements::<C, Ends<'_>>(Ends(trace), trace, window, beyond));
    let at_start = inside_lines(trace, window.from, end, C::NONE);
    let at_end = inside_lines(trace, window.to, end, C::NONE);
    C::of(&C::of(&ends, &at_start), &at_end)
}

/// What a trace is made of, in the order of time. Each of the trace's times adds some.
trait Elements {
    /// How many a time adds.
    const EACH: usize;
    /// How many of these are in a window that ends at the time, itself not counted.
    const BEFORE: usize;
    /// Of those of a time, the one at a place.
    fn get(&self, time: usize, place: usize) -> Grade;
    /// How many of these are left in a window that begins after the time.
    const LEFT: usize;
}

/// The grade at each time, and that on the stretch after it.
struct Steps<'a>(&'a Trace);

impl Elements for Steps<'_> {
    const EACH: usize = 2;
    const BEFORE: usize = 0;
    const LEFT: usize = 1;

    #[inline]
    fn get(&self, time: usize, place: usize) -> Grade {
        if place == 0 { self.0.at[time] } else { self.0.after[time] }
    }
}

/// The grades just before, at and just after each time.
struct Ends<'a>(&'a Trace);

impl Elements for Ends<'_> {
    const EACH: usize = 3;
    const BEFORE: usize = 1;
    const LEFT: usize = 0;

    #[inline]
    fn get(&self, time: usize, place: usize) -> Grade {
        match place {
            // At 0 there is nothing before.
            0 if time == 0 => self.0.at[0],
            0 => self.0.until(time - 1),
            1 => self.0.at[time],
            _ => self.0.after[time],
        }
    }
}

/// Elements that may still count, the best first (Lemire 2006). Each has its number.
struct Candidates<C> {
    queue: Vec<(usize, Grade)>,
    head: usize,
    choice: std::marker::PhantomData<C>,
}

impl<C: Choice> Candidates<C> {
    #[inline]
    fn add(&mut self, number: usize, grade: Grade) {
        while self.queue.len() > self.head
            && let Some(&(_, last)) = self.queue.last()
            && C::beats(grade, last)
        {
            self.queue.pop();
        }
        self.queue.push((number, grade));
    }

    /// The best, of those from this number on.
    #[inline]
    fn best(&mut self, from: usize) -> Grade {
        while let Some(&(number, grade)) = self.queue.get(self.head) {
            if number >= from {
                return grade;
            }
            self.head += 1;
        }
        C::NONE
    }
}

/// Walks along the times at which an element enters the window or leaves it.
///
/// What is at a time enters when the window's end reaches it, and what is after it right then; it
/// leaves likewise with the window's start. Whether it is in at that very moment, the window says.
fn over_elements<C: Choice, E: Elements>(
    elements: E,
    trace: &Trace,
    window: &Window,
    beyond: Option<Grade>,
) -> Trace {
    let times = trace.times.as_slice();
    let n = times.len();
    let end = times[n - 1];
    let mut slid = Builder::with_capacity(n);
    let mut inside =
        Candidates::<C> { queue: Vec::new(), head: 0, choice: std::marker::PhantomData };
    let (mut entering, mut leaving, mut from) = (0, 0, 0);
    let shifted = |i: usize, by: f64| times.get(i).map_or(f64::INFINITY, |time| time - by);
    let (mut next_in, mut next_out) = (shifted(0, window.to), shifted(0, window.from));
    let mut is_started = false;
    loop {
        let time = next_in.min(next_out);
        if !is_started && time > 0.0 {
            let grade = inside.best(from);
            slid.step(0.0, grade, grade);
            is_started = true;
        }
        if time > end || entering >= n && leaving >= n {
            break;
        }
        let (is_in, is_out) = (next_in == time, next_out == time);
        let mut place = 0;
        if is_out {
            from = leaving * E::EACH + E::BEFORE + usize::from(!window.includes_from);
        }
        if is_in {
            let now = E::BEFORE + usize::from(window.includes_to);
            while place < now {
                inside.add(entering * E::EACH + place, elements.get(entering, place));
                place += 1;
            }
        }
        let at = inside.best(from);
        if is_out {
            let is_last = leaving == n - 1;
            from = leaving * E::EACH + E::EACH - if is_last { 1 } else { E::LEFT };
            leaving += 1;
            next_out = shifted(leaving, window.from);
        }
        if is_in {
            let is_last = entering == n - 1;
            while place < E::EACH - 1 {
                inside.add(entering * E::EACH + place, elements.get(entering, place));
                place += 1;
            }
            if !is_last {
                inside.add(entering * E::EACH + place, elements.get(entering, place));
            } else if let Some(beyond) = beyond {
                inside.add(entering * E::EACH + place, beyond);
            }
            entering += 1;
            next_in = shifted(entering, window.to);
        }
        if time == end {
            return slid.finish(end, at);
        }
        if time >= 0.0 {
            slid.step(time, at, inside.best(from));
            is_started = true;
        }
    }
    let last = inside.best(from);
    slid.finish(end, last)
}

/// The lines of a trace as they are some time later, without what is at its times.
fn inside_lines(trace: &Trace, later: f64, end: f64, none: Grade) -> Rc<Trace> {
    shifted(trace, later, end, none, |_| none)
}

/// A trace as it is some time later, and where there is nothing then, something else.
pub(super) fn later(trace: &Rc<Trace>, later: f64, end: f64, outside: Grade) -> Rc<Trace> {
    if later == 0.0 {
        return Rc::clone(trace);
    }
    let trace = trace.spread(end);
    shifted(&trace, later, end, outside, |i| trace.at[i])
}

fn shifted(
    trace: &Trace,
    later: f64,
    end: f64,
    outside: Grade,
    at: impl Fn(usize) -> Grade,
) -> Rc<Trace> {
    if !later.is_finite() {
        return Trace::constant(outside);
    }
    let times = &trace.times;
    let n = times.len();
    let mut moved = Builder::with_capacity(n);
    let first = times[0] - later;
    if first > 0.0 {
        moved.step(0.0, outside, outside);
    }
    let mut last = outside;
    for i in 0..n {
        let (from, is_last) = (times[i] - later, i == n - 1);
        let next = if is_last { f64::INFINITY } else { times[i + 1] - later };
        if next <= 0.0 {
            continue;
        }
        if from >= end {
            if from == end {
                last = at(i);
            }
            break;
        }
        let (start, stop) =
            if is_last { (outside, outside) } else { (trace.after[i], trace.until(i)) };
        let place = |time: f64| start.between(stop, (time - from) / (next - from));
        let until = if next > end { place(end) } else { stop };
        last = until;
        if from < 0.0 {
            moved.push(0.0, place(0.0), place(0.0), until);
        } else {
            moved.push(from, at(i), start, until);
        }
    }
    Rc::new(moved.finish(end, last))
}
