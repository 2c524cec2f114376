//! The clock that everything is measured with.

#[cfg_attr(any(not(target_os = "linux"), fathom_portable), path = "reduced/clock.rs")]
mod kernel;

pub use kernel::*;

use fathom_record::Span;

/// The smallest step the clock was seen to make: nothing shorter can be timed.
#[must_use]
pub fn grain() -> Span {
    // Enough for a clock of a few milliseconds to step several times.
    const STEPS: u32 = 2_000;
    const LONGEST: Span = Span::from_milliseconds(50);
    let began = monotonic();
    let mut last = began;
    let mut grain = Span::MAX;
    let mut steps = 0;
    while steps < STEPS && last - began < LONGEST {
        let now = monotonic();
        if now > last {
            grain = grain.min(now - last);
            steps += 1;
            last = now;
        }
    }
    grain
}

/// What two readings of the clock in a row read, in nanoseconds: what every timing has too much.
///
/// The median of many short series of readings, each averaged. The average looks below the clock's
/// grain, where a single pair reads a multiple of it; the median passes over the series in which
/// something else ran. A minimum would name the luckiest reading, and to keep the clock's share of
/// a timing small, the usual reading matters.
#[must_use]
pub fn cost_ns() -> f64 {
    const SERIES: usize = 101;
    const PAIRS: u32 = 64;
    let mut costs = [0.0; SERIES];
    for cost in &mut costs {
        let first = monotonic();
        let mut last = first;
        for _ in 0..PAIRS {
            last = monotonic();
        }
        *cost = (last - first).nanoseconds_f64() / f64::from(PAIRS);
    }
    costs.sort_by(f64::total_cmp);
    costs[SERIES / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_goes_forward_in_steps_that_were_seen() {
        let first = monotonic();
        let grain = grain();
        let last = monotonic();
        assert!(last > first);
        assert!(grain > Span::ZERO && grain <= last - first, "{grain:?}");
    }

    #[test]
    fn the_clock_costs_something_and_less_than_all_its_readings_took() {
        let first = monotonic();
        let cost = cost_ns();
        let last = monotonic();
        // More than half of the 101 series of 64 pairs took this long each, or longer.
        assert!(cost > 0.0 && cost * 51.0 * 64.0 <= (last - first).nanoseconds_f64(), "{cost}");
    }
}
