//! The naive evaluator's numbers: between which bounds they lie, and how these compare.

use fathom_property::{Aggregate, Arithmetic, NumberFunction, Relation};

/// A number at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) is_vacuous: bool,
}

pub(crate) const MISSING: Number =
    Number { low: f64::NEG_INFINITY, high: f64::INFINITY, is_vacuous: false };

pub(crate) fn exactly(value: f64) -> Number {
    if value.is_finite() { Number { low: value, high: value, is_vacuous: false } } else { MISSING }
}

pub(crate) fn vacuous() -> Number {
    Number { is_vacuous: true, ..MISSING }
}

pub(crate) fn negated(a: Number) -> Number {
    Number { low: -a.high, high: -a.low, ..a }
}

pub(crate) fn combined(operator: Arithmetic, a: Number, b: Number) -> Number {
    let is_vacuous = a.is_vacuous || b.is_vacuous;
    let corners = |f: fn(f64, f64) -> f64| {
        let all = [f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)];
        (
            all.iter().copied().fold(f64::INFINITY, f64::min),
            all.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        )
    };
    let (low, high) = match operator {
        Arithmetic::Add => (a.low + b.low, a.high + b.high),
        Arithmetic::Subtract => (a.low - b.high, a.high - b.low),
        Arithmetic::Smaller => (a.low.min(b.low), a.high.min(b.high)),
        Arithmetic::Larger => (a.low.max(b.low), a.high.max(b.high)),
        Arithmetic::Multiply => corners(|x, y| if x == 0.0 || y == 0.0 { 0.0 } else { x * y }),
        Arithmetic::Divide if b.low <= 0.0 && b.high >= 0.0 => (MISSING.low, MISSING.high),
        Arithmetic::Divide => corners(|x, y| if y.is_infinite() { 0.0 } else { x / y }),
    };
    Number { low, high, is_vacuous }
}

/// A function of a number between bounds, from its values at the bounds and at 0.
pub(crate) fn function(function: NumberFunction, a: Number) -> Number {
    let has_value = |number: f64| match function {
        NumberFunction::Logarithm => number > 0.0,
        NumberFunction::SquareRoot => number >= 0.0,
        NumberFunction::Exponential => true,
        NumberFunction::Power(exponent) => {
            (number >= 0.0 || exponent.fract() == 0.0) && (number != 0.0 || exponent >= 0.0)
        }
    };
    let zero = Some(0.0).filter(|_| a.low <= 0.0 && a.high >= 0.0);
    let ends: Vec<f64> = [a.low, a.high].into_iter().chain(zero).collect();
    let values: Vec<f64> = ends.iter().map(|&end| function.of(end)).collect();
    let is_finite =
        ends.iter().zip(&values).all(|(end, value)| end.is_infinite() || value.is_finite());
    if !is_finite || !ends.iter().all(|&end| has_value(end)) {
        return Number { is_vacuous: a.is_vacuous, ..MISSING };
    }
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    Number { low, high: values.into_iter().fold(f64::NEG_INFINITY, f64::max), ..a }
}

pub(crate) fn summarised(summary: Aggregate, values: &[(f64, bool)], is_open: bool) -> Number {
    if summary == Aggregate::GeometricMean {
        let logarithm = |value: f64| if value > 0.0 { value.ln() } else { f64::NAN };
        let values: Vec<(f64, bool)> =
            values.iter().map(|&(v, sure)| (logarithm(v), sure)).collect();
        return function(
            NumberFunction::Exponential,
            summarised(Aggregate::Mean, &values, is_open),
        );
    }
    if values.is_empty() && !is_open {
        return if summary == Aggregate::Sum { exactly(0.0) } else { vacuous() };
    }
    let is_unsure = values.iter().any(|(value, is_sure)| value.is_nan() || !is_sure);
    let sure = values.iter().filter(|(value, is_sure)| *is_sure && !value.is_nan());
    let sure: Vec<f64> = sure.map(|(value, _)| *value).collect();
    let has_sure = values.iter().any(|(_, is_sure)| *is_sure);
    let has_gap = is_open || !has_sure || values.iter().any(|(value, _)| value.is_nan());
    let all = values.iter().map(|(value, _)| *value);
    let infinity = f64::INFINITY;
    let sum: f64 = sure.iter().sum();
    match summary {
        Aggregate::Greatest => Number {
            low: sure.iter().copied().fold(-infinity, f64::max),
            high: if has_gap { infinity } else { all.fold(-infinity, f64::max) },
            is_vacuous: false,
        },
        Aggregate::Least => Number {
            low: if has_gap { -infinity } else { all.fold(infinity, f64::min) },
            high: sure.iter().copied().fold(infinity, f64::min),
            is_vacuous: false,
        },
        _ if is_open || is_unsure => MISSING,
        Aggregate::Sum => exactly(sum),
        Aggregate::Mean | Aggregate::GeometricMean => exactly(sum / sure.len() as f64),
        Aggregate::Percentile(percentage) => {
            let mut sorted = sure.clone();
            sorted.sort_by(f64::total_cmp);
            let rank = (percentage * sorted.len() as f64 / 100.0).ceil().max(1.0) as usize;
            exactly(sorted[rank - 1])
        }
    }
}

/// Whether a relation holds for all numbers between the bounds, for some, or for none.
pub(crate) fn level(relation: Relation, a: Number, b: Number) -> (u8, u8) {
    let is_exact = a.low == a.high && b.low == b.high;
    let meets = a.low <= b.high && b.low <= a.high;
    let (always, ever) = match relation {
        Relation::Less => (a.high < b.low, a.low < b.high),
        Relation::AtMost => (a.high <= b.low, a.low <= b.high),
        Relation::Greater => (a.low > b.high, a.high > b.low),
        Relation::AtLeast => (a.low >= b.high, a.high >= b.low),
        Relation::Equal => (is_exact && a.low == b.low, meets),
        Relation::Unequal => (!meets, !(is_exact && a.low == b.low)),
    };
    match (always, ever) {
        (true, _) => (2, 2),
        (_, false) => (0, 0),
        _ if a.is_vacuous || b.is_vacuous => (1, 1),
        _ => (0, 2),
    }
}

pub(crate) fn robustness(relation: Relation, a: Number, b: Number) -> (f64, f64) {
    let least = a.low - b.high;
    let most = a.high - b.low;
    let furthest = least.abs().max(most.abs());
    let nearest = if least <= 0.0 && most >= 0.0 { 0.0 } else { least.abs().min(most.abs()) };
    match relation {
        Relation::Greater | Relation::AtLeast => (least, most),
        Relation::Less | Relation::AtMost => (-most, -least),
        Relation::Equal => (-furthest, -nearest),
        Relation::Unequal => (nearest, furthest),
    }
}
