//! From a tree back to text, the same for all texts with the same meaning.

use super::lexer::is_plain_name;
use super::token::Word;
use super::tree::{
    Argument, Bound, BuiltIn, Function, Interval, Kind, Literal, Node, Operator, RunName,
};
use crate::formula::{Edge, Relation};
use std::fmt::{self, Display, Formatter};

/// How tightly something binds; the parser's levels.
pub(crate) mod level {
    pub(crate) const IFF: u8 = 1;
    pub(crate) const IMPLIES: u8 = 2;
    pub(crate) const OR: u8 = 3;
    pub(crate) const AND: u8 = 4;
    pub(crate) const UNTIL: u8 = 5;
    pub(crate) const UNARY: u8 = 6;
    pub(crate) const COMPARE: u8 = 7;
    pub(crate) const SUM: u8 = 8;
    pub(crate) const PRODUCT: u8 = 9;
    pub(crate) const NEGATE: u8 = 10;
    pub(crate) const POWER: u8 = 11;
    pub(crate) const PRIMARY: u8 = 12;
}

impl Operator {
    pub(crate) fn level(self) -> u8 {
        match self {
            Operator::Iff => level::IFF,
            Operator::Implies => level::IMPLIES,
            Operator::Or => level::OR,
            Operator::And => level::AND,
            Operator::Add | Operator::Subtract => level::SUM,
            Operator::Multiply | Operator::Divide => level::PRODUCT,
            Operator::Power => level::POWER,
        }
    }
}

/// A name as it is written: in quotes where it needs them.
pub(crate) fn name(name: &str) -> String {
    const CONTEXTUAL: [&str; 7] = ["runs", "from", "rise", "fall", "inf", "speedup", "time_in"];
    let is_special = Word::parse(name).is_some()
        || BuiltIn::parse(name).is_some()
        || Function::parse(name).is_some()
        || CONTEXTUAL.contains(&name);
    if is_plain_name(name) && !is_special { name.to_string() } else { quoted(name) }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The name of an execution: digits need no quotes.
pub(crate) fn run(run: &str) -> String {
    let is_number = !run.is_empty() && run.chars().all(|c| c.is_ascii_digit());
    if is_number { run.to_string() } else { name(run) }
}

impl Relation {
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
            Relation::Equal => "==",
            Relation::Unequal => "!=",
        }
    }
}

/// In parentheses if it binds less tightly than this.
struct Within<'a>(&'a Node, u8);

impl Display for Within<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Within(node, least) = *self;
        // An event with a condition brings its own parentheses.
        let is_loose = node.level() < least && !matches!(node.kind, Kind::Where { .. });
        if is_loose { write!(f, "({node})") } else { write!(f, "{node}") }
    }
}

impl Node {
    fn level(&self) -> u8 {
        match &self.kind {
            Kind::Binary(operator, ..) => operator.level(),
            Kind::Until { .. } => level::UNTIL,
            Kind::Not(_) | Kind::Temporal { .. } => level::UNARY,
            Kind::Compare(..) => level::COMPARE,
            Kind::Negate(_) => level::NEGATE,
            _ => level::PRIMARY,
        }
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Number(number) => write!(f, "{number}"),
            Kind::Truth(truth) => write!(f, "{truth}"),
            Kind::Name { name: named, run } => write!(f, "{}{}", name(named), OfRun(run.as_ref())),
            Kind::BuiltIn { built_in, run } => {
                write!(f, "{}{}", built_in.name(), OfRun(run.as_ref()))
            }
            Kind::Edge(edge, node) => {
                write!(f, "{}({node})", if *edge == Edge::Rise { "rise" } else { "fall" })
            }
            Kind::Not(node) => write!(f, "not {}", Within(node, level::UNARY)),
            Kind::Negate(node) => write!(f, "-{}", Within(node, level::NEGATE)),
            Kind::Binary(operator, left, right) => binary(f, *operator, left, right),
            Kind::Compare(first, rest) => {
                write!(f, "{}", Within(first, level::SUM))?;
                rest.iter().try_for_each(|(relation, node)| {
                    write!(f, " {} {}", relation.sign(), Within(node, level::SUM))
                })
            }
            // Always with parentheses, so that nothing after it can seem to belong to it.
            Kind::Temporal { is_always, interval, operand } => {
                let operator = if *is_always { 'G' } else { 'F' };
                match (&operand.kind, During(interval.as_ref())) {
                    (Kind::Where { .. }, interval) => write!(f, "{operator}{interval}{operand}"),
                    (_, interval) => write!(f, "{operator}{interval}({operand})"),
                }
            }
            Kind::Until { left, is_weak, interval, right } => {
                let operator = if *is_weak { "weak_until" } else { "U" };
                let interval = During(interval.as_ref());
                let (left, right) = (Within(left, level::UNARY), Within(right, level::UNARY));
                write!(f, "{left} {operator}{interval} {right}")
            }
            Kind::Share { interval, body, at } => {
                write!(f, "P{}({body}", During(interval.as_ref()))?;
                if let Some(event) = at {
                    write!(f, " at {event}")?;
                }
                f.write_str(")")
            }
            Kind::Call { function, interval, arguments } => {
                write!(f, "{}{}(", function.name(), During(interval.as_ref()))?;
                list(f, arguments)?;
                f.write_str(")")
            }
            Kind::Speedup { base, new, metric } => {
                write!(f, "speedup({}, {}", run(&base.name), run(&new.name))?;
                if let Some(metric) = metric {
                    write!(f, ", {metric}")?;
                }
                f.write_str(")")
            }
            Kind::Where { event, condition } => write!(f, "({event} where {condition})"),
        }
    }
}

fn binary(f: &mut Formatter<'_>, operator: Operator, left: &Node, right: &Node) -> fmt::Result {
    let here = operator.level();
    let (on_left, on_right) = match operator {
        Operator::Iff => (here + 1, here + 1),
        Operator::Implies | Operator::Power => (here + 1, here),
        _ => (here, here + 1),
    };
    write!(f, "{} {} {}", Within(left, on_left), operator.sign(), Within(right, on_right))
}

fn list(f: &mut Formatter<'_>, arguments: &[Argument]) -> fmt::Result {
    for (i, argument) in arguments.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        match argument {
            Argument::Plain(node) => write!(f, "{node}")?,
            Argument::Of { attribute, event, .. } => write!(f, "{} of {event}", name(attribute))?,
        }
    }
    Ok(())
}

/// The execution, if one is named.
struct OfRun<'a>(Option<&'a RunName>);

impl Display for OfRun<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |named| write!(f, "@{}", run(&named.name)))
    }
}

/// The interval, if there is one.
struct During<'a>(Option<&'a Interval>);

impl Display for During<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |interval| write!(f, "{interval}"))
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.digits, self.unit.map_or("", |unit| unit.symbol))
    }
}

impl Display for Interval {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let open = if self.includes_from { '[' } else { '(' };
        let close = if self.includes_to { ']' } else { ')' };
        write!(f, "{open}{},{}{close}", self.from, self.to)
    }
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative { "-" } else { "" };
        match &self.number {
            Some(number) => write!(f, "{sign}{number}"),
            None => write!(f, "{sign}inf"),
        }
    }
}
