//! Where the ends of a window are while it slides along.

use crate::Window;

/// A time at which an end of the window meets a time of interest, and where its ends are then.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edges {
    /// The present.
    pub(super) time: f64,
    /// Where the window begins.
    pub(super) from: f64,
    /// Where it ends.
    pub(super) to: f64,
}

impl Edges {
    /// Places that divide the way to the next ones into this many parts.
    pub(super) fn between(&self, next: &Edges, parts: usize) -> impl Iterator<Item = Edges> {
        let (start, next) = (*self, *next);
        (1..parts).filter_map(move |part| {
            #[allow(clippy::cast_precision_loss, reason = "a small number")]
            let fraction = part as f64 / parts as f64;
            let way = |from: f64, to: f64| from + (to - from) * fraction;
            let time = way(start.time, next.time);
            let is_inside = time > start.time && time < next.time;
            // An end that is infinite stays so.
            let move_on = |from: f64, to: f64| if from == to { from } else { way(from, to) };
            is_inside.then(|| Edges {
                time,
                from: move_on(start.from, next.from),
                to: move_on(start.to, next.to),
            })
        })
    }

    /// Whether none of the window is between 0 and an end.
    pub(super) fn is_outside(&self, window: &Window, end: f64) -> bool {
        let ends_before = self.to < 0.0 || (self.to == 0.0 && !window.includes_to);
        let begins_after = self.from > end || (self.from == end && !window.includes_from);
        ends_before || begins_after
    }
}

/// The edges of a window at 0, at `end`, at stops in between, and whenever one meets one of the
/// times. An end that meets a time is that time, whatever a sum would round to.
pub(super) fn edges(times: &[f64], window: &Window, end: f64, stops: &[f64]) -> Vec<Edges> {
    let mut met = Vec::with_capacity(times.len() + 2);
    let (mut i, mut j, mut stop) = (0, 0, 0);
    let shifted = |i: usize, by: f64| times.get(i).map_or(f64::INFINITY, |time| time - by);
    // Between the time met last and the next.
    let place = |i: usize, by: f64, now: f64| {
        let before = if i == 0 { f64::NEG_INFINITY } else { times[i - 1] };
        (now + by).max(before).min(times.get(i).copied().unwrap_or(f64::INFINITY))
    };
    let mut now = 0.0;
    loop {
        while shifted(i, window.from) < now {
            i += 1;
        }
        while shifted(j, window.to) < now {
            j += 1;
        }
        let (next_from, next_to) = (shifted(i, window.from), shifted(j, window.to));
        let from = if next_from == now { times[i] } else { place(i, window.from, now) };
        let to = if next_to == now { times[j] } else { place(j, window.to, now) };
        met.push(Edges { time: now, from, to });
        if now >= end {
            return met;
        }
        let from_next = if next_from == now { shifted(i + 1, window.from) } else { next_from };
        let to_next = if next_to == now { shifted(j + 1, window.to) } else { next_to };
        while stops.get(stop).is_some_and(|&stop| stop <= now) {
            stop += 1;
        }
        let next_stop = stops.get(stop).copied().unwrap_or(f64::INFINITY);
        now = from_next.min(to_next).min(next_stop).min(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_meet_times_exactly() {
        let window = Window { from: -0.3, to: 0.1, includes_from: true, includes_to: true };
        let met = edges(&[0.0, 0.7, 1.0], &window, 1.0, &[]);
        let times: Vec<f64> = met.iter().map(|edges| edges.time).collect();
        assert_eq!(times, [0.0, 0.3, 0.7 - 0.1, 0.9, 1.0]);
        assert_eq!((met[1].from, met[2].to, met[3].to), (0.0, 0.7, 1.0));
        assert_eq!(met[0], Edges { time: 0.0, from: -0.3, to: 0.1 });
        let met = edges(&[0.0, 0.7, 1.0], &window, 1.0, &[0.0, 0.3, 0.4, 2.0]);
        let times: Vec<f64> = met.iter().map(|edges| edges.time).collect();
        assert_eq!(times, [0.0, 0.3, 0.4, 0.7 - 0.1, 0.9, 1.0]);
        assert_eq!(edges(&[0.0], &window, 0.0, &[]), [Edges { time: 0.0, from: -0.3, to: 0.1 }]);
    }
}
