//! Deciding about proportions: against vectors, against brute force, and the promise itself.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_stats::proportion::{
    Claim, Decision, Horizon, Limits, Rule, SampleSizePlan, anytime_bounds, anytime_interval,
    exact_bounds, exact_interval, further_samples, log_evidence,
};
use fathom_stats::{Confidence, Interval, Probability};
use fathom_testkit::population::generator;
use fathom_testkit::vectors::{load, relative_error};
use proptest::prelude::*;
use rand_core::Rng;
use serde::Deserialize;

fn claim(f: f64, c: f64) -> Claim {
    Claim { proportion: Probability::new(f).unwrap(), confidence: Confidence::new(c).unwrap() }
}

/// The rule that a vector names; Wald's indifference is that of the vectors.
fn named(name: &str, claim: Claim) -> Rule {
    match name {
        "anytime" => Rule::anytime(claim),
        "spa" => Rule::spa(claim),
        "wald" => {
            let d = if claim.proportion.get() < 0.95 { 0.05 } else { 0.005 };
            Rule::wald(claim, d).unwrap()
        }
        _ => panic!("{name}"),
    }
}

#[derive(Debug, Deserialize)]
struct Paper {
    n: usize,
    m: usize,
    f: f64,
    reached: f64,
    positive: bool,
}

#[test]
fn the_papers_confidence() {
    for case in load::<Paper>("check/paper.json") {
        let (reached, decision) = Rule::paper_confidence(claim(case.f, 0.9), case.m, case.n);
        let is_close =
            relative_error(reached, case.reached) < 1e-10 || (reached - case.reached).abs() < 1e-13;
        assert!(is_close, "{case:?}: {reached}");
        assert_eq!(decision == Decision::Positive, case.positive, "{case:?}");
    }
}

#[derive(Debug, Deserialize)]
struct Bounds {
    n: usize,
    s: usize,
    c: f64,
    anytime_two: [f64; 2],
    anytime_one: [f64; 2],
    exact_two: [f64; 2],
    exact_one: [f64; 2],
}

#[test]
fn intervals_and_bounds() {
    for case in load::<Bounds>("check/bounds.json") {
        let c = Confidence::new(case.c).unwrap();
        let check = |found: Interval, [lower, upper]: [f64; 2]| {
            assert!(relative_error(found.lower, lower) < 1e-10, "{case:?}: {found:?}");
            assert!(relative_error(found.upper, upper) < 1e-10, "{case:?}: {found:?}");
        };
        check(anytime_interval(case.s, case.n, c), case.anytime_two);
        check(anytime_bounds(case.s, case.n, c), case.anytime_one);
        check(exact_interval(case.s, case.n, c), case.exact_two);
        check(exact_bounds(case.s, case.n, c), case.exact_one);
    }
}

#[derive(Debug, Deserialize)]
struct Limit {
    rule: String,
    f: f64,
    c: f64,
    n: usize,
    positive_from: Option<usize>,
    negative_to: Option<usize>,
    #[serde(default)]
    edge: bool,
}

#[test]
fn limits() {
    let mut checked = 0;
    for case in load::<Limit>("check/limits.json").iter().filter(|case| !case.edge) {
        let rule = named(&case.rule, claim(case.f, case.c));
        let found = rule.boundaries().nth(case.n - 1).unwrap();
        assert_eq!(found.samples, case.n);
        assert_eq!(found.positive_from(), case.positive_from, "{case:?}");
        assert_eq!(found.negative_to(), case.negative_to, "{case:?}");
        checked += 1;
    }
    assert!(checked > 400);
}

#[derive(Debug, Deserialize)]
struct Odds {
    rule: String,
    f: f64,
    c: f64,
    n: usize,
    p: f64,
    positive: f64,
    negative: f64,
    undecided: f64,
    samples: f64,
}

#[test]
fn odds_equal_those_of_all_sequences() {
    for case in load::<Odds>("check/odds.json") {
        let horizon = Horizon::new(named(&case.rule, claim(case.f, case.c)), case.n);
        let found = horizon.operating(case.p);
        for (found, expected) in [
            (found.positive, case.positive),
            (found.negative, case.negative),
            (found.undecided, case.undecided),
            (found.samples, case.samples),
        ] {
            assert!((found - expected).abs() < 1e-13, "{case:?}: {found}");
        }
    }
}

/// The promise, for every share at once: [`Horizon::worst_error`] is the highest there is.
#[test]
fn the_default_keeps_its_promise_however_long_one_samples() {
    for f in [0.01, 0.3, 0.5, 0.9, 0.99] {
        for c in [0.5, 0.9, 0.95, 0.99] {
            let horizon = Horizon::new(Rule::anytime(claim(f, c)), 2000);
            for wrong in [Decision::Positive, Decision::Negative] {
                let error = horizon.worst_error(wrong);
                assert!(error.by_horizon <= error.ever, "{f} {c} {error:?}");
                assert!(error.ever <= 1.0 - c, "{f} {c} {wrong:?}: {error:?}");
            }
            for share in [f / 2.0, f * 0.99, f, f + (1.0 - f) / 2.0] {
                assert!(horizon.error(share).ever <= 1.0 - c, "{f} {c} at {share}");
            }
        }
    }
}

#[test]
fn the_papers_rule_breaks_its_promise() {
    let horizon = Horizon::new(Rule::spa(claim(0.9, 0.9)), 100_000);
    let below = horizon.error(0.89);
    assert!((below.by_horizon - 0.224_360).abs() < 1e-6, "{below:?}");
    let above = horizon.error(0.901);
    assert!((above.by_horizon - 0.496_671).abs() < 1e-6, "{above:?}");
    assert!(horizon.worst_error(Decision::Negative).by_horizon > 0.5);
    // One failure is enough for it.
    assert_eq!((horizon.earliest_positive(), horizon.earliest_negative()), (Some(22), Some(1)));
}

#[test]
fn errors_grow_towards_the_worst_share() {
    for rule in [Rule::anytime(claim(0.9, 0.9)), Rule::spa(claim(0.9, 0.9))] {
        let horizon = Horizon::new(rule, 500);
        let errors = [0.5, 0.8, 0.85, 0.89, 0.899].map(|share| horizon.operating(share).positive);
        assert!(errors.windows(2).all(|pair| pair[0] < pair[1]), "{errors:?}");
        assert!(errors[4] < horizon.worst_error(Decision::Positive).by_horizon);
    }
}

/// The bracket of the error over an endless course contains the error of a much longer one.
#[test]
fn what_comes_after_the_horizon_is_bracketed() {
    let wald = Rule::wald(claim(0.9, 0.9), 0.01).unwrap();
    for rule in [Rule::anytime(claim(0.9, 0.9)), Rule::spa(claim(0.9, 0.9)), wald] {
        for share in [0.88, 0.899, 0.9, 0.905, 0.92] {
            let short = Horizon::new(rule, 300).error(share);
            let long = Horizon::new(rule, 30_000).error(share);
            assert!(short.by_horizon <= long.by_horizon, "{share}: {short:?} {long:?}");
            assert!(long.ever <= short.ever + 1e-12, "{share}: {short:?} {long:?}");
        }
    }
}

#[test]
fn one_look_keeps_its_promise_and_only_there() {
    for (f, c) in [(0.5, 0.9), (0.9, 0.9), (0.99, 0.95)] {
        for n in [1, 22, 100, 1000] {
            for rule in [Rule::exact(claim(f, c), n), Rule::spa_fixed(claim(f, c), n)] {
                let horizon = Horizon::new(rule, n);
                for wrong in [Decision::Positive, Decision::Negative] {
                    let error = horizon.worst_error(wrong);
                    assert!(error.ever <= 1.0 - c + 1e-12, "{f} {c} {n}: {error:?}");
                    assert!((error.ever - error.by_horizon).abs() < 1e-12);
                }
                assert_eq!(rule.decision(0, n + 1), None);
                let early = horizon.limits().iter().take(n - 1);
                assert!(early.clone().all(|limits| limits.decision(0, limits.samples).is_none()));
            }
        }
    }
}

#[test]
fn the_algorithms_differ_where_confidence_is_met_exactly() {
    // A failure at n = 1, F = C = 0.9 has C_CP = 0.9: "≥ C" decides and "> C" does not.
    let claim = claim(0.9, 0.9);
    assert_eq!(Rule::spa(claim).decision(0, 1), Some(Decision::Negative));
    assert_eq!(Rule::exact(claim, 1).decision(0, 1), Some(Decision::Negative));
    assert_eq!(Rule::spa_fixed(claim, 1).decision(0, 1), None);
    assert_eq!(Rule::spa_fixed(claim, 22).decision(22, 22), Some(Decision::Positive));
    assert_eq!(Rule::spa_fixed(claim, 21).decision(21, 21), None);
}

#[test]
fn walds_test_keeps_its_promise_outside_the_region_of_indifference() {
    for (f, d) in [(0.5, 0.05), (0.9, 0.05), (0.9, 0.01), (0.99, 0.005)] {
        for c in [0.5, 0.9, 0.99] {
            let horizon = Horizon::new(Rule::wald(claim(f, c), d).unwrap(), 500);
            for share in [f - d, f + d, (f - d) / 2.0, f + d + (1.0 - f - d) / 2.0] {
                let error = horizon.error(share);
                assert!(error.ever <= 1.0 - c + 1e-9, "{f} {d} {c} at {share}: {error:?}");
            }
        }
    }
    // Within, it promises nothing.
    let horizon = Horizon::new(Rule::wald(claim(0.9, 0.9), 0.05).unwrap(), 2000);
    assert!(horizon.error(0.899).by_horizon > 0.3);
}

#[test]
fn an_indifference_that_does_not_fit_says_what_does() {
    for d in [0.0, -0.1, 0.1, 0.5, f64::NAN, f64::INFINITY] {
        let error = Rule::wald(claim(0.9, 0.9), d).unwrap_err().to_string();
        assert!(error.contains("above 0 and below 0.1"), "{error}");
    }
    assert!(Rule::wald(claim(0.9, 0.9), 0.09).is_ok());
}

/// An independent check of the dynamic programme: coins, not sums.
#[test]
fn simulated_courses_end_as_computed() {
    let seed = 1939;
    println!("seed {seed}");
    let trials = 20_000;
    for (cell, (name, f, p)) in
        [("anytime", 0.9, 0.8), ("spa", 0.9, 0.89), ("wald", 0.5, 0.52)].into_iter().enumerate()
    {
        let horizon = Horizon::new(named(name, claim(f, 0.9)), 200);
        let expected = horizon.operating(p);
        let mut rng = generator(seed, cell as u64);
        let (mut positive, mut negative, mut samples) = (0, 0, 0);
        for _ in 0..trials {
            let mut successes = 0;
            for limits in horizon.limits() {
                samples += 1;
                let coin = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                successes += usize::from(coin < p);
                match limits.decision(successes, successes) {
                    Some(Decision::Positive) => positive += 1,
                    Some(Decision::Negative) => negative += 1,
                    None => continue,
                }
                break;
            }
        }
        let trials = f64::from(trials);
        let near = |found: i32, expected: f64| {
            let error = 4.0 * (expected * (1.0 - expected) / trials).sqrt() + 1e-3;
            (f64::from(found) / trials - expected).abs() < error
        };
        assert!(near(positive, expected.positive), "{name}: {positive} {expected:?}");
        assert!(near(negative, expected.negative), "{name}: {negative} {expected:?}");
        let mean = f64::from(samples) / trials;
        assert!((mean / expected.samples - 1.0).abs() < 0.03, "{name}: {mean} {expected:?}");
    }
}

#[test]
fn plans() {
    let plan = SampleSizePlan::new(Rule::anytime(claim(0.9, 0.95)), 2000);
    assert_eq!((plan.earliest_positive, plan.earliest_negative), (Some(43), Some(2)));
    let shares: Vec<f64> = plan.at.iter().map(|at| at.share).collect();
    assert_eq!(shares, [1.0, 0.95, 0.92, 0.9, 0.88, 0.85, 0.0]);
    assert_eq!(plan.at[0].samples, 43.0);
    for at in &plan.at {
        assert!((at.positive + at.negative + at.undecided - 1.0).abs() < 1e-12, "{at:?}");
        assert!(at.samples <= plan.worst.samples, "{at:?}");
    }
    // It is the worst of a fine grid too.
    let horizon = Horizon::new(Rule::anytime(claim(0.9, 0.95)), 2000);
    let most = (1..1000).map(|i| horizon.operating(f64::from(i) / 1000.0).samples);
    let most = most.fold(0.0, f64::max);
    assert!(plan.worst.samples > most * 0.9999, "{} {most}", plan.worst.samples);
    // A budget too small to decide anything, and none at all.
    let small = SampleSizePlan::new(Rule::anytime(claim(0.9, 0.95)), 1);
    assert_eq!((small.earliest_positive, small.earliest_negative), (None, None));
    assert!(small.at.iter().all(|at| at.undecided == 1.0 && at.samples == 1.0));
    let none = SampleSizePlan::new(Rule::anytime(claim(0.9, 0.95)), 0);
    assert_eq!((none.horizon, none.worst.samples), (0, 0.0));
    // A plan for one look at n takes n samples whatever happens.
    let once = SampleSizePlan::new(Rule::exact(claim(0.9, 0.95), 100), 100);
    assert!(once.at.iter().all(|at| at.samples == 100.0));
    let horizon = Horizon::new(Rule::exact(claim(0.9, 0.95), 100), 100);
    for at in &once.at {
        let expected = horizon.operating(at.share);
        assert!((at.positive - expected.positive).abs() < 1e-12, "{at:?} {expected:?}");
        assert!((at.negative - expected.negative).abs() < 1e-12, "{at:?} {expected:?}");
    }
    let many = SampleSizePlan::new(Rule::exact(claim(0.9, 0.95), 1_000_000), 1_000_000);
    assert_eq!((many.horizon, many.earliest_positive), (1_000_000, Some(1_000_000)));
}

#[test]
fn further_samples_decide() {
    for (f, s, n) in [(0.9, 40, 40), (0.9, 97, 100), (0.9, 80, 100), (0.5, 30, 50), (0.99, 0, 0)] {
        for rule in [
            Rule::anytime(claim(f, 0.99)),
            Rule::spa(claim(f, 0.99)),
            Rule::exact(claim(f, 0.99), n),
            Rule::wald(claim(f, 0.99), 0.005).unwrap(),
        ] {
            if rule.decision(s, n).is_some() {
                continue;
            }
            match further_samples(rule, s, s, n) {
                None => assert_eq!(n, 0),
                Some(further) => {
                    assert!((1..100_000).contains(&further), "{f} {s} {n}: {further}");
                }
            }
        }
    }
    let rule = Rule::anytime(claim(0.9, 0.95));
    // At F, too near to F, or on both sides of it.
    assert_eq!(further_samples(rule, 900, 900, 1000), None);
    assert_eq!(further_samples(rule, 900_001, 900_001, 1_000_000), None);
    assert_eq!(further_samples(rule, 850, 950, 1000), None);
}

#[test]
fn odd_numbers_do_no_harm() {
    let horizon = Horizon::new(Rule::anytime(claim(0.9, 0.9)), 50);
    assert_eq!(horizon.operating(f64::NAN), horizon.operating(0.0));
    assert_eq!(horizon.operating(7.0), horizon.operating(1.0));
    assert_eq!(horizon.operating(-7.0).negative, 1.0);
    let c = Confidence::DEFAULT;
    for interval in [anytime_interval(0, 0, c), exact_interval(0, 0, c), exact_bounds(9, 0, c)] {
        assert_eq!((interval.lower, interval.upper), (0.0, 1.0));
    }
    // A billion samples.
    let many = anytime_interval(1_000_000_000, 1_000_000_000, c);
    assert!(many.lower > 0.999_999 && many.lower < 1.0 && many.upper == 1.0, "{many:?}");
    assert_eq!(Rule::anytime(claim(0.9, 0.9)).decision(0, 0), None);
}

fn brute_force(rule: Rule, n: usize) -> Limits {
    let decided = |s: usize, as_what| rule.decision(s, n) == Some(as_what);
    let positive = (0..=n).find(|&s| decided(s, Decision::Positive));
    let negative = (0..=n).rev().find(|&s| decided(s, Decision::Negative));
    Limits {
        samples: n,
        successes: positive.unwrap_or(n + 1),
        failures: negative.map_or(n + 1, |s| n - s),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// One evaluation per step finds what a scan of all counts finds.
    #[test]
    fn boundaries_equal_a_scan(f in 0.005_f64..0.995, c in 0.5_f64..0.9999, which in 0..4) {
        let claim = claim(f, c);
        let rule = match which {
            0 => Rule::anytime(claim),
            1 => Rule::spa(claim),
            2 => Rule::wald(claim, f.min(1.0 - f) / 2.0).unwrap(),
            _ => Rule::exact(claim, 57),
        };
        for limits in rule.boundaries().take(60) {
            prop_assert_eq!(limits, brute_force(rule, limits.samples));
            prop_assert_eq!(limits, rule.limits_at(limits.samples));
            // Never both.
            prop_assert!(limits.successes + limits.failures > limits.samples);
        }
    }

    /// The bound is at least F exactly when the decision is positive.
    #[test]
    fn bounds_agree_with_decisions(f in 0.01_f64..0.99, c in 0.5_f64..0.999, n in 1_usize..400, share in 0.0_f64..1.0) {
        let s = (share * n as f64).round() as usize;
        let (claim, at) = (claim(f, c), claim(f, c).confidence);
        for (rule, bounds) in [
            (Rule::anytime(claim), anytime_bounds(s, n, at)),
            (Rule::exact(claim, n), exact_bounds(s, n, at)),
        ] {
            prop_assume!((bounds.lower - f).abs() > 1e-9 && (bounds.upper - f).abs() > 1e-9);
            let expected = match (bounds.lower > f, bounds.upper < f) {
                (true, _) => Some(Decision::Positive),
                (_, true) => Some(Decision::Negative),
                _ => None,
            };
            prop_assert_eq!(rule.decision(s, n), expected, "{:?}", bounds);
        }
        let (two, one) = (anytime_interval(s, n, at), anytime_bounds(s, n, at));
        prop_assert!(two.lower <= one.lower && one.upper <= two.upper);
        prop_assert!(two.contains(s as f64 / n as f64));
    }

    /// E+ grows with every success and falls with every failure, and falls as F grows.
    #[test]
    fn evidence_is_monotone(f in 0.01_f64..0.98, n in 1_usize..2000, share in 0.0_f64..1.0) {
        let s = (share * n as f64).round() as usize;
        let at = |s, n, f| log_evidence(s, n, Probability::new(f).unwrap()).above;
        let now = at(s, n, f);
        prop_assert!(at(s + 1, n + 1, f) >= now - 1e-9);
        prop_assert!(at(s, n + 1, f) <= now + 1e-9);
        prop_assert!(at(s, n, f + 0.01) <= now + 1e-9);
    }
}
