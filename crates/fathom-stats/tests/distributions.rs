//! Distribution functions against mpmath (`testdata/vectors`).
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_stats::Probability;
use fathom_stats::distribution::beta::{self, UnitPoint};
use fathom_stats::distribution::binomial::Binomial;
use fathom_stats::distribution::{normal, student_t};
use fathom_testkit::vectors::{load, relative_error};
use serde::Deserialize;

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64, what: impl std::fmt::Debug) {
    let error = relative_error(found, expected);
    assert!(error <= tolerance, "{what:?}: {found:e}, not {expected:e}: off by {error:e}");
}

#[derive(Debug, Deserialize)]
struct TQuantile {
    df: f64,
    p: f64,
    t: f64,
}

#[test]
fn student_t_quantiles() {
    for case in load::<TQuantile>("student_t/quantile.json") {
        close(student_t::quantile(case.df, case.p), case.t, 1e-10, &case);
    }
}

#[test]
fn student_t_cdf_undoes_the_quantile() {
    for case in load::<TQuantile>("student_t/quantile.json") {
        let p = student_t::cdf(case.df, case.t);
        assert!((p - case.p).abs() <= 1e-13 + 1e-11 * case.p.min(1.0 - case.p), "{case:?}: {p}");
    }
}

#[derive(Debug, Deserialize)]
struct BetaTails {
    a: f64,
    b: f64,
    x: f64,
    lower: f64,
    upper: f64,
}

#[test]
fn beta_tails() {
    for case in load::<BetaTails>("beta/regularised.json") {
        let found = beta::regularised(case.a, case.b, UnitPoint::at(case.x));
        let tolerance = if case.a.max(case.b) >= 1e5 { 1e-9 } else { 1e-10 };
        close(found.lower, case.lower, tolerance, &case);
        close(found.upper, case.upper, tolerance, &case);
    }
}

#[derive(Debug, Deserialize)]
struct BetaQuantile {
    a: f64,
    b: f64,
    p: f64,
    x: f64,
    y: f64,
}

#[test]
fn beta_quantiles_are_precise_at_both_ends() {
    for case in load::<BetaQuantile>("beta/quantile.json") {
        let found = beta::quantile(case.a, case.b, case.p);
        close(found.x, case.x, 1e-10, &case);
        close(found.y, case.y, 1e-10, &case);
    }
}

#[derive(Debug, Deserialize)]
struct NormalQuantile {
    p: f64,
    z: f64,
}

#[test]
fn normal_quantiles() {
    for case in load::<NormalQuantile>("normal/quantile.json") {
        close(normal::quantile(case.p), case.z, 1e-10, &case);
    }
    assert_eq!(normal::quantile(0.0), f64::NEG_INFINITY);
    assert_eq!(normal::quantile(1.0), f64::INFINITY);
}

#[derive(Debug, Deserialize)]
struct NormalTails {
    z: f64,
    lower: f64,
    upper: f64,
}

#[test]
fn normal_tails() {
    for case in load::<NormalTails>("normal/cdf.json") {
        close(normal::cdf(case.z), case.lower, 1e-10, &case);
        close(normal::cdf(-case.z), case.upper, 1e-10, &case);
    }
}

#[derive(Debug, Deserialize)]
struct BinomialTails {
    n: usize,
    p: f64,
    k: usize,
    at_most: f64,
    at_least: f64,
    pmf: f64,
}

#[test]
fn binomial_tails() {
    for case in load::<BinomialTails>("binomial/tails.json") {
        let binomial = Binomial::new(case.n, Probability::new(case.p).unwrap());
        let tolerance = if case.n >= 1_000_000 { 1e-9 } else { 1e-10 };
        for (found, expected) in [
            (binomial.at_most(case.k), case.at_most),
            (binomial.at_least(case.k), case.at_least),
            (binomial.pmf(case.k), case.pmf),
        ] {
            if expected > 1e-300 {
                close(found, expected, tolerance, &case);
            } else {
                assert!(found <= 1e-299, "{case:?}: {found:e}");
            }
        }
    }
}
