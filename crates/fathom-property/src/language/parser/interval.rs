//! Stretches of time.

use super::super::error::PropertyError;
use super::super::text_span::TextSpan;
use super::super::token::{Sign, Token};
use super::super::tree::{Bound, Interval};
use super::Parser;
use crate::formula::Relation;

impl Parser<'_> {
    /// The interval after `G`, `F` or `U`, if there is one; it looks ahead only.
    pub(super) fn future_interval(
        &mut self,
        operator: &str,
    ) -> Result<Option<Interval>, PropertyError> {
        self.refuse_relation(operator)?;
        let opens = match self.token() {
            Token::Sign(Sign::OpenSquare) => true,
            Token::Sign(Sign::Open) => self.is_interval_ahead(),
            _ => false,
        };
        if !opens {
            return Ok(None);
        }
        let interval = self.interval()?;
        for bound in [&interval.from, &interval.to] {
            if bound.is_negative {
                let message = format!("`{operator}` looks ahead, so its times cannot be negative");
                let remedy = "to look back, use a window of P, count, avg, min, max, sum or pct, \
                              as in `P[-10,0](...)`";
                return Err(self.error(bound.place, message, remedy));
            }
        }
        Ok(Some(interval))
    }

    /// The interval of a share or a function, if there is one.
    pub(super) fn window(&mut self) -> Result<Option<Interval>, PropertyError> {
        if *self.token() == Token::Sign(Sign::OpenSquare) {
            self.interval().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Whether a parenthesis holds times: a number and then a comma or colon.
    fn is_interval_ahead(&self) -> bool {
        let mut at = 1;
        if *self.ahead(at) == Token::Sign(Sign::Minus) {
            at += 1;
        }
        match self.ahead(at) {
            Token::Number { unit: Some(_), .. } => at += 1,
            Token::Number { unit: None, .. } => {
                at += 1;
                if matches!(self.ahead(at), Token::Name(_)) {
                    at += 1;
                }
            }
            Token::Name(name) if name == "inf" => at += 1,
            _ => return false,
        }
        matches!(self.ahead(at), Token::Sign(Sign::Comma | Sign::Colon))
    }

    fn interval(&mut self) -> Result<Interval, PropertyError> {
        let start = self.place();
        let includes_from = *self.token() == Token::Sign(Sign::OpenSquare);
        self.step();
        let from = self.bound()?;
        if from.number.is_none() {
            let remedy = "write the time at which it begins, as in `[0,inf)`";
            return Err(self.error(from.place, "an interval cannot begin at infinity", remedy));
        }
        if !(self.takes(Sign::Comma) || self.takes(Sign::Colon)) {
            let message = format!("unexpected {} in an interval", self.found());
            return Err(self.error(self.place(), message, "write two times, as in `[0,10ms]`"));
        }
        let to = self.bound()?;
        if to.is_negative && to.number.is_none() {
            return Err(self.error(
                to.place,
                "an interval cannot end at minus infinity",
                "write `inf`",
            ));
        }
        let closes = *self.token() == Token::Sign(Sign::CloseSquare);
        if !closes && *self.token() != Token::Sign(Sign::Close) {
            let message = match self.token() {
                Token::End => "the interval is not closed".to_string(),
                _ => format!("unexpected {} in an interval", self.found()),
            };
            return Err(self.error(
                self.place(),
                message,
                "close it with `]` or, to exclude its end, with `)`",
            ));
        }
        self.step();
        let place = TextSpan::new(start.start, self.last_place().end);
        let includes_to = closes && to.number.is_some();
        Ok(Interval { includes_from, from, to, includes_to, place })
    }

    fn bound(&mut self) -> Result<Bound, PropertyError> {
        let start = self.place();
        let is_negative = self.takes(Sign::Minus);
        let number = if *self.token() == Token::Name("inf".to_string()) {
            self.step();
            None
        } else if matches!(self.token(), Token::Number { .. }) {
            Some(self.literal()?)
        } else {
            let message = format!("expected a time, found {}", self.found());
            return Err(self.error(
                self.place(),
                message,
                "write an interval such as `[0,10ms]` or `[5,inf)`",
            ));
        };
        Ok(Bound { is_negative, number, place: TextSpan::new(start.start, self.last_place().end) })
    }

    /// `F<=10ms x`, as some tools write it.
    fn refuse_relation(&mut self, operator: &str) -> Result<(), PropertyError> {
        let Token::Relation(relation) = *self.token() else { return Ok(()) };
        let start = self.place();
        self.step();
        let time = match self.literal() {
            Ok(number) => number.to_string(),
            Err(_) => "10ms".to_string(),
        };
        let interval = match relation {
            Relation::Less => format!("[0,{time})"),
            Relation::AtMost | Relation::Unequal => format!("[0,{time}]"),
            Relation::Greater => format!("({time},inf)"),
            Relation::AtLeast => format!("[{time},inf)"),
            Relation::Equal => format!("[{time},{time}]"),
        };
        let place = TextSpan::new(start.start, self.last_place().end);
        let message = format!("the times of `{operator}` must be an interval");
        Err(self.error(place, message, format!("write `{operator}{interval}`")))
    }
}
