//! Executions as a picture: how far each is from the threshold, or what value each gave.

use crate::layout::columns;
use crate::picture::{Axis, beyond, histogram, whisker};
use crate::quantity::{Rounding, Scale};
use fathom_property::{CheckReport, JudgedAs, PropertyAnswer, Truth};
use fathom_record::{TimeUnit, Unit};

/// Few values need no picture.
const ENOUGH: usize = 5;
const WIDEST: usize = 48;

/// How robust the answers of executions are, with the line between false and true.
pub(super) fn robustness(
    report: &CheckReport,
    time_unit: Option<TimeUnit>,
    width: usize,
) -> Option<String> {
    let mut unit = None;
    let mut values = Vec::new();
    for judged in &report.judged {
        let JudgedAs::Property { truth, robustness, decided_by, .. } = &judged.result else {
            continue;
        };
        if !matches!(truth, Truth::True | Truth::False) {
            continue;
        }
        let (Some(value), Some((of, _))) = (robustness.known(), decided_by.as_deref()) else {
            continue;
        };
        // Amounts in different units have no common axis.
        if unit.get_or_insert_with(|| of.clone()) != of {
            return None;
        }
        values.push(value);
    }
    values.retain(|value| value.is_finite());
    values.sort_unstable_by(f64::total_cmp);
    let (&low, &high) = (values.first()?, values.last()?);
    if values.len() < ENOUGH || low == high {
        return None;
    }
    let unit = Unit::parse(&unit?);
    let frame = Frame::new(&values, (&unit, time_unit), width, "robustness ")?;
    // The line between false and true belongs on the axis only if an execution is near it.
    let mark = if (frame.axis.low..=frame.axis.high).contains(&0.0) {
        let at = whisker(0.0, None, frame.axis).replace('●', "┆");
        let column = columns(&at);
        let (left, right) = ("false ", " true");
        let start = frame.indent + column;
        Some(format!("{}{left}┆{right}\n", " ".repeat(start.saturating_sub(1 + left.len()))))
    } else {
        None
    };
    Some(frame.line(&values) + &mark.unwrap_or_default())
}

/// The values, with the estimate and its interval below.
pub(super) fn values(
    report: &CheckReport,
    time_unit: Option<TimeUnit>,
    width: usize,
) -> Option<String> {
    let PropertyAnswer::Value { unit, value, .. } = &report.answer else { return None };
    let known = report.judged.iter().filter_map(|judged| match &judged.result {
        JudgedAs::Value(bounds) => bounds.known(),
        _ => None,
    });
    let mut values: Vec<f64> = known.filter(|value| value.is_finite()).collect();
    values.sort_unstable_by(f64::total_cmp);
    let (&low, &high) = (values.first()?, values.last()?);
    if values.len() < ENOUGH || low == high {
        return None;
    }
    let frame = Frame::new(&values, (unit, time_unit), width, "")?;
    let below = whisker(value.value?, Some(value.interval), frame.axis);
    Some(format!("{}{}{below}\n", frame.line(&values), " ".repeat(frame.indent)))
}

/// A histogram between the values of its ends.
struct Frame {
    axis: Axis,
    left: String,
    right: String,
    indent: usize,
}

impl Frame {
    /// `unit` is that of the values, and that in which times are shown.
    fn new(
        sorted: &[f64],
        unit: (&Unit, Option<TimeUnit>),
        width: usize,
        title: &str,
    ) -> Option<Frame> {
        let axis = Axis::of(sorted, 1)?;
        let scale = Scale::for_column(unit.0, &[axis.low, axis.high], unit.1);
        let left = format!("  {title}{} ", scale.number(axis.low, Rounding::Nearest));
        let right = format!(" {}", scale.with_unit(axis.high, Rounding::Nearest));
        let indent = columns(&left);
        let room = width.saturating_sub(indent + columns(&right)).min(WIDEST);
        (room >= 10).then_some(Frame { axis: Axis { width: room, ..axis }, left, right, indent })
    }

    fn line(&self, values: &[f64]) -> String {
        let more = match beyond(values, self.axis) {
            0 => String::new(),
            n => format!(" and {n} beyond"),
        };
        format!("{}{}{}{more}\n", self.left, histogram(values, self.axis), self.right)
    }
}
