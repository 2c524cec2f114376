//! Formulas and terms at given moments only.

use super::attributes::{formula_speaks, in_formula, in_term, term_speaks};
use super::evaluating::Monitor;
use super::functions::{has_no_value, of_bounds};
use super::grade::Grade;
use super::interval;
use super::reach::Reach;
use super::truth_over_time::UNKNOWN;
use crate::{Bounds, Formula, Note, Term};
use fathom_record::Events;
use std::array::from_fn;

/// Moments at which something occurs.
#[derive(Clone, Copy)]
pub(super) struct Moments<'a> {
    /// When, in ascending order.
    pub(super) times: &'a [f64],
    /// What occurs, if it has attributes.
    pub(super) events: Option<&'a Events>,
    /// Which occurrence each moment is; none if it has no attributes.
    pub(super) numbers: &'a [usize],
}

/// A number at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    bounds: Bounds,
    is_vacuous: bool,
}

impl Moments<'_> {
    fn attribute(&self, moment: usize, name: &str) -> f64 {
        let values = self.events.and_then(|events| events.attributes().get(name));
        let number = self.numbers.get(moment);
        values
            .zip(number)
            .and_then(|(values, &number)| values.values.get(number))
            .copied()
            .unwrap_or(f64::NAN)
    }

    /// One of them.
    fn only(&self, moment: usize) -> Moments<'_> {
        Moments {
            times: &self.times[moment..=moment],
            events: self.events,
            numbers: self.numbers.get(moment..=moment).unwrap_or(&[]),
        }
    }
}

impl Monitor<'_> {
    /// How a formula holds at moments, in each of the four ways, and its reach. After its reach it
    /// is unknown.
    pub(super) fn formula_at(
        &mut self,
        formula: &Formula,
        moments: &Moments<'_>,
    ) -> (Vec<[Grade; 4]>, Reach) {
        self.terms += 1;
        let sampled = self.speaking_at(formula, moments);
        self.terms -= 1;
        sampled
    }

    fn speaking_at(
        &mut self,
        formula: &Formula,
        moments: &Moments<'_>,
    ) -> (Vec<[Grade; 4]>, Reach) {
        if !formula_speaks(formula) {
            let verdict = self.formula(formula);
            let ways = verdict.ways.map(|way| way.sampled(moments.times));
            let is_after = |time: f64| !verdict.reach.is_timeless && time > verdict.reach.end;
            let sampled = moments.times.iter().enumerate().map(|(moment, &time)| {
                if is_after(time) { UNKNOWN } else { from_fn(|way| ways[way][moment]) }
            });
            return (sampled.collect(), verdict.reach);
        }
        let negated = |[a, b, c, d]: [Grade; 4]| [d, c, b, a].map(Grade::negated);
        match formula {
            Formula::Not(of) => {
                let (of, reach) = self.speaking_at(of, moments);
                (of.into_iter().map(negated).collect(), reach)
            }
            Formula::And(a, b) => self.both_at(a, b, moments, |a, b| pick(a, b, Grade::min)),
            Formula::Or(a, b) => self.both_at(a, b, moments, |a, b| pick(a, b, Grade::max)),
            Formula::Implies(a, b) => {
                self.both_at(a, b, moments, |a, b| pick(negated(a), b, Grade::max))
            }
            Formula::Iff(a, b) => self.both_at(a, b, moments, |a, b| {
                let (one, other) =
                    (pick(negated(a), b, Grade::max), pick(negated(b), a, Grade::max));
                pick(one, other, Grade::min)
            }),
            Formula::Compare(comparison) => {
                let (left, a) = self.term_at(&comparison.left, moments);
                let (right, b) = self.term_at(&comparison.right, moments);
                let compare = |(left, right): (Sample, Sample)| {
                    let (worst, best) =
                        interval::compared(comparison.relation, left.bounds, right.bounds);
                    if left.is_vacuous || right.is_vacuous {
                        [worst, best, worst, best]
                    } else {
                        [worst, worst, best, best]
                    }
                };
                (left.into_iter().zip(right).map(compare).collect(), a.and(b))
            }
            // With operators over time, each moment has a formula of its own.
            _ => self.each_moment(moments, |monitor, moments, attribute| {
                monitor.speaking_at(&in_formula(formula, attribute), moments)
            }),
        }
    }

    fn both_at(
        &mut self,
        a: &Formula,
        b: &Formula,
        moments: &Moments<'_>,
        combine: impl Fn([Grade; 4], [Grade; 4]) -> [Grade; 4],
    ) -> (Vec<[Grade; 4]>, Reach) {
        let (a, reach_a) = self.speaking_at(a, moments);
        let (b, reach_b) = self.speaking_at(b, moments);
        (a.into_iter().zip(b).map(|(a, b)| combine(a, b)).collect(), reach_a.and(reach_b))
    }

    fn each_moment<T>(
        &mut self,
        moments: &Moments<'_>,
        mut f: impl FnMut(&mut Self, &Moments<'_>, &dyn Fn(&str) -> f64) -> (Vec<T>, Reach),
    ) -> (Vec<T>, Reach) {
        let mut sampled = Vec::with_capacity(moments.times.len());
        let mut reach = Reach::EVERYWHERE;
        if moments.times.is_empty() {
            // Only for the reach.
            (_, reach) = f(self, moments, &|_| f64::NAN);
        }
        for moment in 0..moments.times.len() {
            let attribute = |name: &str| moments.attribute(moment, name);
            let (one, of_one) = f(self, &moments.only(moment), &attribute);
            sampled.extend(one);
            reach = reach.and(of_one);
        }
        (sampled, reach)
    }

    fn term_at(&mut self, term: &Term, moments: &Moments<'_>) -> (Vec<Sample>, Reach) {
        if !term_speaks(term) {
            return self.quiet_term_at(term, moments);
        }
        let map = |(samples, reach): (Vec<Sample>, Reach), f: &dyn Fn(Bounds) -> Bounds| {
            let mapped = |sample: Sample| Sample { bounds: f(sample.bounds), ..sample };
            (samples.into_iter().map(mapped).collect(), reach)
        };
        match term {
            Term::Attribute(name) => {
                let is_known =
                    moments.events.is_some_and(|events| events.attributes().contains_key(name));
                if !is_known {
                    self.notes.insert(Note::Missing(name.clone()));
                }
                let sample = |moment: usize| Sample {
                    bounds: interval::exactly(moments.attribute(moment, name)),
                    is_vacuous: false,
                };
                ((0..moments.times.len()).map(sample).collect(), Reach::EVERYWHERE)
            }
            Term::Negate(of) => map(self.term_at(of, moments), &interval::negated),
            Term::Magnitude(of) => map(self.term_at(of, moments), &interval::magnitude),
            Term::Function(function, of) => {
                let of = self.term_at(of, moments);
                if of.0.iter().any(|sample| has_no_value(*function, sample.bounds)) {
                    self.note_without_value(*function);
                }
                map(of, &|bounds| of_bounds(*function, bounds))
            }
            Term::Scale(of, times, divided_by) => {
                let scaled = |bounds| interval::scaled(bounds, *times, *divided_by);
                map(self.term_at(of, moments), &scaled)
            }
            Term::Binary(operator, a, b) => {
                let (a, reach_a) = self.term_at(a, moments);
                let (b, reach_b) = self.term_at(b, moments);
                let combine = |(a, b): (Sample, Sample)| Sample {
                    bounds: interval::combined(*operator, a.bounds, b.bounds),
                    is_vacuous: a.is_vacuous || b.is_vacuous,
                };
                (a.into_iter().zip(b).map(combine).collect(), reach_a.and(reach_b))
            }
            _ => self.each_moment(moments, |monitor, moments, attribute| {
                monitor.quiet_term_at(&in_term(term, attribute), moments)
            }),
        }
    }

    fn quiet_term_at(&mut self, term: &Term, moments: &Moments<'_>) -> (Vec<Sample>, Reach) {
        let value = self.term(term);
        let (low, high) = (value.low.sampled(moments.times), value.high.sampled(moments.times));
        let vacuous = value.vacuous.map(|vacuous| vacuous.sampled(moments.times));
        let samples = moments.times.iter().enumerate().map(|(moment, &time)| {
            let is_after = !value.reach.is_timeless && time > value.reach.end;
            Sample {
                bounds: match is_after {
                    true => Bounds::UNKNOWN,
                    false => Bounds { low: low[moment].value(), high: high[moment].value() },
                },
                is_vacuous: vacuous.as_ref().is_some_and(|vacuous| vacuous[moment].holds()),
            }
        });
        (samples.collect(), value.reach)
    }
}

fn pick(a: [Grade; 4], b: [Grade; 4], f: impl Fn(Grade, Grade) -> Grade) -> [Grade; 4] {
    from_fn(|way| f(a[way], b[way]))
}
