//! Until: one thing holds before another comes.

use super::grade::Grade;
use super::pointwise::{
    Stretch, common_end, crossing, each_stretch, have_same_times, higher, lower,
};
use super::sliding::{Largest, Smallest, later, slide};
use super::trace::{Builder, Trace};
use crate::Window;
use std::rc::Rc;

/// What comes after the end of what was seen, if anything may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Beyond {
    /// Of what holds until then.
    pub(super) left: Grade,
    /// Of what ends the wait.
    pub(super) right: Grade,
}

/// `left` until `right` in a window.
///
/// `right` must come in the window, `left` must hold until the window begins, and from there on
/// until `right` comes, in the window or later: if it comes later too, it also came in the window,
/// before (after Donzé, Ferrère and Maler 2013).
pub(super) fn until_in(
    left: &Rc<Trace>,
    right: &Rc<Trace>,
    window: &Window,
    end: f64,
    beyond: Option<Beyond>,
) -> Rc<Trace> {
    let comes = slide::<Largest>(right, window, end, beyond.map(|beyond| beyond.right));
    let is_strict = !window.includes_from;
    let from_start = until(left, right, end, beyond, is_strict);
    if window.from <= 0.0 {
        return lower(&comes, &from_start);
    }
    let before = Window { from: 0.0, to: window.from, includes_from: true, includes_to: is_strict };
    let holds = slide::<Smallest>(left, &before, end, beyond.map(|beyond| beyond.left));
    let outside = beyond.map_or(Grade::FALSE, |beyond| beyond.right);
    let from_start = later(&from_start, window.from, end, outside);
    lower(&lower(&comes, &holds), &from_start)
}

/// `left` until `right`, without a window; if strict, `right` must come after the present.
fn until(
    left: &Rc<Trace>,
    right: &Rc<Trace>,
    end: f64,
    beyond: Option<Beyond>,
    is_strict: bool,
) -> Rc<Trace> {
    match (left.everywhere(), right.everywhere()) {
        // It comes at once, or never; or nothing has to hold until then.
        (_, Some(Grade::TRUE)) if !is_strict => return Rc::clone(right),
        (_, Some(Grade::FALSE)) if beyond.is_none() => return Rc::clone(right),
        (Some(Grade::TRUE), _) if !is_strict => {
            return slide::<Largest>(right, &Window::FROM_NOW, end, beyond.map(|b| b.right));
        }
        _ => {}
    }
    let (left, right) = (left.spread(end), right.spread(end));
    if left.until.is_some() || right.until.is_some() {
        return on_lines(&left, &right, beyond, is_strict);
    }
    if have_same_times(&left, &right) {
        return Rc::new(on_steps(&left, &right, beyond, is_strict));
    }
    let (left, right) = on_common_times(&left, &right);
    Rc::new(on_steps(&left, &right, beyond, is_strict))
}

/// What there is at the last time: nothing comes after it, or what may be beyond.
fn at_end(left: Grade, beyond: Option<Beyond>) -> Grade {
    beyond.map_or(Grade::FALSE, |beyond| left.min(beyond.left).min(beyond.right))
}

fn on_steps(left: &Trace, right: &Trace, beyond: Option<Beyond>, is_strict: bool) -> Trace {
    let n = right.times.len();
    let (mut at, mut after) = (right.at.to_vec(), right.after.to_vec());
    let strictly = at_end(left.last(), beyond);
    let mut next = right.last().max(strictly);
    at[n - 1] = if is_strict { strictly } else { next };
    // Slices of one length, so that bounds are checked once.
    let m = n - 1;
    let (left_at, left_after) = (&left.at[..m], &left.after[..m]);
    let (right_at, right_after) = (&right.at[..m], &right.after[..m]);
    let (at_out, after_out) = (&mut at[..m], &mut after[..m]);
    for i in (0..m).rev() {
        let hat = left_after[i].min(right_after[i].max(next));
        let strictly = left_at[i].min(hat);
        next = right_at[i].max(strictly);
        if is_strict {
            (at_out[i], after_out[i]) = (strictly, hat);
        } else {
            (at_out[i], after_out[i]) = (next, right_after[i].max(hat));
        }
    }
    let (at, after) = (Rc::new(at), Rc::new(after));
    Trace { times: Rc::clone(&right.times), at, after, until: None }
}

/// Two traces with slopes. On a stretch where `left` rises, its smallest grade from the present
/// on is the present one; where it falls, it is that at the end, and it can be taken for level:
/// before the end it only matters where `right` is at hand anyway. Where both cross there is a
/// time, so that the smaller of them is straight and largest at an end.
fn on_lines(
    left: &Rc<Trace>,
    right: &Rc<Trace>,
    beyond: Option<Beyond>,
    is_strict: bool,
) -> Rc<Trace> {
    let (left, right) = on_common_times(left, right);
    let n = right.times.len();
    let strictly = at_end(left.last(), beyond);
    let mut next = right.last().max(strictly);
    // What is to come: of use as long as `left` holds.
    let (mut comes_at, mut comes_after) = (right.at.to_vec(), right.after.to_vec());
    comes_at[n - 1] = strictly;
    let (mut level_after, mut level_until) = (left.after.to_vec(), left.after.to_vec());
    for i in (0..n - 1).rev() {
        let (start, stop) = (left.after[i], left.until(i));
        let lowest = start.min(stop);
        (level_after[i], level_until[i]) = (lowest, stop);
        comes_after[i] = right.until(i).max(next);
        let hat = start.min(right.after[i]).max(lowest.min(comes_after[i]));
        comes_at[i] = hat;
        next = right.at[i].max(left.at[i].min(hat));
    }
    let times = Rc::clone(&right.times);
    let (at, after) = (Rc::new(comes_at), Rc::new(comes_after));
    let comes = Rc::new(Trace { times, at, after, until: None });
    let (after, until) = (Rc::new(level_after), Some(level_until));
    let held = lower(&Rc::new(Trace { after, until, ..left.clone() }), &comes);
    if !is_strict {
        return higher(&Rc::new(right), &held);
    }
    let only_after = Trace { at: Rc::new(vec![Grade::FALSE; n]), ..right };
    higher(&lower(&Rc::new(left), &Rc::new(only_after)), &held)
}

/// The same two traces, with the times of both and those at which they cross.
fn on_common_times(a: &Trace, b: &Trace) -> (Trace, Trace) {
    let end = common_end(a, b);
    let room = a.times.len() + b.times.len();
    let mut times = Vec::with_capacity(room);
    let mut a_side = Side::with_capacity(room);
    let mut b_side = Side::with_capacity(room);
    let last = each_stretch([a, b], end, |stretch| {
        let Stretch { time, at, after, until, .. } = stretch;
        times.push(time);
        match crossing(&stretch) {
            Some((middle, grade)) => {
                a_side.push(at[0], after[0], grade);
                b_side.push(at[1], after[1], grade);
                times.push(middle);
                a_side.push(grade, grade, until[0]);
                b_side.push(grade, grade, until[1]);
            }
            None => {
                a_side.push(at[0], after[0], until[0]);
                b_side.push(at[1], after[1], until[1]);
            }
        }
    });
    times.push(end);
    a_side.push(last[0], last[0], last[0]);
    b_side.push(last[1], last[1], last[1]);
    let times = Rc::new(times);
    (a_side.on(Rc::clone(&times), a.until.is_some()), b_side.on(times, b.until.is_some()))
}

struct Side {
    at: Vec<Grade>,
    after: Vec<Grade>,
    until: Vec<Grade>,
}

impl Side {
    fn with_capacity(n: usize) -> Side {
        let grades = || Vec::with_capacity(n);
        Side { at: grades(), after: grades(), until: grades() }
    }

    fn push(&mut self, at: Grade, after: Grade, until: Grade) {
        self.at.push(at);
        self.after.push(after);
        self.until.push(until);
    }

    fn on(self, times: Rc<Vec<f64>>, has_slopes: bool) -> Trace {
        let until = has_slopes.then_some(self.until);
        Trace { times, at: Rc::new(self.at), after: Rc::new(self.after), until }
    }
}

/// True at instants where something becomes true: it was false just before, `not_before`, and is
/// true then or just after, `then`. What is not known may hold and not hold, and so become true at
/// any time. What comes after the end does if it may.
pub(super) fn rise(not_before: &Rc<Trace>, then: &Rc<Trace>, end: f64, beyond: Grade) -> Trace {
    let mut risen = Builder::default();
    let mut was_false = false;
    let last = each_stretch([not_before, then], end, |stretch| {
        let Stretch { time, at, after, until, .. } = stretch;
        let is_rise = was_false && (at[1].holds() || after[1].holds());
        let may_rise = after[0].holds() && after[1].holds();
        risen.step(time, Grade::certain(is_rise), Grade::certain(may_rise));
        was_false = until[0].holds();
    });
    let is_rise = was_false && (last[1].holds() || beyond.holds());
    risen.finish(end, Grade::certain(is_rise))
}
