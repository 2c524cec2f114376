//! How often intervals of geometric means of ratios of quantiles cover.
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test fails by panicking")]

use fathom_stats::quantile::{QuantileFactor, QuantileSample, geometric_mean};
use fathom_stats::{Confidence, Interval, Probability};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn sample(values: impl IntoIterator<Item = f64>, p: f64) -> QuantileSample {
    let point = |value| Interval { lower: value, upper: value };
    QuantileSample::new(values.into_iter().map(point), Probability::new(p).unwrap())
}

/// Simulated: skewed values, a ratio of 1.25, independent or in pairs that are mostly alike or mostly
/// opposite. calibration/check.md has more cases and more trials.
#[test]
fn intervals_cover() {
    const TRIALS: u64 = 150;
    for (n, p, benchmarks, alike) in [
        (30, 0.5, 4, 0.0),
        (60, 0.9, 3, 0.0),
        (30, 0.5, 4, 0.9),
        (60, 0.9, 1, 0.9),
        (60, 0.9, 3, 0.9),
        (30, 0.5, 4, -0.9),
        (60, 0.9, 2, -0.9_f64),
    ] {
        let level = Probability::new(p).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut covered = 0;
        for trial in 0..TRIALS {
            let mut unit = || ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
            let factors: Vec<QuantileFactor> = (0..benchmarks)
                .map(|_| {
                    let pairs: Vec<(f64, f64)> = (0..n)
                        .map(|_| {
                            let (one, other, same) = (unit(), unit(), unit());
                            let other = match (same < alike.abs(), alike > 0.0) {
                                (true, true) => one,
                                (true, false) => 1.0 - one,
                                (false, _) => other,
                            };
                            (1.25 * -one.ln(), -other.ln())
                        })
                        .collect();
                    match alike == 0.0 {
                        true => QuantileFactor::ratio(
                            sample(pairs.iter().map(|pair| pair.0), p),
                            sample(pairs.iter().map(|pair| pair.1), p),
                        ),
                        false => QuantileFactor::ratio_of_pairs(&pairs, level),
                    }
                })
                .collect();
            covered +=
                u64::from(geometric_mean(&factors, Confidence::DEFAULT, trial).contains(1.25));
        }
        // Three standard errors of 150 trials.
        assert!(covered as f64 >= 0.896 * TRIALS as f64, "{n} {p} {benchmarks} {alike}: {covered}");
    }
}
