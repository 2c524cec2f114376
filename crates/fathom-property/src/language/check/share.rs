//! Shares of time and of events.

use super::super::error::PropertyError;
use super::super::measure::Measure;
use super::super::text_span::TextSpan;
use super::super::tree::{Interval, Node};
use super::super::value::{Condition, Moment, Nature, Quantity, Value};
use super::Checker;
use crate::formula::{Term, Window};

impl Checker<'_> {
    pub(super) fn share(
        &mut self,
        interval: Option<&Interval>,
        body: &Node,
        at: Option<&Node>,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        let wanted = self.share_wanted.take();
        if at.is_none() && self.is_event(body) {
            let text = self.quoted(body.place);
            let message = format!("`{text}` is an event, which has no duration");
            let remedy = format!("count it, as in `count({text}) > 0`");
            return Err(self.error(body.place, message, remedy));
        }
        let condition = self.elsewhere(|this| this.condition(body))?;
        if !condition.nature.varies {
            return Err(self.constant_share(body.place, place, wanted));
        }
        self.refuse_curved(condition.nature.curved)?;
        match at {
            Some(event) => self.share_of_events(interval, condition, event, place),
            None => self.share_of_time(interval, condition, place),
        }
    }

    fn share_of_time(
        &self,
        interval: Option<&Interval>,
        condition: Condition,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        self.time_of(&condition.nature.runs, place)?;
        let runs = &condition.nature.runs;
        let window = interval.map(|interval| self.window(interval, runs)).transpose()?;
        if let (Some(interval), Some(window)) = (interval, window) {
            self.refuse_unbounded("P", window, interval.place)?;
        }
        let nature = windowed(condition.nature, window, place);
        let term = Term::ShareOfTime(window, Box::new(condition.formula));
        let value = Value::measured(term, Quantity::Known(Measure::pure()), nature, place);
        // A window that moves takes in and leaves out time steadily.
        Ok(Value { is_linear: window.is_some(), ..value })
    }

    fn share_of_events(
        &mut self,
        interval: Option<&Interval>,
        condition: Condition,
        event: &Node,
        place: TextSpan,
    ) -> Result<Value, PropertyError> {
        let event = self.elsewhere(|this| this.occurrence(event))?;
        if let Some(interval) = interval {
            let message = "a share of events cannot have a window";
            let shown = interval.to_string();
            let remedy = format!("write `count{shown}(event where ...) / count{shown}(event)`");
            return Err(self.error(interval.place, message, remedy));
        }
        let nature = condition.nature.and(event.nature);
        self.time_of(&nature.runs, place)?;
        let term = Term::ShareOfEvents(Box::new(condition.formula), event.occurrence);
        let quantity = Quantity::Known(Measure::pure());
        Ok(Value::measured(term, quantity, nature.throughout(), place))
    }

    /// A share of something that is the same during an execution.
    fn constant_share(
        &self,
        body: TextSpan,
        share: TextSpan,
        wanted: Option<String>,
    ) -> PropertyError {
        let text = self.quoted(body);
        let message =
            format!("`{text}` is constant during an execution, so it has no share of the time");
        let wanted = wanted.unwrap_or_else(|| "0.9".to_string());
        let remedy = format!(
            "for the share of executions, write the property `{text}` and use `--probability \
             {wanted}`"
        );
        self.error(share, message, remedy)
    }

    /// Refuses windows without a length to divide by.
    pub(super) fn refuse_unbounded(
        &self,
        function: &str,
        window: Window,
        place: TextSpan,
    ) -> Result<(), PropertyError> {
        let length = window.to - window.from;
        let message = if length.is_infinite() {
            format!("{function} needs a window with an end")
        } else if length > 0.0 {
            return Ok(());
        } else {
            format!("{function} needs a window longer than 0")
        };
        let remedy = format!(
            "use one, or leave the window out: `{function}(...)` covers the whole execution"
        );
        Err(self.error(place, message, remedy))
    }
}

/// The nature of a summary: of all of an execution, or of a window around the present.
pub(super) fn windowed(inner: Nature, window: Option<Window>, place: TextSpan) -> Nature {
    match window {
        None => inner.throughout(),
        Some(window) => {
            let nature = Nature { varies: true, ..inner.over_time() };
            if window.from < 0.0 { nature.at_a_moment(Moment::LooksBack, place) } else { nature }
        }
    }
}
