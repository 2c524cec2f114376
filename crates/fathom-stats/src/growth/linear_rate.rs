//! Units of the size per second, with the fixed cost of a call separated.

use super::{Bounded, SizedTime};
use crate::Interval;

/// The line through times that grow like n: a fixed cost, and a cost for each unit of the size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearRate {
    /// Units of the size per unit of time: one over the slope.
    pub rate: f64,
    /// Its interval, of the confidence of the times' intervals. Its upper end is infinite where the
    /// slope may be zero.
    pub rate_interval: Interval,
    /// What a call takes whatever the size.
    pub setup: f64,
    /// Its interval.
    pub setup_interval: Interval,
    /// Whether all times may lie on one line. If not, the cost per unit changes with the size, and the
    /// rate is an average.
    pub is_straight: bool,
}

impl LinearRate {
    /// Least squares of relative errors, since times of sizes over decades have no other errors in
    /// common. `bounded` are the limits of the same times, all together at the confidence. `None` if
    /// larger sizes take no longer.
    pub(super) fn of(times: &[SizedTime], bounded: &[Bounded]) -> Option<LinearRate> {
        let (mut ones, mut sizes, mut squares) = (0.0, 0.0, 0.0);
        for one in times {
            let (u, v) = (1.0 / one.time, one.size / one.time);
            ones += u * u;
            sizes += u * v;
            squares += v * v;
        }
        let determinant = ones * squares - sizes * sizes;
        // With the weights as they are, the slope and the fixed cost are sums of the times.
        let of_slope =
            |one: &SizedTime| (ones * one.size - sizes) / determinant / (one.time * one.time);
        let of_setup =
            |one: &SizedTime| (squares - sizes * one.size) / determinant / (one.time * one.time);
        let (slope, slope_interval) = sum(times, of_slope);
        let (setup, setup_interval) = sum(times, of_setup);
        if !slope.is_finite() || slope <= 0.0 {
            return None;
        }
        let end = |slope: f64| if slope > 0.0 { 1.0 / slope } else { f64::INFINITY };
        Some(LinearRate {
            rate: 1.0 / slope,
            rate_interval: Interval {
                lower: end(slope_interval.upper),
                upper: end(slope_interval.lower),
            },
            setup,
            setup_interval,
            is_straight: is_straight(bounded),
        })
    }

    /// The time of a size, as fitted.
    #[must_use]
    pub fn at(&self, size: f64) -> f64 {
        self.setup + size / self.rate
    }
}

/// A weighted sum of times, and how far it may be off: the errors of independent times.
fn sum(times: &[SizedTime], weight: impl Fn(&SizedTime) -> f64) -> (f64, Interval) {
    let (mut value, mut below, mut above) = (0.0, 0.0, 0.0);
    for one in times {
        let weight = weight(one);
        let [down, up] = [one.time - one.interval.lower, one.interval.upper - one.time];
        let [down, up] = if weight > 0.0 { [down, up] } else { [up, down] };
        value += weight * one.time;
        below += (weight * down).powi(2);
        above += (weight * up).powi(2);
    }
    (value, Interval { lower: value - below.sqrt(), upper: value + above.sqrt() })
}

/// Whether a line passes through all limits. One that does can be turned and moved until it touches an
/// upper limit at one size and a lower one at another.
fn is_straight(bounded: &[Bounded]) -> bool {
    let passes = |slope: f64, fixed: f64| {
        bounded.iter().all(|one| {
            let time = fixed + slope * one.size;
            // Rounding must not reject times that lie on a line exactly.
            let rounding = 1e-12 * one.upper;
            time >= one.lower - rounding && time <= one.upper + rounding
        })
    };
    bounded.iter().any(|one| {
        bounded.iter().filter(|other| other.size != one.size).any(|other| {
            let slope = (other.lower - one.upper) / (other.size - one.size);
            passes(slope, one.upper - slope * one.size)
        })
    })
}
