//! The language of properties: from text to a [`Formula`](crate::Formula) or
//! [`Term`](crate::Term) that the monitor judges.
//!
//! [`Property::parse`] knows the grammar only; [`Property::resolve`] looks names up in the
//! [`Catalogue`] of each system, converts units, and refuses what has no meaning.
//!
//! The grammar, from what binds loosely to what binds tightly:
//!
//! ```text
//! property = ["runs" run {"," run} ":"] expr          run = NAME ["from" NAME]
//! expr  = imp ["<->" imp]                             also: iff
//! imp   = or ["->" imp]                               also: implies
//! or    = and {"or" and}                              also: ||
//! and   = until {"and" until}                         also: &&
//! until = unary [("U" | "weak_until") [ival] unary]   also: until
//! unary = "not" unary | ("G" | "F") [ival] unary | cmp    also: ! always eventually
//! cmp   = sum {relop sum}                             a chain goes in one direction
//! sum   = term {("+" | "-") term}
//! term  = fac {("*" | "/") fac}
//! fac   = "-" fac | pow
//! pow   = prim ["^" fac]                             to the right: 2^3^2 is 2^(3^2)
//! prim  = num | "true" | "false" | name | edge | call | share | "(" expr ["where" expr] ")"
//! share = "P" [ival] "(" body ")" | "P" relop num "[" body "]" | "time_in" [ival] "(" expr ")"
//! body  = expr ["at" event]
//! event = (name | edge) ["where" expr]
//! edge  = ("rise" | "fall") "(" expr ")"
//! call  = FN [ival] "(" arg {"," arg} ")" | "speedup" "(" RUN "," RUN ["," expr] ")"
//! arg   = NAME "of" event | event | expr
//! FN    = abs log sqrt avg geomean min max sum pct count gap rate delta
//! ival  = ("[" | "(") bound ("," | ":") bound ("]" | ")")
//! bound = ["-"] num | "inf"
//! relop = "<" | "<=" | ">" | ">=" | "==" | "=" | "!="
//! name  = NAME ["@" RUN]                              RUN: a system, a run, or 1, 2, ...
//! NAME  = letters, digits and _ with . and :: between, or anything in double quotes
//! num   = digits ["." digits] [exponent] [UNIT]
//! ```
//!
//! `time`, `remaining` and `duration` are built in. `#` begins a comment. A parenthesis after `G`,
//! `F` or `U` is an interval if a number and a comma or colon follow. The operand of `G` and `F`
//! needs parentheses if a connective follows it. Intervals of `P` and functions begin with `[`
//! and may look back: they alone may be negative. `rate` and `delta` belong to metrics that are computed
//! row by row (`per_row`), which are written in the same grammar.

mod catalogue;
mod check;
mod error;
mod factor;
mod lexer;
mod measure;
mod parser;
mod per_row;
mod print;
mod resolved;
#[cfg(test)]
mod round_trip;
mod suffix;
mod text_span;
mod token;
mod tree;
mod value;

pub use catalogue::{Catalogue, CatalogueError, NameMeaning};
pub use error::PropertyError;
pub(crate) use per_row::{RowExpression, RowExpressionKind, RowProgram};
pub use resolved::{Resolved, ResolvedExpression, RunRole};
pub use suffix::parse_frequency;

use check::Checker;
use parser::Declaration;
use std::fmt;
use std::ops::Deref;
use text_span::TextSpan;
use tree::{Kind, Node, Operator};
use value::Quantity;

/// A property as it was written: its grammar is right.
#[derive(Debug, Clone, PartialEq)]
pub struct Property(ParsedText);

/// A numeric expression as it was written: its grammar is right.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression(ParsedText);

/// What a [`Property`] and an [`Expression`] have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedText {
    text: String,
    runs: Vec<Declaration>,
    node: Node,
}

/// An execution that a property names before it begins, as in `runs a from base: ...`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredRun {
    /// What the property calls it.
    pub name: String,
    /// The system it is of, if that is said.
    pub from: Option<String>,
}

impl Property {
    /// Reads a property.
    ///
    /// # Errors
    /// What is wrong with its grammar, where, and what to write instead.
    pub fn parse(text: &str) -> Result<Property, PropertyError> {
        ParsedText::parse(text).map(Property)
    }

    /// What it means for executions of these systems.
    ///
    /// # Errors
    /// A name that the data do not have, units that do not fit, or something without a meaning.
    pub fn resolve(&self, systems: &[(String, Catalogue)]) -> Result<Resolved, PropertyError> {
        let mut checker = self.checker(systems)?;
        let condition = checker.property(&self.node)?;
        Ok(Resolved { formula: condition.formula, runs: checker.into_roles() })
    }
}

impl Expression {
    /// Reads a numeric expression, such as `runtime` or `max(latency of request)`.
    ///
    /// # Errors
    /// What is wrong with its grammar, where, and what to write instead.
    pub fn parse(text: &str) -> Result<Expression, PropertyError> {
        ParsedText::parse(text).map(Expression)
    }

    /// What it means for executions of these systems.
    ///
    /// # Errors
    /// As for [`Property::resolve`]; or it is not a number, or not one for a whole execution.
    pub fn resolve(
        &self,
        systems: &[(String, Catalogue)],
    ) -> Result<ResolvedExpression, PropertyError> {
        let mut checker = self.checker(systems)?;
        let value = checker.expression(&self.node)?;
        let unit = match value.quantity {
            Quantity::Known(measure) => measure.symbol().to_string(),
            Quantity::Bare | Quantity::Unlabelled(_) => String::new(),
        };
        Ok(ResolvedExpression { term: value.term, unit, runs: checker.into_roles() })
    }
}

impl Deref for Property {
    type Target = ParsedText;

    fn deref(&self) -> &ParsedText {
        &self.0
    }
}

impl Deref for Expression {
    type Target = ParsedText;

    fn deref(&self) -> &ParsedText {
        &self.0
    }
}

impl ParsedText {
    fn parse(text: &str) -> Result<ParsedText, PropertyError> {
        let (runs, node) = parser::parse(text)?;
        Ok(ParsedText { text: text.to_string(), runs, node })
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The executions that it names before it begins.
    #[must_use]
    pub fn runs(&self) -> Vec<DeclaredRun> {
        let of = |Declaration { run, from }: &Declaration| DeclaredRun {
            name: run.name.clone(),
            from: from.as_ref().map(|from| from.name.clone()),
        };
        self.runs.iter().map(of).collect()
    }

    /// What stands after an `@` or in `speedup`: names of systems or of executions, each once, in
    /// the order of the text.
    #[must_use]
    pub fn mentions(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for run in self.node.runs() {
            if !names.contains(&run.name) {
                names.push(run.name.clone());
            }
        }
        names
    }

    /// The conditions on which it demands something: `a` of `a -> b`, as written, in the order of
    /// [`Demands::triggered`](crate::Demands::triggered).
    #[must_use]
    pub fn conditions(&self) -> Vec<String> {
        let mut places = Vec::new();
        conditions(&self.node, &mut places);
        places.into_iter().map(|place| place.of(&self.text).trim().to_string()).collect()
    }

    /// Which executions of these systems it combines: one, or several. That needs the systems'
    /// names only, not what their executions have.
    ///
    /// # Errors
    /// It names a system that is not there, or does not say which it means.
    pub fn roles(&self, systems: &[String]) -> Result<Vec<RunRole>, PropertyError> {
        let systems: Vec<(String, Catalogue)> =
            systems.iter().map(|name| (name.clone(), Catalogue::new())).collect();
        self.checker(&systems).map(Checker::into_roles)
    }

    fn checker<'a>(
        &'a self,
        systems: &'a [(String, Catalogue)],
    ) -> Result<Checker<'a>, PropertyError> {
        Checker::new(&self.text, &self.runs, &self.node, systems)
    }
}

fn conditions(node: &Node, places: &mut Vec<TextSpan>) {
    match &node.kind {
        Kind::Binary(Operator::And, left, right) => {
            conditions(left, places);
            conditions(right, places);
        }
        Kind::Temporal { is_always: true, operand, .. } => conditions(operand, places),
        Kind::Binary(Operator::Implies, left, right) => {
            places.push(left.place);
            conditions(right, places);
        }
        _ => {}
    }
}

/// In the canonical way of writing.
impl fmt::Display for ParsedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Header(&self.runs), self.node)
    }
}

/// In the canonical way of writing.
impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// In the canonical way of writing.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

struct Header<'a>(&'a [Declaration]);

impl fmt::Display for Header<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Declaration { run, from }) in self.0.iter().enumerate() {
            f.write_str(if i == 0 { "runs " } else { ", " })?;
            f.write_str(&print::run(&run.name))?;
            if let Some(from) = from {
                write!(f, " from {}", print::run(&from.name))?;
            }
        }
        f.write_str(if self.0.is_empty() { "" } else { ": " })
    }
}
