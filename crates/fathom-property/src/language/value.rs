//! What is known of a number or condition while a property is checked against the data.

use super::measure::Measure;
use super::text_span::TextSpan;
use crate::formula::{Formula, RunIndex, Term};
use std::collections::BTreeSet;

/// A condition that makes sense.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    pub(crate) formula: Formula,
    pub(crate) nature: Nature,
}

/// A number that makes sense.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub(crate) term: Term,
    pub(crate) quantity: Quantity,
    /// The digits, if it is a number that was written, so that it is converted without rounding.
    pub(crate) written: Option<WrittenNumber>,
    /// Whether it is more than written numbers.
    pub(crate) is_measured: bool,
    /// Whether it may rise and fall in straight lines.
    pub(crate) is_linear: bool,
    pub(crate) nature: Nature,
    pub(crate) place: TextSpan,
}

/// What a number is in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Quantity {
    /// A number written without a unit.
    Bare,
    /// The data do not say what it is in; the name by which a user can say it.
    Unlabelled(String),
    Known(Measure),
}

/// A number that was written.
#[derive(Debug, Clone)]
pub(crate) struct WrittenNumber {
    pub(crate) digits: String,
    pub(crate) is_negative: bool,
}

/// How something depends on executions and their time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Nature {
    /// The executions it refers to.
    pub(crate) runs: BTreeSet<RunIndex>,
    /// Whether it may differ from time to time.
    pub(crate) varies: bool,
    /// What makes it true or false only at a moment, not for an execution as a whole.
    pub(crate) momentary: Option<Momentary>,
    /// What is neither constant between changes nor straight, so that it can only be judged at
    /// the start.
    pub(crate) curved: Option<TextSpan>,
}

/// Something that is true or has a value only at a moment.
#[derive(Debug, Clone)]
pub(crate) struct Momentary {
    pub(crate) what: Moment,
    pub(crate) place: TextSpan,
    /// The smallest condition around it.
    pub(crate) condition: Option<TextSpan>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Signal,
    State,
    Event,
    Edge,
    Time,
    /// A window that looks back.
    LooksBack,
}

impl Nature {
    /// Of one execution.
    pub(crate) fn of(run: RunIndex) -> Nature {
        Nature { runs: [run].into(), ..Nature::default() }
    }

    /// What is so only at a moment.
    pub(crate) fn at_a_moment(mut self, what: Moment, place: TextSpan) -> Nature {
        self.varies = true;
        self.momentary = Some(Momentary { what, place, condition: None });
        self
    }

    /// Of something made of two.
    pub(crate) fn and(mut self, other: Nature) -> Nature {
        self.runs.extend(other.runs);
        Nature {
            runs: self.runs,
            varies: self.varies || other.varies,
            momentary: self.momentary.or(other.momentary),
            curved: self.curved.or(other.curved),
        }
    }

    /// Of something that looks at all times, or at those of a window.
    pub(crate) fn over_time(self) -> Nature {
        Nature { momentary: None, curved: None, ..self }
    }

    /// Of something that is the same at all times of an execution.
    pub(crate) fn throughout(self) -> Nature {
        Nature { runs: self.runs, ..Nature::default() }
    }

    /// With the smallest condition around what is momentary.
    pub(crate) fn within(mut self, place: TextSpan) -> Nature {
        if let Some(momentary) = &mut self.momentary {
            momentary.condition.get_or_insert(place);
        }
        self
    }
}

impl Value {
    /// Something measured.
    pub(crate) fn measured(
        term: Term,
        quantity: Quantity,
        nature: Nature,
        place: TextSpan,
    ) -> Value {
        Value { term, quantity, written: None, is_measured: true, is_linear: false, nature, place }
    }

    /// Whether it is the number 0, which is the same in all units.
    pub(crate) fn is_zero(&self) -> bool {
        self.written.is_some() && matches!(self.term, Term::Number(number) if number.abs() <= 0.0)
    }
}
