//! The naive evaluator's terms and comparisons.

use crate::naive::{Moment, Naive};
use crate::naive_numbers::{
    MISSING, Number, combined, exactly, function, level, negated, robustness, summarised, vacuous,
};
use crate::naive_time::{Mark, Over, Reach};
use fathom_property::{
    Aggregate, Arithmetic, Formula, Happening, NumberComparison, NumberFunction, Occurrence, Term,
    Window,
};
use fathom_record::{Certainty, Shape};

/// An occurrence: when, which, and whether it is one, at least and at most.
struct Found {
    time: usize,
    number: Option<usize>,
    level: (u8, u8),
}

impl Naive<'_> {
    pub(crate) fn comparison(&self, comparison: &NumberComparison) -> Over<Mark> {
        let relation = comparison.relation;
        let (left, right) = (self.term(&comparison.left), self.term(&comparison.right));
        let both = left.zip(&right, (MISSING, MISSING), |a, b| (a, b));
        let mark = |(a, b): (Number, Number)| Mark {
            level: level(relation, a, b),
            robustness: robustness(relation, a, b),
        };
        let mut marks = both.map(mark);
        // Inside of a cell a line has the truth of its middle.
        for (marks, pair) in marks.cells.iter_mut().zip(&both.cells) {
            let middle = |a: Number, b: Number| Number {
                low: if a.low == b.low { a.low } else { (a.low + b.low) / 2.0 },
                high: if a.high == b.high { a.high } else { (a.high + b.high) / 2.0 },
                ..a
            };
            let (start, stop) = *pair;
            let inside = level(relation, middle(start.0, stop.0), middle(start.1, stop.1));
            (marks.0.level, marks.1.level) = (inside, inside);
        }
        marks
    }

    pub(crate) fn term(&self, term: &Term) -> Over<Number> {
        match term {
            Term::Number(number) => Over::everywhere(exactly(*number), Reach::EVERYWHERE),
            Term::Metric(source) => self.metric(source.run, &source.name),
            Term::Attribute(_) => panic!("attributes are put in before"),
            Term::Time(run) => self.line(*run, |time, _| exactly(time)),
            Term::Remaining(run) => {
                let is_cut = self.runs[*run].is_cut();
                self.line(*run, |time, end| Number {
                    high: if is_cut { f64::INFINITY } else { end - time },
                    ..exactly(end - time)
                })
            }
            Term::Duration(run) => {
                let end = self.runs[*run].end().unwrap();
                let high = if self.runs[*run].is_cut() { f64::INFINITY } else { end };
                Over::everywhere(Number { high, ..exactly(end) }, self.reach_of(*run))
            }
            Term::Negate(of) => self.term(of).map(negated),
            Term::Magnitude(of) => self.term(of).map(|a| Number {
                low: a.low.max(-a.high).max(0.0),
                high: a.high.max(-a.low),
                ..a
            }),
            Term::Function(of_number, of) => self.term(of).map(|a| function(*of_number, a)),
            Term::Scale(of, times, divided_by) => {
                let factor = exactly(times / divided_by);
                self.term(of).map(|a| combined(Arithmetic::Multiply, a, factor))
            }
            Term::Binary(operator, a, b) => {
                self.term(a)
                    .zip(&self.term(b), (MISSING, MISSING), |a, b| combined(*operator, a, b))
            }
            Term::ShareOfTime(window, of) => self.share_of_time(window.as_ref(), of),
            Term::ShareOfEvents(of, at) => self.share_of_events(of, at),
            Term::Count(window, of) => self.over_found(window.as_ref(), of, |found, is_open| {
                let count = |i: u8| {
                    found
                        .iter()
                        .filter(|f| if i == 0 { f.level.0 == 2 } else { f.level.1 > 0 })
                        .count() as f64
                };
                let high = if is_open { f64::INFINITY } else { count(1) };
                Number { low: count(0), high, is_vacuous: false }
            }),
            Term::Gap(of) => self.over_found(None, of, |found, is_open| {
                if is_open || found.iter().any(|f| f.level.0 < 2) {
                    return MISSING;
                }
                match found {
                    [first, .., last] => exactly(
                        (last.time - first.time) as f64 / self.per_unit / (found.len() - 1) as f64,
                    ),
                    _ => vacuous(),
                }
            }),
            Term::OverEvents(summary, window, of) => {
                let Happening::Event(source) = &of.of.what else { panic!("edges have none") };
                let attribute = self.runs[source.run]
                    .events()
                    .get(&source.name)
                    .and_then(|events| events.attributes().get(&of.attribute));
                let Some(attribute) = attribute else {
                    return Over::everywhere(MISSING, Reach::EVERYWHERE);
                };
                self.over_found(window.as_ref(), &of.of, |found, is_open| {
                    let values: Vec<(f64, bool)> = found
                        .iter()
                        .map(|f| (attribute.values[f.number.unwrap()], f.level.0 == 2))
                        .collect();
                    summarised(*summary, &values, is_open)
                })
            }
            Term::OverTime(Aggregate::GeometricMean, window, of) => {
                let logarithms = self.term(of).map(|a| function(NumberFunction::Logarithm, a));
                self.over_time(Aggregate::Mean, window.as_ref(), &logarithms)
                    .map(|mean| function(NumberFunction::Exponential, mean))
            }
            Term::OverTime(summary, window, of) => {
                self.over_time(*summary, window.as_ref(), &self.term(of))
            }
        }
    }

    fn line(&self, run: usize, f: impl Fn(f64, f64) -> Number) -> Over<Number> {
        let reach = self.reach_of(run);
        let end = self.runs[run].end().unwrap();
        let beyond = match f(0.0, 1.0).low {
            0.0 => Number { high: f64::INFINITY, ..exactly(end) },
            _ => Number { high: f64::INFINITY, ..exactly(0.0) },
        };
        self.each(reach, beyond, |moment| match moment {
            Moment::At(t) | Moment::After(t) => f(t as f64 / self.per_unit, end),
            Moment::Before(t) => f((t + 1) as f64 / self.per_unit, end),
        })
    }

    fn metric(&self, run: usize, name: &str) -> Over<Number> {
        let reach = self.reach_of(run);
        if let Some(scalar) = self.runs[run].scalars().get(name) {
            let mut number = exactly(scalar.value);
            if scalar.certainty == Certainty::AtLeast {
                number.high = f64::INFINITY;
            }
            return Over::everywhere(number, reach);
        }
        let Some(signal) = self.runs[run].signals().get(name) else {
            return Over::everywhere(MISSING, reach);
        };
        // The value at a time, from the times around it.
        let value = |time: f64, is_before: bool| {
            let times = signal.times();
            let i = times.iter().rposition(|&t| t < time || (t == time && !is_before));
            let Some(i) = i else { return MISSING };
            let here = signal.values()[i];
            if signal.shape() == Shape::Step || i + 1 == times.len() {
                return exactly(here);
            }
            let next = signal.values()[i + 1];
            exactly(here + (next - here) * ((time - times[i]) / (times[i + 1] - times[i])))
        };
        self.each(reach, MISSING, |moment| match moment {
            // At its own times a line is its value, whatever comes next.
            Moment::At(t) => {
                let time = t as f64 / self.per_unit;
                match signal.times().iter().position(|&own| own == time) {
                    Some(i) => exactly(signal.values()[i]),
                    None => value(time, false),
                }
            }
            Moment::After(t) => value(t as f64 / self.per_unit, false),
            Moment::Before(t) => value((t + 1) as f64 / self.per_unit, true),
        })
    }

    fn share_of_time(&self, window: Option<&Window>, of: &Formula) -> Over<Number> {
        let of = self.formula(of);
        let reach = self.settled(of.reach);
        let end = reach.end.unwrap();
        // How much of a stretch each cell fills, in cells.
        let share = |from: f64, to: f64, all: f64| {
            let mut times = [0.0; 4];
            for t in 0..end {
                let part = ((t + 1) as f64).min(to) - (t as f64).max(from);
                let level = of.cell(t).0.level;
                for (time, is_in) in
                    times.iter_mut().zip([level.0 > 1, level.0 > 0, level.1 > 1, level.1 > 0])
                {
                    *time += if is_in { part.max(0.0) } else { 0.0 };
                }
            }
            if reach.is_cut && of.beyond.level.1 > 0 {
                times[3] += (to - from.max(end as f64)).max(0.0);
                if of.beyond.level.1 > 1 {
                    times[2] += (to - from.max(end as f64)).max(0.0);
                }
            }
            let shares = times.map(|time| time / all);
            if !(shares[0].is_finite() && shares[3].is_finite()) {
                return MISSING;
            }
            let is_vacuous =
                shares[0] != shares[3] && shares[0] == shares[2] && shares[1] == shares[3];
            Number { low: shares[0], high: shares[3], is_vacuous }
        };
        let Some(window) = window else {
            if reach.is_cut {
                return Over::everywhere(MISSING, reach);
            }
            return Over::everywhere(share(0.0, end as f64, end as f64), reach);
        };
        let (from, to) = (window.from * self.per_unit, window.to * self.per_unit);
        self.each(reach, MISSING, |moment| {
            // Continuous, so that the limits at a cell's ends are the values there.
            let now = match moment {
                Moment::At(t) | Moment::After(t) => t as f64,
                Moment::Before(t) => (t + 1) as f64,
            };
            share(now + from, now + to, to - from)
        })
    }

    fn found(&self, occurrence: &Occurrence) -> Option<(Vec<Found>, Reach)> {
        let (mut found, mut reach) = match &occurrence.what {
            Happening::Event(source) => {
                let events = self.runs[source.run].events().get(&source.name)?;
                let found = events.times().iter().enumerate().map(|(i, &time)| Found {
                    time: self.grid(time),
                    number: Some(i),
                    level: (2, 2),
                });
                (found.collect::<Vec<_>>(), self.reach_of(source.run))
            }
            Happening::Edge(edge, of) => {
                let edges = self.edge(*edge, of);
                if edges.cells.iter().any(|cell| cell.0.level.1 > 0) {
                    return None;
                }
                let found = edges.points.iter().enumerate().map(|(time, mark)| Found {
                    time,
                    number: None,
                    level: mark.level,
                });
                (found.filter(|f| f.level.1 > 0).collect(), edges.reach)
            }
        };
        if let Some(condition) = &occurrence.condition {
            let mut kept = Vec::new();
            let none = Found { time: 0, number: None, level: (0, 0) };
            reach = reach.and(self.formula(&self.put_in(condition, &occurrence.what, &none)).reach);
            for occurrence_found in found {
                let condition = self.put_in(condition, &occurrence.what, &occurrence_found);
                let holds = self.formula(&condition);
                reach = reach.and(holds.reach);
                let is_within =
                    holds.reach.is_timeless || occurrence_found.time <= holds.reach.end.unwrap();
                if is_within {
                    let level = holds.at(occurrence_found.time).level;
                    let own = occurrence_found.level;
                    let level = (own.0.min(level.0), own.1.min(level.1));
                    if level.1 > 0 {
                        kept.push(Found { level, ..occurrence_found });
                    }
                }
            }
            kept.retain(|f| reach.is_timeless || f.time <= reach.end.unwrap());
            found = kept;
        }
        Some((found, reach))
    }

    /// Attributes put in, in comparisons, whatever connects them.
    fn put_in(&self, formula: &Formula, what: &Happening, found: &Found) -> Formula {
        let put = |of: &Formula| Box::new(self.put_in(of, what, found));
        let term = |term: &Term| match (term, what) {
            (Term::Attribute(name), Happening::Event(source)) => {
                let events = &self.runs[source.run].events()[&source.name];
                let value = events.attributes().get(name).zip(found.number);
                let value = value.map(|(a, number)| a.values[number]);
                Term::Number(value.unwrap_or(f64::NAN))
            }
            _ => term.clone(),
        };
        match formula {
            Formula::Compare(comparison) => Formula::Compare(NumberComparison {
                left: term(&comparison.left),
                right: term(&comparison.right),
                ..comparison.clone()
            }),
            Formula::Not(a) => Formula::Not(put(a)),
            Formula::And(a, b) => Formula::And(put(a), put(b)),
            Formula::Or(a, b) => Formula::Or(put(a), put(b)),
            Formula::Eventually(window, a) => Formula::Eventually(*window, put(a)),
            other => other.clone(),
        }
    }

    fn share_of_events(&self, of: &Formula, at: &Occurrence) -> Over<Number> {
        let Some((found, reach)) = self.found(at) else {
            return Over::everywhere(MISSING, Reach::EVERYWHERE);
        };
        let of = self.formula(of);
        let reach = reach.and(of.reach);
        if reach.is_cut {
            return Over::everywhere(MISSING, reach);
        }
        let found: Vec<&Found> =
            found.iter().filter(|f| reach.is_timeless || f.time <= reach.end.unwrap()).collect();
        let sure: Vec<_> = found.iter().filter(|f| f.level.0 == 2).collect();
        let perhaps: Vec<_> = found.iter().filter(|f| f.level.0 < 2).collect();
        let levels: Vec<(u8, u8)> = sure.iter().map(|f| of.at(f.time).level).collect();
        if found.is_empty() {
            return Over::everywhere(vacuous(), reach);
        }
        if sure.is_empty() {
            return Over::everywhere(MISSING, reach);
        }
        // Every choice of those that may count, at worst and at best.
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for choice in 0..1_u32 << perhaps.len() {
            let (mut n, mut least, mut most) = (0.0, 0.0, 0.0);
            let chosen = perhaps.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1);
            for f in sure.iter().chain(chosen.map(|(_, f)| f)) {
                let level = of.at(f.time).level;
                n += 1.0;
                least += if level.0 == 2 { 1.0 } else { 0.0 };
                most += if level.1 > 0 { 1.0 } else { 0.0 };
            }
            low = low.min(least / n);
            high = high.max(most / n);
        }
        let only_vacuous = perhaps.is_empty()
            && levels.contains(&(1, 1))
            && levels.iter().all(|level| level.0 == level.1);
        Over::everywhere(Number { low, high, is_vacuous: only_vacuous }, reach)
    }

    fn over_found(
        &self,
        window: Option<&Window>,
        of: &Occurrence,
        f: impl Fn(&[Found], bool) -> Number,
    ) -> Over<Number> {
        let Some((found, reach)) = self.found(of) else {
            return Over::everywhere(MISSING, Reach::EVERYWHERE);
        };
        let Some(window) = window else {
            return Over::everywhere(f(&found, reach.is_cut), reach);
        };
        let reach = self.settled(reach);
        self.each(reach, MISSING, |moment| {
            let (moments, sees_beyond) = self.moments(moment, window, reach.end.unwrap());
            let inside: Vec<Found> = found
                .iter()
                .filter(|f| moments.contains(&Moment::At(f.time)))
                .map(|f| Found { ..*f })
                .collect();
            f(&inside, sees_beyond && reach.is_cut)
        })
    }

    fn over_time(
        &self,
        summary: Aggregate,
        window: Option<&Window>,
        of: &Over<Number>,
    ) -> Over<Number> {
        let whole =
            Window { from: 0.0, to: f64::INFINITY, includes_from: true, includes_to: false };
        let reach = self.settled(of.reach);
        let end = reach.end.unwrap();
        let at = |now: Moment| {
            let window = window.unwrap_or(&whole);
            let (moments, sees_beyond) = self.moments(now, window, end);
            let is_open = sees_beyond && reach.is_cut;
            let numbers: Vec<Number> =
                moments.iter().map(|&moment| Self::marked(of, moment)).collect();
            let low = |f: fn(f64, f64) -> f64| numbers.iter().map(|n| n.low).reduce(f);
            let high = |f: fn(f64, f64) -> f64| numbers.iter().map(|n| n.high).reduce(f);
            let infinity = f64::INFINITY;
            let (mut low, mut high) = match summary {
                Aggregate::Greatest => (
                    low(f64::max).unwrap_or(-infinity),
                    if is_open { infinity } else { high(f64::max).unwrap_or(infinity) },
                ),
                Aggregate::Least => (
                    if is_open { -infinity } else { low(f64::min).unwrap_or(-infinity) },
                    high(f64::min).unwrap_or(infinity),
                ),
                _ if is_open => (-infinity, infinity),
                _ => {
                    // Cells that are inside as a whole: only used where windows are on the grid.
                    let (mut sum, mut width) = ((0.0, 0.0), 0.0);
                    let mut weighted = Vec::new();
                    for t in 0..end {
                        if moments.contains(&Moment::After(t))
                            && moments.contains(&Moment::Before(t))
                        {
                            let (a, b) = of.cell(t);
                            sum.0 += (a.low + b.low) / 2.0;
                            sum.1 += (a.high + b.high) / 2.0;
                            weighted.push(a);
                            width += 1.0;
                        }
                    }
                    match summary {
                        Aggregate::Sum => (sum.0 / self.per_unit, sum.1 / self.per_unit),
                        Aggregate::Mean if width > 0.0 => (sum.0 / width, sum.1 / width),
                        Aggregate::Percentile(percentage) if width > 0.0 => {
                            let rank = (percentage * width / 100.0).ceil().max(1.0) as usize - 1;
                            let nth = |f: fn(&Number) -> f64| {
                                let mut values: Vec<f64> = weighted.iter().map(f).collect();
                                values.sort_by(f64::total_cmp);
                                values[rank]
                            };
                            (nth(|n| n.low), nth(|n| n.high))
                        }
                        _ => match numbers.first() {
                            Some(only) => (only.low, only.high),
                            None => (-infinity, infinity),
                        },
                    }
                }
            };
            if low.is_nan() || high.is_nan() || low == infinity || high == -infinity {
                (low, high) = (-infinity, infinity);
            }
            let is_vacuous =
                !is_open && !numbers.is_empty() && numbers.iter().all(|number| number.is_vacuous);
            Number { low, high, is_vacuous }
        };
        if of.reach.is_timeless && window.is_none() && summary != Aggregate::Sum {
            return Over::everywhere(of.at(0), reach);
        }
        match window {
            None if of.reach.is_timeless => {
                let width = exactly(end as f64 / self.per_unit);
                let high = if reach.is_cut { f64::INFINITY } else { width.high };
                let width = Number { high, ..width };
                Over::everywhere(combined(Arithmetic::Multiply, of.at(0), width), reach)
            }
            None => Over::everywhere(at(Moment::At(0)), reach),
            Some(_) => self.each(reach, MISSING, at),
        }
    }
}
