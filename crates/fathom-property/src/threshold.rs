//! The number that a property compares with, where there is one.

use crate::formula::{Arithmetic, Formula, NumberComparison, Relation, Term};
use crate::{Bounds, Truth};

/// The only number that a property compares something with: 1.1 s in `runtime < 1.1 s`, 10 in
/// `G (queue <= 10)`.
///
/// A property that is otherwise the same, with another threshold, has a margin that differs by as
/// much, so that executions need not be judged again.
#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    /// The number.
    pub value: f64,
    /// What it is in; empty for a pure number.
    pub unit: String,
    /// Whether what is compared has to stay below it, or above.
    pub side: ThresholdSide,
}

/// On which side of a threshold the property is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThresholdSide {
    /// True below.
    Below,
    /// True above.
    Above,
}

impl Threshold {
    /// Of a formula. `None` if it compares several things, or asks for equality.
    #[must_use]
    pub fn of(formula: &Formula) -> Option<Threshold> {
        match formula {
            Formula::Compare(comparison) => of_comparison(comparison),
            Formula::Always(_, of) | Formula::Eventually(_, of) => Threshold::of(of),
            Formula::Not(of) => {
                let inside = Threshold::of(of)?;
                Some(Threshold { side: inside.side.other(), ..inside })
            }
            _ => None,
        }
    }

    /// Between which numbers an execution's own value lies, the one that its margin is from.
    #[must_use]
    pub fn value_of(&self, robustness: Bounds) -> Bounds {
        match self.side {
            ThresholdSide::Below => {
                Bounds { low: self.value - robustness.high, high: self.value - robustness.low }
            }
            ThresholdSide::Above => {
                Bounds { low: self.value + robustness.low, high: self.value + robustness.high }
            }
        }
    }

    /// The same for an execution that was judged: one that is undecided may have any value.
    #[must_use]
    pub fn value_of_judged(&self, truth: Truth, robustness: Bounds) -> Option<Bounds> {
        match truth {
            Truth::True | Truth::False | Truth::Unknown => Some(self.value_of(robustness)),
            Truth::Vacuous => None,
        }
    }
}

impl ThresholdSide {
    fn other(self) -> ThresholdSide {
        match self {
            ThresholdSide::Below => ThresholdSide::Above,
            ThresholdSide::Above => ThresholdSide::Below,
        }
    }
}

fn of_comparison(comparison: &NumberComparison) -> Option<Threshold> {
    let (value, is_right) = match (constant(&comparison.left), constant(&comparison.right)) {
        (None, Some(value)) => (value, true),
        (Some(value), None) => (value, false),
        _ => return None,
    };
    let side = match comparison.relation {
        Relation::Less | Relation::AtMost => ThresholdSide::Below,
        Relation::Greater | Relation::AtLeast => ThresholdSide::Above,
        Relation::Equal | Relation::Unequal => return None,
    };
    let side = if is_right { side } else { side.other() };
    value.is_finite().then(|| Threshold { value, unit: comparison.unit.clone(), side })
}

/// The number that a term is everywhere.
fn constant(term: &Term) -> Option<f64> {
    Some(match term {
        Term::Number(number) => *number,
        Term::Negate(of) => -constant(of)?,
        Term::Magnitude(of) => constant(of)?.abs(),
        Term::Function(function, of) => function.of(constant(of)?),
        Term::Scale(of, by, divided) => constant(of)? * by / divided,
        Term::Binary(how, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            match how {
                Arithmetic::Add => a + b,
                Arithmetic::Subtract => a - b,
                Arithmetic::Multiply => a * b,
                Arithmetic::Divide => a / b,
                Arithmetic::Smaller => a.min(b),
                Arithmetic::Larger => a.max(b),
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Property, judge};
    use fathom_record::{Observation, Scalar, Shape, Signal, TimeUnit, Unit};

    fn seen() -> Observation {
        let mut seen = Observation::new();
        let seconds = Unit::Time(TimeUnit::Seconds);
        seen.set_scalar("runtime", Scalar::new(0.9, seconds)).unwrap();
        let (times, values) = (vec![0.0, 1.0, 2.0], vec![3.0, 7.0, 5.0]);
        let queue = Signal::new(Unit::Unknown, Shape::Step, times, values).unwrap();
        seen.set_signal("queue", queue).unwrap();
        seen
    }

    /// The threshold, and the value of the execution that follows from its margin.
    fn of(text: &str) -> Option<(f64, ThresholdSide, f64)> {
        let seen = seen();
        let property = Property::parse(text).unwrap();
        let resolved = property.resolve(&[(String::new(), Catalogue::of(&seen))]).unwrap();
        let threshold = Threshold::of(&resolved.formula)?;
        let judged = judge(&resolved.formula, &[&seen]);
        let value = threshold.value_of(judged.robustness).known().unwrap();
        Some((threshold.value, threshold.side, value))
    }

    #[test]
    fn the_value_follows_from_the_margin() {
        use ThresholdSide::{Above, Below};
        let (value, side, own) = of("runtime < 1.1 s").unwrap();
        assert_eq!((value, side), (1.1, Below));
        assert!((own - 0.9).abs() < 1e-12);
        assert_eq!(of("G (queue <= 10)"), Some((10.0, Below, 7.0)));
        assert_eq!(of("not F (queue > 10)"), Some((10.0, Below, 7.0)));
        assert_eq!(of("F (queue > 6)"), Some((6.0, Above, 7.0)));
        assert_eq!(of("4 < max(queue)"), Some((4.0, Above, 7.0)));
        assert_eq!(of("max(queue) < 2 * 5"), Some((10.0, Below, 7.0)));
    }

    #[test]
    fn several_comparisons_have_no_threshold() {
        for text in
            ["runtime < 1 s and max(queue) < 9", "max(queue) > min(queue)", "runtime == 1 s"]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
