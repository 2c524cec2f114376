//! A verdict: a formula over time, with what is not known of it.

use super::grade::Grade;
use super::pointwise::{higher, lower};
use super::reach::Reach;
use super::trace::Trace;
use crate::Truth;
use std::rc::Rc;

/// How a formula holds over time.
///
/// What is not known is settled in four ways, and the formula is judged in each:
///
/// | way | what nobody saw | what had no occasion (vacuous) |
/// | --- | --- | --- |
/// | 0 | for the worst | for the worst |
/// | 1 | for the worst | for the best |
/// | 2 | for the best | for the worst |
/// | 3 | for the best | for the best |
///
/// Worst and best are meant for the whole, so that a negation exchanges 0 and 3, and 1 and 2. In
/// other words, a formula lies between a lowest value (ways 0 and 1) and a highest (2 and 3); each
/// is false, vacuous or true, in this order: it is vacuous where it is false in the first way of
/// the two and true in the second.
///
/// Ways that agree share one trace, so that what is known costs one.
#[derive(Debug, Clone)]
pub(super) struct TruthOverTime {
    /// In each of the ways.
    pub(super) ways: [Rc<Trace>; 4],
    /// After the end, if the execution was cut and there is anything.
    pub(super) beyond: [Grade; 4],
    /// Up to when.
    pub(super) reach: Reach,
}

/// What is not known and had occasion, in each of the ways.
pub(super) const UNKNOWN: [Grade; 4] = [Grade::FALSE, Grade::FALSE, Grade::TRUE, Grade::TRUE];

/// Whether unknown values count as the best in this way.
pub(super) fn is_best(way: usize) -> bool {
    way >= 2
}

impl TruthOverTime {
    /// The same everywhere.
    pub(super) fn constant(grades: [Grade; 4], reach: Reach) -> TruthOverTime {
        let mut ways = [0; 4].map(|_| Trace::constant(grades[0]));
        for way in 1..4 {
            let same = (0..way).find(|&other| grades[other] == grades[way]);
            ways[way] = match same {
                Some(other) => Rc::clone(&ways[other]),
                None => Trace::constant(grades[way]),
            };
        }
        TruthOverTime { ways, beyond: grades, reach }
    }

    /// The unknown.
    pub(super) fn unknown(reach: Reach) -> TruthOverTime {
        TruthOverTime::constant(UNKNOWN, reach)
    }

    /// What is known up to the end.
    pub(super) fn known(trace: Trace, reach: Reach) -> TruthOverTime {
        let trace = Rc::new(trace);
        let beyond = if reach.is_timeless { [trace.first(); 4] } else { UNKNOWN };
        TruthOverTime { ways: [0; 4].map(|_| Rc::clone(&trace)), beyond, reach }
    }

    /// Each way worked out from the trace and something else that may differ, once for those that
    /// agree in both.
    pub(super) fn each<K: PartialEq>(
        traces: &[Rc<Trace>; 4],
        beside: [K; 4],
        mut f: impl FnMut(&Rc<Trace>, &K) -> Rc<Trace>,
    ) -> [Rc<Trace>; 4] {
        let mut ways = [const { None }; 4];
        for way in 0..4 {
            let agrees = |&other: &usize| {
                Rc::ptr_eq(&traces[other], &traces[way]) && beside[other] == beside[way]
            };
            let made = match (0..way).find(agrees).and_then(|other| ways[other].clone()) {
                Some(made) => made,
                None => f(&traces[way], &beside[way]),
            };
            ways[way] = Some(made);
        }
        ways.map(|way| way.unwrap_or_else(|| Trace::constant(Grade::FALSE)))
    }

    /// Two sets of traces worked into one, once for the ways that agree in both.
    pub(super) fn each_pair<K: PartialEq>(
        a: &[Rc<Trace>; 4],
        b: &[Rc<Trace>; 4],
        beside: [K; 4],
        mut f: impl FnMut(&Rc<Trace>, &Rc<Trace>, &K) -> Rc<Trace>,
    ) -> [Rc<Trace>; 4] {
        let mut way = 0;
        let beside = beside.map(|beside| {
            way += 1;
            (beside, ByAddress(&b[way - 1]))
        });
        TruthOverTime::each(a, beside, |a, (beside, b)| f(a, b.0, beside))
    }

    /// The contrary.
    pub(super) fn negated(&self) -> TruthOverTime {
        let [a, b, c, d] = &self.ways;
        let turned = [d, c, b, a].map(Rc::clone);
        let ways = TruthOverTime::each(&turned, [(); 4], |trace, ()| Rc::new(trace.negated()));
        let [a, b, c, d] = self.beyond;
        TruthOverTime { ways, beyond: [d, c, b, a].map(Grade::negated), reach: self.reach }
    }

    /// Both.
    pub(super) fn and(&self, other: &TruthOverTime) -> TruthOverTime {
        self.combined(other, lower, Grade::min)
    }

    /// At least one.
    pub(super) fn or(&self, other: &TruthOverTime) -> TruthOverTime {
        self.combined(other, higher, Grade::max)
    }

    fn combined(
        &self,
        other: &TruthOverTime,
        trace: impl Fn(&Rc<Trace>, &Rc<Trace>) -> Rc<Trace>,
        grade: impl Fn(Grade, Grade) -> Grade,
    ) -> TruthOverTime {
        let reach = self.reach.and(other.reach);
        let (a, b) = (self.within(reach), other.within(reach));
        let ways = TruthOverTime::each_pair(&a.ways, &b.ways, [(); 4], |a, b, ()| trace(a, b));
        let beyond = std::array::from_fn(|way| grade(a.beyond[way], b.beyond[way]));
        TruthOverTime { ways, beyond, reach }
    }

    /// The part of it in a reach that is no longer.
    pub(super) fn within(&self, reach: Reach) -> TruthOverTime {
        if self.reach.is_timeless || self.reach.end <= reach.end {
            return TruthOverTime { reach, ..self.clone() };
        }
        let ways = TruthOverTime::each(&self.ways, [(); 4], |trace, ()| trace.clipped(reach.end));
        TruthOverTime { ways, beyond: UNKNOWN, reach }
    }

    /// Whether it holds at the beginning.
    pub(super) fn truth(&self) -> Truth {
        truth([0, 1, 2, 3].map(|way| self.ways[way].first().holds()))
    }
}

/// What truth in each of the ways amounts to. What is vacuous at worst counts as vacuous.
fn truth(holds: [bool; 4]) -> Truth {
    match holds {
        [true, ..] => Truth::True,
        [_, _, _, false] => Truth::False,
        [_, true, ..] => Truth::Vacuous,
        _ => Truth::Unknown,
    }
}

/// A trace that equals itself only.
struct ByAddress<'a>(&'a Rc<Trace>);

impl PartialEq for ByAddress<'_> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(self.0, other.0)
    }
}
