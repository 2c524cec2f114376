//! Integrals of a trace over a window that slides along it.

use super::edges::{Edges, edges};
use super::trace::Trace;
use crate::{Bounds, Window};

/// What becomes of the integral.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Divided by a width that stays the same.
    Over(f64),
    /// Divided by the width of the part of the window that is in the trace.
    Mean,
}

/// Bounds on a stretch of time: straight lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    /// When it begins.
    pub(super) time: f64,
    /// The bounds then.
    pub(super) at: Bounds,
    /// The bounds just after.
    pub(super) after: Bounds,
    /// The bounds at its end.
    pub(super) until: Bounds,
}

/// The integral over the window around each time, as lines, and the bounds at the end. Where the
/// trace is infinite it is missing, and so is an integral over that.
///
/// The integral of a sloped trace is a parabola, and a mean over a window that grows is a
/// hyperbola, or the sum of both. All of these bend one way only, so that they stay between the
/// chord and the tangents at the ends; these are the bounds. They meet at the ends, and at stops.
pub(super) fn slide(
    trace: &Trace,
    window: &Window,
    end: f64,
    (tail, stops): (Option<f64>, &[f64]),
    kind: Kind,
) -> (Vec<Line>, Bounds) {
    let sums = Sums::new(trace, tail);
    let met = edges(&trace.times, window, end, stops);
    // The more parts, the closer the bounds.
    let parts = if stops.is_empty() { 1 } else { (MOST_PARTS / met.len()).clamp(1, 16) };
    let mut lines = Vec::with_capacity(parts * met.len());
    let (mut from, mut to) = (0, 0);
    let mut place = |edges: Edges| WindowEnds {
        edges,
        from: sums.reading(edges.from, &mut from),
        to: sums.reading(edges.to, &mut to),
        end: sums.end(),
        window,
    };
    let mut start: Option<WindowEnds<'_>> = None;
    for (i, &edges) in met.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| met[i]);
        for stop in before.iter().flat_map(|before| before.between(&edges, parts)).chain([edges]) {
            let stop = place(stop);
            if let Some(start) = &start {
                stretch(start, &stop, kind, &mut lines);
            }
            start = Some(stop);
        }
    }
    let last = start.map_or(Bounds::UNKNOWN, |place| place.value(kind));
    (lines, last)
}

/// Into how many parts curves are divided at most, all together.
const MOST_PARTS: usize = 1 << 18;

/// The integral over all of a trace; not finite where a part is missing.
pub(super) fn whole(trace: &Trace) -> f64 {
    let sums = Sums::new(trace, None);
    match sums.missing.last() {
        Some(&missing) if missing > 0.0 => f64::NAN,
        _ => sums.sums.last().map_or(0.0, |sum| sum.0 + sum.1),
    }
}

/// What there is at the window's ends.
struct WindowEnds<'a> {
    edges: Edges,
    from: Reading,
    to: Reading,
    end: f64,
    window: &'a Window,
}

/// What there is at a time.
#[derive(Debug, Clone, Copy)]
struct Reading {
    /// The integral up to here, in two parts: what the first lacks in digits is in the second.
    sum: (f64, f64),
    /// How much is missing up to here.
    missing: f64,
    /// The trace at the time, or at the end of it that is nearest.
    at: f64,
    before: f64,
    after: f64,
    /// Which stretch comes after.
    stretch: usize,
    /// Whether the time is before the next stretch ends, and after the first begins.
    is_inside: bool,
}

impl WindowEnds<'_> {
    /// The width of the part of the window that is in the trace.
    fn width(&self) -> f64 {
        (self.edges.to.min(self.end) - self.edges.from.max(0.0)).max(0.0)
    }

    fn integral(&self) -> f64 {
        (self.to.sum.0 - self.from.sum.0) + (self.to.sum.1 - self.from.sum.1)
    }

    fn is_missing(&self) -> bool {
        self.to.missing > self.from.missing
    }

    fn value(&self, kind: Kind) -> Bounds {
        let value = match kind {
            _ if self.is_missing() => f64::NAN,
            Kind::Over(width) => self.integral() / width,
            Kind::Mean if self.edges.is_outside(self.window, self.end) => f64::NAN,
            // The mean over an instant is the value there.
            Kind::Mean if self.width() <= 0.0 => self.from.at,
            Kind::Mean => self.integral() / self.width(),
        };
        super::interval::exactly(value)
    }
}

fn stretch(start: &WindowEnds<'_>, stop: &WindowEnds<'_>, kind: Kind, lines: &mut Vec<Line>) {
    let (time, length) = (start.edges.time, stop.edges.time - start.edges.time);
    let at = start.value(kind);
    let mut level = |after: Bounds, until: Bounds| lines.push(Line { time, at, after, until });
    if start.is_missing() || stop.is_missing() {
        return level(Bounds::UNKNOWN, Bounds::UNKNOWN);
    }
    let (from, to) = ((start.from.after, stop.from.before), (start.to.after, stop.to.before));
    if kind == Kind::Mean {
        if stop.edges.to <= 0.0 || start.edges.from >= start.end {
            return level(Bounds::UNKNOWN, Bounds::UNKNOWN);
        }
        if start.from.stretch == start.to.stretch {
            // Of a straight line the mean is that of its ends.
            let mean = |a: f64, b: f64| super::interval::exactly(a + (b - a) / 2.0);
            return level(mean(from.0, to.0), mean(from.1, to.1));
        }
    }
    let (first, second) = (start.value(kind), stop.value(kind));
    let (Some(low), Some(high)) = (first.known(), second.known()) else {
        return level(Bounds::UNKNOWN, Bounds::UNKNOWN);
    };
    let moves = |reading: &Reading| f64::from(u8::from(reading.is_inside));
    let grows = moves(&start.to) - moves(&start.from);
    let is_level = from.0 == from.1 && to.0 == to.1;
    if is_level && (kind != Kind::Mean || grows == 0.0) {
        return level(first, second);
    }
    let slope = |place: &WindowEnds<'_>, from: f64, to: f64| {
        let slope = moves(&start.to) * to - moves(&start.from) * from;
        match kind {
            Kind::Over(width) => slope / width,
            Kind::Mean => (slope - place.integral() / place.width() * grows) / place.width(),
        }
    };
    let slopes = (slope(start, from.0, to.0), slope(stop, from.1, to.1));
    bent(start, (low, high), slopes, length, at, lines);
}

/// Bounds for a curve that bends one way, from its ends and its slopes there.
fn bent(
    start: &WindowEnds<'_>,
    (first, second): (f64, f64),
    slopes: (f64, f64),
    length: f64,
    at: Bounds,
    lines: &mut Vec<Line>,
) {
    let time = start.edges.time;
    let (after, until) = (Bounds::exactly(first), Bounds::exactly(second));
    let chord = (second - first) / length;
    // Where the tangents meet.
    let way = (second - first - slopes.1 * length) / (slopes.0 - slopes.1);
    let middle = time + way;
    let is_inside = middle > time && middle < time + length;
    if !is_inside || !slopes.0.is_finite() || !slopes.1.is_finite() {
        return lines.push(Line { time, at, after, until });
    }
    let (on_chord, on_tangents) = (first + chord * way, first + slopes.0 * way);
    let between = Bounds { low: on_chord.min(on_tangents), high: on_chord.max(on_tangents) };
    lines.push(Line { time, at, after, until: between });
    lines.push(Line { time: middle, at: between, after: between, until });
}

/// The integral of a trace up to each of its times.
struct Sums<'a> {
    trace: &'a Trace,
    sums: Vec<(f64, f64)>,
    missing: Vec<f64>,
    /// The trace after its end, where it counts.
    tail: Option<f64>,
}

impl Sums<'_> {
    fn new(trace: &Trace, tail: Option<f64>) -> Sums<'_> {
        let (mut sum, mut missed) = ((0.0, 0.0), 0.0);
        let (mut sums, mut missing) = (vec![sum], vec![missed]);
        for stretch in 0..trace.stretches() {
            let length = trace.times[stretch + 1] - trace.times[stretch];
            let (start, stop) = (trace.after[stretch], trace.until(stretch));
            if start.is_finite() && stop.is_finite() {
                sum = added(sum, (start.value() + (stop.value() - start.value()) / 2.0) * length);
            } else {
                missed += length;
            }
            sums.push(sum);
            missing.push(missed);
        }
        Sums { trace, sums, missing, tail }
    }

    fn end(&self) -> f64 {
        self.trace.times[self.trace.stretches()]
    }

    /// What there is at a time. From call to call neither it nor the stretch goes back.
    fn reading(&self, time: f64, stretch: &mut usize) -> Reading {
        let (times, n) = (&self.trace.times, self.trace.stretches());
        while *stretch < n && times[*stretch + 1] <= time {
            *stretch += 1;
        }
        let i = *stretch;
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let (sum, missing) = (self.sums[i], self.missing[i]);
        let at = self.trace.at[i].value();
        let level = |value: f64| (value, value, value);
        let (sum, missing, (at, before, after), is_inside) = if time < times[0] {
            let first = finite(self.trace.after[0].value());
            (sum, missing, (at, first, first), false)
        } else if i == n {
            let last = if n == 0 { at } else { self.trace.until(n - 1).value() };
            match self.tail {
                // With an end that lies beyond, nothing is clipped.
                Some(tail) if time > times[n] => {
                    (added(sum, tail * (time - times[n])), missing, level(tail), true)
                }
                Some(tail) => (sum, missing, (at, finite(last), tail), true),
                None => (sum, missing, (at, finite(last), finite(last)), false),
            }
        } else if time == times[i] {
            let before = if i == 0 { self.trace.after[0] } else { self.trace.until(i - 1) };
            let readings = (at, finite(before.value()), finite(self.trace.after[i].value()));
            (sum, missing, readings, true)
        } else {
            self.inside(time, i)
        };
        // Past the end the last stretch still is the one at hand.
        let stretch = if self.tail.is_none() { i.min(n.saturating_sub(1)) } else { i };
        Reading { sum, missing, at, before, after, stretch, is_inside }
    }

    fn inside(&self, time: f64, i: usize) -> ((f64, f64), f64, (f64, f64, f64), bool) {
        let times = &self.trace.times;
        let (past, length) = (time - times[i], times[i + 1] - times[i]);
        let (start, stop) = (self.trace.after[i], self.trace.until(i));
        if !start.is_finite() || !stop.is_finite() {
            let missing = self.missing[i] + past;
            return (self.sums[i], missing, (start.value(), 0.0, 0.0), true);
        }
        let (start, stop) = (start.value(), stop.value());
        let here = start + (stop - start) * (past / length);
        let sum = added(self.sums[i], (start + (here - start) / 2.0) * past);
        (sum, self.missing[i], (here, here, here), true)
    }
}

/// A sum of two parts with a number added: the second part is what the first cannot hold.
pub(super) fn added(sum: (f64, f64), number: f64) -> (f64, f64) {
    let total = sum.0 + number;
    let virtual_number = total - sum.0;
    let lost = (sum.0 - (total - virtual_number)) + (number - virtual_number);
    (total, sum.1 + lost)
}
