//! Functions of one number: logarithms, roots, powers; and the geometric mean of several.

use super::super::error::PropertyError;
use super::super::measure::Measure;
use super::super::text_span::TextSpan;
use super::super::tree::{Argument, Node};
use super::super::value::{Quantity, Value};
use super::Checker;
use super::aggregate::Call;
use crate::formula::{Arithmetic, NumberFunction, Term};

/// A unit may be multiplied with itself this often, without being brought to base units first.
const MOST_FACTORS: f64 = 8.0;

impl Checker<'_> {
    pub(super) fn logarithm(
        &mut self,
        node: &Node,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        let value = self.number(node)?;
        let value = self.plain(value)?;
        if let Quantity::Known(measure) = &value.quantity
            && !measure.is_pure()
        {
            let text = self.quoted(node.place);
            let symbol = measure.symbol();
            let message = format!("`{text}` is in {symbol}, but only a number has a logarithm");
            let remedy = match measure.suffix() {
                Some(unit) => format!("divide it by a unit: `log({text} / 1{})`", unit.symbol),
                None => "divide it by something in the same unit".to_string(),
            };
            return Err(self.error(node.place, message, remedy));
        }
        let quantity = Quantity::Known(Measure::pure());
        self.function(NumberFunction::Logarithm, value, quantity, place)
    }

    pub(super) fn square_root(
        &mut self,
        node: &Node,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        let value = self.number(node)?;
        let (value, quantity) = self.raised(value, 0.5)?;
        self.function(NumberFunction::SquareRoot, value, quantity, place)
    }

    pub(super) fn power(
        &mut self,
        left: &Node,
        right: &Node,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        let exponent = self.number(right)?;
        let exponent = self.plain(exponent)?;
        let is_pure = match &exponent.quantity {
            Quantity::Known(measure) => measure.is_plain(),
            Quantity::Bare => true,
            Quantity::Unlabelled(_) => false,
        };
        let Some(number) = constant(&exponent.term).filter(|_| is_pure) else {
            let message = format!("`{}` is not a number that is written", self.quoted(right.place));
            let remedy = "write an exponent such as 2, 0.5 or (1/3)";
            return Err(self.error(right.place, message, remedy));
        };
        let base = self.number(left)?;
        let (base, quantity) = self.raised(base, number)?;
        self.function(NumberFunction::Power(number), base, quantity, place)
    }

    /// The geometric mean of several numbers: what the mean of their logarithms is one of.
    pub(super) fn geometric_mean(
        &mut self,
        call: Call<'_>,
        arguments: &[Argument],
    ) -> Result<Value, PropertyError> {
        let (values, quantity) = self.several(call, arguments)?;
        let count = values.len() as f64;
        let mut sum: Option<Value> = None;
        for value in values {
            let part = value.place;
            let pure = Quantity::Known(Measure::pure());
            let logarithm = self.function(NumberFunction::Logarithm, value, pure, part)?;
            sum = Some(match sum {
                None => logarithm,
                Some(sum) => Value {
                    term: Term::Binary(
                        Arithmetic::Add,
                        Box::new(sum.term),
                        Box::new(logarithm.term),
                    ),
                    is_measured: sum.is_measured || logarithm.is_measured,
                    nature: sum.nature.and(logarithm.nature),
                    ..logarithm
                },
            });
        }
        let Some(sum) = sum else { return Err(self.misused(call)) };
        let mean = Value { term: Term::Scale(Box::new(sum.term), 1.0, count), ..sum };
        self.function(NumberFunction::Exponential, mean, quantity, call.place)
    }

    /// A function of a value, which is then in another unit.
    fn function(
        &self,
        function: NumberFunction,
        value: Value,
        quantity: Quantity,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        let name = match function {
            NumberFunction::Logarithm => "a logarithm",
            NumberFunction::SquareRoot => "a square root",
            NumberFunction::Power(_) => "a power",
            NumberFunction::Exponential => "a geometric mean",
        };
        self.refuse_slope(&value, name)?;
        if let Some(number) = constant(&value.term)
            && !function.of(number).is_finite()
        {
            let message = format!("{} has no value", function.without_value());
            let remedy = "use another number here";
            return Err(self.error(value.place, message, remedy));
        }
        let term = Term::Function(function, Box::new(value.term));
        Ok(Value { term, quantity, written: None, place, ..value })
    }

    /// Refuses what is a line over time, and would become a curve.
    pub(super) fn refuse_slope(&self, value: &Value, of: &str) -> Result<(), PropertyError> {
        if !value.is_linear {
            return Ok(());
        }
        let text = self.quoted(value.place);
        let message = format!("`{text}` changes along lines, so {of} of it would be curved");
        let remedy = format!("use a summary of it, such as `avg({text})`, or a step signal");
        Err(self.error(value.place, message, remedy))
    }

    /// A value made ready for a power, and the unit of the result.
    fn raised(&mut self, value: Value, exponent: f64) -> Result<(Value, Quantity), PropertyError> {
        let value = self.plain(value)?;
        let Quantity::Known(measure) = value.quantity.clone() else {
            let quantity = value.quantity.clone();
            return Ok((value, quantity));
        };
        if measure.is_plain() {
            return Ok((value, Quantity::Known(Measure::pure())));
        }
        if exponent.fract() == 0.0 && exponent.abs() <= MOST_FACTORS {
            let mut raised = Measure::pure();
            for _ in 0..exponent.abs() as u32 {
                raised = match exponent > 0.0 {
                    true => raised.times(&measure),
                    false => raised.over(&measure),
                };
            }
            return Ok((value, Quantity::Known(raised)));
        }
        let (base, Some(raised)) = (measure.base(), measure.raised(exponent)) else {
            let text = self.quoted(value.place);
            let symbol = measure.symbol();
            let message = format!("`{text}` is in {symbol}, which has no such power");
            let remedy = match measure.suffix() {
                Some(unit) => format!("divide it by a unit first: `{text} / 1{}`", unit.symbol),
                None => "divide it by something in the same unit first".to_string(),
            };
            return Err(self.error(value.place, message, remedy));
        };
        let value = self.converted(value, &measure, &base)?;
        Ok((value, Quantity::Known(raised)))
    }
}

/// The number that a term of written numbers is.
fn constant(term: &Term) -> Option<f64> {
    let number = match term {
        Term::Number(number) => *number,
        Term::Negate(of) => -constant(of)?,
        Term::Scale(of, times, divided_by) => constant(of)? * times / divided_by,
        Term::Function(function, of) => function.of(constant(of)?),
        Term::Binary(operator, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            match operator {
                Arithmetic::Add => a + b,
                Arithmetic::Subtract => a - b,
                Arithmetic::Multiply => a * b,
                Arithmetic::Divide => a / b,
                Arithmetic::Smaller => a.min(b),
                Arithmetic::Larger => a.max(b),
            }
        }
        _ => return None,
    };
    number.is_finite().then_some(number)
}
