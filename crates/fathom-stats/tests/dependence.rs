//! Dependence against a plain Python reference, Pilot's vectors and simulated series.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_stats::dependence::{
    Declined, Thinness, autocorrelation, correlogram, first_negligible, mean_interval,
    quantile_ranks, subsessions,
};
use fathom_stats::distribution::student_t;
use fathom_stats::{Confidence, Probability, Sides};
use fathom_testkit::vectors::{load, relative_error};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Case {
    name: String,
    x: Vec<f64>,
    autocorrelation: Vec<f64>,
    subsessions: Vec<Merged>,
    first_negligible: Option<usize>,
    thinness: Tau,
    mean: Vec<Mean>,
    quantile: Vec<Quantile>,
}

#[derive(Debug, Deserialize)]
struct Merged {
    q: usize,
    h: usize,
    variance: f64,
    lag1: f64,
}

#[derive(Debug, Deserialize)]
struct Tau {
    tau: f64,
    of_samples: f64,
    of_subsessions: f64,
}

#[derive(Debug, Deserialize)]
struct Mean {
    c: f64,
    declined: Option<String>,
    effective: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Quantile {
    p: f64,
    c: f64,
    declined: Option<String>,
    effective: Option<f64>,
    lower: Option<usize>,
    upper: Option<usize>,
}

fn close(found: f64, expected: f64) -> bool {
    relative_error(found, expected) < 1e-9 || (found - expected).abs() < 1e-12
}

#[test]
fn every_piece_agrees_with_the_reference() {
    for case in load::<Case>("dependence/series.json") {
        let name = &case.name;
        let all = correlogram(&case.x, 25);
        for (lag, &expected) in case.autocorrelation.iter().enumerate() {
            let one = autocorrelation(&case.x, lag + 1).unwrap();
            assert!(close(one, expected) && close(all[lag], expected), "{name} lag {}", lag + 1);
        }
        for expected in &case.subsessions {
            let found = subsessions(&case.x, expected.q).unwrap();
            assert_eq!(found.count, expected.h, "{name}");
            assert!(close(found.variance, expected.variance), "{name} {expected:?} {found:?}");
            assert!(close(found.lag1, expected.lag1), "{name} {expected:?} {found:?}");
        }
        let first = first_negligible(&case.x).map(|merged| merged.size);
        assert_eq!(first, case.first_negligible, "{name}");
        let found = Thinness::of(&case.x).unwrap();
        assert!(close(found.tau, case.thinness.tau), "{name}: {found:?}");
        assert!(close(found.of_samples, case.thinness.of_samples), "{name}: {found:?}");
        assert!(close(found.of_subsessions, case.thinness.of_subsessions), "{name}: {found:?}");
        for expected in &case.mean {
            let confidence = Confidence::new(expected.c).unwrap();
            match mean_interval(&case.x, confidence, Sides::Both) {
                Ok(found) => {
                    let half = 0.5 * (expected.upper.unwrap() - expected.lower.unwrap());
                    let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * half;
                    assert!(close(found.effective, expected.effective.unwrap()), "{name}");
                    assert!(near(found.interval.lower, expected.lower.unwrap()), "{name}");
                    assert!(near(found.interval.upper, expected.upper.unwrap()), "{name}");
                }
                Err(Declined::TooFew { n }) => {
                    assert_eq!(expected.declined.as_deref(), Some("too few"), "{name}");
                    assert_eq!(n, case.x.len());
                }
                Err(Declined::TooDependent { effective, needed }) => {
                    assert_eq!(expected.declined.as_deref(), Some("too dependent"), "{name}");
                    assert!(close(effective, expected.effective.unwrap()), "{name}");
                    assert!(needed > case.x.len(), "{name}");
                }
                Err(Declined::Constant) => panic!("{name}"),
            }
        }
        for expected in &case.quantile {
            let p = Probability::new(expected.p).unwrap();
            let confidence = Confidence::new(expected.c).unwrap();
            match quantile_ranks(&case.x, p, confidence, Sides::Both) {
                Ok(found) => {
                    let ranks = (found.ranks.lower, found.ranks.upper);
                    assert_eq!(ranks, (expected.lower, expected.upper), "{name} {expected:?}");
                    assert!(close(found.effective, expected.effective.unwrap()), "{name}");
                    assert_eq!(found.needed.is_some(), !found.ranks.is_finite(), "{name}");
                }
                Err(_) => assert!(expected.declined.is_some(), "{name} {expected:?}"),
            }
        }
    }
}

/// Ferrari's 48 values as Pilot has them.
#[test]
fn pilots_vectors() {
    let path = fathom_testkit::repository::testdata().join("vectors/dependence/pilot.json");
    let file: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let ferrari = &file["ferrari48"];
    let values: Vec<f64> =
        ferrari["values"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    for (size, expected) in ferrari["per_q"].as_object().unwrap() {
        let found = subsessions(&values, size.parse().unwrap()).unwrap();
        assert_eq!(found.count as u64, expected["h"].as_u64().unwrap());
        assert!(close(found.variance, expected["variance"].as_f64().unwrap()));
        assert!(close(found.lag1, expected["lag1"].as_f64().unwrap()));
    }
    let merged = first_negligible(&values).unwrap();
    assert_eq!(merged.size as u64, ferrari["chosen_q_at_0.1"].as_u64().unwrap());
    let t = student_t::quantile((merged.count - 1) as f64, 0.975);
    let width = 2.0 * t * (merged.variance / merged.count as f64).sqrt();
    assert!(close(width, ferrari["ci_full_width_95_at_q4"].as_f64().unwrap()), "{width}");
    let first = &values[..6];
    let harmonic = 6.0 / first.iter().map(|value| 1.0 / value).sum::<f64>();
    assert!(close(harmonic, ferrari["harmonic_mean_first6"].as_f64().unwrap()));

    // Yes and no: Pilot has a t interval of width .466, ours is exact for proportions.
    let outcomes = file["binary20"]["values"].as_array().unwrap();
    let successes = outcomes.iter().filter(|value| value.as_f64() == Some(1.0)).count() as f64;
    assert!(close(successes / 20.0, file["binary20"]["mean"].as_f64().unwrap()));
    let exact = fathom_stats::mean::proportion(successes, 20.0, Confidence::DEFAULT, Sides::Both);
    assert!((exact.width() - 0.454144).abs() < 1e-6, "{exact:?}");

    // Welch's test from its summary, by our t distribution.
    let welch = &file["welch"];
    let number = |side: &str, field: &str| welch[side][field].as_f64().unwrap();
    let error = |side: &str| number(side, "sd").powi(2) / number(side, "n");
    let (a, b) = (error("a"), error("b"));
    let df =
        (a + b).powi(2) / (a * a / (number("a", "n") - 1.0) + b * b / (number("b", "n") - 1.0));
    let difference = number("a", "mean") - number("b", "mean");
    let p = 2.0 * student_t::cdf(df, -(difference / (a + b).sqrt()).abs());
    assert!((p - welch["p"].as_f64().unwrap()).abs() < 5e-4, "{p}");
    let half = student_t::quantile(df, 0.975) * (a + b).sqrt();
    assert!((difference - half - welch["ci95"][0].as_f64().unwrap()).abs() < 2e-3);
    assert!((difference + half - welch["ci95"][1].as_f64().unwrap()).abs() < 2e-3);

    // Pilot's interval tests the merge only: 48 values so alike are worth 2.5.
    let declined = mean_interval(&values, Confidence::DEFAULT, Sides::Both);
    assert!(matches!(declined, Err(Declined::TooDependent { effective, .. }) if effective < 2.6));
}

#[test]
fn constant_series_are_declined_and_say_so() {
    let constant = [7.0; 40];
    assert_eq!(mean_interval(&constant, Confidence::DEFAULT, Sides::Both), Err(Declined::Constant));
    let ranks = quantile_ranks(&constant, Probability::HALF, Confidence::DEFAULT, Sides::Both);
    assert_eq!(ranks, Err(Declined::Constant));
    assert_eq!(Thinness::of(&constant), None);
}

proptest! {
    #[test]
    fn any_finite_series_gets_an_answer(
        values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL, 1..90),
        level in 0.01_f64..0.99,
    ) {
        let p = Probability::new(level).unwrap();
        for sides in [Sides::Both, Sides::Lower, Sides::Upper] {
            if let Ok(found) = mean_interval(&values, Confidence::DEFAULT, sides) {
                prop_assert!(!found.interval.lower.is_nan() && !found.interval.upper.is_nan());
                prop_assert!(found.effective >= 4.0 && found.effective <= values.len() as f64);
            }
            if let Ok(found) = quantile_ranks(&values, p, Confidence::DEFAULT, sides) {
                let (l, u) = (found.ranks.lower.unwrap_or(0), found.ranks.upper.unwrap_or(usize::MAX));
                prop_assert!(l < u && l <= values.len(), "{found:?}");
            }
        }
        let _ = first_negligible(&values);
        for r in correlogram(&values, 200) {
            prop_assert!(r.abs() <= 1.0 + 1e-9, "{r}");
        }
    }

    #[test]
    fn scaling_and_shifting_change_nothing_but_the_numbers(
        values in prop::collection::vec(-100.0_f64..100.0, 30..120),
        shift in -1000.0_f64..1000.0,
    ) {
        let moved: Vec<f64> = values.iter().map(|x| 4.0 * x + shift).collect();
        let (a, b) = (Thinness::of(&values).unwrap(), Thinness::of(&moved).unwrap());
        prop_assert!(relative_error(a.tau, b.tau) < 1e-6, "{a:?} {b:?}");
        let p = Probability::new(0.3).unwrap();
        let ranks = |x: &[f64]| quantile_ranks(x, p, Confidence::DEFAULT, Sides::Both).map(|q| q.ranks);
        prop_assert_eq!(ranks(&values), ranks(&moved));
    }
}
