//! Summaries of an attribute over occurrences.

use super::evaluating::Monitor;
use super::functions::has_no_value;
use super::grade::Grade;
use super::interval::exactly;
use super::occurrences::{Occurrences, over_groups, sees_beyond};
use super::percentile::{Ranked, nearest_rank};
use super::pointwise::{higher, lower};
use super::reach::Reach;
use super::sliding::{Choice, Largest, Smallest, slide};
use super::trace::Builder;
use super::value::Value;
use crate::{Aggregate, Bounds, EventAttribute, Note, NumberFunction, Window};
use std::ops::Range;
use std::rc::Rc;

impl Monitor<'_> {
    /// A summary of an attribute over the occurrences of an event.
    pub(super) fn over_events(
        &mut self,
        summary: Aggregate,
        window: Option<&Window>,
        of: &EventAttribute,
    ) -> Value {
        let Some(found) = self.occurrences(&of.of) else {
            return Value::unknown(Reach::EVERYWHERE);
        };
        let attribute = found.events.and_then(|events| events.attributes().get(&of.attribute));
        let Some(attribute) = attribute else {
            self.notes.insert(Note::Missing(of.attribute.clone()));
            return Value::unknown(found.reach);
        };
        let value = |&number: &usize| attribute.values.get(number).copied().unwrap_or(f64::NAN);
        let mut values: Vec<f64> = found.numbers.iter().map(value).collect();
        if summary == Aggregate::GeometricMean {
            let logarithm = NumberFunction::Logarithm;
            if values.iter().any(|&value| has_no_value(logarithm, exactly(value))) {
                self.note_without_value(logarithm);
            }
            let finite = |value: f64| if value.is_finite() { value } else { f64::NAN };
            values.iter_mut().for_each(|value| *value = finite(logarithm.of(*value)));
            let mean = self.summary_of(Aggregate::Mean, window, &found, &values);
            return self.function(NumberFunction::Exponential, &mean);
        }
        self.summary_of(summary, window, &found, &values)
    }

    fn summary_of(
        &mut self,
        summary: Aggregate,
        window: Option<&Window>,
        found: &Occurrences<'_>,
        values: &[f64],
    ) -> Value {
        match window {
            None => over_all(summary, found, values),
            Some(window) => {
                let reach = self.in_window(window, found.reach);
                over_windows(summary, window, reach, found, values)
            }
        }
    }
}

fn over_all(summary: Aggregate, found: &Occurrences<'_>, values: &[f64]) -> Value {
    let reach = found.reach;
    let mut sums = Sums::new(summary, found, values);
    if values.is_empty() && !reach.is_cut {
        return match summary {
            Aggregate::Sum => Value::constant(Bounds::exactly(0.0), reach),
            _ => Value::vacuous(reach),
        };
    }
    let is_sure = |i: usize| found.is_in[i][0];
    let has_sure = (0..values.len()).any(is_sure);
    let extreme = |worst: f64, pick: fn(f64, f64) -> f64| {
        let sure = (0..values.len()).filter(|&i| is_sure(i)).map(|i| values[i]).fold(worst, pick);
        let is_open = reach.is_cut || !has_sure || values.iter().any(|value| value.is_nan());
        let all = values.iter().copied().fold(worst, pick);
        (sure, if is_open { -worst } else { all })
    };
    let bounds = match summary {
        Aggregate::Greatest => {
            let (low, high) = extreme(f64::NEG_INFINITY, f64::max);
            Bounds { low, high }
        }
        Aggregate::Least => {
            let (high, low) = extreme(f64::INFINITY, f64::min);
            Bounds { low, high }
        }
        _ if reach.is_cut => Bounds::UNKNOWN,
        _ => sums.bounds(&(0..found.groups().len())),
    };
    Value::constant(bounds, reach)
}

fn over_windows(
    summary: Aggregate,
    window: &Window,
    reach: Reach,
    found: &Occurrences<'_>,
    values: &[f64],
) -> Value {
    let groups = found.groups();
    let beyond = sees_beyond(window, reach);
    let mut value = match summary {
        Aggregate::Greatest => extreme::<Largest>(window, reach, found, values, true),
        Aggregate::Least => extreme::<Smallest>(window, reach, found, values, false),
        _ => {
            let mut sums = Sums::new(summary, found, values);
            over_groups(&groups, window, reach, |range| sums.bounds(range))
        }
    };
    if let Some(beyond) = &beyond {
        let seen = Rc::new(beyond.negated());
        // More can only make the largest larger, and the smallest smaller.
        if summary != Aggregate::Greatest {
            value.low = lower(&value.low, &seen);
        }
        if summary != Aggregate::Least {
            value.high = higher(&value.high, beyond);
        }
    }
    if summary != Aggregate::Sum {
        let truth = |range: &Range<usize>| {
            let grade = Grade::certain(range.is_empty()).value();
            Bounds { low: grade, high: grade }
        };
        let empty = over_groups(&groups, window, reach, truth).low;
        value.vacuous = Some(match &beyond {
            Some(beyond) => lower(&empty, &Rc::new(beyond.negated())),
            None => empty,
        });
    }
    value
}

/// The largest or smallest in the window around each time. One bound is from those that surely
/// count, the other from all; it is open where there are none.
fn extreme<C: Choice>(
    window: &Window,
    reach: Reach,
    found: &Occurrences<'_>,
    values: &[f64],
    is_largest: bool,
) -> Value {
    let open = C::NONE.negated();
    let slid = |grade: &dyn Fn(usize) -> Grade| {
        let mut made = Builder::default();
        if found.times.first() != Some(&0.0) && reach.end > 0.0 {
            made.step(0.0, C::NONE, C::NONE);
        }
        let mut last = C::NONE;
        for (time, group) in found.groups() {
            let best = group.map(grade).reduce(|a, b| if C::beats(a, b) { a } else { b });
            let best = best.unwrap_or(C::NONE);
            if time < reach.end {
                made.step(time, best, C::NONE);
            } else {
                last = best;
            }
        }
        slide::<C>(&Rc::new(made.finish(reach.end, last)), window, reach.end, None)
    };
    let sure = slid(&|i| match found.is_in[i][0] && !values[i].is_nan() {
        true => Grade::of(values[i]),
        false => C::NONE,
    });
    let any_sure = slid(&|i| if found.is_in[i][0] { open } else { C::NONE });
    let all = slid(&|i| if values[i].is_nan() { open } else { Grade::of(values[i]) });
    // Where none surely counts, nothing is known.
    let all = C::of(&all, &Rc::new(any_sure.negated()));
    let (low, high) = if is_largest { (sure, all) } else { (all, sure) };
    let high = if *low == *high { Rc::clone(&low) } else { high };
    Value::between(low, high, reach)
}

/// Sums up to each group of occurrences.
struct Sums {
    summary: Aggregate,
    /// Of the values, in two parts, then how many there are and how many of them are unknown.
    up_to: Vec<((f64, f64), usize, usize)>,
    ranked: Ranked,
}

impl Sums {
    fn new(summary: Aggregate, found: &Occurrences<'_>, values: &[f64]) -> Sums {
        let groups = found.groups();
        let mut sum = ((0.0, 0.0), 0, 0);
        let mut up_to = vec![sum];
        for (_, group) in &groups {
            for i in group.clone() {
                sum.1 += 1;
                if values[i].is_nan() || !found.is_in[i][0] {
                    sum.2 += 1;
                } else {
                    sum.0 = super::integral::added(sum.0, values[i]);
                }
            }
            up_to.push(sum);
        }
        let ranked = match summary {
            Aggregate::Percentile(_) => Ranked::new(values, &groups),
            _ => Ranked::default(),
        };
        Sums { summary, up_to, ranked }
    }

    /// The summary over some groups. The ends of these must not go back from call to call.
    fn bounds(&mut self, range: &Range<usize>) -> Bounds {
        let (from, to) = (self.up_to[range.start], self.up_to[range.end]);
        let n = to.1 - from.1;
        if let Aggregate::Percentile(percentage) = self.summary {
            self.ranked.advance(range);
            if n == 0 || to.2 > from.2 {
                return Bounds::UNKNOWN;
            }
            return exactly(self.ranked.at(nearest_rank(percentage, n)));
        }
        if to.2 > from.2 {
            return Bounds::UNKNOWN;
        }
        let sum = (to.0.0 - from.0.0) + (to.0.1 - from.0.1);
        #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let mean = sum / n as f64;
        // 0/0 is not finite, and so unknown.
        exactly(if self.summary == Aggregate::Sum { sum } else { mean })
    }
}
