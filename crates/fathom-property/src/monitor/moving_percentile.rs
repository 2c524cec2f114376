//! Percentiles of the time, over a window that slides along.

use super::edges::{Edges, edges};
use super::grade::Grade;
use super::time_by_rank::TimeByRank;
use super::trace::{Builder, Trace};
use crate::Window;
use std::ops::Range;

/// The percentile over the window around each time, of a trace without slopes.
///
/// While the window slides between two times at which an end of it meets a time of the trace, one
/// stretch gains time in it and another loses some, so that all sums are straight lines. A tree of
/// sums by rank finds who holds the percentile, and until when: with n times and a result that
/// changes m times that takes time in proportion to (n + m) log n, whatever the window's width.
pub(super) fn slide(trace: &Trace, window: &Window, end: f64, percentage: f64) -> Trace {
    let met = edges(&trace.times, window, end, &[]);
    let mut inside = Inside::new(trace, percentage / 100.0);
    let mut made = Builder::with_capacity(met.len());
    for pair in met.windows(2) {
        if let [start, stop] = pair {
            inside.move_to(start, stop);
            let first = inside.grade_at(window, start);
            let length = stop.time - start.time;
            let mut now = 0.0;
            let mut before: Option<Grade> = None;
            loop {
                let (value, until) = inside.holder(now, length);
                let grade = Grade::of(value);
                // When another value takes over, the lower of the two has its share.
                let at = before.map_or(first, |before| before.min(grade));
                made.step(start.time + now, at, grade);
                before = Some(grade);
                if !(until > now && until < length && start.time + until > start.time + now) {
                    break;
                }
                now = until;
            }
        }
    }
    let last = met.last().map_or(Grade::FALSE, |last| {
        inside.move_to(last, last);
        inside.grade_at(window, last)
    });
    made.finish(end, last)
}

/// The stretches of a trace that are in a window, by the rank of their values.
struct Inside<'a> {
    trace: &'a Trace,
    /// The share of the time that is asked for.
    share: f64,
    /// By stretch.
    ranks: Vec<usize>,
    /// By rank.
    sorted: Vec<f64>,
    /// By rank: the ranks with the same value.
    alike: Vec<Range<usize>>,
    times: TimeByRank,
    /// The stretches that are in the window, or were before it moved on; a part of them, or all.
    reached: Range<usize>,
    /// The first stretch that never was in the window with all its time.
    first_new: usize,
    /// Those whose time in the window changes until it has moved on.
    moving: Vec<Moving>,
}

/// A stretch that gains or loses time in the window.
struct Moving {
    rank: usize,
    /// Its time in the window at the beginning.
    time: f64,
    growth: f64,
}

impl<'a> Inside<'a> {
    fn new(trace: &'a Trace, share: f64) -> Inside<'a> {
        let n = trace.stretches();
        let values: Vec<f64> = trace.after.iter().take(n).map(|grade| grade.value()).collect();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
        let mut ranks = vec![0; n];
        for (rank, &stretch) in order.iter().enumerate() {
            ranks[stretch] = rank;
        }
        let sorted: Vec<f64> = order.iter().map(|&stretch| values[stretch]).collect();
        let mut alike = Vec::with_capacity(n);
        for group in sorted.chunk_by(|a, b| a.total_cmp(b).is_eq()) {
            let first = alike.len();
            alike.resize(first + group.len(), first..first + group.len());
        }
        let times = TimeByRank::new(n);
        let moving = Vec::new();
        Inside { trace, share, ranks, sorted, alike, times, reached: 0..0, first_new: 0, moving }
    }

    /// How much of a stretch is in a window with these edges.
    fn overlap(&self, stretch: usize, edges: &Edges) -> f64 {
        let (from, to) = (self.trace.times[stretch], self.trace.times[stretch + 1]);
        (to.min(edges.to) - from.max(edges.from)).max(0.0)
    }

    /// Moves on, to slide from here to there. Neither end may go back.
    fn move_to(&mut self, start: &Edges, stop: &Edges) {
        let times = &self.trace.times;
        let n = self.trace.stretches();
        while self.reached.end < n && times[self.reached.end] < stop.to {
            self.reached.end += 1;
        }
        while self.reached.start < self.reached.end && times[self.reached.start + 1] <= start.from {
            self.times.set(self.ranks[self.reached.start], None);
            self.reached.start += 1;
        }
        let is_whole = |stretch: usize| {
            let (from, to) = (times[stretch], times[stretch + 1]);
            let is_in = |edges: &Edges| edges.from <= from && to <= edges.to;
            is_in(start) && is_in(stop)
        };
        let Range { start: first, end } = self.reached.clone();
        let whole_from = (first..end).find(|&stretch| is_whole(stretch)).unwrap_or(end);
        let last_whole = (whole_from..end).rfind(|&stretch| is_whole(stretch));
        let whole_to = last_whole.map_or(whole_from, |last| last + 1);
        // Each is set as a whole once; after that it can only leave.
        for stretch in self.first_new.max(whole_from)..whole_to {
            self.times.set(self.ranks[stretch], Some(times[stretch + 1] - times[stretch]));
        }
        if last_whole.is_some() {
            self.first_new = self.first_new.max(whole_to);
        }
        self.moving.clear();
        let length = stop.time - start.time;
        for stretch in (first..whole_from).chain(whole_to..end) {
            let (before, after) = (self.overlap(stretch, start), self.overlap(stretch, stop));
            let growth = if length > 0.0 { (after - before) / length } else { 0.0 };
            let rank = self.ranks[stretch];
            if before > 0.0 || after > 0.0 {
                self.moving.push(Moving { rank, time: before, growth });
            }
            self.times.set(rank, (before > 0.0).then_some(before));
        }
    }

    /// The percentile while the window stands still where it was moved to.
    fn grade_at(&self, window: &Window, edges: &Edges) -> Grade {
        let last = self.trace.times[self.trace.stretches()];
        if edges.is_outside(window, last) {
            return Grade::of(f64::NAN);
        }
        let (from, to) = (edges.from.max(0.0), edges.to.min(last));
        if to <= from {
            return self.trace.sampled(&[from])[0];
        }
        let whole = self.times.whole();
        let rank = self.times.reaching(self.share * whole - 1e-12 * whole);
        Grade::of(rank.map_or(f64::NAN, |rank| self.sorted[rank]))
    }

    /// The percentile just after a moment on the way, and until when it stays. Moments must not go
    /// back until the window is moved on.
    fn holder(&mut self, now: f64, length: f64) -> (f64, f64) {
        for moving in &self.moving {
            let time = moving.time + moving.growth * now;
            self.times.set(moving.rank, Some(time.max(0.0)));
        }
        let whole = self.times.whole();
        let tiny = 1e-12 * (whole + length);
        let Some(rank) = self.times.reaching(self.share * whole - tiny) else {
            return (f64::NAN, length);
        };
        // What just reaches its share and is about to lose it does not hold it.
        let mut alike = &self.alike[rank];
        let (mut spare, mut growth) = self.spare(alike.end - 1, whole);
        while !(spare > tiny || (spare >= -tiny && growth >= 0.0)) {
            let Some(next) = self.times.after(alike.end - 1) else { break };
            alike = &self.alike[next];
            (spare, growth) = self.spare(alike.end - 1, whole);
        }
        let mut until = length;
        let mut crosses = |spare: f64, growth: f64| {
            let wait = -spare / growth;
            if wait > tiny {
                until = until.min(now + wait);
            }
        };
        if growth < 0.0 {
            crosses(spare, growth);
        }
        // Of the values below that gain time alike, the highest gets there first.
        let bounds = self.moving.iter().map(|moving| self.alike[moving.rank].start);
        for bound in bounds.filter(|&bound| bound < alike.start).chain([alike.start]) {
            let Some(below) = self.times.before(bound) else { continue };
            let (spare, growth) = self.spare(below, whole);
            if growth > 0.0 {
                crosses(spare, growth);
            }
        }
        (self.sorted[alike.start], until)
    }

    /// How much more time than needed is at ranks up to this one, and how fast that grows.
    fn spare(&self, rank: usize, whole: f64) -> (f64, f64) {
        let (mut of_these, mut of_all) = (0.0, 0.0);
        for moving in &self.moving {
            of_all += moving.growth;
            if moving.rank <= rank {
                of_these += moving.growth;
            }
        }
        (self.times.up_to(rank) - self.share * whole, of_these - self.share * of_all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The smallest value that the trace does not exceed for this percentage of the window's time,
    /// from all stretches in their order, with this much less time than needed.
    fn by_sorting(trace: &Trace, window: &Window, now: f64, percentage: f64, less: f64) -> f64 {
        let (from, to) = (now + window.from, now + window.to);
        let part = |stretch: usize| {
            let (start, stop) = (trace.times[stretch], trace.times[stretch + 1]);
            (trace.after[stretch].value(), stop.min(to) - start.max(from))
        };
        let mut parts: Vec<(f64, f64)> =
            (0..trace.stretches()).map(part).filter(|(_, time)| *time > 0.0).collect();
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let whole: f64 = parts.iter().map(|(_, time)| time).sum();
        let mut time = 0.0;
        let reached = parts.iter().find(|(_, part)| {
            time += part;
            time >= whole * percentage / 100.0 - less
        });
        let highest = parts.last().map_or(f64::NAN, |(value, _)| *value);
        reached.map_or(highest, |(value, _)| *value)
    }

    fn agrees(steps: &[(u8, u8)], window: &Window, percentage: f64) -> Result<(), TestCaseError> {
        let mut times = vec![0.0];
        for (length, _) in steps {
            times.push(times[times.len() - 1] + f64::from(*length));
        }
        let mut grades: Vec<Grade> =
            steps.iter().map(|(_, value)| Grade::of(f64::from(*value))).collect();
        grades.push(Grade::of(3.0));
        let end = times[times.len() - 1];
        let trace = Trace::of_steps(times, grades);
        let slid = std::rc::Rc::new(slide(&trace, window, end, percentage));
        // Where ends meet times, in the middle between, and at times of no importance.
        let moments = (0..(end * 8.0) as usize).map(|eighth| eighth as f64 / 8.0);
        let moments: Vec<f64> = moments.flat_map(|time| [time, time + 0.0312]).collect();
        for (&now, found) in moments.iter().zip(slid.sampled(&moments)) {
            let low = by_sorting(&trace, window, now, percentage, 1e-9);
            // Where shares are rounded, so is the moment at which one of them is reached.
            let is_exact = percentage % 25.0 == 0.0;
            let less = if is_exact { 1e-9 } else { -1e-9 };
            let high = by_sorting(&trace, window, now, percentage, less);
            // A window of a single instant, or of none, has no time.
            if !low.is_nan() {
                let is_right = [low, high].contains(&found.value());
                prop_assert!(is_right, "at {}: {}, not {} or {}", now, found.value(), low, high);
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn sliding_agrees_with_sorting_every_window(
            steps in prop::collection::vec((1..6_u8, 0..5_u8), 1..25),
            from in -12..10_i8,
            width in 1..14_u8,
            percentage in prop::sample::select(
                vec![0.0, 1.0, 10.0, 25.0, 100.0 / 3.0, 50.0, 75.0, 90.0, 99.0, 100.0]
            ),
        ) {
            let from = f64::from(from);
            let to = from + f64::from(width);
            let window = Window { from, to, includes_from: true, includes_to: true };
            agrees(&steps, &window, percentage)?;
        }
    }

    #[test]
    fn a_percentile_changes_between_the_times_of_its_trace() {
        // In [0, 4) of 0, 10 and 0: the median is 10 while at least half of the window is in it.
        let grades = [0.0, 10.0, 0.0, 0.0].map(Grade::of).to_vec();
        let trace = Trace::of_steps(vec![0.0, 4.0, 7.0, 12.0], grades);
        let window = Window { from: 0.0, to: 4.0, includes_from: true, includes_to: true };
        let slid = slide(&trace, &window, 12.0, 50.0);
        assert_eq!(*slid.times, [0.0, 2.0, 5.0, 12.0]);
        let values: Vec<f64> = slid.after.iter().map(|grade| grade.value()).collect();
        assert_eq!(values[..3], [0.0, 10.0, 0.0]);
    }
}
