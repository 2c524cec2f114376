//! An evaluator straight from the definitions, slow and on a grid of times. Between two times of
//! the grid everything is linear, which the callers ensure.
//!
//! Truth and robustness are computed apart from each other. A truth is a pair of levels, the least
//! and the greatest it may be, of 0 false, 1 vacuous and 2 true.

use crate::naive_time::{FALSE, Mark, Over, Reach, TRUE, UNKNOWN};
use fathom_property::{Edge, Formula, NumberComparison, Relation, Window};
use fathom_record::Observation;

/// Evaluates on executions whose times are multiples of `1/per_unit`.
pub(crate) struct Naive<'a> {
    pub(crate) runs: &'a [&'a Observation],
    pub(crate) per_unit: f64,
}

fn is_empty(window: &Window) -> bool {
    window.from == window.to && !(window.includes_from && window.includes_to)
}

/// A moment: a time of the grid, just after one, or just before the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Moment {
    At(usize),
    After(usize),
    Before(usize),
}

impl Naive<'_> {
    pub(crate) fn grid(&self, time: f64) -> usize {
        let steps = time * self.per_unit;
        assert_eq!(steps, steps.round(), "{time} is not on the grid");
        steps as usize
    }

    pub(crate) fn reach_of(&self, run: usize) -> Reach {
        let run = self.runs[run];
        let end = Some(self.grid(run.end().unwrap_or(0.0)));
        Reach { end, is_cut: run.is_cut(), is_timeless: false }
    }

    pub(crate) fn settled(&self, reach: Reach) -> Reach {
        let mut shortest = reach;
        if reach.end.is_none() {
            for run in 0..self.runs.len() {
                shortest = shortest.and(Reach { is_timeless: true, ..self.reach_of(run) });
            }
        }
        Reach { is_timeless: false, ..shortest }
    }

    pub(crate) fn judge(&self, formula: &Formula) -> Mark {
        self.formula(formula).at(0)
    }

    pub(crate) fn formula(&self, formula: &Formula) -> Over<Mark> {
        match formula {
            Formula::Constant(is_true) => {
                Over::everywhere(Mark::certain(*is_true), Reach::EVERYWHERE)
            }
            Formula::Compare(comparison) => self.comparison(comparison),
            Formula::State(source) => {
                let zero = fathom_property::Term::Number(0.0);
                let metric = fathom_property::Term::Metric(source.clone());
                let verdict = self.comparison(&NumberComparison {
                    left: metric,
                    relation: Relation::Unequal,
                    right: zero,
                    unit: String::new(),
                    span: 0..0,
                });
                verdict.map(|mark| match mark.level {
                    (2, _) => TRUE,
                    (_, 0) => FALSE,
                    _ => UNKNOWN,
                })
            }
            Formula::Event(source) => {
                let reach = self.reach_of(source.run);
                match self.runs[source.run].events().get(&source.name) {
                    None => self.each(reach, UNKNOWN, |_| UNKNOWN),
                    Some(events) => {
                        let times: Vec<usize> =
                            events.times().iter().map(|&time| self.grid(time)).collect();
                        let end = reach.end.unwrap();
                        Over {
                            points: (0..=end).map(|t| Mark::certain(times.contains(&t))).collect(),
                            cells: vec![(FALSE, FALSE); end],
                            beyond: UNKNOWN,
                            reach,
                        }
                    }
                }
            }
            Formula::Edge(edge, of) => self.edge(*edge, of),
            Formula::Not(of) => self.formula(of).map(Mark::not),
            Formula::And(a, b) => self.both(a, b, Mark::and),
            Formula::Or(a, b) => self.both(a, b, Mark::or),
            Formula::Implies(a, b) => self.both(a, b, |a, b| a.not().or(b)),
            Formula::Iff(a, b) => self.both(a, b, |a, b| a.not().or(b).and(b.not().or(a))),
            Formula::Eventually(window, of) => self.eventually(window, &self.formula(of)),
            Formula::Always(window, of) => {
                let contrary = self.formula(of).map(Mark::not);
                self.eventually(window, &contrary).map(Mark::not)
            }
            Formula::Until { left, right, window, is_weak } => {
                let (left, right) = (self.formula(left), self.formula(right));
                let strong = self.until(&left, &right, window);
                if !is_weak {
                    return strong;
                }
                let whole = Window {
                    from: 0.0,
                    includes_from: true,
                    to: window.to,
                    includes_to: window.to.is_finite(),
                };
                let holds = self.eventually(&whole, &left.map(Mark::not)).map(Mark::not);
                strong.zip(&holds, (UNKNOWN, UNKNOWN), Mark::or)
            }
        }
    }

    fn both(&self, a: &Formula, b: &Formula, f: impl Fn(Mark, Mark) -> Mark) -> Over<Mark> {
        self.formula(a).zip(&self.formula(b), (UNKNOWN, UNKNOWN), f)
    }

    pub(crate) fn edge(&self, edge: Edge, of: &Formula) -> Over<Mark> {
        let of = self.formula(of);
        let of = if edge == Edge::Fall { of.map(Mark::not) } else { of };
        let reach = self.settled(of.reach);
        let end = reach.end.unwrap();
        let certain = |mark: Mark| match mark.level {
            (2, _) => TRUE,
            (_, 0) => FALSE,
            (a, b) => Mark { level: (a, b), ..UNKNOWN },
        };
        let points = (0..=end).map(|t| {
            if t == 0 {
                return FALSE;
            }
            let after = match t == end {
                false => of.cell(t).0,
                // What comes then may not come.
                true if reach.is_cut => Mark {
                    level: (0, of.beyond.level.1),
                    robustness: (FALSE.robustness.0, of.beyond.robustness.1),
                },
                true => FALSE,
            };
            certain(of.cell(t - 1).1.not().and(of.at(t).or(after)))
        });
        // Where nothing is known it may happen at any time.
        let cells = (0..end).map(|t| {
            let (start, stop) = of.cell(t);
            (certain(start.not().and(start)), certain(stop.not().and(stop)))
        });
        Over { points: points.collect(), cells: cells.collect(), beyond: UNKNOWN, reach }
    }

    /// The moments of a window around a moment, those beyond the end left out, and whether it
    /// reaches beyond.
    pub(crate) fn moments(&self, now: Moment, window: &Window, end: usize) -> (Vec<Moment>, bool) {
        // Times in quarters of a grid step: a cell is represented by a quarter after its start
        // and one before its end; a moment in a cell is a little off the grid.
        let base = |time: usize| time as f64;
        let little = 0.25;
        let now = match now {
            Moment::At(t) => base(t),
            Moment::After(t) => base(t) + little,
            Moment::Before(t) => base(t) + 1.0 - little,
        };
        let (from, to) = (now + window.from * self.per_unit, now + window.to * self.per_unit);
        let is_empty = from > to || (from == to && !(window.includes_from && window.includes_to));
        if is_empty {
            return (vec![], false);
        }
        let has_time = |time: f64| {
            (from < time || (from == time && window.includes_from))
                && (time < to || (time == to && window.includes_to))
        };
        let mut moments = Vec::new();
        for t in 0..=end {
            if has_time(base(t)) {
                moments.push(Moment::At(t));
            }
            // Of a cell, what is inside the window counts from its start, and up to its end.
            let (start, stop) = (base(t) + little, base(t + 1) - little);
            if t < end && from < base(t + 1) && to > base(t) {
                if from <= start {
                    moments.push(Moment::After(t));
                }
                if to >= stop {
                    moments.push(Moment::Before(t));
                }
            }
        }
        (moments, to > base(end))
    }

    pub(crate) fn marked<V: Copy>(over: &Over<V>, moment: Moment) -> V {
        match moment {
            Moment::At(t) => over.at(t),
            Moment::After(t) => over.cell(t).0,
            Moment::Before(t) => over.cell(t).1,
        }
    }

    pub(crate) fn each<V>(&self, reach: Reach, beyond: V, f: impl Fn(Moment) -> V) -> Over<V> {
        let end = reach.end.unwrap();
        Over {
            points: (0..=end).map(|t| f(Moment::At(t))).collect(),
            cells: (0..end).map(|t| (f(Moment::After(t)), f(Moment::Before(t)))).collect(),
            beyond,
            reach,
        }
    }

    fn eventually(&self, window: &Window, of: &Over<Mark>) -> Over<Mark> {
        let reach = self.settled(of.reach);
        let end = reach.end.unwrap();
        let possible = Mark {
            level: (0, of.beyond.level.1),
            robustness: (f64::NEG_INFINITY, of.beyond.robustness.1),
        };
        let has_present = window.from == 0.0 && window.includes_from;
        let beyond = if has_present { of.beyond } else { possible };
        let beyond = if is_empty(window) { FALSE } else { beyond };
        self.each(reach, beyond, |now| {
            let (moments, sees_beyond) = self.moments(now, window, end);
            let seen = moments.into_iter().map(|m| Self::marked(of, m)).fold(FALSE, Mark::or);
            if sees_beyond && reach.is_cut { seen.or(possible) } else { seen }
        })
    }

    fn until(&self, left: &Over<Mark>, right: &Over<Mark>, window: &Window) -> Over<Mark> {
        let both = left.zip(right, (UNKNOWN, UNKNOWN), |a, b| (a, b));
        let reach = self.settled(both.reach);
        let end = reach.end.unwrap();
        let (left_beyond, right_beyond) = both.beyond;
        let possible = |mark: Mark| Mark {
            level: (0, mark.level.1),
            robustness: (f64::NEG_INFINITY, mark.robustness.1),
        };
        let has_present = window.from == 0.0 && window.includes_from;
        let beyond = if has_present { right_beyond } else { possible(right_beyond) };
        let beyond = if is_empty(window) { FALSE } else { beyond };
        self.each(reach, beyond, |now| {
            let (moments, sees_beyond) = self.moments(now, window, end);
            let whole =
                Window { from: 0.0, to: f64::INFINITY, includes_from: true, includes_to: false };
            let (path, _) = self.moments(now, &whole, end);
            let place = |moment: Moment| match moment {
                Moment::At(t) => 3 * t,
                Moment::After(t) => 3 * t + 1,
                Moment::Before(t) => 3 * t + 2,
            };
            let mut is_in_window = vec![false; 3 * end + 3];
            moments.into_iter().for_each(|moment| is_in_window[place(moment)] = true);
            let includes_present = window.from == 0.0 && window.includes_from;
            let mut best = FALSE;
            // What holds on the way up to each moment, itself left out.
            let mut held = TRUE;
            for &moment in &path {
                let (l, r) = Self::marked(&both, moment);
                // Inside of a cell some of it is already past, unless it is the present.
                let is_present = moment == now && includes_present;
                let is_inside = !matches!(moment, Moment::At(_));
                let before = if is_inside && !is_present { held.and(l) } else { held };
                if is_in_window[place(moment)] {
                    best = best.or(r.and(before));
                }
                held = held.and(l);
            }
            if sees_beyond && reach.is_cut {
                best = best.or(possible(held.and(left_beyond).and(right_beyond)));
            }
            best
        })
    }
}
