//! Percentiles, by nearest rank: of occurrences, and of the time.

use super::edges::{Edges, edges};
use super::grade::Grade;
use super::trace::{Builder, Trace};
use crate::Window;
use std::ops::Range;

/// The rank of a percentage among this many, from 1.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts are far below 2^53"
)]
pub(super) fn nearest_rank(percentage: f64, n: usize) -> usize {
    let exact = percentage * n as f64 / 100.0;
    // 99.9% of 1000 is 999, however the percentage was rounded.
    let nearest = exact.round();
    let is_whole = (exact - nearest).abs() <= 1e-9 * nearest;
    let rank = if is_whole { nearest } else { exact.ceil() };
    (rank as usize).clamp(1, n.max(1))
}

/// Values that come and go, by rank: a tree of counts (Fenwick 1994).
#[derive(Default)]
pub(super) struct Ranked {
    sorted: Vec<f64>,
    /// The ranks of each group's values.
    ranks: Vec<Vec<usize>>,
    counts: Vec<usize>,
    inside: Range<usize>,
}

impl Ranked {
    /// Of groups of values, none inside yet. Those that are NaN never are.
    pub(super) fn new(values: &[f64], groups: &[(f64, Range<usize>)]) -> Ranked {
        let mut order: Vec<usize> = (0..values.len()).filter(|&i| !values[i].is_nan()).collect();
        order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
        let mut rank_of = vec![None; values.len()];
        for (rank, &i) in order.iter().enumerate() {
            rank_of[i] = Some(rank);
        }
        let ranks = |(_, group): &(f64, Range<usize>)| {
            rank_of[group.clone()].iter().copied().flatten().collect()
        };
        Ranked {
            sorted: order.iter().map(|&i| values[i]).collect(),
            ranks: groups.iter().map(ranks).collect(),
            counts: vec![0; order.len() + 1],
            inside: 0..0,
        }
    }

    /// Moves on to these groups; neither end may go back.
    pub(super) fn advance(&mut self, range: &Range<usize>) {
        while self.inside.end < range.end {
            self.count(self.inside.end, true);
            self.inside.end += 1;
        }
        while self.inside.start < range.start {
            self.count(self.inside.start, false);
            self.inside.start += 1;
        }
    }

    fn count(&mut self, group: usize, is_coming: bool) {
        for &rank in &self.ranks[group] {
            let mut node = rank + 1;
            while node < self.counts.len() {
                let count = &mut self.counts[node];
                *count = if is_coming { *count + 1 } else { *count - 1 };
                node += node & node.wrapping_neg();
            }
        }
    }

    /// The value of this rank, from 1, among those inside; NaN if there are not this many.
    pub(super) fn at(&self, rank: usize) -> f64 {
        let (mut node, mut left) = (0, rank);
        let mut step = self.counts.len().next_power_of_two();
        while step > 0 {
            let next = node + step;
            if next < self.counts.len() && self.counts[next] < left {
                node = next;
                left -= self.counts[next];
            }
            step /= 2;
        }
        self.sorted.get(node).copied().unwrap_or(f64::NAN)
    }
}

/// The smallest value that a trace does not exceed for this percentage of the time.
pub(super) fn of_time(trace: &Trace, percentage: f64) -> f64 {
    if trace.stretches() == 0 {
        return trace.first().value();
    }
    // On a slope each value between its ends has its share of the time; a level has all of it.
    let mut changes: Vec<(f64, f64, f64)> = Vec::with_capacity(2 * trace.stretches());
    let (mut below, mut whole) = (0.0, 0.0);
    for stretch in 0..trace.stretches() {
        let length = trace.times[stretch + 1] - trace.times[stretch];
        let (start, stop) = (trace.after[stretch].value(), trace.until(stretch).value());
        let (low, high) = (start.min(stop), start.max(stop));
        whole += length;
        if low == f64::NEG_INFINITY {
            below += length;
        } else if low == high {
            changes.push((low, length, 0.0));
        } else {
            let rate = length / (high - low);
            changes.push((low, 0.0, rate));
            changes.push((high, 0.0, -rate));
        }
    }
    let wanted = whole * percentage / 100.0;
    // Rounding must not keep the whole time from being reached.
    let is_reached = |time: f64| time >= wanted * (1.0 - 1e-12);
    if below > 0.0 && is_reached(below) {
        return f64::NEG_INFINITY;
    }
    changes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut time, mut rate, mut value) = (below, 0.0, f64::NEG_INFINITY);
    for (next, jump, change) in changes {
        if rate > 0.0 {
            let grown = time + rate * (next - value);
            if is_reached(grown) {
                return (value + (wanted - time).max(0.0) / rate).min(next);
            }
            time = grown;
        }
        value = next;
        time += jump;
        rate += change;
        if is_reached(time) && (jump > 0.0 || wanted <= 0.0) {
            return value;
        }
    }
    value
}

/// The percentile over the window around each time, of a trace without slopes.
///
/// While the window slides between two times at which an end of it meets a time of the trace, one
/// value gains time and another loses it, so that all sums are straight lines.
pub(super) fn slide(trace: &Trace, window: &Window, end: f64, percentage: f64) -> Trace {
    let met = edges(&trace.times, window, end, &[]);
    let mut made = Builder::default();
    for pair in met.windows(2) {
        if let [start, stop] = pair {
            let at = at_edges(trace, window, start, percentage);
            let length = stop.time - start.time;
            let parts = parts(trace, start, stop);
            let mut now = 0.0;
            let mut at = Some(at);
            loop {
                let (value, until) = holder(&parts, now, length, percentage);
                let grade = Grade::of(value);
                made.step(start.time + now, at.take().unwrap_or(grade), grade);
                if !(until > now && until < length && start.time + until > start.time + now) {
                    break;
                }
                now = until;
            }
        }
    }
    let last = met.last().map_or(Grade::FALSE, |edges| at_edges(trace, window, edges, percentage));
    made.finish(end, last)
}

/// A value in the window, how long it is there, and how fast that grows.
struct Part {
    value: f64,
    time: f64,
    growth: f64,
}

/// The values in the window while it slides between two of its places, in their order, each with
/// those below it.
fn parts(trace: &Trace, start: &Edges, stop: &Edges) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let length = stop.time - start.time;
    let first = trace.times.partition_point(|&time| time <= start.from).saturating_sub(1);
    for stretch in first..trace.stretches() {
        let (from, to) = (trace.times[stretch], trace.times[stretch + 1]);
        if from >= stop.to {
            break;
        }
        let inside = |edges: &Edges| (to.min(edges.to) - from.max(edges.from)).max(0.0);
        let (before, after) = (inside(start), inside(stop));
        if before > 0.0 || after > 0.0 {
            let value = trace.after[stretch].value();
            parts.push(Part { value, time: before, growth: (after - before) / length });
        }
    }
    parts.sort_by(|a, b| a.value.total_cmp(&b.value));
    let (mut time, mut growth) = (0.0, 0.0);
    for part in &mut parts {
        time += part.time;
        growth += part.growth;
        (part.time, part.growth) = (time, growth);
    }
    parts
}

/// The percentile at a time of the stretch, just after it, and until when it stays.
fn holder(parts: &[Part], now: f64, length: f64, percentage: f64) -> (f64, f64) {
    let Some(all) = parts.last() else { return (f64::NAN, length) };
    let share = percentage / 100.0;
    // How much more time than needed is at or below a value, now and growing.
    let spare = |part: &Part| (part.time - share * all.time, part.growth - share * all.growth);
    let tiny = 1e-12 * (all.time + length);
    let is_enough = |part: &Part| {
        let (spare, growth) = spare(part);
        let spare = spare + growth * now;
        spare > tiny || (spare >= -tiny && growth >= 0.0)
    };
    let holder = parts.iter().position(is_enough).unwrap_or(parts.len() - 1);
    let mut until = length;
    for (i, part) in parts.iter().enumerate().take(holder + 1) {
        let (spare, growth) = spare(part);
        let crosses = if i == holder { growth < 0.0 } else { growth > 0.0 };
        if crosses && -spare / growth > now + tiny {
            until = until.min(-spare / growth);
        }
    }
    (parts[holder].value, until)
}

/// The percentile over a window that stands still.
fn at_edges(trace: &Trace, window: &Window, edges: &Edges, percentage: f64) -> Grade {
    let last = trace.times[trace.stretches()];
    if edges.is_outside(window, last) {
        return Grade::of(f64::NAN);
    }
    let (from, to) = (edges.from.max(0.0), edges.to.min(last));
    if to <= from {
        return trace.sampled(&[from])[0];
    }
    let still = Edges { time: 0.0, from, to };
    let parts = parts(trace, &still, &Edges { time: 1.0, ..still });
    Grade::of(holder(&parts, 0.0, 0.0, percentage).0)
}
