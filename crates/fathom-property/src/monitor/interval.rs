//! Arithmetic with numbers known only by bounds.
//!
//! What cannot be said, as 0/0 or a result too large for a number, is unknown.

use super::grade::Grade;
use crate::{Arithmetic, Bounds, Relation};

/// Bounds, or that nothing is known if they are none.
fn sound(low: f64, high: f64) -> Bounds {
    let is_sound = low <= high && low < f64::INFINITY && high > f64::NEG_INFINITY;
    if is_sound { Bounds { low, high } } else { Bounds::UNKNOWN }
}

/// A number, or that it is missing.
pub(super) fn exactly(value: f64) -> Bounds {
    if value.is_finite() { Bounds::exactly(value) } else { Bounds::UNKNOWN }
}

/// Two values combined.
pub(super) fn combined(operator: Arithmetic, a: Bounds, b: Bounds) -> Bounds {
    match operator {
        Arithmetic::Add => sound(a.low + b.low, a.high + b.high),
        Arithmetic::Subtract => sound(a.low - b.high, a.high - b.low),
        Arithmetic::Multiply => {
            // An unbounded factor times 0 is 0.
            hull(a, b, |x, y| if x == 0.0 || y == 0.0 { 0.0 } else { x * y })
        }
        Arithmetic::Divide if b.low <= 0.0 && b.high >= 0.0 => Bounds::UNKNOWN,
        Arithmetic::Divide => hull(a, b, |x, y| if y.is_infinite() { 0.0 } else { x / y }),
        Arithmetic::Smaller => sound(a.low.min(b.low), a.high.min(b.high)),
        Arithmetic::Larger => sound(a.low.max(b.low), a.high.max(b.high)),
    }
}

/// Two known numbers combined; not finite where that is not possible.
#[inline]
pub(super) fn combined_exactly(operator: Arithmetic, a: f64, b: f64) -> f64 {
    match operator {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
        Arithmetic::Smaller => a.min(b),
        Arithmetic::Larger => a.max(b),
    }
}

fn hull(a: Bounds, b: Bounds, f: impl Fn(f64, f64) -> f64) -> Bounds {
    let corners = [f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)];
    if corners.iter().any(|corner| corner.is_nan()) {
        return Bounds::UNKNOWN;
    }
    let low = corners.into_iter().fold(f64::INFINITY, f64::min);
    let high = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
    sound(low, high)
}

/// The negative.
pub(super) fn negated(a: Bounds) -> Bounds {
    Bounds { low: -a.high, high: -a.low }
}

/// The magnitude.
pub(super) fn magnitude(a: Bounds) -> Bounds {
    Bounds { low: a.low.max(-a.high).max(0.0), high: a.high.max(-a.low) }
}

/// Times the first number, divided by the second.
pub(super) fn scaled(a: Bounds, times: f64, divided_by: f64) -> Bounds {
    // Nothing times 0 is anything but 0, even if it has no bound.
    let scale = |value: f64| if times == 0.0 { times } else { value * times } / divided_by;
    let (low, high) = (scale(a.low), scale(a.high));
    if (times < 0.0) == (divided_by < 0.0) { sound(low, high) } else { sound(high, low) }
}

/// How a known number compares with another.
#[inline]
pub(super) fn graded(relation: Relation, a: f64, b: f64) -> Grade {
    match relation {
        Relation::Greater => grade(a - b, Grade::JUST_FALSE),
        Relation::AtLeast => grade(a - b, Grade::JUST_TRUE),
        Relation::Less => grade(b - a, Grade::JUST_FALSE),
        Relation::AtMost => grade(b - a, Grade::JUST_TRUE),
        Relation::Equal => grade(-(a - b).abs(), Grade::JUST_TRUE),
        Relation::Unequal => grade((a - b).abs(), Grade::JUST_FALSE),
    }
}

/// The grade of a margin; `at_zero` if there is none.
#[inline]
pub(super) fn grade(margin: f64, at_zero: Grade) -> Grade {
    if margin == 0.0 { at_zero } else { Grade::of(margin) }
}

/// How a value compares with another, at worst and at best.
pub(super) fn compared(relation: Relation, a: Bounds, b: Bounds) -> (Grade, Grade) {
    let margin = |a, b| combined(Arithmetic::Subtract, a, b);
    let graded =
        |margin: Bounds, at_zero| (grade(margin.low, at_zero), grade(margin.high, at_zero));
    match relation {
        Relation::Greater => graded(margin(a, b), Grade::JUST_FALSE),
        Relation::AtLeast => graded(margin(a, b), Grade::JUST_TRUE),
        Relation::Less => graded(margin(b, a), Grade::JUST_FALSE),
        Relation::AtMost => graded(margin(b, a), Grade::JUST_TRUE),
        Relation::Equal => graded(negated(magnitude(margin(a, b))), Grade::JUST_TRUE),
        Relation::Unequal => graded(magnitude(margin(a, b)), Grade::JUST_FALSE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;

    fn bounds(low: f64, high: f64) -> Bounds {
        Bounds { low, high }
    }

    #[test]
    fn what_cannot_be_said_is_unknown() {
        let zero = Bounds::exactly(0.0);
        let one = Bounds::exactly(1.0);
        let large = Bounds::exactly(1e300);
        assert_eq!(combined(Arithmetic::Divide, zero, zero), Bounds::UNKNOWN);
        assert_eq!(combined(Arithmetic::Divide, one, zero), Bounds::UNKNOWN);
        assert_eq!(combined(Arithmetic::Multiply, large, large), Bounds::UNKNOWN);
        assert_eq!(combined(Arithmetic::Multiply, zero, Bounds::UNKNOWN), zero);
        assert_eq!(combined(Arithmetic::Add, one, Bounds::UNKNOWN), Bounds::UNKNOWN);
        assert_eq!(scaled(one, 1.0, 0.0), Bounds::UNKNOWN);
    }

    #[test]
    fn bounds_go_through() {
        let at_least = bounds(4.0, INF);
        let ten = Bounds::exactly(10.0);
        assert_eq!(combined(Arithmetic::Divide, ten, at_least), bounds(0.0, 2.5));
        assert_eq!(combined(Arithmetic::Divide, at_least, ten), bounds(0.4, INF));
        assert_eq!(combined(Arithmetic::Subtract, ten, at_least), bounds(-INF, 6.0));
        assert_eq!(combined(Arithmetic::Smaller, ten, at_least), bounds(4.0, 10.0));
        assert_eq!(magnitude(bounds(-3.0, 2.0)), bounds(0.0, 3.0));
        assert_eq!(scaled(at_least, -1000.0, 1.0), bounds(-INF, -4000.0));
        let (low, high) = compared(Relation::Greater, at_least, Bounds::exactly(4.0));
        assert_eq!((low, high), (Grade::JUST_FALSE, Grade::TRUE));
    }
}
