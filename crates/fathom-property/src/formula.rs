//! A property that is ready to be judged: names looked up, units converted, types right.
//!
//! The language makes it from text and from what the data have; the monitor judges it. Between
//! the two nothing else is shared.

use std::ops::Range;

/// Something that is true or false at every time of an execution.
#[derive(Debug, Clone, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a formula has a handful of nodes, mostly comparisons"
)]
pub enum Formula {
    /// Always or never.
    Constant(bool),
    /// Two numbers compared.
    Compare(NumberComparison),
    /// A signal or scalar of 0 and 1, true where it is not 0.
    State(QualifiedName),
    /// True at the instants of an event.
    Event(QualifiedName),
    /// True where another becomes true, or false.
    Edge(Edge, Box<Formula>),
    /// The contrary.
    Not(Box<Formula>),
    /// Both.
    And(Box<Formula>, Box<Formula>),
    /// At least one.
    Or(Box<Formula>, Box<Formula>),
    /// The second, where the first.
    Implies(Box<Formula>, Box<Formula>),
    /// Both or neither.
    Iff(Box<Formula>, Box<Formula>),
    /// At all times of the window.
    Always(Window, Box<Formula>),
    /// At some time of the window.
    Eventually(Window, Box<Formula>),
    /// The right one at some time of the window, and the left one until then.
    Until {
        /// What holds until then.
        left: Box<Formula>,
        /// What ends the wait.
        right: Box<Formula>,
        /// When.
        window: Window,
        /// Whether `right` need not come if `left` holds throughout.
        is_weak: bool,
    },
}

/// Two numbers compared.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberComparison {
    /// What is compared.
    pub left: Term,
    /// How.
    pub relation: Relation,
    /// What it is compared with.
    pub right: Term,
    /// What both are in, so that the margin between them can be printed; empty for pure numbers.
    pub unit: String,
    /// Where it stands in the text.
    pub span: Range<usize>,
}

/// How two numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
}

/// Something that has a value at every time of an execution.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// The same number everywhere.
    Number(f64),
    /// A scalar or signal.
    Metric(QualifiedName),
    /// Inside the condition of an event: an attribute of the occurrence at hand.
    Attribute(String),
    /// The time, from 0.
    Time(RunIndex),
    /// The time that is left.
    Remaining(RunIndex),
    /// How long the execution took.
    Duration(RunIndex),
    /// The negative.
    Negate(Box<Term>),
    /// The magnitude.
    Magnitude(Box<Term>),
    /// A function of one number. Where it has no value, the term is missing.
    Function(NumberFunction, Box<Term>),
    /// In another unit: times the first number, divided by the second. Both are exact integers
    /// where units allow, so that conversions do not round twice.
    Scale(Box<Term>, f64, f64),
    /// Two values combined.
    Binary(Arithmetic, Box<Term>, Box<Term>),
    /// The share of the time for which a formula holds: of the whole execution, or of a window
    /// around the present; the part outside the execution counts as not holding.
    ShareOfTime(Option<Window>, Box<Formula>),
    /// The share of an event's occurrences at which a formula holds.
    ShareOfEvents(Box<Formula>, Occurrence),
    /// How often an event occurs, in all or in a window around the present.
    Count(Option<Window>, Occurrence),
    /// The mean time between occurrences that follow each other.
    Gap(Occurrence),
    /// A summary of a value over time: of the whole execution or of a window around the present.
    OverTime(Aggregate, Option<Window>, Box<Term>),
    /// A summary of an attribute over the occurrences of an event, in all or in a window.
    OverEvents(Aggregate, Option<Window>, EventAttribute),
}

/// A function of one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NumberFunction {
    /// The natural logarithm.
    Logarithm,
    /// The contrary of the logarithm.
    Exponential,
    /// The square root.
    SquareRoot,
    /// The number to the power of another.
    Power(f64),
}

impl NumberFunction {
    /// What the function makes of a number; not finite where it has no value.
    ///
    /// ```
    /// use fathom_property::NumberFunction;
    /// assert_eq!(NumberFunction::Power(3.0).of(2.0), 8.0);
    /// assert!(!NumberFunction::Logarithm.of(0.0).is_finite());
    /// ```
    #[must_use]
    pub fn of(self, number: f64) -> f64 {
        match self {
            NumberFunction::Logarithm if number < 0.0 => f64::NAN,
            NumberFunction::Logarithm => number.ln(),
            NumberFunction::Exponential => number.exp(),
            NumberFunction::SquareRoot => number.sqrt(),
            NumberFunction::Power(exponent) => number.powf(exponent),
        }
    }

    /// What it is of a number for which it has no value.
    #[must_use]
    pub fn without_value(self) -> &'static str {
        match self {
            NumberFunction::Logarithm => {
                "the logarithm or geometric mean of a number that is not above 0"
            }
            NumberFunction::Exponential => "a power that is too large for a number",
            NumberFunction::SquareRoot => "the square root of a negative number",
            NumberFunction::Power(exponent) => match (exponent < 0.0, exponent.fract() == 0.0) {
                (true, true) => "a negative power of 0",
                (true, false) => "a negative, fractional power of a number that is not above 0",
                (false, false) => "a fractional power of a negative number",
                (false, true) => "a power that is too large for a number",
            },
        }
    }
}

/// Which execution of a tuple something is of, from 0.
pub type RunIndex = usize;

/// A named thing in an execution.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QualifiedName {
    /// The execution.
    pub run: RunIndex,
    /// The name in the data.
    pub name: String,
}

/// An attribute of an event.
#[derive(Debug, Clone, PartialEq)]
pub struct EventAttribute {
    /// The attribute's name.
    pub attribute: String,
    /// Which occurrences.
    pub of: Occurrence,
}

/// The occurrences of an event that are meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Occurrence {
    /// What occurs.
    pub what: Happening,
    /// Of these, only where this holds. It may use [`Term::Attribute`]s.
    pub condition: Option<Box<Formula>>,
}

/// What can occur.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// An event of the data.
    Event(QualifiedName),
    /// A formula becomes true, or false.
    Edge(Edge, Box<Formula>),
}

/// A change of truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// From false to true.
    Rise,
    /// From true to false.
    Fall,
}

/// A stretch of time relative to the present, in the time unit of the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Where it begins.
    pub from: f64,
    /// Where it ends; may be infinite.
    pub to: f64,
    /// Whether it includes its beginning.
    pub includes_from: bool,
    /// Whether it includes its end; false for an infinite one.
    pub includes_to: bool,
}

/// How two values are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`; 0/0 is missing, and so is any other quotient that is not finite.
    Divide,
    /// The smaller.
    Smaller,
    /// The larger.
    Larger,
}

/// What becomes of many values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aggregate {
    /// Their mean; over time, weighted by it.
    Mean,
    /// Their geometric mean; over time, weighted by it. Missing if one is not above 0.
    GeometricMean,
    /// Their smallest.
    Least,
    /// Their largest.
    Greatest,
    /// Their sum; over time, the integral over it in the time unit of the data.
    Sum,
    /// The value at the nearest rank of this percentage (0 to 100); over time, of the time.
    Percentile(f64),
}

impl Window {
    /// From the present on, without end.
    pub const FROM_NOW: Window =
        Window { from: 0.0, to: f64::INFINITY, includes_from: true, includes_to: false };
}
