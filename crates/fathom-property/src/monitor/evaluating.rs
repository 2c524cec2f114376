//! Formulas over time.

use super::comparing::compare;
use super::grade::Grade;
use super::reach::{Reach, has_present, is_empty};
use super::sliding::{Largest, Smallest, slide};
use super::trace::{Builder, Trace};
use super::truth_over_time::{TruthOverTime, UNKNOWN, is_best};
use super::until::{Beyond, rise, until_in};
use super::value::Value;
use crate::{
    Bounds, Decider, Edge, Formula, Note, NumberComparison, QualifiedName, Relation, Window,
};
use fathom_record::Observation;
use std::array::from_fn;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Judges formulas on executions, and keeps what a user should know.
pub(super) struct Monitor<'a> {
    /// The executions.
    pub(super) runs: &'a [&'a Observation],
    /// What a user should know.
    pub(super) notes: BTreeSet<Note>,
    /// The comparisons that the whole is made of, as they turned out.
    pub(super) leaves: Vec<Leaf>,
    /// How many terms the present formula is inside of: comparisons in there decide on numbers,
    /// and their robustness never comes out.
    pub(super) terms: usize,
}

/// A comparison over time.
pub(super) struct Leaf {
    /// Which.
    pub(super) decider: Decider,
    /// At worst, and at best.
    pub(super) grades: [Rc<Trace>; 2],
}

impl<'a> Monitor<'a> {
    /// For these executions.
    pub(super) fn new(runs: &'a [&'a Observation]) -> Monitor<'a> {
        Monitor { runs, notes: BTreeSet::new(), leaves: Vec::new(), terms: 0 }
    }

    /// How a formula holds over time.
    pub(super) fn formula(&mut self, formula: &Formula) -> TruthOverTime {
        match formula {
            Formula::Constant(is_true) => {
                TruthOverTime::constant([Grade::certain(*is_true); 4], Reach::EVERYWHERE)
            }
            Formula::Compare(comparison) => self.comparison(comparison),
            Formula::State(source) => self.state(source),
            Formula::Event(source) => self.event(source),
            Formula::Edge(edge, of) => self.edge(*edge, of),
            Formula::Not(of) => self.formula(of).negated(),
            Formula::And(a, b) => self.formula(a).and(&self.formula(b)),
            Formula::Or(a, b) => self.formula(a).or(&self.formula(b)),
            Formula::Implies(a, b) => self.formula(a).negated().or(&self.formula(b)),
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                a.negated().or(&b).and(&b.negated().or(&a))
            }
            Formula::Always(window, of) => {
                let of = self.formula(of);
                self.always(window, &of)
            }
            Formula::Eventually(window, of) => {
                let of = self.formula(of);
                self.eventually(window, &of)
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
                strong.or(&self.always(&whole, &left))
            }
        }
    }

    fn comparison(&mut self, comparison: &NumberComparison) -> TruthOverTime {
        let (left, right) = (self.term(&comparison.left), self.term(&comparison.right));
        let verdict = compare(&left, comparison.relation, &right);
        if self.terms == 0 {
            let (unit, span) = (comparison.unit.clone(), comparison.span.clone());
            let decider = Decider { unit, span, at: None };
            let [worst, .., best] = &verdict.ways;
            self.leaves.push(Leaf { decider, grades: [Rc::clone(worst), Rc::clone(best)] });
        }
        verdict
    }

    fn state(&mut self, source: &QualifiedName) -> TruthOverTime {
        let zero = Value::constant(Bounds::exactly(0.0), Reach::EVERYWHERE);
        let verdict = compare(&self.metric(source), Relation::Unequal, &zero);
        let certain = |grade: Grade| Grade::certain(grade.holds());
        let ways = TruthOverTime::each(&verdict.ways, [(); 4], |trace, ()| {
            Rc::new(Trace { until: None, ..trace.map(certain) })
        });
        TruthOverTime { ways, beyond: verdict.beyond.map(certain), reach: verdict.reach }
    }

    fn event(&mut self, source: &QualifiedName) -> TruthOverTime {
        let Some(run) = self.run(source) else { return TruthOverTime::unknown(Reach::EVERYWHERE) };
        let reach = Reach::of(run);
        let Some(events) = run.events().get(&source.name) else {
            self.missing(source);
            return TruthOverTime::unknown(reach);
        };
        TruthOverTime::known(instants(events.times(), reach.end), reach)
    }

    /// Where a formula becomes true, or false.
    pub(super) fn edge(&mut self, edge: Edge, of: &Formula) -> TruthOverTime {
        let of = self.formula(of);
        let (then, not_before) = match edge {
            Edge::Rise => (of.clone(), of.negated()),
            Edge::Fall => (of.negated(), of),
        };
        let reach = self.settled(then.reach).varying();
        // What comes after the end may not come at all.
        let beyond = from_fn(|way| match reach.is_cut && is_best(way) {
            true => then.beyond[way],
            false => Grade::FALSE,
        });
        let ways =
            TruthOverTime::each_pair(&not_before.ways, &then.ways, beyond, |not, then, beyond| {
                Rc::new(rise(not, then, reach.end, *beyond))
            });
        TruthOverTime { ways, beyond: UNKNOWN, reach }
    }

    fn always(&mut self, window: &Window, of: &TruthOverTime) -> TruthOverTime {
        let reach = self.in_window(window, of.reach);
        // If nothing comes after the end, nothing contradicts.
        let beyond = from_fn(|way| (reach.is_cut && !is_best(way)).then(|| of.beyond[way]));
        let ways = TruthOverTime::each(&of.ways, beyond, |trace, beyond| {
            slide::<Smallest>(trace, window, reach.end, *beyond)
        });
        let beyond = from_fn(|way| match (is_best(way), has_present(window)) {
            _ if is_empty(window) => Grade::TRUE,
            _ if window.from < 0.0 => UNKNOWN[way],
            (true, false) => Grade::TRUE,
            _ => of.beyond[way],
        });
        TruthOverTime { ways, beyond, reach }
    }

    fn eventually(&mut self, window: &Window, of: &TruthOverTime) -> TruthOverTime {
        let reach = self.in_window(window, of.reach);
        // If nothing comes after the end, nothing comes true.
        let beyond = from_fn(|way| (reach.is_cut && is_best(way)).then(|| of.beyond[way]));
        let ways = TruthOverTime::each(&of.ways, beyond, |trace, beyond| {
            slide::<Largest>(trace, window, reach.end, *beyond)
        });
        let beyond = from_fn(|way| match (is_best(way), has_present(window)) {
            _ if is_empty(window) => Grade::FALSE,
            _ if window.from < 0.0 => UNKNOWN[way],
            (false, false) => Grade::FALSE,
            _ => of.beyond[way],
        });
        TruthOverTime { ways, beyond, reach }
    }

    fn until(
        &mut self,
        left: &TruthOverTime,
        right: &TruthOverTime,
        window: &Window,
    ) -> TruthOverTime {
        let both = left.reach.and(right.reach);
        let reach = self.in_window(window, both);
        let (left, right) = (left.within(reach), right.within(reach));
        let beyond = from_fn(|way| {
            let beyond = || Beyond { left: left.beyond[way], right: right.beyond[way] };
            (reach.is_cut && is_best(way)).then(beyond)
        });
        let ways =
            TruthOverTime::each_pair(&left.ways, &right.ways, beyond, |left, right, beyond| {
                until_in(left, right, window, reach.end, *beyond)
            });
        let beyond = from_fn(|way| match (is_best(way), has_present(window)) {
            _ if is_empty(window) => Grade::FALSE,
            (false, false) => Grade::FALSE,
            _ => right.beyond[way],
        });
        TruthOverTime { ways, beyond, reach }
    }

    /// The reach of something about a window.
    pub(super) fn in_window(&mut self, window: &Window, reach: Reach) -> Reach {
        let reach = self.settled(reach).varying();
        if reach.leaves_empty(window) {
            self.notes.insert(Note::EmptyWindow);
        }
        reach
    }

    /// A reach with an end: what belongs to no execution belongs to all.
    pub(super) fn settled(&self, reach: Reach) -> Reach {
        if reach.end.is_finite() {
            return reach;
        }
        let runs = self.runs.iter().map(|run| Reach::of(run));
        let shortest = runs.reduce(Reach::shorter);
        let instant = Reach { end: 0.0, is_cut: false, is_timeless: true };
        Reach { is_timeless: reach.is_timeless, ..shortest.unwrap_or(instant) }
    }

    /// The execution that something is of.
    pub(super) fn run(&mut self, source: &QualifiedName) -> Option<&'a Observation> {
        let run = self.runs.get(source.run).copied();
        if run.is_none() {
            self.missing(source);
        }
        run
    }

    /// Notes that something is missing.
    pub(super) fn missing(&mut self, source: &QualifiedName) {
        self.notes.insert(Note::Missing(source.name.clone()));
    }
}

/// True at some instants, which do not go back, and false elsewhere.
pub(super) fn instants(times: &[f64], end: f64) -> Trace {
    let mut made = Builder::with_capacity(times.len() + 2);
    if times.first() != Some(&0.0) && end > 0.0 {
        made.step(0.0, Grade::FALSE, Grade::FALSE);
    }
    let mut last = f64::NEG_INFINITY;
    for &time in times.iter().filter(|&&time| time < end) {
        if time > last {
            made.step(time, Grade::TRUE, Grade::FALSE);
        }
        last = time;
    }
    made.finish(end, Grade::certain(times.last() == Some(&end)))
}
