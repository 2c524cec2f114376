//! Whether an execution put a property to the test, or only gave it no occasion to fail.
//!
//! `always (a > 3 -> eventually[0,2] b)` is true where `a > 3` never holds, whatever `b` is: true,
//! and not tested. That is found by asking the property without what it demands. A demand is put
//! in the place of `false`, so that the property is true only where nothing is demanded:
//!
//! | part | without its demands |
//! | --- | --- |
//! | `a and b` | `a'` and `b'`: nothing is demanded if neither demands anything |
//! | `always[w] a` | `always[w] a'`: true also where no window is in the execution |
//! | `a -> b` | `a -> b'` |
//! | anything else | `false` |
//!
//! Implications inside of `or`, `not`, `eventually`, `until` and `P(...)` are not looked at: there
//! a condition that does not hold may be what the user asks for.

use crate::formula::Formula;
use crate::judgement::Truth;
use crate::monitor::judge;
use fathom_record::Observation;

/// What a property demands, and on which conditions.
#[derive(Debug, Clone, PartialEq)]
pub struct Demands {
    /// True where it demands nothing; `None` if it always demands something.
    nothing: Option<Formula>,
    /// By condition: false where the condition holds when it is asked for.
    never: Vec<Formula>,
}

impl Demands {
    /// Those of a property.
    #[must_use]
    pub fn of(formula: &Formula) -> Demands {
        let nothing = Some(without_demands(formula)).filter(|of| *of != Formula::Constant(false));
        Demands { nothing, never: conditions(formula) }
    }

    /// Whether nothing was demanded of this execution, or tuple of them.
    #[must_use]
    pub fn are_none(&self, runs: &[&Observation]) -> bool {
        self.nothing.as_ref().is_some_and(|nothing| judge(nothing, runs).truth == Truth::True)
    }

    /// Of each condition, whether it held in this execution when it was asked for.
    #[must_use]
    pub fn triggered(&self, runs: &[&Observation]) -> Vec<bool> {
        self.never.iter().map(|never| judge(never, runs).truth == Truth::False).collect()
    }
}

fn without_demands(formula: &Formula) -> Formula {
    let is_never = |formula: &Formula| *formula == Formula::Constant(false);
    match formula {
        Formula::Constant(true) => Formula::Constant(true),
        Formula::And(a, b) => {
            let (a, b) = (without_demands(a), without_demands(b));
            if is_never(&a) || is_never(&b) {
                return Formula::Constant(false);
            }
            Formula::And(Box::new(a), Box::new(b))
        }
        Formula::Always(window, of) => Formula::Always(*window, Box::new(without_demands(of))),
        Formula::Implies(condition, of) => {
            Formula::Implies(condition.clone(), Box::new(without_demands(of)))
        }
        _ => Formula::Constant(false),
    }
}

/// Of each condition, the property with nothing but that: in the order of the text.
fn conditions(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::And(a, b) => conditions(a).into_iter().chain(conditions(b)).collect(),
        Formula::Always(window, of) => conditions(of)
            .into_iter()
            .map(|inner| Formula::Always(*window, Box::new(inner)))
            .collect(),
        Formula::Implies(condition, of) => {
            let implies = |then: Formula| Formula::Implies(condition.clone(), Box::new(then));
            std::iter::once(Formula::Constant(false)).chain(conditions(of)).map(implies).collect()
        }
        _ => Vec::new(),
    }
}
