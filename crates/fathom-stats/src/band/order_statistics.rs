//! Uniform samples in order, and bounds for each of them.

use libm::lgamma;

/// The most that one step of the count may have as its mean: beyond, e^−mean would underflow.
const LONGEST_STEP: f64 = 256.0;

/// Terms of a step below this are nothing.
const NEGLIGIBLE: f64 = 1e-22;

/// P(lower(k) ≤ U(k) ≤ upper(k) for every k), where U(1) ≤ U(2) ≤ … are independent uniform
/// samples in order, as many as there are bounds. Bounds must not fall.
///
/// The count of samples up to t is a Poisson process, given where it ends (Khmaladze and
/// Shinjikashvili 2001). Its distribution is carried from bound to bound, and what crosses one is
/// left behind. Every term is positive, so nothing cancels. About n^1.5 steps.
///
/// ```
/// use fathom_stats::band::within;
/// assert!((within(&[0.1], &[0.8]) - 0.7).abs() < 1e-15);
/// ```
#[must_use]
pub fn within(lower: &[f64], upper: &[f64]) -> f64 {
    let n = lower.len().min(upper.len());
    if n == 0 {
        return 1.0;
    }
    let mut at = vec![0.0; n + 1];
    at[0] = 1.0;
    let mut time = 0.0;
    // At this moment between `least` and `most` samples are allowed.
    let (mut least, mut most) = (0, 0);
    let mut step = Step::default();
    while least < n {
        let next_lower = lower.get(most).copied().filter(|_| most < n);
        let next_upper = upper[least];
        let is_lower = next_lower.is_some_and(|bound| bound <= next_upper);
        let next = next_lower.filter(|_| is_lower).unwrap_or(next_upper).clamp(time, 1.0);
        step.carry(&mut at[least..=most], n as f64 * (next - time));
        time = next;
        if is_lower {
            most += 1;
        } else {
            // The sample that had to be there by now, and is not.
            at[least] = 0.0;
            least += 1;
            if least > most {
                return 0.0;
            }
        }
    }
    step.carry(&mut at[n..], n as f64 * (1.0 - time));
    let size = n as f64;
    let ends_there = (size * size.ln() - size - lgamma(size + 1.0)).exp();
    (at[n] / ends_there).min(1.0)
}

/// How many samples a step adds, with what probability; from the most to none.
#[derive(Default)]
struct Step {
    reversed: Vec<f64>,
}

impl Step {
    /// Moves the distribution of a count on by a step with this mean.
    fn carry(&mut self, at: &mut [f64], mean: f64) {
        let parts = (mean / LONGEST_STEP).ceil().max(1.0);
        for _ in 0..parts as usize {
            self.set(mean / parts, at.len());
            for place in (0..at.len()).rev() {
                let reach = self.reversed.len().min(place + 1);
                let weights = &self.reversed[self.reversed.len() - reach..];
                let before = &at[place + 1 - reach..=place];
                at[place] = before.iter().zip(weights).map(|(p, weight)| p * weight).sum();
            }
        }
    }

    fn set(&mut self, mean: f64, most: usize) {
        self.reversed.clear();
        let mut term = (-mean).exp();
        let mut added = 0.0;
        while self.reversed.len() < most && (added <= mean || term > NEGLIGIBLE) {
            self.reversed.push(term);
            added += 1.0;
            term *= mean / added;
        }
        self.reversed.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_samples_by_area() {
        // 2 × the area of a ≤ x ≤ b, c ≤ y ≤ d, x ≤ y.
        let (a, b, c, d): (f64, f64, f64, f64) = (0.1, 0.6, 0.3, 0.9);
        let whole = (b - a) * (d - c);
        let wrong_order = 0.5 * (b - c).powi(2);
        let found = within(&[a, c], &[b, d]);
        assert!((found - 2.0 * (whole - wrong_order)).abs() < 1e-14, "{found}");
    }

    #[test]
    fn no_bounds_hold_always_and_crossed_ones_never() {
        assert_eq!(within(&[], &[]), 1.0);
        for n in [1, 7, 300, 3000] {
            let free = within(&vec![0.0; n], &vec![1.0; n]);
            assert!((free - 1.0).abs() < 1e-10, "{n}: {free}");
        }
        assert_eq!(within(&[0.0, 0.5], &[0.2, 0.4]), 0.0);
        assert_eq!(within(&[0.3], &[0.3]), 0.0);
    }

    #[test]
    fn the_largest_of_many() {
        // Only U(n) ≤ u is asked: u^n.
        let n = 2000;
        let mut upper = vec![1.0; n];
        upper.iter_mut().for_each(|bound| *bound = 0.9995);
        let found = within(&vec![0.0; n], &upper);
        assert!((found / 0.9995_f64.powi(2000) - 1.0).abs() < 1e-10, "{found}");
    }

    proptest! {
        /// Daniels 1945: P(U(k) ≥ t k/n … for all k) is 1 − t, whatever n.
        #[test]
        fn daniels(n in 1_usize..60, t in 0.05_f64..0.95) {
            let lower: Vec<f64> = (1..=n).map(|k| t * k as f64 / n as f64).collect();
            prop_assert!((within(&lower, &vec![1.0; n]) - (1.0 - t)).abs() < 1e-11);
        }

        #[test]
        fn wider_bounds_hold_more_often(n in 1_usize..40, share in 0.2_f64..0.9) {
            let bounds = |by: f64| -> (Vec<f64>, Vec<f64>) {
                (1..=n)
                    .map(|k| k as f64 / (n + 1) as f64)
                    .map(|middle| ((middle - by).max(0.0), (middle + by).min(1.0)))
                    .unzip()
            };
            let (narrow, wide) = (bounds(0.3 * share), bounds(0.3));
            prop_assert!(within(&narrow.0, &narrow.1) <= within(&wide.0, &wide.1) + 1e-12);
        }
    }
}
