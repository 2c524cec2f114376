//! One look at paired blocks against exact counting, brute force, numpy and scipy.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_stats::paired::{
    Block, Choice, Guard, Located, LookStage, Looks, at_most, detectable, fewest_blocks,
    further_blocks, guard, kth_walsh, locate, mean_ln, median_walsh, rank, sign_test, wilcoxon,
};
use fathom_stats::{Confidence, LogRatioInterval};
use fathom_testkit::vectors::{load, relative_error};
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Debug, Deserialize)]
struct Law {
    n: usize,
    k: usize,
    at_most: f64,
}

#[test]
fn the_law_is_that_of_counting() {
    for case in load::<Law>("paired/law.json") {
        let found = at_most(case.n, case.k);
        assert!(relative_error(found, case.at_most) < 1e-12, "{case:?}: {found}");
    }
}

#[derive(Debug, Deserialize)]
struct Rank {
    n: usize,
    alpha: f64,
    k: usize,
    below: f64,
}

#[test]
fn ranks_are_those_of_counting() {
    for case in load::<Rank>("paired/rank.json") {
        assert_eq!(rank(case.n, case.alpha), case.k, "{case:?}");
        if case.k > 0 {
            let found = at_most(case.n, case.k - 1);
            assert!(relative_error(found, case.below) < 1e-12, "{case:?}: {found}");
        }
    }
}

#[derive(Debug, Deserialize)]
struct LargeRank {
    n: usize,
    alpha: f64,
    k: usize,
    counted: usize,
    below: f64,
    counted_below: f64,
}

#[test]
fn ranks_of_many_blocks_are_normal_and_safe() {
    for case in load::<LargeRank>("paired/rank_large.json") {
        let k = rank(case.n, case.alpha);
        assert_eq!(k, case.k, "{case:?}");
        let found = at_most(case.n, k - 1);
        assert!(relative_error(found, case.below) < 1e-10, "{case:?}: {found}");
        assert!(k <= case.counted, "{case:?}");
        // The levels that looks spend are small; there the probability must not err either.
        if case.alpha <= 0.08 {
            assert!(found >= case.counted_below, "{case:?}");
        }
    }
}

#[derive(Debug, Deserialize)]
struct Fewest {
    alpha: f64,
    fewest: usize,
}

#[test]
fn the_fewest_blocks_with_an_interval() {
    for case in load::<Fewest>("paired/fewest.json") {
        assert_eq!(fewest_blocks(case.alpha), case.fewest, "{case:?}");
    }
}

#[derive(Debug, Deserialize)]
struct Plan {
    most: usize,
    at: Vec<usize>,
    alpha_interim: Option<f64>,
    alpha_last: f64,
    ends: Vec<(usize, f64)>,
}

#[test]
fn looks_and_what_they_spend() {
    let alpha = Confidence::DEFAULT.alpha();
    for case in load::<Plan>("paired/looks.json") {
        let looks = Looks::plan(case.most);
        assert_eq!(looks.at(), case.at, "{case:?}");
        if let Some(expected) = case.alpha_interim {
            let found = alpha * looks.interim(case.at[0]).unwrap();
            assert!(relative_error(found, expected) < 1e-12, "{case:?}: {found}");
        }
        let found = alpha * looks.last_share(case.most);
        assert!(relative_error(found, case.alpha_last) < 1e-12, "{case:?}: {found}");
        for &(end, share) in &case.ends {
            let found = looks.last_share(end);
            assert!(relative_error(found, share) < 1e-12, "{} {end}: {found}", case.most);
            let is_interim = end < case.most && case.at.contains(&end);
            assert_eq!(looks.interim(end).is_some(), is_interim, "{} {end}", case.most);
        }
    }
}

#[derive(Debug, Deserialize)]
struct DesignRank {
    most: usize,
    n: usize,
    alpha: f64,
    printed: usize,
    k: usize,
}

#[test]
fn ranks_printed_in_the_design() {
    for case in load::<DesignRank>("paired/design_ranks.json") {
        assert!(Looks::plan(case.most).at().contains(&case.n), "{case:?}");
        assert_eq!(rank(case.n, case.alpha), case.k, "{case:?}");
        // Beyond 200 blocks a smaller rank, hence a wider interval, is taken.
        assert!(if case.n <= 200 { case.k == case.printed } else { case.k < case.printed });
    }
}

#[derive(Debug, Deserialize)]
struct Guarded {
    name: String,
    d: Vec<f64>,
    lag1: Option<f64>,
    tau: Option<f64>,
    thinness: f64,
}

fn series() -> HashMap<String, Vec<f64>> {
    load::<Guarded>("paired/guard.json").into_iter().map(|case| (case.name, case.d)).collect()
}

#[test]
fn the_guard_is_the_formula() {
    for case in load::<Guarded>("paired/guard.json") {
        let found = guard(&case.d);
        let lag1 = case.lag1.unwrap_or(0.0);
        assert!((found.lag1 - lag1).abs() < 1e-9 * lag1.abs() + 1e-12, "{case:?}: {found:?}");
        assert!(relative_error(found.thinness, case.thinness) < 1e-9, "{case:?}: {found:?}");
        assert_eq!(found.thinness > 1.0, case.tau.is_some(), "{case:?}: {found:?}");
        assert!((found.widening().powi(2) / found.thinness - 1.0).abs() < 1e-12);
    }
}

#[derive(Debug, Deserialize)]
struct Look {
    name: String,
    alpha: f64,
    tick: f64,
    n: usize,
    k: usize,
    estimate: f64,
    plain: Option<(f64, f64)>,
    interval: Option<(f64, f64)>,
    p_value: f64,
    may_decide: bool,
    thinness: f64,
}

fn blocks(log_ratios: &[f64]) -> Vec<Block> {
    log_ratios.iter().map(|&log_ratio| Block { log_ratio, log_total: 0.0 }).collect()
}

#[test]
fn looks_are_those_of_brute_force() {
    let series = series();
    for case in load::<Look>("paired/look.json") {
        let d = &series[&case.name];
        let largest = d.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let near = |found: f64, expected: f64, tolerance: f64| {
            assert!((found - expected).abs() <= tolerance * largest, "{case:?}: {found}");
        };
        let mut sorted = d.clone();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(rank(case.n, case.alpha), case.k, "{case:?}");
        near(median_walsh(&sorted).unwrap(), case.estimate, 1e-12);
        if let Some((lower, upper)) = case.plain {
            near(kth_walsh(&sorted, case.k).unwrap(), lower, 1e-12);
            let averages = case.n * (case.n + 1) / 2;
            near(kth_walsh(&sorted, averages + 1 - case.k).unwrap(), upper, 1e-12);
        }

        for choice in [Choice::All, Choice::Quiet] {
            let at = |stage| locate(&blocks(d), choice, case.alpha, stage, case.tick).unwrap();
            let found = at(LookStage::Interim);
            near(found.log_ratio, case.estimate, 1e-12);
            let tolerance = if case.thinness > 1.0 { 1e-9 } else { 1e-12 };
            match case.interval {
                Some((lower, upper)) => {
                    near(found.interval.lower, lower, tolerance);
                    near(found.interval.upper, upper, tolerance);
                }
                None => assert_eq!(found.interval, LogRatioInterval::EVERYTHING, "{case:?}"),
            }
            let error = relative_error(found.p_value, case.p_value);
            assert!(error < 1e-10, "{case:?}: {found:?}");
            assert_eq!(found.may_decide, case.may_decide, "{case:?}: {found:?}");
            assert!(at(LookStage::Last).may_decide);
            assert_eq!(found.used, case.n);
        }
    }
}

#[derive(Debug, Deserialize)]
struct Wilcoxon {
    d: Vec<f64>,
    statistic: usize,
    p_value: f64,
}

#[test]
fn p_values_are_scipys() {
    for case in load::<Wilcoxon>("paired/wilcoxon.json") {
        let found = locate(&blocks(&case.d), Choice::All, 0.05, LookStage::Last, 0.0).unwrap();
        let by_law = (2.0 * at_most(case.d.len(), case.statistic)).min(1.0);
        for p_value in [found.p_value, by_law] {
            let error = (p_value - case.p_value).abs();
            assert!(error < (1e-10 * case.p_value).max(1e-15), "{case:?}: {p_value}");
        }
    }
}

#[derive(Debug, Deserialize)]
struct AsPrinted {
    name: String,
    d: Vec<f64>,
    p_value: f64,
}

#[test]
fn the_single_look_is_what_scipy_prints() {
    for case in load::<AsPrinted>("paired/wilcoxon_as_printed.json") {
        let found = wilcoxon(&case.d).unwrap();
        let error = (found - case.p_value).abs();
        assert!(error < (1e-10 * case.p_value).max(1e-15), "{}: {found} {case:?}", case.name);
    }
}

#[derive(Debug, Deserialize)]
struct Classic {
    name: String,
    slower: usize,
    faster: usize,
    sign_p: f64,
    mean_ln: Vec<MeanLn>,
}

#[derive(Debug, Deserialize)]
struct MeanLn {
    c: f64,
    mean: f64,
    lower: f64,
    upper: f64,
    t: Option<f64>,
    p_value: Option<f64>,
}

#[test]
fn the_classic_tests_are_scipys() {
    let series = series();
    for case in load::<Classic>("paired/classic.json") {
        let d = &series[&case.name];
        let found = sign_test(d);
        assert_eq!((found.slower, found.faster), (case.slower, case.faster), "{case:?}");
        assert!(relative_error(found.p_value, case.sign_p) < 1e-9, "{case:?}: {found:?}");

        let largest = d.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if d.len() < 2 {
            assert_eq!(mean_ln(d, Confidence::DEFAULT), None);
        }
        for row in &case.mean_ln {
            let found = mean_ln(d, Confidence::new(row.c).unwrap()).unwrap();
            let ends = (found.interval.lower, found.interval.upper);
            for (found, expected) in
                [(found.mean, row.mean), (ends.0, row.lower), (ends.1, row.upper)]
            {
                assert!((found - expected).abs() <= 1e-9 * largest, "{} {row:?}", case.name);
            }
            assert_eq!(found.degrees, d.len() - 1);
            for (found, expected) in [(found.t, row.t), (found.p_value, row.p_value)] {
                assert_eq!(found.is_some(), expected.is_some(), "{} {row:?}", case.name);
                let error = found.zip(expected).map_or(0.0, |(a, b)| relative_error(a, b));
                assert!(error < 1e-9, "{} {row:?}: {found:?}", case.name);
            }
        }
    }
}

#[derive(Debug, Deserialize)]
struct Further {
    n: usize,
    estimate: f64,
    interval: Option<(f64, f64)>,
    margin: f64,
    spent: f64,
    coming: f64,
    blocks: Option<usize>,
    detectable: Option<(f64, f64)>,
}

#[test]
fn further_blocks_are_those_of_the_formula() {
    for case in load::<Further>("paired/further.json") {
        let interval = case.interval.map_or(LogRatioInterval::EVERYTHING, |(lower, upper)| {
            LogRatioInterval { lower, upper }
        });
        let look = Located {
            log_ratio: case.estimate,
            interval,
            used: case.n,
            guard: Guard { lag1: 0.0, thinness: 1.0 },
            p_value: 0.5,
            may_decide: true,
        };
        let found = further_blocks(&look, case.n, case.margin, case.spent, case.coming);
        assert_eq!(found.map(|found| found.blocks), case.blocks, "{case:?}");
        let with = |blocks: f64| detectable(&look, case.n, case.spent, case.coming, blocks);
        match case.detectable {
            Some((few, many)) => {
                assert!(relative_error(with(20.0).unwrap(), few) < 1e-10, "{case:?}");
                assert!(relative_error(with(4000.0).unwrap(), many) < 1e-10, "{case:?}");
            }
            None => assert_eq!((with(20.0), with(4000.0)), (None, None), "{case:?}"),
        }
    }
}
