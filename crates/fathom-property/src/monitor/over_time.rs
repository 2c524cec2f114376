//! Summaries of a value over time.

use super::evaluating::Monitor;
use super::grade::Grade;
use super::integral::{self, Kind};
use super::interval;
use super::moving_percentile;
use super::occurrences::sees_beyond;
use super::percentile;
use super::pointwise::{higher, lower};
use super::reach::Reach;
use super::shares::of_lines;
use super::sliding::{Largest, Smallest, slide};
use super::trace::Trace;
use super::value::Value;
use crate::{Aggregate, Arithmetic, Bounds, NumberFunction, Term, Window};
use std::rc::Rc;

impl Monitor<'_> {
    /// A summary of a value over time.
    pub(super) fn over_time(
        &mut self,
        summary: Aggregate,
        window: Option<&Window>,
        of: &Term,
    ) -> Value {
        let of = self.term(of);
        if summary == Aggregate::GeometricMean {
            let logarithm = self.function(NumberFunction::Logarithm, &of);
            let mean = self.summarized(Aggregate::Mean, window, &logarithm);
            return self.function(NumberFunction::Exponential, &mean);
        }
        self.summarized(summary, window, &of)
    }

    fn summarized(&mut self, summary: Aggregate, window: Option<&Window>, of: &Value) -> Value {
        match window {
            None => {
                let reach = self.settled(of.reach);
                over_all(summary, of, reach)
            }
            Some(window) => {
                let reach = self.in_window(window, of.reach);
                let is_curved = summary == Aggregate::Mean || of.has_slopes();
                let stops = if is_curved { self.moments() } else { vec![] };
                over_windows(summary, window, of, reach, &stops)
            }
        }
    }

    /// The times at which something happens or changes: those at which formulas are asked.
    fn moments(&self) -> Vec<f64> {
        let signals = self.runs.iter().flat_map(|run| run.signals().values());
        let events = self.runs.iter().flat_map(|run| run.events().values());
        let times = signals.map(|signal| signal.times()).chain(events.map(|events| events.times()));
        let mut moments: Vec<f64> = times.flatten().copied().collect();
        moments.sort_by(f64::total_cmp);
        moments.dedup();
        moments
    }
}

fn over_all(summary: Aggregate, of: &Value, reach: Reach) -> Value {
    let everywhere =
        |of: &Value| Bounds { low: of.low.first().value(), high: of.high.first().value() };
    // What is vacuous at all times is so on the whole.
    let is_open = reach.is_cut && !of.reach.is_timeless;
    let vacuous = of.vacuous.clone();
    let vacuous = vacuous.filter(|vacuous| !is_open && vacuous.all(Grade::holds));
    let vacuous = vacuous.map(|_| Trace::constant(Grade::TRUE));
    if of.reach.is_timeless {
        let end = if reach.is_cut { f64::INFINITY } else { reach.end };
        let width = Bounds { low: reach.end, high: end };
        let bounds = match summary {
            Aggregate::Sum => interval::combined(Arithmetic::Multiply, everywhere(of), width),
            _ => everywhere(of),
        };
        return Value::constant(bounds, reach).with_vacuous(vacuous);
    }
    let of_bound = |trace: &Rc<Trace>, f: &dyn Fn(&Trace) -> f64| f(&trace.spread(reach.end));
    let both = |f: &dyn Fn(&Trace) -> f64| {
        let (low, high) = (of_bound(&of.low, f), of_bound(&of.high, f));
        let low = if low.is_nan() { f64::NEG_INFINITY } else { low };
        let high = if high.is_nan() { f64::INFINITY } else { high };
        interval::combined(Arithmetic::Add, Bounds { low, high }, Bounds::exactly(0.0))
    };
    let seen = match summary {
        Aggregate::Greatest => both(&largest),
        Aggregate::Least => both(&|trace| -largest(&trace.negated())),
        Aggregate::Sum => both(&integral::whole),
        // A geometric mean is that of logarithms.
        Aggregate::Mean | Aggregate::GeometricMean if reach.end > 0.0 => {
            both(&|trace| integral::whole(trace) / reach.end)
        }
        Aggregate::Mean | Aggregate::GeometricMean => everywhere(of),
        Aggregate::Percentile(percentage) => both(&|trace| percentile::of_time(trace, percentage)),
    };
    let bounds = match summary {
        _ if !reach.is_cut => seen,
        Aggregate::Greatest => Bounds { high: f64::INFINITY, ..seen },
        Aggregate::Least => Bounds { low: f64::NEG_INFINITY, ..seen },
        _ => Bounds::UNKNOWN,
    };
    Value::constant(bounds, reach).with_vacuous(vacuous)
}

fn largest(trace: &Trace) -> f64 {
    let ends = (0..trace.stretches()).map(|i| trace.after[i].max(trace.until(i)));
    trace.at.iter().copied().chain(ends).max().map_or(f64::NAN, Grade::value)
}

fn over_windows(
    summary: Aggregate,
    window: &Window,
    of: &Value,
    reach: Reach,
    stops: &[f64],
) -> Value {
    let is_instant = window.from == window.to;
    let (low, high) = match summary {
        _ if super::reach::is_empty(window) => return Value::unknown(reach),
        Aggregate::Sum if is_instant => (Trace::constant(Grade::of(0.0)), None),
        Aggregate::Greatest => greatest(window, of, reach),
        Aggregate::Least => least(window, of, reach),
        _ if is_instant || of.reach.is_timeless && summary != Aggregate::Sum => {
            greatest(window, of, reach)
        }
        Aggregate::Sum => integrals(window, of, reach, stops, Kind::Over(1.0)),
        Aggregate::Mean | Aggregate::GeometricMean => {
            integrals(window, of, reach, stops, Kind::Mean)
        }
        // Between the least and the greatest is all that can be said of slopes.
        Aggregate::Percentile(_) if of.has_slopes() => {
            (least(window, of, reach).0, greatest(window, of, reach).1)
        }
        Aggregate::Percentile(percentage) => percentiles(window, of, reach, percentage),
    };
    let mut high = high.unwrap_or_else(|| Rc::clone(&low));
    let mut low = low;
    // What is vacuous at all times of a non-empty window is vacuous in it.
    let mut vacuous = of.vacuous.as_ref().map(|vacuous| {
        let all = slide::<Smallest>(vacuous, window, reach.end, None);
        lower(&all, &slide::<Largest>(vacuous, window, reach.end, None))
    });
    if let Some(beyond) = sees_beyond(window, reach) {
        let seen = Rc::new(beyond.negated());
        // More can only make the largest larger, and the smallest smaller.
        if summary != Aggregate::Greatest {
            low = lower(&low, &seen);
        }
        if summary != Aggregate::Least {
            high = higher(&high, &beyond);
        }
        vacuous = vacuous.map(|vacuous| lower(&vacuous, &seen));
    }
    if !Rc::ptr_eq(&low, &high) && *low == *high {
        high = Rc::clone(&low);
    }
    Value::between(low, high, reach).with_vacuous(vacuous)
}

/// The lower bound, and the upper if it differs.
type LowHigh = (Rc<Trace>, Option<Rc<Trace>>);

fn greatest(window: &Window, of: &Value, reach: Reach) -> LowHigh {
    let slid = |trace| slide::<Largest>(trace, window, reach.end, None);
    let low = slid(&of.low);
    if of.is_exact() && low.all(Grade::is_finite) {
        return (low, None);
    }
    // Of an empty window nothing is known.
    let open = |grade: Grade| if grade == Grade::FALSE { Grade::TRUE } else { grade };
    let high = slid(&of.high).map(open);
    (low, Some(Rc::new(high)))
}

fn least(window: &Window, of: &Value, reach: Reach) -> LowHigh {
    let (low, high) = greatest(window, &of.negated(), reach);
    let negated = Rc::new(low.negated());
    match high {
        None => (negated, None),
        Some(high) => (Rc::new(high.negated()), Some(negated)),
    }
}

fn integrals(window: &Window, of: &Value, reach: Reach, stops: &[f64], kind: Kind) -> LowHigh {
    let slid = |trace: &Rc<Trace>| {
        integral::slide(&trace.spread(reach.end), window, reach.end, (None, stops), kind)
    };
    let (lines, last) = slid(&of.low);
    let low = Rc::new(of_lines(&lines, last, reach.end, |bounds| bounds.low));
    let high = if of.is_exact() {
        let is_exact = last.known().is_some()
            && lines
                .iter()
                .all(|line| [line.at, line.after, line.until].iter().all(|b| b.known().is_some()));
        if is_exact {
            return (low, None);
        }
        of_lines(&lines, last, reach.end, |bounds| bounds.high)
    } else {
        let (lines, last) = slid(&of.high);
        of_lines(&lines, last, reach.end, |bounds| bounds.high)
    };
    (low, Some(Rc::new(high)))
}

fn percentiles(window: &Window, of: &Value, reach: Reach, percentage: f64) -> LowHigh {
    let slid = |trace: &Rc<Trace>, open: Grade| {
        let slid =
            moving_percentile::slide(&trace.spread(reach.end), window, reach.end, percentage);
        Rc::new(slid.map(|grade| if grade.value().is_nan() { open } else { grade }))
    };
    let low = slid(&of.low, Grade::FALSE);
    if of.is_exact() && low.all(Grade::is_finite) {
        return (low, None);
    }
    (low, Some(slid(&of.high, Grade::TRUE)))
}
