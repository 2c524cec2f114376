//! Shares, edges, functions.

use super::super::error::PropertyError;
use super::super::text_span::TextSpan;
use super::super::token::{Sign, Token, Word};
use super::super::tree::{Argument, Function, Kind, Literal, Node};
use super::Parser;
use crate::formula::Edge;

/// The 99.9 of `p99.9(x)`, which is `pct(99.9, x)`.
fn percentile(name: &str) -> Option<&str> {
    let digits = name.strip_prefix('p')?;
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit());
    digits.parse::<f64>().ok().filter(|_| is_number).map(|_| digits)
}

impl Parser<'_> {
    /// What a name before `(` or `[` begins.
    pub(super) fn named_call(
        &mut self,
        name: &str,
        start: TextSpan,
    ) -> Result<Node, PropertyError> {
        match name {
            "rise" => self.edge(Edge::Rise, start),
            "fall" => self.edge(Edge::Fall, start),
            "time_in" => self.time_in(start),
            "speedup" => self.speedup(start),
            name => match (Function::parse(name), percentile(name)) {
                (Some(function), _) => self.call(function, Vec::new(), start),
                (None, Some(digits)) => {
                    let number = Literal { digits: digits.to_string(), unit: None };
                    let number = Argument::Plain(self.node(Kind::Number(number), start)?);
                    self.call(Function::Percentile, vec![number], start)
                }
                (None, None) => Err(self.no_function(name, start)),
            },
        }
    }

    /// `P(...)`, `P[a,b](...)`, `P(... at event)`, `P<0.1[...]`.
    pub(super) fn share(&mut self) -> Result<Node, PropertyError> {
        let start = self.place();
        self.step();
        if let Token::Relation(relation) = *self.token() {
            self.step();
            let at = self.place();
            let number = self.literal()?;
            let number =
                self.node(Kind::Number(number), TextSpan::new(at.start, self.last_place().end))?;
            let open = self.place();
            if !self.takes(Sign::OpenSquare) {
                let message = match self.token() {
                    Token::End => format!("the {} ends too early", self.kind.name),
                    _ => format!("unexpected {}", self.found()),
                };
                let remedy =
                    "write `P<0.1[...]` or `P(...) < 0.1`. A metric named P needs quotes: `\"P\"`";
                return Err(self.error(open, message, remedy));
            }
            let (body, event) = self.body()?;
            self.close(open, Sign::CloseSquare)?;
            let place = TextSpan::new(start.start, self.last_place().end);
            let share = Kind::Share { interval: None, body: Box::new(body), at: event };
            let share = self.node(share, place)?;
            return self.node(Kind::Compare(Box::new(share), vec![(relation, number)]), place);
        }
        let interval = self.window()?;
        let open = self.place();
        if !self.takes(Sign::Open) {
            let message = format!("unexpected {} after P", self.found());
            let remedy = "write a share as `P(...)`. A metric named P needs quotes: `\"P\"`";
            return Err(self.error(open, message, remedy));
        }
        let (body, at) = self.body()?;
        self.close(open, Sign::Close)?;
        let place = TextSpan::new(start.start, self.last_place().end);
        self.node(Kind::Share { interval, body: Box::new(body), at }, place)
    }

    /// A condition and the event at which it is judged.
    fn body(&mut self) -> Result<(Node, Option<Box<Node>>), PropertyError> {
        let body = self.event_or_expression()?;
        if *self.token() != Token::Word(Word::At) {
            return Ok((body, None));
        }
        self.step();
        Ok((body, Some(Box::new(self.event()?))))
    }

    /// An event with the condition it may have.
    fn event(&mut self) -> Result<Node, PropertyError> {
        let begins =
            matches!(self.token(), Token::Name(_) | Token::Quoted(_) | Token::Sign(Sign::Open));
        if !begins {
            let message = format!("expected an event, found {}", self.found());
            let remedy = "name an event, or use `rise(...)` or `fall(...)` of a condition";
            return Err(self.error(self.place(), message, remedy));
        }
        self.event_or_expression()
    }

    fn time_in(&mut self, start: TextSpan) -> Result<Node, PropertyError> {
        let interval = self.window()?;
        let open = self.place();
        self.open("time_in")?;
        let (body, at) = self.body()?;
        if let Some(event) = at {
            let message = "time_in is a share of the time, not of the occurrences of an event";
            let remedy = "write `P(... at event)`, or leave out `at`";
            return Err(self.error(event.place, message, remedy));
        }
        self.close(open, Sign::Close)?;
        let place = TextSpan::new(start.start, self.last_place().end);
        self.node(Kind::Share { interval, body: Box::new(body), at: None }, place)
    }

    fn edge(&mut self, edge: Edge, start: TextSpan) -> Result<Node, PropertyError> {
        let open = self.place();
        self.open(if edge == Edge::Rise { "rise" } else { "fall" })?;
        let inner = self.event_or_expression()?;
        self.close(open, Sign::Close)?;
        let place = TextSpan::new(start.start, self.last_place().end);
        self.node(Kind::Edge(edge, Box::new(inner)), place)
    }

    /// `arguments` are those that the name says already.
    fn call(
        &mut self,
        function: Function,
        mut arguments: Vec<Argument>,
        start: TextSpan,
    ) -> Result<Node, PropertyError> {
        let interval = self.window()?;
        if let Some(interval) = &interval
            && !function.may_have_window()
        {
            let message = format!("{} cannot have a window", function.name());
            let remedy = match function {
                Function::GeometricMean => {
                    "leave out the interval, or compare logarithms, as in `avg[-1,0](log(x)) < 2`"
                }
                _ => "leave out the interval",
            };
            return Err(self.error(interval.place, message, remedy));
        }
        let open = self.place();
        self.open(function.name())?;
        loop {
            arguments.push(self.argument()?);
            if !self.takes(Sign::Comma) {
                break;
            }
        }
        self.close(open, Sign::Close)?;
        let place = TextSpan::new(start.start, self.last_place().end);
        self.node(Kind::Call { function, interval, arguments }, place)
    }

    fn argument(&mut self) -> Result<Argument, PropertyError> {
        let place = self.place();
        if let Token::Name(attribute) | Token::Quoted(attribute) = self.token()
            && *self.ahead(1) == Token::Word(Word::Of)
        {
            let attribute = attribute.clone();
            self.step();
            self.step();
            return Ok(Argument::Of { attribute, place, event: self.event()? });
        }
        Ok(Argument::Plain(self.event_or_expression()?))
    }

    /// `speedup(base, new)` and `speedup(base, new, METRIC)`.
    fn speedup(&mut self, start: TextSpan) -> Result<Node, PropertyError> {
        let open = self.place();
        self.open("speedup")?;
        let base = self.run_name()?;
        if !self.takes(Sign::Comma) {
            let message = format!("unexpected {}", self.found());
            let remedy = "write `speedup(base, new)` or `speedup(base, new, metric)`";
            return Err(self.error(self.place(), message, remedy));
        }
        let new = self.run_name()?;
        let metric = if self.takes(Sign::Comma) {
            Some(Box::new(self.expression(super::level::IFF)?))
        } else {
            None
        };
        self.close(open, Sign::Close)?;
        let place = TextSpan::new(start.start, self.last_place().end);
        self.node(Kind::Speedup { base, new, metric }, place)
    }

    /// The parenthesis after the name of a function.
    fn open(&mut self, function: &str) -> Result<(), PropertyError> {
        if self.takes(Sign::Open) {
            return Ok(());
        }
        let message = format!("unexpected {} after {function}", self.found());
        Err(self.error(self.place(), message, format!("write `{function}(...)`")))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Property;

    #[test]
    fn percentiles_have_short_names() {
        for (short, long) in [
            ("p99(x) > 1", "pct(99, x) > 1"),
            ("p99.9(x) > 1", "pct(99.9, x) > 1"),
            ("p50[-1ms,0](x) > 1", "pct[-1ms,0](50, x) > 1"),
        ] {
            let read = |text: &str| Property::parse(text).map(|property| property.to_string());
            assert_eq!(read(short), read(long));
            assert!(read(short).is_ok(), "{short}");
        }
        // A metric may have such a name.
        assert!(Property::parse("p99 > 1").is_ok() && Property::parse("px(1) > 1").is_err());
    }
}
