//! The verdict of a comparison in words.

use crate::known::condition;
use crate::layout::visible;
use crate::percent::percent;
use crate::quantity::{Rounding, Scale};
use fathom_analyze::Subject;
use fathom_analyze::compare::{Comparison, Verdict};
use fathom_record::{Metric, Unit};
use fathom_stats::Interval;

/// How a metric is spoken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity<'a> {
    /// Things are slower or faster.
    Time,
    /// Things are higher or lower in this.
    Other(&'a str),
}

impl<'a> Quantity<'a> {
    /// How the metric of a subject is spoken of; without a subject it is time.
    #[must_use]
    pub fn of(subject: Option<&'a Subject>) -> Quantity<'a> {
        let Some(subject) = subject else { return Quantity::Time };
        let is_time = matches!(subject.series.unit(), Unit::Time(_));
        match subject.series.metric() {
            Some(metric) if metric != Metric::WallTime.to_string() => {
                Quantity::Other(metric.strip_prefix("metric:").unwrap_or(metric))
            }
            None if !is_time => Quantity::Other("value"),
            _ => Quantity::Time,
        }
    }

    fn more(self) -> String {
        match self {
            Quantity::Time => "more time".to_string(),
            Quantity::Other(name) => format!("more {name}"),
        }
    }
}

/// "./new is 1.2% slower than ./old (0.8% to 1.6%), sure at 95%."
#[must_use]
pub fn sentence(comparison: &Comparison, quantity: Quantity<'_>) -> String {
    let subject = visible(&comparison.subject);
    let reference = visible(&comparison.reference);
    let sure = how_sure(comparison);
    let Interval { lower, upper } = comparison.interval;
    let ends = || format!("{} to {}", signed(lower, Rounding::Down), signed(upper, Rounding::Up));
    match comparison.verdict {
        Verdict::Slower | Verdict::Faster if is_large(comparison.interval) => {
            many_times(comparison, quantity, &subject, &reference)
        }
        Verdict::Slower => {
            let how = match quantity {
                Quantity::Time => "slower".to_string(),
                Quantity::Other(name) => format!("higher in {name}"),
            };
            format!(
                "{subject} is {} {how} than {reference} ({} to {}), sure at {sure}.",
                share(comparison.ratio - 1.0, comparison.interval, Rounding::Nearest),
                share(lower - 1.0, comparison.interval, Rounding::Down),
                share(upper - 1.0, comparison.interval, Rounding::Up),
            )
        }
        Verdict::Faster => {
            let numbers = [
                share(1.0 - comparison.ratio, comparison.interval, Rounding::Nearest),
                share(1.0 - upper, comparison.interval, Rounding::Down),
                share(1.0 - lower, comparison.interval, Rounding::Up),
            ];
            let [by, least, most] = numbers;
            match quantity {
                Quantity::Time => format!(
                    "{subject} is faster than {reference}: it takes {by} less time ({least} to \
                     {most}), sure at {sure}."
                ),
                Quantity::Other(name) => format!(
                    "{subject} is {by} lower in {name} than {reference} ({least} to {most}), sure \
                     at {sure}."
                ),
            }
        }
        Verdict::Equivalent => {
            let what = match quantity {
                Quantity::Time => "take the same time".to_string(),
                Quantity::Other(name) => format!("have the same {name}"),
            };
            let although = if comparison.is_measurable() {
                ", although a difference is measurable"
            } else {
                ""
            };
            format!(
                "{reference} and {subject} {what} within {} ({}), sure at {sure}{although}.",
                percent(comparison.margin.get()),
                ends()
            )
        }
        Verdict::Inconclusive if !lower.is_finite() || !upper.is_finite() => {
            format!("Cannot tell: too little was measured to compare {subject} with {reference}.")
        }
        Verdict::Inconclusive => {
            let change = |ratio: f64, rounding| match ratio < 1.0 {
                // Outwards, whichever way that is.
                true => format!("{} less", share(1.0 - ratio, comparison.interval, Rounding::Up)),
                false => format!("{} more", share(ratio - 1.0, comparison.interval, rounding)),
            };
            let kind = match quantity {
                Quantity::Time => "takes",
                Quantity::Other(_) => "has",
            };
            format!(
                "Cannot tell yet: {subject} {kind} between {} and {} than {reference}, at {sure}.",
                change(lower, Rounding::Up),
                change(upper, Rounding::Up).replace("more", &quantity.more()),
            )
        }
    }
}

/// "95%", and on what condition.
fn how_sure(comparison: &Comparison) -> String {
    let condition = condition(comparison.if_independent);
    format!("{}{condition}", percent(comparison.confidence.get()))
}

/// Percentages are for small differences; who is ten times as fast wants to hear that.
fn is_large(interval: Interval) -> bool {
    interval.lower > 2.0 || interval.upper < 0.5
}

fn many_times(
    comparison: &Comparison,
    quantity: Quantity<'_>,
    subject: &str,
    reference: &str,
) -> String {
    let Interval { lower, upper } = comparison.interval;
    let sure = how_sure(comparison);
    let is_less = upper < 1.0;
    let (ratio, ends) = if is_less {
        (1.0 / comparison.ratio, Interval { lower: 1.0 / upper, upper: 1.0 / lower })
    } else {
        (comparison.ratio, comparison.interval)
    };
    let scale = Scale::new(&Unit::Unknown, ratio, None).for_interval(ratio, Some(ends));
    let times = scale.number(ratio, Rounding::Nearest);
    let ends = scale.ends(Some(ends), false);
    match (quantity, is_less) {
        (Quantity::Time, true) => {
            format!("{subject} is {times} times as fast as {reference} ({ends}), sure at {sure}.")
        }
        (Quantity::Time, false) => {
            format!(
                "{subject} takes {times} times as long as {reference} ({ends}), sure at {sure}."
            )
        }
        (Quantity::Other(name), true) => format!(
            "{subject} has {name} {times} times lower than {reference} ({ends}), sure at {sure}."
        ),
        (Quantity::Other(name), false) => format!(
            "{subject} has {times} times the {name} of {reference} ({ends}), sure at {sure}."
        ),
    }
}

/// A share as a percentage with the digits that the interval supports.
fn share(share: f64, interval: Interval, rounding: Rounding) -> String {
    format!("{}%", scale_of(interval).number(100.0 * share, rounding))
}

/// "+0.3%", "-0.4%".
fn signed(ratio: f64, rounding: Rounding) -> String {
    let percents = 100.0 * (ratio - 1.0);
    let scale = Scale::new(&Unit::Unknown, percents, None)
        .for_interval(0.0, Some(Interval { lower: -0.5, upper: 0.5 }));
    let number = scale.number(percents, rounding);
    if number.starts_with('-') { format!("{number}%") } else { format!("+{number}%") }
}

/// One digit of the half width is enough in a sentence, unless an end would then look like no
/// difference; and hundredths of a percent are as fine as anybody wants it.
fn scale_of(interval: Interval) -> Scale {
    const FINEST: f64 = 0.25;
    let percents = Interval { lower: 100.0 * interval.lower, upper: 100.0 * interval.upper };
    let nearest = (percents.lower - 100.0).abs().min((percents.upper - 100.0).abs());
    let half = (5.0 * 0.5 * percents.width()).min(10.0 * nearest).max(FINEST);
    // About 0: the width alone decides, since a difference of hardly anything has no digits to keep.
    let wider = Interval { lower: -half, upper: half };
    Scale::new(&Unit::Unknown, half, None).for_interval(0.0, Some(wider))
}
