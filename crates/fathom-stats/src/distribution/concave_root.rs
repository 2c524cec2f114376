//! Newton's method where it cannot fail: an increasing, concave function.
//!
//! The logarithms of the tails we invert (normal, and beta on the logit scale) are concave, since
//! their densities are log-concave. From the left of the root Newton then climbs monotonically;
//! from the right it lands left of it in one step. A bracket guards against rounding.

/// One evaluation: the function and its slope.
pub(super) struct Point {
    pub(super) value: f64,
    pub(super) slope: f64,
}

/// The root of an increasing, concave `f`, starting at `start`.
pub(super) fn solve(start: f64, f: impl Fn(f64) -> Point) -> f64 {
    const STEPS: usize = 200;
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut x = start;
    for _ in 0..STEPS {
        let Point { value, slope } = f(x);
        if value == 0.0 {
            return x;
        }
        if value < 0.0 {
            low = low.max(x);
        } else {
            high = high.min(x);
        }
        let mut next = x - value / slope;
        if next.is_nan() || next <= low || next >= high {
            next = match (low.is_finite(), high.is_finite()) {
                (true, true) => 0.5 * (low + high),
                (true, false) => 2.0 * low.max(0.5),
                _ => 2.0 * high.min(-0.5),
            };
        }
        if (next - x).abs() <= 4.0 * f64::EPSILON * x.abs().max(f64::MIN_POSITIVE) {
            return next;
        }
        x = next;
    }
    x
}
