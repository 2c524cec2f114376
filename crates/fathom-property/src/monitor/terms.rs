//! Terms over time.

use super::evaluating::Monitor;
use super::grade::Grade;
use super::interval::exactly;
use super::reach::Reach;
use super::trace::{Builder, Trace};
use super::value::{Pair, Value};
use crate::{Bounds, Note, QualifiedName, RunIndex, Term};
use fathom_record::{Certainty, Shape, Signal};

impl Monitor<'_> {
    /// The value of a term over time.
    pub(super) fn term(&mut self, term: &Term) -> Value {
        self.terms += 1;
        let value = match term {
            Term::Number(number) => Value::constant(exactly(*number), Reach::EVERYWHERE),
            Term::Metric(source) => self.metric(source),
            // The occurrence at hand is put in before; here there is none.
            Term::Attribute(name) => {
                self.notes.insert(Note::Missing(name.clone()));
                Value::unknown(Reach::EVERYWHERE)
            }
            Term::Time(run) => self.time(*run),
            Term::Remaining(run) => self.remaining(*run),
            Term::Duration(run) => self.duration(*run),
            Term::Negate(of) => self.term(of).negated(),
            Term::Magnitude(of) => self.term(of).magnitude(),
            Term::Function(function, of) => {
                let of = self.term(of);
                self.function(*function, &of)
            }
            Term::Scale(of, times, divided_by) => self.term(of).scaled(*times, *divided_by),
            Term::Binary(operator, a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                a.combined(*operator, &b)
            }
            Term::ShareOfTime(window, of) => self.share_of_time(window.as_ref(), of),
            Term::ShareOfEvents(of, at) => self.share_of_events(of, at),
            Term::Count(window, of) => self.count(window.as_ref(), of),
            Term::Gap(of) => self.gap(of),
            Term::OverTime(summary, window, of) => self.over_time(*summary, window.as_ref(), of),
            Term::OverEvents(summary, window, of) => {
                self.over_events(*summary, window.as_ref(), of)
            }
        };
        self.terms -= 1;
        value
    }

    /// The value of a scalar or signal over time.
    pub(super) fn metric(&mut self, source: &QualifiedName) -> Value {
        let Some(run) = self.run(source) else { return Value::unknown(Reach::EVERYWHERE) };
        let reach = Reach::of(run);
        if let Some(signal) = run.signals().get(&source.name) {
            return of_signal(signal, reach);
        }
        match run.scalars().get(&source.name) {
            Some(scalar) if scalar.value.is_finite() => {
                let high = match scalar.certainty {
                    Certainty::Exactly => scalar.value,
                    Certainty::AtLeast => f64::INFINITY,
                };
                Value::constant(Bounds { low: scalar.value, high }, reach)
            }
            _ => {
                self.missing(source);
                Value::unknown(reach)
            }
        }
    }

    fn time(&mut self, run: RunIndex) -> Value {
        let Some(reach) = self.reach_of(run) else { return Value::unknown(Reach::EVERYWHERE) };
        let beyond = Bounds { low: reach.end, high: f64::INFINITY };
        Value { beyond, ..Value::known(line(0.0, reach.end, reach.end), reach) }
    }

    fn remaining(&mut self, run: RunIndex) -> Value {
        let Some(reach) = self.reach_of(run) else { return Value::unknown(Reach::EVERYWHERE) };
        let left = Value::known(line(reach.end, 0.0, reach.end), reach);
        if !reach.is_cut {
            return left;
        }
        let beyond = Bounds { low: 0.0, high: f64::INFINITY };
        Value { high: Trace::constant(Grade::TRUE), beyond, ..left }
    }

    fn duration(&mut self, run: RunIndex) -> Value {
        let Some(reach) = self.reach_of(run) else { return Value::unknown(Reach::EVERYWHERE) };
        let high = if reach.is_cut { f64::INFINITY } else { reach.end };
        Value::constant(Bounds { low: reach.end, high }, reach)
    }

    /// The reach of an execution with known times.
    fn reach_of(&mut self, run: RunIndex) -> Option<Reach> {
        let run = self.runs.get(run)?;
        let has_time = run.end().is_some() || !run.signals().is_empty() || !run.events().is_empty();
        has_time.then(|| Reach::of(run))
    }
}

/// A straight line from the beginning to the end.
fn line(from: f64, to: f64, end: f64) -> Trace {
    let (from, to) = (Grade::of(from), Grade::of(to));
    let mut made = Builder::default();
    if end > 0.0 {
        made.push(0.0, from, from, to);
    }
    made.finish(end, to)
}

fn of_signal(signal: &Signal, reach: Reach) -> Value {
    let (times, values) = (signal.times(), signal.values());
    let starts_at_0 = times.first() == Some(&0.0);
    let is_whole = starts_at_0 && reach.end > 0.0 && !values.iter().any(|value| value.is_nan());
    if is_whole && signal.shape() == Shape::Step {
        return Value::known(of_steps(times, values, reach.end), reach);
    }
    let mut made = Pair::default();
    if !starts_at_0 && reach.end > 0.0 {
        made.push(0.0, Bounds::UNKNOWN, Bounds::UNKNOWN, Bounds::UNKNOWN);
    }
    let is_linear = signal.shape() == Shape::Linear;
    for (i, (&time, &value)) in times.iter().zip(values).enumerate() {
        if time >= reach.end {
            break;
        }
        let here = exactly(value);
        let (after, until) = match values.get(i + 1) {
            Some(&next) if is_linear && (value.is_nan() || next.is_nan()) => {
                (Bounds::UNKNOWN, Bounds::UNKNOWN)
            }
            Some(&next) if is_linear => (here, exactly(next)),
            _ => (here, here),
        };
        made.push(time, here, after, until);
    }
    let last = match times.first() {
        Some(&first) if first <= reach.end => values.last().copied().unwrap_or(f64::NAN),
        _ => f64::NAN,
    };
    made.finish(reach, exactly(last))
}

/// A step signal without gaps, each value encoded once.
fn of_steps(times: &[f64], values: &[f64], end: f64) -> Trace {
    let mut times = times.to_vec();
    let mut at = Vec::with_capacity(values.len() + 1);
    at.extend(values.iter().map(|&value| Grade::of(value)));
    if times.last() != Some(&end)
        && let Some(&last) = at.last()
    {
        times.push(end);
        at.push(last);
    }
    Trace::of_steps(times, at)
}
