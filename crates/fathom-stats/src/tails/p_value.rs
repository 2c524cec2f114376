//! The level at which an interval begins to leave out zero.

/// From how often an interval at each level leaves out zero: by halving, to a part in ten thousand.
pub(super) fn p_value(is_left_out_at: impl Fn(f64) -> bool) -> f64 {
    const PRECISE: f64 = 1e-4;
    /// Levels below this are not told apart.
    const SMALLEST: f64 = 1e-12;
    if !is_left_out_at(1.0 - SMALLEST) {
        return 1.0;
    }
    if is_left_out_at(SMALLEST) {
        return SMALLEST;
    }
    // As logarithms; at the larger one zero is left out.
    let (mut smaller, mut larger) = (SMALLEST.ln(), 0.0);
    while larger - smaller > PRECISE {
        let middle = 0.5 * (smaller + larger);
        if is_left_out_at(middle.exp()) { larger = middle } else { smaller = middle }
    }
    larger.exp()
}
