//! A property as it was written: its grammar, before anything is known of the data.

use super::suffix::Suffix;
use super::text_span::TextSpan;
use crate::formula::{Edge, Relation};

/// Anything that has a value: numbers and conditions are told apart later.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) place: TextSpan,
    depth: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Number(Literal),
    Truth(bool),
    Name {
        name: String,
        run: Option<RunName>,
    },
    BuiltIn {
        built_in: BuiltIn,
        run: Option<RunName>,
    },
    Edge(Edge, Box<Node>),
    Not(Box<Node>),
    Negate(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    /// A chain of comparisons, each of a value with the one after it.
    Compare(Box<Node>, Vec<(Relation, Node)>),
    /// Always or eventually.
    Temporal {
        is_always: bool,
        interval: Option<Interval>,
        operand: Box<Node>,
    },
    Until {
        left: Box<Node>,
        is_weak: bool,
        interval: Option<Interval>,
        right: Box<Node>,
    },
    /// The share of the time, or of the occurrences of an event.
    Share {
        interval: Option<Interval>,
        body: Box<Node>,
        at: Option<Box<Node>>,
    },
    Call {
        function: Function,
        interval: Option<Interval>,
        arguments: Vec<Argument>,
    },
    Speedup {
        base: RunName,
        new: RunName,
        metric: Option<Box<Node>>,
    },
    /// An event, only where a condition holds.
    Where {
        event: Box<Node>,
        condition: Box<Node>,
    },
}

/// A number as written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Literal {
    /// Without sign; the unit not taken into account.
    pub(crate) digits: String,
    pub(crate) unit: Option<&'static Suffix>,
}

/// What follows an `@`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RunName {
    pub(crate) name: String,
    pub(crate) place: TextSpan,
}

/// Numbers that every execution has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuiltIn {
    Time,
    Remaining,
    Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Iff,
    Implies,
    Or,
    And,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Magnitude,
    Logarithm,
    SquareRoot,
    Mean,
    GeometricMean,
    Least,
    Greatest,
    Sum,
    Percentile,
    Count,
    Gap,
    Rate,
    Delta,
}

/// What a function is called with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Argument {
    Plain(Node),
    /// An attribute of an event.
    Of {
        attribute: String,
        place: TextSpan,
        event: Node,
    },
}

/// A stretch of time as written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Interval {
    pub(crate) includes_from: bool,
    pub(crate) from: Bound,
    pub(crate) to: Bound,
    pub(crate) includes_to: bool,
    pub(crate) place: TextSpan,
}

/// An end of a stretch of time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    pub(crate) is_negative: bool,
    /// `None` is infinity.
    pub(crate) number: Option<Literal>,
    pub(crate) place: TextSpan,
}

impl Node {
    pub(crate) fn new(kind: Kind, place: TextSpan) -> Node {
        let mut node = Node { kind, place, depth: 0 };
        // What stands in a row becomes a tree of twos, as deep as the row is long.
        let in_a_row = match &node.kind {
            Kind::Compare(_, rest) => rest.len(),
            Kind::Call { arguments, .. } => arguments.len(),
            _ => 1,
        };
        let deepest = node.children().iter().map(|child| child.depth).max().unwrap_or(0);
        node.depth = in_a_row + deepest;
        node
    }

    /// The same, taking in the parentheses around it.
    pub(crate) fn placed_at(self, place: TextSpan) -> Node {
        Node { place, ..self }
    }

    /// How many levels of nodes there are.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether it can only be a number.
    pub(crate) fn is_number(&self) -> bool {
        match &self.kind {
            Kind::Number(_)
            | Kind::BuiltIn { .. }
            | Kind::Negate(_)
            | Kind::Share { .. }
            | Kind::Call { .. }
            | Kind::Speedup { .. } => true,
            Kind::Binary(operator, ..) => operator.is_arithmetic(),
            _ => false,
        }
    }

    /// What it is directly made of, from left to right.
    pub(crate) fn children(&self) -> Vec<&Node> {
        match &self.kind {
            Kind::Number(_) | Kind::Truth(_) | Kind::Name { .. } | Kind::BuiltIn { .. } => vec![],
            Kind::Edge(_, node) | Kind::Not(node) | Kind::Negate(node) => vec![node],
            Kind::Temporal { operand, .. } => vec![operand],
            Kind::Binary(_, left, right) | Kind::Until { left, right, .. } => vec![left, right],
            Kind::Where { event, condition } => vec![event, condition],
            Kind::Compare(first, rest) => {
                let rest = rest.iter().map(|(_, node)| node);
                std::iter::once(&**first).chain(rest).collect()
            }
            Kind::Share { body, at, .. } => std::iter::once(&**body).chain(at.as_deref()).collect(),
            Kind::Call { arguments, .. } => arguments.iter().map(Argument::node).collect(),
            Kind::Speedup { metric, .. } => metric.as_deref().into_iter().collect(),
        }
    }

    /// Whether there is such a node in it.
    pub(crate) fn contains(&self, is_such: &dyn Fn(&Node) -> bool) -> bool {
        is_such(self) || self.children().iter().any(|child| child.contains(is_such))
    }

    /// The executions it names itself.
    pub(crate) fn own_runs(&self) -> Vec<&RunName> {
        match &self.kind {
            Kind::Name { run, .. } | Kind::BuiltIn { run, .. } => run.iter().collect(),
            Kind::Speedup { base, new, .. } => vec![base, new],
            _ => vec![],
        }
    }

    /// The executions that are named anywhere in it, from left to right.
    pub(crate) fn runs(&self) -> Vec<&RunName> {
        let mut runs = self.own_runs();
        for child in self.children() {
            runs.extend(child.runs());
        }
        runs
    }
}

impl Argument {
    pub(crate) fn node(&self) -> &Node {
        match self {
            Argument::Plain(node) | Argument::Of { event: node, .. } => node,
        }
    }

    pub(crate) fn place(&self) -> TextSpan {
        match self {
            Argument::Plain(node) => node.place,
            Argument::Of { place, event, .. } => place.to(event.place),
        }
    }
}

impl BuiltIn {
    pub(crate) const ALL: [BuiltIn; 3] = [BuiltIn::Time, BuiltIn::Remaining, BuiltIn::Duration];

    pub(crate) fn name(self) -> &'static str {
        match self {
            BuiltIn::Time => "time",
            BuiltIn::Remaining => "remaining",
            BuiltIn::Duration => "duration",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<BuiltIn> {
        BuiltIn::ALL.into_iter().find(|built_in| built_in.name() == text)
    }
}

impl Function {
    pub(crate) const ALL: [Function; 13] = [
        Function::Magnitude,
        Function::Logarithm,
        Function::SquareRoot,
        Function::Mean,
        Function::GeometricMean,
        Function::Least,
        Function::Greatest,
        Function::Sum,
        Function::Percentile,
        Function::Count,
        Function::Gap,
        Function::Rate,
        Function::Delta,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Function::Magnitude => "abs",
            Function::Logarithm => "log",
            Function::SquareRoot => "sqrt",
            Function::Mean => "avg",
            Function::GeometricMean => "geomean",
            Function::Least => "min",
            Function::Greatest => "max",
            Function::Sum => "sum",
            Function::Percentile => "pct",
            Function::Count => "count",
            Function::Gap => "gap",
            Function::Rate => "rate",
            Function::Delta => "delta",
        }
    }

    /// Whether it can be asked of a window around the present.
    pub(crate) fn may_have_window(self) -> bool {
        !matches!(
            self,
            Function::Magnitude
                | Function::Logarithm
                | Function::SquareRoot
                | Function::GeometricMean
                | Function::Gap
                | Function::Rate
                | Function::Delta
        )
    }

    pub(crate) fn parse(text: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|function| function.name() == text)
    }
}

impl Operator {
    pub(crate) fn is_arithmetic(self) -> bool {
        matches!(
            self,
            Operator::Add
                | Operator::Subtract
                | Operator::Multiply
                | Operator::Divide
                | Operator::Power
        )
    }

    pub(crate) fn sign(self) -> &'static str {
        match self {
            Operator::Iff => "<->",
            Operator::Implies => "->",
            Operator::Or => "or",
            Operator::And => "and",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Power => "^",
        }
    }
}
