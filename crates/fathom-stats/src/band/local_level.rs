//! How sure each place must be, so that all of them hold together.

use super::within;
use crate::Confidence;
use crate::distribution::beta;

/// Up to this many samples the probability is computed; beyond, continued from these three sizes.
const COMPUTED: [usize; 3] = [64, 256, 1024];

/// Below this error the rounding of the sums is no longer small.
const LEAST_ERROR: f64 = 1e-7;

/// The probability that each end alone may miss its order statistic, so that none of the 2n ends of
/// n independent samples misses with at least the confidence.
///
/// ```
/// use fathom_stats::Confidence;
/// use fathom_stats::band::local_tail;
///
/// let c = Confidence::DEFAULT;
/// // A single sample has two ends, which share the error.
/// assert!((local_tail(1, c) - 0.025).abs() < 1e-9);
/// assert!(local_tail(100, c) < local_tail(10, c));
/// ```
#[must_use]
pub fn local_tail(n: usize, confidence: Confidence) -> f64 {
    let error = confidence.alpha();
    if n <= 1 {
        return 0.5 * error;
    }
    if error < LEAST_ERROR {
        // Each of the 2n ends its share.
        return 0.5 * error / n as f64;
    }
    let goal = (-error).ln_1p().abs().ln();
    // Crossings are rare and nearly apart, so their expected number is nearly proportional to the
    // tail: the secant on logarithms needs few steps.
    let excess = |ln_tail: f64| crossings(n, ln_tail.exp()).ln() - goal;
    let (mut before, mut here) = ((0.5 * error).ln(), (0.5 * error / (1.0 + (n as f64).ln())).ln());
    let mut at_before = excess(before);
    const STEPS: usize = 30;
    const ENOUGH: f64 = 1e-9;
    for _ in 0..STEPS {
        let at_here = excess(here);
        let slope = (at_here - at_before) / (here - before);
        let next = here - at_here / if slope.is_finite() && slope > 0.1 { slope } else { 1.0 };
        (before, at_before) = (here, at_here);
        here = next;
        if (here - before).abs() < ENOUGH {
            break;
        }
    }
    // On the safe side of what the steps leave open.
    here.exp() * (1.0 - 1e-8)
}

/// −ln of the probability that no end misses, when each misses with this tail.
///
/// With the tail given it grows by the same amount every time n grows fourfold, once n is large:
/// away from 0 and 1 the count of samples becomes a stationary process in the logit of p, which
/// gets longer, and the two ends no longer change. What is missing from that amount halves each
/// time, as the skewness of the counts does.
fn crossings(n: usize, tail: f64) -> f64 {
    let [small, middle, large] = COMPUTED;
    if n <= large {
        return computed(n, tail);
    }
    let [before, here, there] = [small, middle, large].map(|n| computed(n, tail));
    let missing = (there - here) - (here - before);
    let growth = there - here + missing;
    let times = (n as f64 / large as f64).log2() / 2.0;
    there + times * growth - missing * (1.0 - (-times).exp2())
}

fn computed(n: usize, tail: f64) -> f64 {
    // The k-th smallest of n uniform samples is Beta(k, n + 1 − k), and the lower ends mirror the
    // upper ones.
    let lower: Vec<f64> =
        (1..=n).map(|k| beta::quantile(k as f64, (n + 1 - k) as f64, tail).x).collect();
    let upper: Vec<f64> = lower.iter().rev().map(|bound| 1.0 - bound).collect();
    -within(&lower, &upper).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(c: f64) -> Confidence {
        Confidence::new(c).unwrap()
    }

    #[test]
    fn more_samples_and_more_confidence_need_more_of_each() {
        let sizes = [1, 2, 3, 10, 64, 256, 1000, 1024, 1025, 1100, 5000, 1_000_000_000];
        for c in [0.5, 0.95, 0.999] {
            let tails = sizes.map(|n| local_tail(n, level(c)));
            assert!(tails.windows(2).all(|pair| pair[0] > pair[1]), "{c}: {tails:?}");
        }
        let tails = [0.5, 0.9, 0.99, 0.999_999, 0.999_999_99].map(|c| local_tail(50, level(c)));
        assert!(tails.windows(2).all(|pair| pair[0] > pair[1]), "{tails:?}");
        assert!(tails[4] > 0.0);
    }

    #[test]
    fn it_covers_what_it_says() {
        for (n, c) in [(2, 0.5), (7, 0.9), (40, 0.95), (300, 0.99)] {
            let covered = (-computed(n, local_tail(n, level(c)))).exp();
            assert!(covered >= c && covered < c + 1e-7, "{n} {c}: {covered}");
        }
    }
}
