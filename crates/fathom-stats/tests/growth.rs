//! Growth: against vectors, and what must hold whatever the times are.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_stats::growth::{GrowthError, GrowthFit, GrowthLaw, SizedTime, growth};
use fathom_stats::{Confidence, Interval};
use fathom_testkit::vectors::{load, relative_error};
use proptest::prelude::*;
use serde::Deserialize;

/// As the oracle writes a rate: a row of numbers.
type RateVector = (f64, f64, Option<f64>, f64, f64, f64, bool);

#[derive(Debug, Deserialize)]
struct Case {
    name: String,
    sizes: Vec<f64>,
    times: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    confidence: f64,
    possible: Vec<String>,
    scatter: Vec<f64>,
    exponent: [f64; 5],
    first_exponent: [f64; 5],
    rate: Option<RateVector>,
}

fn times(sizes: &[f64], time: impl Fn(f64) -> f64, half: f64) -> Vec<SizedTime> {
    sizes
        .iter()
        .map(|&size| {
            let time = time(size);
            let interval = Interval { lower: time * (1.0 - half), upper: time * (1.0 + half) };
            SizedTime { size, time, interval }
        })
        .collect()
}

fn laws(found: &GrowthFit) -> Vec<GrowthLaw> {
    found.possible().map(|one| one.law).collect()
}

#[test]
fn the_vectors() {
    for case in load::<Case>("growth/laws.json") {
        let times: Vec<SizedTime> = (0..case.sizes.len())
            .map(|at| SizedTime {
                size: case.sizes[at],
                time: case.times[at],
                interval: Interval { lower: case.lower[at], upper: case.upper[at] },
            })
            .collect();
        let found = growth(&times, Confidence::new(case.confidence).unwrap()).unwrap();
        let possible: Vec<&str> = found.possible().map(|one| one.law.name()).collect();
        assert_eq!(possible, case.possible, "{}", case.name);
        for (candidate, expected) in found.candidates.iter().zip(&case.scatter) {
            if !candidate.is_possible {
                continue;
            }
            // At least as good as the oracle's grid; Fathom has a coarse grid of parts of lower order.
            let costs: Vec<f64> = times
                .iter()
                .map(|one| (one.time / candidate.at(one.size, found.largest)).ln())
                .collect();
            let scatter: f64 = costs.iter().map(|cost| cost * cost).sum();
            let has_grid = matches!(candidate.law, GrowthLaw::Quadratic | GrowthLaw::Cubic);
            let most = if has_grid { 1.3 * expected + 0.02 } else { expected * 1.01 + 1e-5 };
            assert!(scatter <= most, "{} {:?}: {scatter} {expected}", case.name, candidate.law);
        }
        for (exponent, expected) in
            [(found.exponent, case.exponent), (found.first_exponent, case.first_exponent)]
        {
            let Interval { lower, upper } = exponent.interval;
            let all = [exponent.from, exponent.to, exponent.value, lower, upper];
            for (number, expected) in all.into_iter().zip(expected) {
                let is_close =
                    relative_error(number, expected) < 1e-9 || (number - expected).abs() < 1e-12;
                assert!(is_close, "{}: {number} {expected}", case.name);
            }
        }
        let Some((rate, lower, upper, setup, setup_lower, setup_upper, is_straight)) = case.rate
        else {
            assert_eq!(found.rate, None, "{}", case.name);
            continue;
        };
        let found = found.rate.unwrap();
        let about = format!("{}: {found:?}", case.name);
        let near = |found: f64, expected: f64| relative_error(found, expected) < 1e-8;
        assert!(near(found.rate, rate) && near(found.rate_interval.lower, lower), "{about}");
        assert!(near(found.rate_interval.upper, upper.unwrap_or(f64::INFINITY)), "{about}");
        // A fixed cost near zero has no digits of its own.
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-8 * setup_upper.abs();
        assert!(close(found.setup, setup), "{about}");
        assert!(close(found.setup_interval.lower, setup_lower), "{about}");
        assert!(close(found.setup_interval.upper, setup_upper), "{about}");
        assert_eq!(found.is_straight, is_straight, "{about}");
    }
}

/// The fixed cost does not spoil the rate, and what is no line has no rate.
#[test]
fn the_rate_is_without_the_fixed_cost() {
    let sizes = [1e1, 1e2, 1e3, 1e4];
    let found = growth(&times(&sizes, |n| 5e-8 + 2e-9 * n, 0.01), Confidence::DEFAULT).unwrap();
    let rate = found.rate.unwrap();
    assert!(relative_error(rate.rate, 5e8) < 1e-9 && relative_error(rate.setup, 5e-8) < 1e-9);
    assert!(rate.is_straight && relative_error(rate.at(500.0), 1.05e-6) < 1e-9);
    assert!(rate.rate_interval.contains(5e8) && rate.setup_interval.lower > 0.0, "{rate:?}");
    // The cost per unit doubles, within the limits of the law.
    let bent = |n: f64| 2e-9 * n * if n > 500.0 { 2.0 } else { 1.0 };
    let found = growth(&times(&sizes, bent, 0.01), Confidence::DEFAULT).unwrap();
    assert!(!found.rate.unwrap().is_straight);
    let found = growth(&times(&sizes, |n| n * n, 0.01), Confidence::DEFAULT).unwrap();
    assert_eq!(found.rate, None);
}

#[test]
fn every_law_is_named_over_six_decades() {
    let sizes = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
    for law in GrowthLaw::ALL {
        let sizes =
            if law == GrowthLaw::Exponential { &[2.0, 4.0, 8.0, 12.0, 16.0][..] } else { &sizes };
        let largest = *sizes.last().unwrap();
        let found =
            growth(&times(sizes, |n| 1e-3 * law.share(n, largest), 0.01), Confidence::DEFAULT);
        assert_eq!(laws(&found.unwrap()), [law]);
    }
}

#[test]
fn what_cannot_be_told_apart_is_not() {
    let sizes = [10.0, 20.0, 50.0, 100.0, 200.0];
    let found = growth(&times(&sizes, |n| n * n.ln(), 0.01), Confidence::DEFAULT).unwrap();
    assert_eq!(laws(&found), [GrowthLaw::Linear, GrowthLaw::Linearithmic]);
    // With sizes up to there it can.
    let size = found.size_to_tell.unwrap();
    assert!((300.0..1e6).contains(&size), "{size}");
    let sizes = [10.0, 20.0, 50.0, 100.0, 200.0, size];
    let found = growth(&times(&sizes, |n| n * n.ln(), 0.0), Confidence::DEFAULT).unwrap();
    assert_eq!(laws(&found), [GrowthLaw::Linearithmic]);
}

#[test]
fn a_law_of_another_power_fits_none() {
    let sizes = [1e1, 1e2, 1e3, 1e4, 1e5];
    let found = growth(&times(&sizes, |n| n.powf(1.5), 0.01), Confidence::DEFAULT).unwrap();
    assert_eq!(laws(&found), []);
    assert!((found.exponent.value - 1.5).abs() < 1e-12);
}

#[test]
fn a_cost_that_hides_the_growth_fits_none() {
    let sizes = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
    let found = growth(&times(&sizes, |n| 1e5 + n, 0.01), Confidence::DEFAULT).unwrap();
    assert_eq!(laws(&found), []);
}

#[test]
fn too_few_sizes_say_nothing() {
    let of = |sizes: &[f64]| growth(&times(sizes, |n| n, 0.01), Confidence::DEFAULT);
    assert_eq!(of(&[1.0, 10.0, 100.0]), Err(GrowthError::TooFewSizes { sizes: 3 }));
    assert_eq!(of(&[1.0, 10.0, 10.0, 100.0]), Err(GrowthError::TooFewSizes { sizes: 3 }));
    assert_eq!(of(&[0.5, 10.0, 100.0, 1000.0]), Err(GrowthError::TooFewSizes { sizes: 3 }));
    assert_eq!(of(&[1.0, 2.0, 3.0, 7.9]), Err(GrowthError::ShortSpan { span: 7.9 }));
    assert_eq!(of(&[]), Err(GrowthError::TooFewSizes { sizes: 0 }));
    assert!(of(&[1.0, 2.0, 3.0, 8.0]).is_ok());
    let mut open = times(&[1.0, 10.0, 100.0, 1000.0], |n| n, 0.01);
    open[0].interval.upper = f64::INFINITY;
    assert_eq!(growth(&open, Confidence::DEFAULT), Err(GrowthError::TooFewSizes { sizes: 3 }));
}

proptest! {
    /// The promise, without noise: costs within the limits never reject the true law.
    #[test]
    fn a_law_whose_costs_keep_within_the_limits_is_possible(
        law in 0..GrowthLaw::ALL.len(),
        fixed in 0.0..1.0_f64,
        costs in prop::collection::vec(0.0..1.0_f64, 4..13),
        step in 1.3..6.0_f64,
    ) {
        let law = GrowthLaw::ALL[law];
        let sizes: Vec<f64> = (0..costs.len()).map(|at| 2.0 * step.max(2.1).powi(at as i32)).collect();
        let sizes: Vec<f64> = if law == GrowthLaw::Exponential {
            (0..costs.len()).map(|at| 1.0 + 4.0 * at as f64).collect()
        } else {
            sizes
        };
        prop_assume!(sizes.last().unwrap() / sizes[0] >= 8.0);
        let largest = *sizes.last().unwrap();
        let middle = (sizes[0] * largest).sqrt();
        let fixed = if law == GrowthLaw::Constant { 0.0 } else { fixed * law.share(middle, largest) };
        // From 1 to 1.25: rises and falls by at most that.
        let of = |at: usize, size: f64| (1.0 + 0.25 * costs[at]) * (fixed + law.share(size, largest));
        let times: Vec<SizedTime> = sizes
            .iter()
            .enumerate()
            .map(|(at, &size)| {
                let time = of(at, size);
                SizedTime { size, time, interval: Interval { lower: time, upper: time } }
            })
            .filter(|one| one.time > 0.0)
            .collect();
        prop_assume!(times.len() >= 4 && largest / times[0].size >= 8.0 && times.len() == costs.len());
        let found = growth(&times, Confidence::DEFAULT).unwrap();
        prop_assert!(laws(&found).contains(&law), "{law:?}: {found:?}");
    }

    /// The unit of time does not matter, nor does the order.
    #[test]
    fn units_and_order_do_not_matter(
        values in prop::collection::vec(1e-3..1e3_f64, 5),
        unit in 1e-9..1e9_f64,
    ) {
        let sizes = [1.0, 10.0, 100.0, 1000.0, 10_000.0];
        let of = |unit: f64| -> Vec<SizedTime> {
            times(&sizes, |n| unit * values[n.log10().round() as usize], 0.01)
        };
        let one = growth(&of(1.0), Confidence::DEFAULT).unwrap();
        let mut turned = of(unit);
        turned.reverse();
        let other = growth(&turned, Confidence::DEFAULT).unwrap();
        prop_assert!((one.exponent.value - other.exponent.value).abs() < 1e-9);
        for (one, other) in one.candidates.iter().zip(&other.candidates) {
            prop_assert!(one.rise.is_finite() && one.fixed.is_finite() && one.growing.is_finite());
            prop_assert!((one.rise / other.rise - 1.0).abs() < 1e-3, "{one:?} {other:?}");
        }
    }
}
