//! Estimates and intervals of means and quantiles against numpy, mpmath and scipy.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_stats::bca::{self, BcaError, Bootstrap, BootstrapStatistic, Resampling};
use fathom_stats::mean::{Moments, Reference, interval};
use fathom_stats::{Confidence, Probability, Sides, quantile};
use fathom_testkit::vectors::{load, relative_error};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct MeanCase {
    name: String,
    x: Vec<f64>,
    mean: f64,
    sd: f64,
    intervals: Vec<MeanInterval>,
}

#[derive(Debug, Deserialize)]
struct MeanInterval {
    c: f64,
    half: f64,
    lower: f64,
    upper: f64,
}

fn check_means(file: &str, reference: Reference) {
    for case in load::<MeanCase>(file) {
        let moments = Moments::of(&case.x).unwrap();
        let name = &case.name;
        assert!(relative_error(moments.mean, case.mean) < 1e-13, "{name}: {}", moments.mean);
        assert!(relative_error(moments.sd, case.sd) < 1e-10, "{name}: {}", moments.sd);
        for expected in &case.intervals {
            let Ok(confidence) = Confidence::new(expected.c) else { continue };
            let found = interval(&moments, confidence, Sides::Both, reference);
            for (found, end) in [(found.lower, expected.lower), (found.upper, expected.upper)] {
                let allowed = 1e-10 * end.abs().max(expected.half);
                assert!((found - end).abs() <= allowed, "{name} {expected:?}: {found}");
            }
        }
    }
}

#[test]
fn t_intervals() {
    check_means("mean/t_interval.json", Reference::StudentT);
}

#[test]
fn z_intervals() {
    check_means("mean/z_interval.json", Reference::Normal);
}

#[derive(Debug, Deserialize)]
struct QuantileCase {
    name: String,
    x: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
}

#[test]
fn quantiles_are_numpys() {
    for case in load::<QuantileCase>("quantile/hyndman_fan_7.json") {
        let largest = case.x.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        let mut sorted = case.x.clone();
        sorted.sort_by(f64::total_cmp);
        for (&level, &expected) in case.p.iter().zip(&case.q) {
            let Ok(p) = Probability::new(level) else { continue };
            let found = quantile::of_sorted(&sorted, p).unwrap();
            assert!((found - expected).abs() <= 1e-13 * largest, "{} {level}: {found}", case.name);
            assert_eq!(quantile::of_unsorted(&mut case.x.clone(), p).unwrap(), found);
        }
    }
}

#[derive(Debug, Deserialize)]
struct GivenReplicates {
    name: String,
    statistic: String,
    x: Vec<f64>,
    replicates: Vec<f64>,
    theta: f64,
    z0: Option<f64>,
    acceleration: Option<f64>,
    intervals: Option<Vec<BcaInterval>>,
}

#[derive(Debug, Deserialize)]
struct BcaInterval {
    c: f64,
    alpha1: Option<f64>,
    alpha2: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
}

fn statistic(name: &str) -> BootstrapStatistic {
    match name {
        "mean" => BootstrapStatistic::Mean,
        "median" => BootstrapStatistic::Quantile(Probability::HALF),
        other => panic!("{other}"),
    }
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-10 || relative_error(found, expected) <= 1e-10
}

#[test]
fn bca_pieces_are_scipys() {
    let mut compared = 0;
    for case in load::<GivenReplicates>("bca/given_replicates.json") {
        let name = &case.name;
        let mut sorted = case.x.clone();
        sorted.sort_by(f64::total_cmp);
        let own = Bootstrap::run(&sorted, statistic(&case.statistic), Resampling::seeded(1));
        let (Some(z0), Some(acceleration)) = (case.z0, case.acceleration) else {
            // scipy has no interval; neither have we, and we say why.
            let given = Bootstrap::from_replicates(case.theta, 0.0, case.replicates.clone());
            assert!(own.is_err() || given.is_err(), "{name}");
            continue;
        };
        let Ok(own) = own else { panic!("{name}: {own:?}") };
        assert!(near(own.acceleration(), acceleration), "{name}: {}", own.acceleration());
        let mut given =
            Bootstrap::from_replicates(case.theta, acceleration, case.replicates.clone()).unwrap();
        assert!(near(given.bias(), z0), "{name}: {}", given.bias());
        for expected in case.intervals.iter().flatten() {
            let (Some(alpha1), Some(alpha2), Some(lower), Some(upper)) =
                (expected.alpha1, expected.alpha2, expected.lower, expected.upper)
            else {
                continue;
            };
            let tail = (1.0 - expected.c) / 2.0;
            assert!(near(given.adjusted_level(tail), alpha1), "{name}");
            assert!(near(given.adjusted_level(1.0 - tail), alpha2), "{name}");
            let found = given.interval(Confidence::new(expected.c).unwrap(), Sides::Both);
            assert!(near(found.lower, lower), "{name}: {found:?} {expected:?}");
            assert!(near(found.upper, upper), "{name}: {found:?} {expected:?}");
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

#[derive(Debug, Deserialize)]
struct Whole {
    name: String,
    statistic: String,
    c: f64,
    x: Vec<f64>,
    lower: f64,
    upper: f64,
    tolerance_lower: f64,
    tolerance_upper: f64,
}

/// Own resampling, including the shortcut for quantiles, against scipy's.
#[test]
fn bca_intervals_are_scipys_up_to_chance() {
    for case in load::<Whole>("bca/whole.json") {
        let resampling = Resampling { resamples: 100_000, seed: 3 };
        let confidence = Confidence::new(case.c).unwrap();
        let found =
            bca::interval(&case.x, statistic(&case.statistic), confidence, Sides::Both, resampling)
                .unwrap();
        let name = format!("{} {} {}", case.name, case.statistic, case.c);
        assert!((found.lower - case.lower).abs() <= case.tolerance_lower, "{name}: {found:?}");
        assert!((found.upper - case.upper).abs() <= case.tolerance_upper, "{name}: {found:?}");
    }
}

#[test]
fn bca_says_why_it_has_no_interval() {
    let confidence = Confidence::DEFAULT;
    let run = |values: &[f64], statistic| {
        bca::interval(values, statistic, confidence, Sides::Both, Resampling::seeded(1))
    };
    let median = BootstrapStatistic::Quantile(Probability::HALF);
    assert_eq!(run(&[1.0], median), Err(BcaError::TooFew));
    assert_eq!(run(&[2.0; 9], BootstrapStatistic::Mean), Err(BcaError::Constant));
    let tied = [1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0];
    assert_eq!(run(&tied, median), Err(BcaError::EqualJackknife));
    assert!(run(&tied, BootstrapStatistic::Mean).is_ok());
}

#[test]
fn the_seed_decides_the_bootstrap() {
    let values: Vec<f64> = (1..40).map(|i| f64::from(i).sqrt()).collect();
    for statistic in [BootstrapStatistic::Mean, BootstrapStatistic::Quantile(Probability::HALF)] {
        let run = |seed| {
            let resampling = Resampling { resamples: 500, seed };
            bca::interval(&values, statistic, Confidence::DEFAULT, Sides::Both, resampling)
        };
        assert_eq!(run(7), run(7));
        if statistic == BootstrapStatistic::Mean {
            assert_ne!(run(7), run(8));
        }
    }
}

proptest! {
    /// Whatever finite numbers come, nothing becomes NaN.
    #[test]
    fn no_finite_sample_gives_nan(
        values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL, 1..40),
    ) {
        let moments = Moments::of(&values).unwrap();
        prop_assert!(moments.mean.is_finite() && moments.sd.is_finite() && moments.skewness.is_finite());
        let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &x| (l.min(x), h.max(x)));
        prop_assert!(low <= moments.mean && moments.mean <= high, "{moments:?}");
        for reference in [Reference::StudentT, Reference::Normal] {
            let found = interval(&moments, Confidence::DEFAULT, Sides::Both, reference);
            prop_assert!(!found.lower.is_nan() && !found.upper.is_nan());
        }
        for statistic in [BootstrapStatistic::Mean, BootstrapStatistic::Quantile(Probability::HALF)] {
            let resampling = Resampling { resamples: 50, seed: 1 };
            if let Ok(found) = bca::interval(&values, statistic, Confidence::DEFAULT, Sides::Both, resampling) {
                prop_assert!(!found.lower.is_nan() && !found.upper.is_nan(), "{statistic:?} {found:?}");
            }
        }
    }
}

/// scipy.stats.binomtest(s, n).proportion_ci(c, "exact"), scipy 1.17.1.
#[test]
fn proportions_are_scipys() {
    use fathom_stats::mean::proportion;
    for (s, n, c, lower, upper) in [
        (11.0, 20.0, 0.95, 0.3152781330405485, 0.7694221032240821),
        (11.0, 20.0, 0.99, 0.2572259076049634, 0.8193511047588242),
        (20.0, 20.0, 0.95, 0.8315665290169145, 1.0),
        (0.0, 5.0, 0.9, 0.0, 0.4507197283469409),
        (1.0, 30.0, 0.95, 0.0008435709266493071, 0.17216945563341293),
        (500.0, 1000.0, 0.95, 0.46854917297179194, 0.531450827028208),
    ] {
        let found = proportion(s, n, Confidence::new(c).unwrap(), Sides::Both);
        assert!(relative_error(found.lower, lower) < 1e-9, "{s} {n} {c}: {found:?}");
        assert!(relative_error(found.upper, upper) < 1e-9, "{s} {n} {c}: {found:?}");
    }
}

/// Every outcome of n independent ones, weighted: the interval never covers less than it says.
#[test]
fn proportions_cover_exactly() {
    use fathom_stats::distribution::binomial::Binomial;
    use fathom_stats::mean::proportion;
    for n in [5_usize, 20, 50] {
        let intervals: Vec<_> = (0..=n)
            .map(|s| proportion(s as f64, n as f64, Confidence::DEFAULT, Sides::Both))
            .collect();
        for step in 1..200 {
            let p = f64::from(step) / 200.0;
            let binomial = Binomial::new(n, Probability::new(p).unwrap());
            let covered: f64 =
                (0..=n).filter(|&s| intervals[s].contains(p)).map(|s| binomial.pmf(s)).sum();
            assert!(covered >= 0.95 - 1e-12, "n {n}, p {p}: {covered}");
        }
    }
}
