//! From words and signs to a tree.

mod call;
mod interval;
mod primary;

use super::error::PropertyError;
use super::lexer::tokens;
use super::print::level;
use super::text_span::TextSpan;
use super::token::{Placed, Sign, Token, Word, foreign};
use super::tree::{Kind, Node, Operator, RunName};
use crate::formula::Relation;

/// How deep things may be inside each other: far deeper than anybody writes, far less than would
/// exhaust the stack of a recursive walk.
const DEEPEST: usize = 100;
/// How deep the tree may be, which what stands in a row makes as deep as the row is long.
const LONGEST: usize = 200;

/// An execution that a property says it is about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Declaration {
    pub(crate) run: RunName,
    pub(crate) from: Option<RunName>,
}

/// What a text is, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextKind {
    pub(crate) name: &'static str,
    pub(crate) plural: &'static str,
    pub(crate) example: &'static str,
}

impl TextKind {
    const PROPERTY: TextKind =
        TextKind { name: "property", plural: "properties", example: "runtime < 1.1s" };
}

/// A property's executions, if it names them, and what it says about them.
pub(crate) fn parse(text: &str) -> Result<(Vec<Declaration>, Node), PropertyError> {
    let mut parser = Parser::new(text, TextKind::PROPERTY)?;
    let runs = parser.header()?;
    Ok((runs, parser.whole()?))
}

/// A number or a condition about one execution.
pub(crate) fn parse_alone(text: &str, kind: TextKind) -> Result<Node, PropertyError> {
    Parser::new(text, kind)?.whole()
}

pub(super) struct Parser<'a> {
    text: &'a str,
    kind: TextKind,
    tokens: Vec<Placed>,
    at: usize,
    depth: usize,
    /// The parentheses that were closed last: which tokens they are.
    group: Option<(usize, usize)>,
}

/// What can stand between two values.
enum Infix {
    Operator(Operator),
    Relation,
    Until { is_weak: bool },
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, kind: TextKind) -> Result<Parser<'a>, PropertyError> {
        Ok(Parser { text, kind, tokens: tokens(text)?, at: 0, depth: 0, group: None })
    }

    /// Everything up to the end.
    fn whole(&mut self) -> Result<Node, PropertyError> {
        let node = self.expression(level::IFF)?;
        match self.token() {
            Token::End => Ok(node),
            _ => Err(self.unexpected_after()),
        }
    }
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        self.ahead(0)
    }

    fn ahead(&self, distance: usize) -> &Token {
        self.tokens.get(self.at + distance).map_or(&Token::End, |placed| &placed.token)
    }

    fn place(&self) -> TextSpan {
        let end = TextSpan::new(self.text.len(), self.text.len());
        self.tokens.get(self.at).map_or(end, |placed| placed.place)
    }

    /// The place of the token before.
    fn last_place(&self) -> TextSpan {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or_else(TextSpan::default, |placed| placed.place)
    }

    fn step(&mut self) {
        self.at += 1;
    }

    fn takes(&mut self, sign: Sign) -> bool {
        let is_there = *self.token() == Token::Sign(sign);
        if is_there {
            self.step();
        }
        is_there
    }

    fn error(
        &self,
        place: TextSpan,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> PropertyError {
        PropertyError::new(self.text, place, message, remedy)
    }

    fn node(&self, kind: Kind, place: TextSpan) -> Result<Node, PropertyError> {
        let node = Node::new(kind, place);
        if node.depth() <= LONGEST {
            return Ok(node);
        }
        let kind = self.kind.name;
        let message =
            format!("the {kind} has more than {LONGEST} parts in a row, or inside each other");
        Err(self.error(place, message, format!("split it into several {}", self.kind.plural)))
    }

    /// `runs a, b from base:`
    fn header(&mut self) -> Result<Vec<Declaration>, PropertyError> {
        let begins = *self.token() == Token::Name("runs".to_string())
            && matches!(self.ahead(1), Token::Name(_) | Token::Quoted(_) | Token::Number { .. });
        let mut runs: Vec<Declaration> = Vec::new();
        if !begins {
            return Ok(runs);
        }
        self.step();
        loop {
            let run = self.run_name()?;
            if runs.iter().any(|other| other.run.name == run.name) {
                let message = format!("two executions are named `{}`", run.name);
                return Err(self.error(run.place, message, "use a different name for each"));
            }
            let mut from = None;
            if *self.token() == Token::Name("from".to_string()) {
                self.step();
                from = Some(self.run_name()?);
            }
            runs.push(Declaration { run, from });
            if self.takes(Sign::Colon) {
                return Ok(runs);
            }
            if !self.takes(Sign::Comma) {
                let message = format!("unexpected {}", self.found());
                let remedy = "name the executions as in `runs a from base, b from new: ...`";
                return Err(self.error(self.place(), message, remedy));
            }
        }
    }

    /// The name of an execution.
    fn run_name(&mut self) -> Result<RunName, PropertyError> {
        let place = self.place();
        let name = match self.token() {
            Token::Name(name) | Token::Quoted(name) => name.clone(),
            Token::Number { digits, unit: None } if digits.bytes().all(|c| c.is_ascii_digit()) => {
                digits.clone()
            }
            _ => {
                let message = format!("expected the name of an execution, found {}", self.found());
                let remedy = "write a name or a number, as in `runtime@base` or `runtime@1`";
                return Err(self.error(place, message, remedy));
            }
        };
        self.step();
        Ok(RunName { name, place })
    }

    fn infix(&self) -> Option<(Infix, u8)> {
        let operator = match self.token() {
            Token::Word(Word::Iff) => Operator::Iff,
            Token::Word(Word::Implies) => Operator::Implies,
            Token::Word(Word::Or) => Operator::Or,
            Token::Word(Word::And) => Operator::And,
            Token::Word(Word::Until) => {
                return Some((Infix::Until { is_weak: false }, level::UNTIL));
            }
            Token::Word(Word::WeakUntil) => {
                return Some((Infix::Until { is_weak: true }, level::UNTIL));
            }
            Token::Relation(_) => return Some((Infix::Relation, level::COMPARE)),
            Token::Sign(Sign::Plus) => Operator::Add,
            Token::Sign(Sign::Minus) => Operator::Subtract,
            Token::Sign(Sign::Times) => Operator::Multiply,
            Token::Sign(Sign::Divide) => Operator::Divide,
            Token::Sign(Sign::Power) => Operator::Power,
            _ => return None,
        };
        Some((Infix::Operator(operator), operator.level()))
    }

    /// Everything that binds at least as tightly as `least`.
    fn expression(&mut self, least: u8) -> Result<Node, PropertyError> {
        self.deeper()?;
        let node = self.operators(least)?;
        self.depth -= 1;
        Ok(node)
    }

    /// Counts how deep the reading is inside itself; an error ends all of it.
    fn deeper(&mut self) -> Result<(), PropertyError> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let message = format!("the {} is nested more than {DEEPEST} levels deep", self.kind.name);
        let remedy = format!("split it into several {}", self.kind.plural);
        Err(self.error(self.place(), message, remedy))
    }

    fn operators(&mut self, least: u8) -> Result<Node, PropertyError> {
        let mut left = self.prefix(least)?;
        while let Some((infix, here)) = self.infix().filter(|&(_, here)| here >= least) {
            left = match infix {
                Infix::Relation => self.chain(left)?,
                Infix::Until { is_weak } => {
                    self.step();
                    let interval = self.future_interval("U")?;
                    let right = Box::new(self.expression(level::UNARY)?);
                    self.refuse_second(here, "`(a U b) U c`, or `a U (b U c)`")?;
                    let place = left.place.to(right.place);
                    let left = Box::new(left);
                    self.node(Kind::Until { left, is_weak, interval, right }, place)?
                }
                Infix::Operator(operator) => {
                    self.step();
                    let is_right = matches!(operator, Operator::Implies | Operator::Power);
                    let right = self.expression(if is_right { here } else { here + 1 })?;
                    if operator == Operator::Iff {
                        self.refuse_second(
                            here,
                            "`(a <-> b) <-> c`, or `(a <-> b) and (b <-> c)`",
                        )?;
                    }
                    let place = left.place.to(right.place);
                    let kind = Kind::Binary(operator, Box::new(left), Box::new(right));
                    self.node(kind, place)?
                }
            };
        }
        Ok(left)
    }

    /// Some operators do not say which of two comes first.
    fn refuse_second(&self, here: u8, example: &str) -> Result<(), PropertyError> {
        if self.infix().is_none_or(|(_, level)| level != here) {
            return Ok(());
        }
        let message = format!("it is unclear which {} comes first", self.found());
        Err(self.error(self.place(), message, format!("use parentheses: {example}")))
    }

    /// The rest of a chain of comparisons.
    fn chain(&mut self, first: Node) -> Result<Node, PropertyError> {
        let mut rest: Vec<(Relation, Node)> = Vec::new();
        let mut place = first.place;
        while let Token::Relation(relation) = *self.token() {
            if let Some(&(before, _)) = rest.last()
                && !goes_on(before, relation)
            {
                let message = format!(
                    "a chain of comparisons must go one way, but {} does not continue {}",
                    relation.sign(),
                    before.sign()
                );
                let remedy =
                    "write two comparisons with `and` between them, as in `a < b and b > c`";
                return Err(self.error(self.place(), message, remedy));
            }
            self.step();
            let node = self.expression(level::SUM)?;
            place = place.to(node.place);
            rest.push((relation, node));
        }
        self.node(Kind::Compare(Box::new(first), rest), place)
    }

    /// What is found at this place, for a message.
    fn found(&self) -> String {
        match self.token() {
            Token::End => format!("end of {}", self.kind.name),
            _ => format!("`{}`", self.place().of(self.text)),
        }
    }

    /// Something follows that nothing connects to what came before.
    fn unexpected_after(&self) -> PropertyError {
        let place = self.place();
        let message = format!("unexpected {}", self.found());
        let remedy = match self.token() {
            Token::Name(name) => match foreign(name) {
                Some(ours) => format!("write `{ours}`"),
                None => "put an operator such as `and` before it. A name with a space or another \
                         special character needs quotes: `\"L1 misses\"`"
                    .to_string(),
            },
            Token::Sign(Sign::Close | Sign::CloseSquare) => {
                "remove it: it closes nothing".to_string()
            }
            Token::Sign(Sign::Percent) => "use % after a number, as in `20%`".to_string(),
            Token::Sign(Sign::OfRun) => "use @ after a name, as in `runtime@base`".to_string(),
            Token::Sign(Sign::Colon) => {
                "name the executions first, as in `runs a, b: ...`".to_string()
            }
            Token::Word(Word::At) => "use `at` inside a share: `P(... at event)`".to_string(),
            Token::Word(Word::Where) => {
                "put the event and its condition in parentheses: `(event where ...)`".to_string()
            }
            Token::Word(Word::Of) => {
                "use `of` inside a summary, such as `max(latency of event)`".to_string()
            }
            _ => "put an operator such as `and` before it".to_string(),
        };
        self.error(place, message, remedy)
    }
}

fn goes_on(before: Relation, next: Relation) -> bool {
    use Relation::{AtLeast, AtMost, Equal, Greater, Less};
    matches!(
        (before, next),
        (Less | AtMost, Less | AtMost) | (Greater | AtLeast, Greater | AtLeast) | (Equal, Equal)
    )
}
