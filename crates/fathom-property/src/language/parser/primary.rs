//! What stands before or between operators: numbers, names, parentheses, and what begins with an
//! operator.

use super::super::error::PropertyError;
use super::super::print::level;
use super::super::suffix::Suffix;
use super::super::text_span::TextSpan;
use super::super::token::{Sign, Token, Word, foreign};
use super::super::tree::{BuiltIn, Function, Kind, Literal, Node};
use super::{Infix, Parser, TextKind};
use fathom_record::nearest;

impl Parser<'_> {
    pub(super) fn prefix(&mut self, least: u8) -> Result<Node, PropertyError> {
        let start = self.place();
        match *self.token() {
            Token::Word(word @ (Word::Not | Word::Always | Word::Eventually)) => {
                if least > level::UNARY {
                    let message = format!("{} cannot be part of a number", self.found());
                    let remedy = "put the condition that begins here in parentheses";
                    return Err(self.error(start, message, remedy));
                }
                self.step();
                match word {
                    Word::Not => {
                        let operand = self.expression(level::UNARY)?;
                        let place = start.to(operand.place);
                        self.node(Kind::Not(Box::new(operand)), place)
                    }
                    word => self.temporal(start, word == Word::Always),
                }
            }
            Token::Sign(Sign::Minus) => {
                self.step();
                // A power binds more tightly: -x^2 is -(x^2).
                let operand = self.expression(level::POWER)?;
                let place = start.to(operand.place);
                self.node(Kind::Negate(Box::new(operand)), place)
            }
            _ => self.primary(),
        }
    }

    /// What follows `G` or `F`.
    fn temporal(&mut self, start: TextSpan, is_always: bool) -> Result<Node, PropertyError> {
        let interval = self.future_interval(if is_always { "G" } else { "F" })?;
        let first = self.at;
        let operator = TextSpan::new(start.start, self.last_place().end);
        let operand = self.expression(level::UNARY)?;
        let is_grouped = self.group == Some((first, self.at.saturating_sub(1)));
        let place = TextSpan::new(start.start, self.last_place().end);
        if !is_grouped && let Some((infix, _)) = self.infix() {
            let outer = TextSpan::new(operator.end, place.end);
            return Err(self.unclear_reach(operator, outer, &infix));
        }
        self.node(Kind::Temporal { is_always, interval, operand: Box::new(operand) }, place)
    }

    /// `G a and b`: does G reach to b?
    fn unclear_reach(
        &mut self,
        operator: TextSpan,
        operand: TextSpan,
        infix: &Infix,
    ) -> PropertyError {
        let place = self.place();
        let connective = self.found();
        self.step();
        if matches!(infix, Infix::Until { .. })
            && let Err(error) = self.future_interval("U")
        {
            return error;
        }
        let between = TextSpan::new(place.start, self.last_place().end);
        let right = self.expression(level::UNARY).ok();
        let operator = operator.of(self.text);
        let (operand, between) = (operand.of(self.text).trim(), between.of(self.text));
        let right = right.map_or("...", |node| node.place.of(self.text));
        let message =
            format!("it is unclear whether `{operator}` also covers what follows {connective}");
        let remedy = if operand.len() + right.len() > 60 {
            format!("write `{operator}(... {between} ...)` or `({operator} ...) {between} ...`")
        } else {
            format!(
                "write `{operator}({operand} {between} {right})` or \
                 `({operator} {operand}) {between} {right}`"
            )
        };
        self.error(place, message, remedy)
    }

    fn primary(&mut self) -> Result<Node, PropertyError> {
        let place = self.place();
        match self.token().clone() {
            Token::Number { .. } => {
                let number = self.literal()?;
                let place = TextSpan::new(place.start, self.last_place().end);
                self.node(Kind::Number(number), place)
            }
            Token::Word(word @ (Word::True | Word::False)) => {
                self.step();
                self.node(Kind::Truth(word == Word::True), place)
            }
            Token::Word(Word::Share) => self.share(),
            Token::Name(name) => {
                self.step();
                match self.token() {
                    Token::Sign(Sign::Open | Sign::OpenSquare) => self.named_call(&name, place),
                    _ => self.name(name, place, false),
                }
            }
            Token::Quoted(name) => {
                self.step();
                self.name(name, place, true)
            }
            Token::Sign(Sign::Open) => self.parentheses(),
            Token::End => {
                let place = TextSpan::new(self.text.len(), self.text.len());
                let TextKind { name, example, .. } = self.kind;
                let message = match self.text.trim().is_empty() {
                    true => format!("the {name} is empty"),
                    false => format!("the {name} ends too early"),
                };
                let article = if name.starts_with('e') { "an" } else { "a" };
                let remedy = format!("{article} {name} looks like `{example}`");
                Err(self.error(place, message, remedy))
            }
            _ => {
                let message = format!("unexpected {}", self.found());
                let mut remedy = "write a number, a name or a parenthesis".to_string();
                if matches!(self.token(), Token::Word(_)) {
                    remedy = format!("{remedy}. A name that is a reserved word needs quotes");
                }
                Err(self.error(place, message, remedy))
            }
        }
    }

    /// A number and its unit, which may be separated by spaces.
    pub(super) fn literal(&mut self) -> Result<Literal, PropertyError> {
        let place = self.place();
        let Token::Number { digits, unit } = self.token().clone() else {
            let message = format!("expected a number, found {}", self.found());
            return Err(self.error(place, message, "write a number such as `0.1` or `10ms`"));
        };
        self.step();
        if digits.parse::<f64>().is_ok_and(f64::is_infinite) {
            let remedy = "the largest number is about 1.8e308";
            return Err(self.error(place, format!("{digits} is too large"), remedy));
        }
        let unit = match unit {
            Some(unit) => {
                let known = Suffix::parse(&unit);
                let message = || format!("there is no unit `{unit}`");
                let at = TextSpan::new(place.end.saturating_sub(unit.len()), place.end);
                Some(known.ok_or_else(|| self.error(at, message(), Suffix::remedy(&unit)))?)
            }
            None => self.unit_apart(),
        };
        Ok(Literal { digits, unit })
    }

    /// As in `1.1 s`: no name may follow a number, so a name that is a unit is one.
    fn unit_apart(&mut self) -> Option<&'static Suffix> {
        let unit = match self.token() {
            Token::Name(name) if *self.ahead(1) != Token::Sign(Sign::Open) => Suffix::parse(name),
            Token::Sign(Sign::Percent) => Suffix::parse("%"),
            _ => None,
        };
        if unit.is_some() {
            self.step();
        }
        unit
    }

    /// What a name that was just read means.
    pub(super) fn name(
        &mut self,
        name: String,
        place: TextSpan,
        is_quoted: bool,
    ) -> Result<Node, PropertyError> {
        if *self.token() == Token::Sign(Sign::OpenSquare) {
            let place = TextSpan::new(place.start, self.place().end);
            let message = "a name cannot be followed by a time";
            let remedy =
                format!("write `{}` alone for the current value", super::super::print::name(&name));
            return Err(self.error(place, message, remedy));
        }
        let run = if self.takes(Sign::OfRun) { Some(self.run_name()?) } else { None };
        let place = TextSpan::new(place.start, self.last_place().end);
        let built_in = BuiltIn::parse(&name).filter(|_| !is_quoted);
        let kind = match built_in {
            Some(built_in) => Kind::BuiltIn { built_in, run },
            None => Kind::Name { name, run },
        };
        self.node(kind, place)
    }

    fn parentheses(&mut self) -> Result<Node, PropertyError> {
        let open = self.at;
        let start = self.place();
        self.step();
        let inner = self.event_or_expression()?;
        self.close(start, Sign::Close)?;
        self.group = Some((open, self.at.saturating_sub(1)));
        // The place takes in the parentheses, so that what is quoted to the user is whole.
        Ok(inner.placed_at(TextSpan::new(start.start, self.last_place().end)))
    }

    /// What may have a condition.
    pub(super) fn event_or_expression(&mut self) -> Result<Node, PropertyError> {
        let node = self.expression(level::IFF)?;
        if *self.token() != Token::Word(Word::Where) {
            return Ok(node);
        }
        self.step();
        let condition = self.expression(level::IFF)?;
        let place = node.place.to(condition.place);
        self.node(Kind::Where { event: Box::new(node), condition: Box::new(condition) }, place)
    }

    /// The end of what `open` began.
    pub(super) fn close(&mut self, open: TextSpan, sign: Sign) -> Result<(), PropertyError> {
        if self.takes(sign) {
            return Ok(());
        }
        if *self.token() == Token::End {
            let shown = open.of(self.text);
            let closing = if sign == Sign::Close { ')' } else { ']' };
            let message = format!("`{shown}` is not closed");
            return Err(self.error(open, message, format!("add `{closing}`")));
        }
        Err(self.unexpected_after())
    }

    /// The error for a name before `(` or `[` that is not a function.
    pub(super) fn no_function(&self, name: &str, place: TextSpan) -> PropertyError {
        if let Some(ours) = foreign(name) {
            return self.error(
                place,
                format!("`{name}` is not an operator here"),
                format!("write `{ours}`"),
            );
        }
        if *self.token() == Token::Sign(Sign::OpenSquare) {
            let place = TextSpan::new(place.start, self.place().end);
            let message = "a name cannot be followed by a time";
            let remedy = format!("write `{name}` alone for the current value");
            return self.error(place, message, remedy);
        }
        let mut functions: Vec<&str> =
            Function::ALL.iter().map(|function| function.name()).collect();
        functions.extend(["rise", "fall", "P", "time_in", "speedup"]);
        let near = match nearest(name, &functions).first() {
            Some(near) => format!("did you mean `{near}`? "),
            None => String::new(),
        };
        let all = functions.join(" ");
        let remedy =
            format!("{near}{} functions are {all}", if near.is_empty() { "the" } else { "The" });
        self.error(place, format!("there is no function `{name}`"), remedy)
    }
}
