//! Small rules that intervals and plans rest on, against brute force.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_stats::outliers::{self, Method, OutlierGrid};
use fathom_stats::proportion::{Claim, Horizon, Rule, SampleSizePlan, log_evidence};
use fathom_stats::quantile::RankPair;
use fathom_stats::{Confidence, Probability};

/// Two selections give what sorting gives, whatever the ranks: also where both are the same, or beyond
/// the values.
#[test]
fn ends_are_found_without_sorting() {
    let values = [3.0, 1.0, 7.0, 2.0, 9.0, 4.0, 4.0];
    let mut sorted = values;
    sorted.sort_unstable_by(f64::total_cmp);
    let ranks = || (0..=values.len() + 1).map(Some).chain([None]);
    for lower in ranks() {
        for upper in ranks().filter(|upper| lower.is_none() || upper.is_none() || lower <= *upper) {
            let pair = RankPair { lower, upper, coverage: 0.9 };
            let found = pair.of_unsorted(&mut values.to_vec());
            assert_eq!(found, pair.of_sorted(&sorted), "{lower:?} {upper:?}");
        }
    }
}

#[test]
fn evidence_becomes_a_p_value() {
    let f = Probability::new(0.9).unwrap();
    let all_true = log_evidence(100, 100, f);
    assert!((all_true.p_value_above() - (-all_true.above).exp()).abs() < 1e-15);
    assert!(all_true.p_value_above() < 0.001 && all_true.p_value_above() > 0.0);
    assert_eq!(all_true.p_value_below(), 1.0);
    let all_false = log_evidence(0, 10, f);
    assert!((all_false.p_value_below() - (-all_false.below).exp()).abs() < 1e-15);
    assert!(all_false.p_value_below() < 1e-6 && all_false.p_value_below() > 0.0);
    assert_eq!(all_false.p_value_above(), 1.0);
    let none = log_evidence(0, 0, f);
    assert_eq!((none.p_value_above(), none.p_value_below()), (1.0, 1.0));
}

/// No share on a fine grid takes more samples on average than the one that a plan calls the worst.
#[test]
fn the_worst_share_of_a_plan_is_the_worst() {
    for f in [0.5, 0.9] {
        let claim =
            Claim { proportion: Probability::new(f).unwrap(), confidence: Confidence::DEFAULT };
        let rule = Rule::anytime(claim);
        let plan = SampleSizePlan::new(rule, 150);
        let horizon = Horizon::new(rule, 150);
        let most = (1..100)
            .map(|percent| horizon.operating(f64::from(percent) / 100.0).samples)
            .fold(0.0, f64::max);
        assert!(plan.worst.samples >= most * (1.0 - 1e-3), "{f}: {} {most}", plan.worst.samples);
    }
}

/// Fences of huge values are no infinities.
#[test]
fn huge_values_have_outliers_too() {
    let values: Vec<f64> = (0..20).map(|i| 1.0 + 0.01 * f64::from(i * 7 % 20)).collect();
    for method in [Method::Tukey, Method::Mad] {
        let found = |scale: f64| {
            let mut values: Vec<f64> = values.iter().map(|value| scale * value).collect();
            values.extend([scale * 20.0, -scale * 20.0]);
            outliers::find(&values, method, OutlierGrid::Auto).indices
        };
        assert_eq!(found(1.0), [20, 21], "{}", method.name());
        assert_eq!(found(f64::MAX / 32.0), [20, 21], "{}", method.name());
    }
}
