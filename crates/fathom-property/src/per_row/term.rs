//! Numbers and conditions of one row.

use super::common_rows::CommonRows;
use crate::formula::{Arithmetic, Relation};

/// A number in each row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RowTerm {
    /// Everywhere the same.
    Number(f64),
    /// What the leaf of this number reads.
    Leaf(usize),
    /// With the other sign.
    Negate(Box<RowTerm>),
    /// A function of one number.
    Function(RowFunction, Box<RowTerm>),
    /// Times the first number, divided by the second.
    Scale(Box<RowTerm>, f64, f64),
    /// Divided by the row's length in seconds this often; multiplied if below 0.
    PerSecond(Box<RowTerm>, i32),
    /// Two numbers.
    Binary(Arithmetic, Box<RowTerm>, Box<RowTerm>),
}

/// A function of one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RowFunction {
    Magnitude,
    SquareRoot,
    Logarithm,
    Power(f64),
}

/// Something that is true, false or unknown in each row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RowFormula {
    Constant(bool),
    /// Not 0.
    State(RowTerm),
    Compare(RowTerm, Relation, RowTerm),
    Not(Box<RowFormula>),
    And(Box<RowFormula>, Box<RowFormula>),
    Or(Box<RowFormula>, Box<RowFormula>),
    Iff(Box<RowFormula>, Box<RowFormula>),
}

impl RowTerm {
    /// Its value in a row; `None` if something that it needs is missing, or the value does not exist.
    pub(super) fn value(&self, rows: &CommonRows, row: usize) -> Option<f64> {
        let value = match self {
            RowTerm::Number(number) => *number,
            RowTerm::Leaf(leaf) => rows.leaf(*leaf, row)?,
            RowTerm::Negate(of) => -of.value(rows, row)?,
            RowTerm::Function(function, of) => function.of(of.value(rows, row)?),
            RowTerm::Scale(of, times, over) => of.value(rows, row)? * times / over,
            RowTerm::PerSecond(of, often) => of.value(rows, row)? / rows.seconds(row)?.powi(*often),
            RowTerm::Binary(arithmetic, left, right) => {
                let (left, right) = (left.value(rows, row)?, right.value(rows, row)?);
                match arithmetic {
                    Arithmetic::Add => left + right,
                    Arithmetic::Subtract => left - right,
                    Arithmetic::Multiply => left * right,
                    Arithmetic::Divide => left / right,
                    Arithmetic::Smaller => left.min(right),
                    Arithmetic::Larger => left.max(right),
                }
            }
        };
        // A quotient by 0 and the root of a negative number do not exist.
        value.is_finite().then_some(value)
    }
}

impl RowFunction {
    fn of(self, value: f64) -> f64 {
        match self {
            RowFunction::Magnitude => value.abs(),
            RowFunction::SquareRoot => value.sqrt(),
            RowFunction::Logarithm => value.ln(),
            RowFunction::Power(exponent) => value.powf(exponent),
        }
    }
}

impl RowFormula {
    /// Whether it holds in a row; `None` if that depends on something that is missing.
    pub(super) fn truth(&self, rows: &CommonRows, row: usize) -> Option<bool> {
        match self {
            RowFormula::Constant(truth) => Some(*truth),
            RowFormula::State(term) => Some(term.value(rows, row)? != 0.0),
            RowFormula::Compare(left, relation, right) => {
                let (left, right) = (left.value(rows, row)?, right.value(rows, row)?);
                Some(match relation {
                    Relation::Less => left < right,
                    Relation::AtMost => left <= right,
                    Relation::Greater => left > right,
                    Relation::AtLeast => left >= right,
                    Relation::Equal => left == right,
                    Relation::Unequal => left != right,
                })
            }
            RowFormula::Not(of) => of.truth(rows, row).map(|truth| !truth),
            RowFormula::And(left, right) => match (left.truth(rows, row), right.truth(rows, row)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (left, right) => Some(left? && right?),
            },
            RowFormula::Or(left, right) => match (left.truth(rows, row), right.truth(rows, row)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (left, right) => Some(left? || right?),
            },
            RowFormula::Iff(left, right) => Some(left.truth(rows, row)? == right.truth(rows, row)?),
        }
    }
}
