//! Functions of one number: logarithms, roots, powers.

use super::evaluating::Monitor;
use super::grade::Grade;
use super::pointwise::{Stretch, each_stretch};
use super::value::{Pair, Value, end_of};
use crate::{Bounds, Note, NumberFunction};

/// What a function makes of a number that lies between bounds. Where it may have no value, nothing
/// is known.
pub(super) fn of_bounds(function: NumberFunction, a: Bounds) -> Bounds {
    let least = match function {
        NumberFunction::Exponential => f64::NEG_INFINITY,
        // Itself not included, see below.
        NumberFunction::Logarithm => 0.0,
        NumberFunction::SquareRoot => 0.0,
        NumberFunction::Power(exponent) => match exponent.fract() == 0.0 {
            true => f64::NEG_INFINITY,
            false => 0.0,
        },
    };
    let has_zero = a.low <= 0.0 && a.high >= 0.0;
    let (is_open_at_zero, turns_at_zero) = match function {
        NumberFunction::Logarithm => (true, false),
        NumberFunction::Power(exponent) => {
            (exponent < 0.0, exponent > 0.0 && exponent % 2.0 == 0.0)
        }
        NumberFunction::Exponential | NumberFunction::SquareRoot => (false, false),
    };
    if a.low < least || (has_zero && is_open_at_zero) {
        return Bounds::UNKNOWN;
    }
    let (one, other) = (function.of(a.low), function.of(a.high));
    // The ends may be infinite because the number has no bound there, but not because it is
    // too large.
    let is_too_large = |end: f64, of: f64| !end.is_finite() && of.is_finite();
    if one.is_nan() || other.is_nan() || is_too_large(one, a.low) || is_too_large(other, a.high) {
        return Bounds::UNKNOWN;
    }
    let (low, high) = (one.min(other), one.max(other));
    Bounds { low: if turns_at_zero && has_zero { 0.0 } else { low }, high }
}

/// Whether it surely has no value for a number that lies between bounds.
pub(super) fn has_no_value(function: NumberFunction, a: Bounds) -> bool {
    let is_finite = a.low.is_finite() && a.high.is_finite();
    let surely = a.known().or((is_finite && a.high <= 0.0).then_some(a.high));
    surely.is_some_and(|number| number.is_finite() && !function.of(number).is_finite())
}

impl Value {
    /// A function of it. On a slope the result is not straight; then it is a level pair of bounds
    /// that it stays between.
    fn function(&self, function: NumberFunction) -> Value {
        let of = |bounds| of_bounds(function, bounds);
        if !self.has_slopes() {
            return self.each(self.reach, |[low, high]| of(Bounds { low, high }));
        }
        let mut made = Pair::default();
        let bounds = |[low, high]: [Grade; 2]| Bounds { low: low.value(), high: high.value() };
        let last = each_stretch([&*self.low, &*self.high], end_of(self.reach), |stretch| {
            let Stretch { time, at, after, until, .. } = stretch;
            let lowest = after[0].min(until[0]);
            let hull = of(bounds([lowest, after[1].max(until[1])]));
            made.push(time, of(bounds(at)), hull, hull);
        });
        let Value { low, high, .. } = made.finish(self.reach, of(bounds(last)));
        let beyond = of(self.beyond);
        Value { low, high, beyond, ..self.clone() }
    }
}

impl Monitor<'_> {
    /// A function of a value. Where it has no value, a note says so.
    pub(super) fn function(&mut self, function: NumberFunction, of: &Value) -> Value {
        let bounds = |[low, high]: [Grade; 2]| Bounds { low: low.value(), high: high.value() };
        let mut is_without = false;
        let last = each_stretch([&*of.low, &*of.high], end_of(of.reach), |stretch| {
            let all = [stretch.at, stretch.after, stretch.until];
            is_without |= all.into_iter().any(|grades| has_no_value(function, bounds(grades)));
        });
        if is_without || has_no_value(function, bounds(last)) {
            self.note_without_value(function);
        }
        of.function(function)
    }

    /// Notes that a function has no value somewhere.
    pub(super) fn note_without_value(&mut self, function: NumberFunction) {
        self.notes.insert(Note::WithoutValue(function.without_value().to_string()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FUNCTIONS: [NumberFunction; 10] = [
        NumberFunction::Logarithm,
        NumberFunction::Exponential,
        NumberFunction::SquareRoot,
        NumberFunction::Power(2.0),
        NumberFunction::Power(3.0),
        NumberFunction::Power(0.0),
        NumberFunction::Power(-1.0),
        NumberFunction::Power(-2.0),
        NumberFunction::Power(0.5),
        NumberFunction::Power(-0.5),
    ];

    proptest! {
        /// Whatever the number is, what the function makes of it is between the bounds; and the
        /// bounds are no wider than that.
        #[test]
        fn bounds_hold_what_is_between(
            function in prop::sample::select(&FUNCTIONS[..]),
            low in -4..5_i8,
            width in 0..5_i8,
        ) {
            let a = Bounds { low: f64::from(low), high: f64::from(low + width) };
            let found = of_bounds(function, a);
            let inside = (0..=64).map(|i| a.low + f64::from(i) / 64.0 * (a.high - a.low));
            let zero = Some(0.0).filter(|_| a.low <= 0.0 && a.high >= 0.0);
            let values: Vec<f64> = inside.chain(zero).map(|number| function.of(number)).collect();
            if values.iter().all(|value| value.is_finite()) {
                let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
                let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                prop_assert!((found.low - lowest).abs() < 1e-9, "{:?} {:?}", found, lowest);
                prop_assert!((found.high - highest).abs() < 1e-9, "{:?} {:?}", found, highest);
            } else {
                prop_assert_eq!(found, Bounds::UNKNOWN);
            }
            prop_assert!(!found.low.is_nan() && !found.high.is_nan());
        }
    }

    #[test]
    fn what_has_no_bound_keeps_the_other() {
        let least = Bounds { low: 4.0, high: f64::INFINITY };
        assert_eq!(of_bounds(NumberFunction::SquareRoot, least).low, 2.0);
        assert_eq!(of_bounds(NumberFunction::SquareRoot, least).high, f64::INFINITY);
        let inverse = of_bounds(NumberFunction::Power(-1.0), least);
        assert_eq!(inverse, Bounds { low: 0.0, high: 0.25 });
        for function in FUNCTIONS {
            let of = of_bounds(function, Bounds::UNKNOWN);
            assert!(!of.low.is_nan() && !of.high.is_nan() && of.low <= of.high, "{function:?}");
        }
        assert_eq!(of_bounds(NumberFunction::Exponential, Bounds::exactly(800.0)), Bounds::UNKNOWN);
    }
}
