//! Gaps between readings of the clock: what was taken from a program that does nothing else.

use crate::clock;
use fathom_record::Span;

/// Gaps that are kept one by one; of more than that only the number and the sum are.
const KEPT: usize = 20_000;

/// A gap that is much longer than a reading of the clock takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall {
    /// When it began, from the first reading.
    pub began: Span,
    /// How much longer than usual the reading took.
    pub lost: Span,
}

/// What was seen while the clock was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stalls {
    /// How long it was read.
    pub lasted: Span,
    /// The stalls, in the order of time.
    pub stalls: Vec<Stall>,
    /// How many more there were.
    pub more: u64,
    /// How much time these took.
    pub lost_to_more: Span,
}

/// Reads the clock again and again for a while.
///
/// A stall is at least a microsecond, ten usual readings and three steps of the clock: a coarse
/// clock steps without anybody having taken time.
#[must_use]
pub fn watch(time: Span) -> Stalls {
    let usual = clock::cost_ns();
    let least = (10.0 * usual).max(3.0 * clock::grain().nanoseconds_f64()).max(1000.0);
    let (usual, least) =
        (Span::from_nanoseconds(usual as u64), Span::from_nanoseconds(least as u64));
    let mut seen = Stalls::default();
    // The list must not grow while time is taken.
    seen.stalls.reserve_exact(KEPT);
    let began = clock::monotonic();
    let mut last = began;
    loop {
        let now = clock::monotonic();
        let gap = now - last;
        if gap >= least {
            let stall = Stall { began: last - began, lost: gap - usual };
            if seen.stalls.len() < KEPT {
                seen.stalls.push(stall);
            } else {
                seen.more += 1;
                seen.lost_to_more += stall.lost;
            }
        }
        last = now;
        seen.lasted = now - began;
        if seen.lasted >= time {
            return seen;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stalls_lie_within_the_time_and_do_not_overlap() {
        let asked = Span::from_milliseconds(20);
        let seen = watch(asked);
        assert!(seen.lasted >= asked);
        let mut free = Span::ZERO;
        for stall in &seen.stalls {
            assert!(stall.began >= free, "{stall:?}");
            free = stall.began + stall.lost;
        }
        assert!(free <= seen.lasted);
        assert!(seen.more == 0 || seen.stalls.len() == KEPT);
    }
}
