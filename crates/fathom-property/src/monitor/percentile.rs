//! Percentiles, by nearest rank: of occurrences, and of the time.

use super::trace::Trace;
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
