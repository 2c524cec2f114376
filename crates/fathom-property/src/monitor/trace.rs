//! A trace: grades over dense time.

use super::grade::Grade;
use std::rc::Rc;

/// Grades over the times from 0 to an end: one at each of increasing times, and straight lines on
/// the open stretches between them.
///
/// The first time is 0, the last is the end. A trace with a single time is the same everywhere.
/// Lines do not cross 0: where one would, there is a time. What a line tends to at an end is 0
/// with the sign of the line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trace {
    /// When.
    pub(super) times: Rc<Vec<f64>>,
    /// The grade at each time.
    pub(super) at: Rc<Vec<Grade>>,
    /// The grade just after each time; the last has no meaning. For step signals it is that at the
    /// time, and they share it.
    pub(super) after: Rc<Vec<Grade>>,
    /// The grade just before the next time; `None` where it always is that after the last.
    pub(super) until: Option<Vec<Grade>>,
}

impl Trace {
    /// The same at all times.
    pub(super) fn constant(grade: Grade) -> Rc<Trace> {
        Rc::new(Trace::of_steps(vec![0.0], vec![grade]))
    }

    /// Each grade from its time on up to the next.
    pub(super) fn of_steps(times: Vec<f64>, grades: Vec<Grade>) -> Trace {
        let at = Rc::new(grades);
        Trace { times: Rc::new(times), after: Rc::clone(&at), at, until: None }
    }

    /// The grade, if it is the same at all times.
    pub(super) fn everywhere(&self) -> Option<Grade> {
        match self.at.as_slice() {
            [grade] => Some(*grade),
            _ => None,
        }
    }

    /// The grade at the beginning.
    pub(super) fn first(&self) -> Grade {
        self.at.first().copied().unwrap_or(Grade::FALSE)
    }

    /// The grade at the end.
    pub(super) fn last(&self) -> Grade {
        self.at.last().copied().unwrap_or(Grade::FALSE)
    }

    /// The grade just before the next time of the stretch with this number.
    #[inline]
    pub(super) fn until(&self, stretch: usize) -> Grade {
        match &self.until {
            Some(until) => until[stretch],
            None => self.after[stretch],
        }
    }

    /// How many open stretches there are between its times.
    pub(super) fn stretches(&self) -> usize {
        self.times.len() - 1
    }

    /// The same at all times, written with a beginning and an end.
    pub(super) fn spread(self: &Rc<Trace>, end: f64) -> Rc<Trace> {
        match self.everywhere() {
            Some(grade) if end > 0.0 => Rc::new(Trace::of_steps(vec![0.0, end], vec![grade; 2])),
            _ => Rc::clone(self),
        }
    }

    /// With every grade replaced. The function must keep lines straight.
    pub(super) fn map(&self, f: impl Fn(Grade) -> Grade) -> Trace {
        let map = |grades: &Vec<Grade>| grades.iter().map(|&grade| f(grade)).collect();
        let at = Rc::new(map(&self.at));
        let after = match Rc::ptr_eq(&self.at, &self.after) {
            true => Rc::clone(&at),
            false => Rc::new(map(&self.after)),
        };
        Trace { times: Rc::clone(&self.times), at, after, until: self.until.as_ref().map(map) }
    }

    /// The contrary.
    pub(super) fn negated(&self) -> Trace {
        self.map(Grade::negated)
    }

    /// Whether a condition holds for all grades.
    pub(super) fn all(&self, condition: impl Fn(Grade) -> bool) -> bool {
        let stretches = self.stretches();
        let all = |grades: &[Grade]| grades.iter().all(|&grade| condition(grade));
        all(&self.at)
            && self.after.get(..stretches).is_none_or(all)
            && self.until.as_ref().and_then(|until| until.get(..stretches)).is_none_or(all)
    }

    /// The part of it up to an earlier end.
    pub(super) fn clipped(self: &Rc<Trace>, end: f64) -> Rc<Trace> {
        let last = self.times.last().copied().unwrap_or(0.0);
        if self.everywhere().is_some() || last <= end {
            return Rc::clone(self);
        }
        let mut clipped = Builder::default();
        let mut cursor = Cursor::new(self);
        for (stretch, &time) in self.times.iter().enumerate().take_while(|&(_, &time)| time < end) {
            let until = match self.times.get(stretch + 1) {
                Some(&next) if next <= end => self.until(stretch),
                _ => cursor.before(end, stretch),
            };
            clipped.push(time, self.at[stretch], self.after[stretch], until);
        }
        Rc::new(clipped.finish(end, cursor.at(end)))
    }

    /// The grades at times in ascending order.
    pub(super) fn sampled(&self, times: &[f64]) -> Vec<Grade> {
        let mut cursor = Cursor::new(self);
        times.iter().map(|&time| cursor.at(time)).collect()
    }
}

/// Reads a trace at times that do not go back.
pub(super) struct Cursor<'a> {
    trace: &'a Trace,
    stretch: usize,
}

impl<'a> Cursor<'a> {
    /// At the beginning.
    pub(super) fn new(trace: &'a Trace) -> Cursor<'a> {
        Cursor { trace, stretch: 0 }
    }

    /// The next of the trace's own times.
    pub(super) fn next(&self) -> f64 {
        self.trace.times.get(self.stretch + 1).copied().unwrap_or(f64::INFINITY)
    }

    /// The grade at a time.
    pub(super) fn at(&mut self, time: f64) -> Grade {
        while self.next() <= time {
            self.stretch += 1;
        }
        if self.trace.times[self.stretch] == time {
            self.trace.at[self.stretch]
        } else {
            self.inside(time, self.stretch)
        }
    }

    /// The grade just after the time that was asked for last.
    pub(super) fn after(&self, time: f64) -> Grade {
        if self.trace.times[self.stretch] == time {
            self.trace.after[self.stretch]
        } else {
            self.inside(time, self.stretch)
        }
    }

    /// The grade just before a time at which the present stretch still is.
    pub(super) fn until(&self, time: f64) -> Grade {
        self.before(time, self.stretch)
    }

    fn before(&self, time: f64, stretch: usize) -> Grade {
        if self.trace.times.get(stretch + 1) == Some(&time) {
            self.trace.until(stretch)
        } else {
            self.inside(time, stretch)
        }
    }

    fn inside(&self, time: f64, stretch: usize) -> Grade {
        let (start, end) = (self.trace.after[stretch], self.trace.until(stretch));
        match self.trace.times.get(stretch + 1) {
            Some(&next) if start != end => {
                let from = self.trace.times[stretch];
                start.between(end, (time - from) / (next - from))
            }
            _ => start,
        }
    }
}

/// Puts a trace together, leaving out times at which nothing changes.
#[derive(Default)]
pub(super) struct Builder {
    times: Vec<f64>,
    at: Vec<Grade>,
    after: Vec<Grade>,
    until: Option<Vec<Grade>>,
}

impl Builder {
    /// With room for this many times.
    pub(super) fn with_capacity(n: usize) -> Builder {
        let grades = || Vec::with_capacity(n);
        Builder { times: Vec::with_capacity(n), at: grades(), after: grades(), until: None }
    }

    /// The grade at a time, and that on the whole stretch after it.
    #[inline]
    pub(super) fn step(&mut self, time: f64, at: Grade, after: Grade) {
        if self.until.is_some() {
            return self.push(time, at, after, after);
        }
        if let Some(&before) = self.after.last()
            && before == at
            && before == after
        {
            return;
        }
        self.times.push(time);
        self.at.push(at);
        self.after.push(after);
    }

    /// The grade at a time, just after it, and at the end of the stretch after it.
    pub(super) fn push(&mut self, time: f64, at: Grade, after: Grade, until: Grade) {
        if self.until.is_none() {
            if after == until {
                return self.step(time, at, after);
            }
            self.until = Some(self.after.clone());
        }
        let Some(untils) = &mut self.until else { return };
        if let (Some(&start), Some(&end)) = (self.after.last(), untils.last())
            && start == end
            && start == at
            && at == after
            && after == until
        {
            return;
        }
        self.times.push(time);
        self.at.push(at);
        self.after.push(after);
        untils.push(until);
    }

    /// The trace, with the grade at its end.
    pub(super) fn finish(mut self, end: f64, at: Grade) -> Trace {
        let is_constant = match (self.times.len(), &self.until) {
            (0, _) => true,
            (1, None) => self.at[0] == at && self.after[0] == at,
            _ => false,
        };
        if is_constant {
            self.times.clear();
            self.at.clear();
            self.after.clear();
        }
        self.times.push(if is_constant { 0.0 } else { end });
        self.at.push(at);
        self.after.push(at);
        if let Some(until) = &mut self.until {
            until.push(at);
        }
        let (at, after) = (Rc::new(self.at), Rc::new(self.after));
        Trace { times: Rc::new(self.times), at, after, until: self.until }
    }
}
