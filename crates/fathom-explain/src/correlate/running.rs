//! Sums of any stretch at once.

use std::ops::Range;

/// Sums from the start on, each with what rounding took from it, so that a spike somewhere does not
/// take the digits of what follows.
#[derive(Debug)]
pub(super) struct Running {
    sums: Vec<(f64, f64)>,
}

impl Running {
    pub(super) fn new(values: impl Iterator<Item = f64>) -> Running {
        let mut sums = Vec::with_capacity(values.size_hint().0 + 1);
        let (mut sum, mut rest) = (0.0, 0.0);
        sums.push((sum, rest));
        for value in values {
            let next = sum + value;
            let taken = next - sum;
            rest += (sum - (next - taken)) + (value - taken);
            sum = next;
            sums.push((sum, rest));
        }
        Running { sums }
    }

    /// The sum of a stretch; beyond the ends there is nothing.
    pub(super) fn of(&self, stretch: Range<usize>) -> f64 {
        let last = self.sums.len().saturating_sub(1);
        let at = |place: usize| self.sums.get(place.min(last)).copied().unwrap_or_default();
        let (start, end) = (at(stretch.start), at(stretch.end));
        (end.0 - start.0) + (end.1 - start.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_takes_no_digits_of_what_follows() {
        let values = [1e20, 0.1, 0.2, 0.3, -1e20, 0.25];
        let running = Running::new(values.into_iter());
        assert!((running.of(1..4) - 0.6).abs() < 1e-15);
        assert_eq!(running.of(5..99), 0.25);
        assert_eq!(running.of(2..2), 0.0);
    }
}
