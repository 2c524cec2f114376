//! Stretches of time in the time unit of the data.

use super::super::catalogue::Clock;
use super::super::error::PropertyError;
use super::super::factor::Factor;
use super::super::measure::{Measure, Mismatch};
use super::super::suffix::Suffix;
use super::super::text_span::TextSpan;
use super::super::tree::{Bound, Interval};
use super::super::value::Quantity;
use super::Checker;
use crate::formula::{RunIndex, Window};
use std::collections::BTreeSet;

impl Checker<'_> {
    /// What the times of these executions are in, and one of the executions.
    pub(super) fn time_of(
        &self,
        runs: &BTreeSet<RunIndex>,
        place: TextSpan,
    ) -> Result<(Quantity, RunIndex), PropertyError> {
        let first = runs.first().copied().or(self.default_run).unwrap_or(0);
        let quantity = self.time_quantity(first);
        for &run in runs {
            let other = self.time_quantity(run);
            if other != quantity {
                let message = format!(
                    "the times of `{}` are {}, but those of `{}` are {}",
                    self.role_name(first),
                    described(&quantity),
                    self.role_name(run),
                    described(&other)
                );
                let remedy = "use the same unit of time in the data of both systems";
                return Err(self.error(place, message, remedy));
            }
        }
        Ok((quantity, first))
    }

    fn role_name(&self, run: RunIndex) -> &str {
        self.roles.get(run).map_or("", |role| &role.name)
    }

    /// An interval in the time unit of these executions.
    pub(super) fn window(
        &self,
        interval: &Interval,
        runs: &BTreeSet<RunIndex>,
    ) -> Result<Window, PropertyError> {
        let (time, run) = self.time_of(runs, interval.place)?;
        let unit = |bound: &Bound| bound.number.as_ref().and_then(|number| number.unit);
        // One bound without a unit has that of the other.
        let (first, second) = (unit(&interval.from), unit(&interval.to));
        // Of two mistakes the one is told that the user made.
        let (from, to) = if first.is_some() {
            let from = self.bound(&interval.from, first, &time, run)?;
            (from, self.bound(&interval.to, second.or(first), &time, run)?)
        } else {
            let to = self.bound(&interval.to, second, &time, run)?;
            (self.bound(&interval.from, second, &time, run)?, to)
        };
        let Interval { includes_from, includes_to, place, .. } = *interval;
        if from > to {
            let message = format!("{} ends before it begins", self.quoted(place));
            return Err(self.error(place, message, "swap its two times"));
        }
        if from >= to && !(includes_from && includes_to) {
            let message = format!("{} contains no time", self.quoted(place));
            let shown = &interval.from;
            return Err(self.error(
                place,
                message,
                format!("for a single instant, write `[{shown},{shown}]`"),
            ));
        }
        Ok(Window { from, to, includes_from, includes_to })
    }

    fn bound(
        &self,
        bound: &Bound,
        unit: Option<&'static Suffix>,
        time: &Quantity,
        run: RunIndex,
    ) -> Result<f64, PropertyError> {
        let Some(number) = &bound.number else { return Ok(f64::INFINITY) };
        let factor = match unit {
            Some(suffix) => self.time_factor(suffix, time, run, bound.place)?,
            None => Factor::ONE,
        };
        let too_large = || self.error(bound.place, "the time is too large", "use a smaller time");
        let number = factor.apply(&number.digits).ok_or_else(too_large)?;
        Ok(if bound.is_negative && number > 0.0 { -number } else { number })
    }

    fn time_factor(
        &self,
        suffix: &'static Suffix,
        time: &Quantity,
        run: RunIndex,
        place: TextSpan,
    ) -> Result<Factor, PropertyError> {
        let written = Measure::of_suffix(suffix);
        let Quantity::Known(measure) = time else {
            let message = "the data do not give the unit of their times";
            let remedy =
                "write the interval without units, or set the unit, as in `--unit time=ns`";
            return Err(self.error(place, message, remedy));
        };
        match self.conversion(&written, measure, run, place) {
            Ok(Ok(factor)) => Ok(factor),
            Ok(Err(())) => {
                let message = format!(
                    "the times in the data are in {}, not in {}",
                    measure.symbol(),
                    suffix.symbol
                );
                let remedy = match measure.suffix() {
                    Some(ours) => format!("write a time such as `10{}`", ours.symbol),
                    None => "write the interval without units".to_string(),
                };
                Err(self.error(place, message, remedy))
            }
            Err(error) => Err(error),
        }
    }

    /// How many of one unit another is; `Err(())` if they measure different things.
    pub(super) fn conversion(
        &self,
        from: &Measure,
        to: &Measure,
        run: RunIndex,
        place: TextSpan,
    ) -> Result<Result<Factor, ()>, PropertyError> {
        let clock = match self.clock(run) {
            Clock::Hertz(hertz) => Some(hertz),
            Clock::Unknown | Clock::Differs(..) => None,
        };
        let factor = match from.conversion(to, clock) {
            Ok(factor) => factor,
            Err(Mismatch::Kinds) => return Ok(Err(())),
            Err(Mismatch::NeedsClock) => return Err(self.no_clock(run, place)),
        };
        let (up, down) = factor.scale();
        let is_usable = |x: f64| x.is_finite() && x > 0.0;
        if is_usable(up) && is_usable(down) {
            Ok(Ok(factor))
        } else {
            let message = format!("{} and {} are too far apart", from.symbol(), to.symbol());
            Err(self.error(place, message, "use units of similar size"))
        }
    }

    fn no_clock(&self, run: RunIndex, place: TextSpan) -> PropertyError {
        let message = match self.clock(run) {
            Clock::Differs(a, b) => {
                format!("cycles differ in length: the executions have clocks of {a} Hz and {b} Hz")
            }
            _ => "the data do not give the clock frequency, so the length of a cycle is unknown"
                .to_string(),
        };
        self.error(place, message, "set the clock frequency, as in `--clock 2GHz`")
    }
}

/// What a number is in, for a message.
pub(super) fn described(quantity: &Quantity) -> String {
    match quantity {
        Quantity::Bare => "a number without a unit".to_string(),
        Quantity::Unlabelled(_) => "without a unit".to_string(),
        Quantity::Known(measure) if measure.symbol().is_empty() => "a pure number".to_string(),
        Quantity::Known(measure) => format!("in {}", measure.symbol()),
    }
}
