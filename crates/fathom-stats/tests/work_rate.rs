//! Work per second: against Pilot's regressions, statsmodels' robust variances, and simulated runs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_stats::work_rate::{Residuals, UnknownInterval, WorkRate, WorkRateError, work_rate};
use fathom_stats::{Confidence, Interval, Sides};
use fathom_testkit::population::{Generator, Population, generator};
use fathom_testkit::vectors::{load, relative_error};
use proptest::prelude::*;
use serde::Deserialize;

fn found(work: &[f64], time: &[f64]) -> Result<WorkRate, WorkRateError> {
    work_rate(work, time, Confidence::DEFAULT, Sides::Both, Residuals::MayDepend)
}

#[test]
fn pilots_regressions() {
    let path = fathom_testkit::repository::testdata().join("vectors/dependence/pilot.json");
    let file: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for case in file["work_regression"].as_array().unwrap() {
        let list = |name: &str| -> Vec<f64> {
            case[name].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
        };
        let number = |name: &str| case[name].as_f64().unwrap();
        let found = found(&list("work"), &list("time")).unwrap();
        assert!(relative_error(found.setup, number("setup")) < 1e-5, "{found:?}");
        assert!(relative_error(found.rate, number("work_per_second")) < 1e-5, "{found:?}");
        assert!(relative_error(found.squares, number("ssr")) < 1e-5, "{found:?}");
        assert!(found.rate_interval.contains(found.rate));
        assert!(found.setup_interval.contains(found.setup));
    }
}

#[derive(Debug, Deserialize)]
struct Case {
    name: String,
    work: Vec<f64>,
    time: Vec<f64>,
    dependent: bool,
    c: f64,
    rate: Option<f64>,
    /// Nothing where the runs give no interval.
    lower: Option<f64>,
    upper: Option<f64>,
    effective: f64,
    setup: Option<f64>,
    setup_needs: Option<usize>,
    setup_lower: Option<f64>,
    setup_upper: Option<f64>,
    squares: Option<f64>,
    curvature_p: Option<f64>,
}

#[test]
fn as_statsmodels_has_it() {
    for case in load::<Case>("work_rate/lines.json") {
        let residuals = if case.dependent { Residuals::MayDepend } else { Residuals::Independent };
        let confidence = Confidence::new(case.c).unwrap();
        let found = work_rate(&case.work, &case.time, confidence, Sides::Both, residuals);
        let about = format!("{} {} {}: {found:?}", case.name, case.dependent, case.c);
        let near = |found: f64, expected: f64| relative_error(found, expected) < 1e-8;
        let (Some(rate), Some(setup)) = (case.rate, case.setup) else {
            let Err(WorkRateError::NoSlope { least: Some(least) }) = found else {
                panic!("{about}")
            };
            assert!(near(least, case.lower.unwrap()), "{about}");
            continue;
        };
        let found = found.unwrap();
        let Interval { lower, upper } = found.rate_interval;
        assert!(near(found.rate, rate), "{about}");
        match case.lower {
            Some(expected) => {
                assert!(near(lower, expected) && found.unknown.is_none(), "{about}");
                assert!(near(upper, case.upper.unwrap_or(f64::INFINITY)), "{about}");
            }
            None => {
                assert_eq!(found.unknown, Some(UnknownInterval::AmountsInOrder), "{about}");
                assert_eq!(found.rate_interval, Interval::EVERYTHING, "{about}");
            }
        }
        assert_eq!(found.setup_needs, case.setup_needs, "{about}");
        assert!(near(found.effective, case.effective), "{about}");
        // A set-up time near zero has no digits of its own.
        let far = case.time.iter().copied().fold(0.0, f64::max);
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-8 * far;
        assert!(close(found.setup, setup), "{about}");
        match case.setup_lower.zip(case.setup_upper) {
            Some((lower, upper)) => {
                assert!(close(found.setup_interval.lower, lower), "{about}");
                assert!(close(found.setup_interval.upper, upper), "{about}");
            }
            None => assert_eq!(found.setup_interval, Interval::EVERYTHING, "{about}"),
        }
        assert!(case.squares.is_some_and(|squares| near(found.squares, squares)), "{about}");
        match case.curvature_p {
            Some(p) => {
                let found = found.curvature_p.unwrap();
                assert!(relative_error(found, p) < 1e-6, "{about}: {p}");
            }
            None => assert_eq!(found.curvature_p, None, "{about}"),
        }
        assert_eq!(found.if_independent, case.dependent && case.work.len() < 20, "{about}");
    }
}

fn normal(rng: &mut Generator) -> f64 {
    (Population::Normal.draw(rng) - 100.0) / 10.0
}

/// How often both intervals cover over many measurements, and how often a curve is seen.
fn shares(amounts: &[f64], time: impl Fn(f64, &mut Generator) -> f64) -> [f64; 2] {
    let seed = 17;
    let mut rng = generator(seed, 0);
    let (mut covered, mut bent) = (0, 0);
    const TRIALS: usize = 1000;
    for _ in 0..TRIALS {
        let times: Vec<f64> = amounts.iter().map(|w| time(*w, &mut rng)).collect();
        // Without a slope there is no interval that would be wrong.
        let Ok(found) = found(amounts, &times) else { continue };
        covered += usize::from(found.rate_interval.contains(0.5));
        bent += usize::from(found.curvature_p.is_some_and(|p| p < 0.01));
    }
    [covered, bent].map(|count| count as f64 / TRIALS as f64)
}

/// The long runs err most: what takes all errors as one size covers in 7 of 10 such measurements.
#[test]
fn errors_may_grow_with_the_work() {
    let amounts: Vec<f64> = (0..12).map(|i| [1.0, 10.0, 100.0][i % 3]).collect();
    let [covered, bent] = shares(&amounts, |w, rng| (5.0 + 2.0 * w) * (1.0 + 0.1 * normal(rng)));
    assert!(covered > 0.94, "{covered}");
    assert!(bent < 0.02, "{bent}");
}

#[test]
fn curves_are_seen() {
    let amounts: Vec<f64> = (1..=12).map(|i| f64::from(5 * i % 13)).collect();
    let [_, bent] = shares(&amounts, |w, rng| 5.0 + 0.3 * w * w + normal(rng));
    assert!(bent > 0.8, "{bent}");
    let [covered, bent] = shares(&amounts, |w, rng| 5.0 + 2.0 * w + normal(rng));
    assert!(covered > 0.94 && bent < 0.02, "{covered} {bent}");
}

#[test]
fn what_gives_no_rate_says_why() {
    let why = |work: &[f64], time: &[f64]| found(work, time).unwrap_err();
    assert_eq!(why(&[1.0, 2.0], &[1.0, 2.0]), WorkRateError::TooFew { n: 2 });
    assert_eq!(why(&[3.0; 4], &[1.0, 2.0, 1.5, 3.0]), WorkRateError::SameWork);
    let falling = why(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]);
    assert_eq!(falling, WorkRateError::NoSlope { least: None }, "exactly on a line");
    let WorkRateError::NoSlope { least: Some(least) } =
        why(&[1.0, 2.0, 3.0, 1.0, 2.0, 3.0], &[3.0, 3.2, 2.9, 3.1, 2.8, 3.0])
    else {
        panic!("a slope of about nothing bounds the rate");
    };
    assert!(least > 1.0 && least.is_finite(), "{least}");
    assert_eq!(WorkRateError::TooFew { n: 1 }.to_string().split(';').next(), {
        Some("1 run is not enough data")
    });
}

#[test]
fn what_gives_no_interval_says_why() {
    let unknown = |work: &[f64], time: &[f64]| {
        let found = found(work, time).unwrap();
        assert_eq!(found.rate_interval, Interval::EVERYTHING);
        found.unknown.unwrap()
    };
    let exact = unknown(&[1.0, 2.0, 3.0, 4.0], &[3.0, 5.0, 7.0, 9.0]);
    assert_eq!(exact, UnknownInterval::NoSpread);
    let alone = unknown(&[1.0, 1.0, 1.0, 9.0], &[3.0, 3.1, 2.9, 20.0]);
    assert_eq!(alone, UnknownInterval::OneRunDecides);
    // A slow wave while the work grows: which of both it is cannot be known.
    let work: Vec<f64> = (0..40).map(f64::from).collect();
    let time: Vec<f64> = work.iter().map(|w| 9.0 + w + 5.0 * (w / 7.0).sin()).collect();
    let UnknownInterval::TooDependent { effective, needed } = unknown(&work, &time) else {
        panic!("neighbours are alike");
    };
    assert!(effective < 4.0 && needed > 40, "{effective} {needed}");
    let independent =
        work_rate(&work, &time, Confidence::DEFAULT, Sides::Both, Residuals::Independent).unwrap();
    assert!(independent.rate_interval.is_finite() && independent.unknown.is_none());
}

/// A machine that slows down from run to run, while the work grows or is mixed.
#[test]
fn a_drift_is_not_taken_for_work() {
    let drifting = |work: &[f64]| {
        let time: Vec<f64> = work
            .iter()
            .enumerate()
            .map(|(i, w)| 9.0 + w + 0.2 * i as f64 + (i * i % 7) as f64)
            .collect();
        found(work, &time).unwrap()
    };
    for n in [6, 12, 40, 150] {
        let rising: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let falling: Vec<f64> = rising.iter().rev().map(|w| 3.0 * w).collect();
        for work in [&rising, &falling] {
            let found = drifting(work);
            assert!(found.unknown.is_some(), "{n}: {found:?}");
            assert_eq!(found.rate_interval, Interval::EVERYTHING);
            assert_eq!((found.setup_interval, found.curvature_p), (Interval::EVERYTHING, None));
        }
        let mixed: Vec<f64> = (0..n).map(|i| (0.618 * i as f64).fract() * n as f64).collect();
        let found = drifting(&mixed);
        assert!(found.unknown.is_none() && found.rate_interval.contains(1.0), "{n}: {found:?}");
    }
}

/// In an order without a trend, waves of the machine do not look like dependence of the slope.
#[test]
fn a_mixed_order_needs_no_allowance_for_waves() {
    let work: Vec<f64> = (0..60).map(|i| f64::from((i * 7 + i / 10 * 3) % 10 + 1)).collect();
    let wave = |i: usize| 0.5 * (i as f64 / 9.0).sin() + 0.01 * ((i * i * 7) % 13) as f64;
    let time: Vec<f64> = work.iter().enumerate().map(|(i, w)| 9.0 + w + wave(i)).collect();
    let mixed = found(&work, &time).unwrap();
    assert!(mixed.effective > 40.0 && mixed.rate_interval.contains(1.0), "{mixed:?}");
}

#[test]
fn one_sided_intervals_have_one_end() {
    let work: Vec<f64> = (0..30).map(|i| f64::from((i * 7) % 10 + 1)).collect();
    let time: Vec<f64> =
        work.iter().enumerate().map(|(i, w)| 2.0 * w + 0.1 * ((i * i * 5) % 11) as f64).collect();
    let of =
        |sides| work_rate(&work, &time, Confidence::DEFAULT, sides, Residuals::MayDepend).unwrap();
    let (both, lower, upper) = (of(Sides::Both), of(Sides::Lower), of(Sides::Upper));
    assert_eq!(lower.rate_interval.upper, f64::INFINITY);
    assert_eq!(upper.rate_interval.lower, f64::NEG_INFINITY);
    assert!(lower.rate_interval.lower > both.rate_interval.lower);
    assert!(upper.rate_interval.upper < both.rate_interval.upper);
}

proptest! {
    /// Any numbers give an answer without NaN, and units do not matter.
    #[test]
    fn units_do_not_matter(
        pairs in prop::collection::vec((0.1_f64..100.0, 0.001_f64..10.0), 0..60),
        work_unit in -6..6_i32,
        time_unit in -6..6_i32,
    ) {
        let (work, time): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        // Powers of two, so that nothing is rounded.
        let (k, m) = (2.0_f64.powi(4 * work_unit), 2.0_f64.powi(4 * time_unit));
        let scaled = found(
            &work.iter().map(|w| w * k).collect::<Vec<f64>>(),
            &time.iter().map(|t| t * m).collect::<Vec<f64>>(),
        );
        match (found(&work, &time), scaled) {
            (Ok(one), Ok(other)) => {
                for number in [one.rate, one.setup, one.squares, one.effective] {
                    prop_assert!(number.is_finite());
                }
                let Interval { lower, upper } = one.rate_interval;
                prop_assert!(lower <= one.rate && one.rate <= upper, "{:?}", one);
                prop_assert!(one.setup_interval.contains(one.setup), "{:?}", one);
                prop_assert!(one.curvature_p.is_none_or(|p| (0.0..=1.0).contains(&p)));
                prop_assert_eq!(one.rate * (k / m), other.rate);
                prop_assert_eq!(lower * (k / m), other.rate_interval.lower);
                prop_assert_eq!(one.setup * m, other.setup);
                prop_assert_eq!(one.curvature_p, other.curvature_p);
            }
            (Err(one), Err(other)) => {
                prop_assert_eq!(
                    std::mem::discriminant(&one), std::mem::discriminant(&other)
                );
            }
            (one, other) => prop_assert!(false, "{:?} {:?}", one, other),
        }
    }
}
