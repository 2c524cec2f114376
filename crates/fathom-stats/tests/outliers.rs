//! Outliers against the vectors, against exact fractions, and against a naive implementation.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fathom_stats::outliers::{
    ClusterShare, CutCurve, CutLevel, CutPolynomial, Dendrogram, Method, MinPts, OutlierGrid,
    OutlierRule, Outliers, Positions, SettingError, find, full_cut, local_outlier_factors,
    medcouple, ranked_cut, simplified_cut,
};
use fathom_testkit::population::{Population, generator};
use fathom_testkit::repository;
use fathom_testkit::vectors::{load, relative_error};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Sets {
    datasets: Vec<Set>,
}

#[derive(Debug, Deserialize)]
struct Set {
    name: String,
    data: Vec<f64>,
    distinct: usize,
    threshold: usize,
    unique_heights: usize,
    full: Cut,
    simplified: Cut,
    lof: Option<Vec<f64>>,
    heights: Option<Vec<f64>>,
    outliers_per_candidate: Option<Vec<usize>>,
}

#[derive(Debug, Deserialize)]
struct Cut {
    cut_height: f64,
    candidate_index0: Option<usize>,
    outlier_indices: Vec<usize>,
}

fn sets() -> Vec<Set> {
    let path = repository::testdata().join("vectors/outliers/outliers.json");
    let sets: Sets = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(sets.datasets.len(), 23);
    sets.datasets
}

fn lof_of_each(positions: &Positions, values: &[f64]) -> Vec<f64> {
    let factors = local_outlier_factors(positions, MinPts::PAPER);
    values.iter().map(|&value| factors[positions.index_of(value)]).collect()
}

fn indices_at(positions: &Positions, height: f64, values: &[f64]) -> Vec<usize> {
    let ranges = Dendrogram::of(positions, ClusterShare::PAPER).outliers_at(height);
    let is_outlier = |value: f64| ranges.iter().any(|r| r.contains(&positions.index_of(value)));
    (0..values.len()).filter(|&i| is_outlier(values[i])).collect()
}

/// The vectors were computed on doubles, so the positions are the doubles.
#[test]
fn all_sets_of_the_vectors() {
    for set in sets() {
        let name = &set.name;
        let positions = Positions::as_given(&set.data);
        assert_eq!(positions.at().len(), set.distinct, "{name}");
        assert_eq!((set.data.len() / 100).max(1), set.threshold, "{name}");
        let dendrogram = Dendrogram::of(&positions, ClusterShare::PAPER);
        let heights = dendrogram.heights();
        assert_eq!(heights.len(), set.unique_heights, "{name}");
        if let Some(expected) = &set.heights {
            assert_eq!(&heights, expected, "{name}");
        }
        if let Some(expected) = &set.outliers_per_candidate {
            let count = |&height: &f64| indices_at(&positions, height, &set.data).len();
            assert_eq!(&heights.iter().map(count).collect::<Vec<_>>(), expected, "{name}");
        }
        if let Some(expected) = &set.lof {
            let found = lof_of_each(&positions, &set.data);
            for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert!(relative_error(*found, *expected) < 1e-12, "{name} {i}: {found}");
            }
        }
        let full =
            full_cut(&dendrogram, &local_outlier_factors(&positions, MinPts::PAPER)).unwrap();
        let simplified = simplified_cut(&dendrogram, CutLevel::PAPER).unwrap();
        for (cut, expected) in [(full, &set.full), (simplified, &set.simplified)] {
            assert_eq!(cut, expected.cut_height, "{name}");
            assert_eq!(Some(cut), expected.candidate_index0.map(|index| heights[index]), "{name}");
            let found = indices_at(&positions, cut, &set.data);
            assert_eq!(found, expected.outlier_indices, "{name}");
        }
    }
}

#[test]
fn find_gives_the_vectors() {
    for set in sets() {
        for (method, expected) in [(Method::Full, &set.full), (Method::Simplified, &set.simplified)]
        {
            let found = find(&set.data, method, OutlierGrid::Off);
            assert_eq!(found.indices, expected.outlier_indices, "{} {method:?}", set.name);
            assert_eq!(found.cut_height, Some(expected.cut_height), "{} {method:?}", set.name);
            assert_eq!(found.grid, None);
        }
    }
}

#[derive(Debug, Deserialize)]
struct ExactCase {
    name: String,
    data: Vec<f64>,
    lof: Vec<f64>,
    heights: Vec<f64>,
    full: Cut,
    simplified: Cut,
}

/// Sets whose heights differ by rounding alone where doubles are taken as they are; on ticks, which
/// a grid starts from, they do not.
const ROUNDED: [&str; 2] = ["n200_tick41_67", "n300_interior_gap_points"];

#[test]
fn decimals_are_exact() {
    let mut rounded = 0;
    for case in load::<ExactCase>("outliers/exact_decimals.json") {
        let name = &case.name;
        let positions = Positions::new(&case.data, OutlierGrid::Off);
        let heights = Dendrogram::of(&positions, ClusterShare::PAPER).heights();
        let heights: Vec<f64> = heights.iter().map(|&h| positions.in_data_unit(h)).collect();
        assert_eq!(heights, case.heights, "{name}");
        for (found, expected) in lof_of_each(&positions, &case.data).iter().zip(&case.lof) {
            assert!(relative_error(*found, *expected) < 1e-12, "{name}: {found} {expected}");
        }
        for (method, expected) in
            [(Method::Full, &case.full), (Method::Simplified, &case.simplified)]
        {
            let dendrogram = Dendrogram::of(&positions, ClusterShare::PAPER);
            let cut = match method {
                Method::Full => {
                    full_cut(&dendrogram, &local_outlier_factors(&positions, MinPts::PAPER))
                }
                _ => simplified_cut(&dendrogram, CutLevel::PAPER),
            }
            .unwrap();
            assert_eq!(positions.in_data_unit(cut), expected.cut_height, "{name} {method:?}");
            let found = indices_at(&positions, cut, &case.data);
            assert_eq!(found, expected.outlier_indices, "{name} {method:?}");
        }
        rounded += usize::from(ROUNDED.contains(&name.as_str()));
    }
    assert_eq!(rounded, 2, "the sets this is about are missing");
}

#[derive(Debug, Deserialize)]
struct Skewed {
    name: String,
    data: Vec<f64>,
    medcouple: f64,
}

#[test]
fn medcouples_of_the_vectors() {
    let cases = load::<Skewed>("outliers/medcouple.json");
    assert_eq!(cases.len(), 13);
    for Skewed { name, data, medcouple: expected } in cases {
        let found = medcouple(&data).unwrap();
        assert!((found - expected).abs() < 1e-14, "{name}: {found} {expected}");
    }
}

/// The definitions, word by word.
mod naive {
    fn distance_table(x: &[f64]) -> Vec<Vec<f64>> {
        x.iter().map(|a| x.iter().map(|b| (a - b).abs()).collect()).collect()
    }

    pub(super) fn lof(x: &[f64], min_pts: usize) -> Vec<f64> {
        let n = x.len();
        let k = min_pts.min(n - 1);
        let d = distance_table(x);
        let others = |p: usize| (0..n).filter(move |&q| q != p);
        let smallest =
            d.iter().flatten().filter(|&&d| d > 0.0).fold(f64::INFINITY, |a, &b| a.min(b));
        let delta = if smallest.is_finite() { smallest } else { 1.0 };
        let radius: Vec<f64> = (0..n)
            .map(|p| {
                let mut all: Vec<f64> = others(p).map(|q| d[p][q]).collect();
                all.sort_by(f64::total_cmp);
                all[k - 1]
            })
            .collect();
        let near: Vec<Vec<usize>> =
            (0..n).map(|p| others(p).filter(|&q| d[p][q] <= radius[p]).collect()).collect();
        let reach: Vec<f64> = (0..n)
            .map(|p| {
                let sum: f64 = near[p].iter().map(|&q| radius[q].max(d[p][q])).sum();
                (sum / near[p].len() as f64).max(delta)
            })
            .collect();
        (0..n)
            .map(|p| {
                near[p].iter().map(|&q| reach[p] / reach[q]).sum::<f64>() / near[p].len() as f64
            })
            .collect()
    }

    /// Every merge: its height, and the clusters (as ranges of sorted values) after it.
    pub(super) fn partitions(sorted: &[f64]) -> Vec<(f64, Vec<(usize, usize)>)> {
        let mut clusters: Vec<(usize, usize)> = (0..sorted.len()).map(|i| (i, i)).collect();
        let mut all = Vec::new();
        while clusters.len() > 1 {
            let mut best = (f64::INFINITY, 0);
            for i in 0..clusters.len() - 1 {
                let height = sorted[clusters[i + 1].1] - sorted[clusters[i].0];
                if height < best.0 {
                    best = (height, i);
                }
            }
            let i = best.1;
            clusters[i].1 = clusters[i + 1].1;
            clusters.remove(i + 1);
            all.push((best.0, clusters.clone()));
        }
        // A cut makes all merges of its height: keep the last partition of each.
        (0..all.len())
            .filter(|&i| i + 1 == all.len() || all[i + 1].0 != all[i].0)
            .map(|i| all[i].clone())
            .collect()
    }

    /// For each value how many its cluster has, if that is one of outliers, or else 0.
    fn outliers(sorted: &[f64], clusters: &[(usize, usize)], most: usize) -> Vec<usize> {
        let n = sorted.len();
        let median = sorted[(n - 1) / 2] / 2.0 + sorted[n / 2] / 2.0;
        let mut company = vec![0; n];
        for &(first, last) in clusters {
            if last - first < most && sorted[first] > median {
                company[first..=last].fill(last - first + 1);
            }
        }
        company
    }

    /// Cut height, indices and the sizes of their clusters by Algorithm 1 and by Algorithm 2, which
    /// ranks each candidate by a bell around this level.
    pub(super) fn both(x: &[f64], ask: super::Asked) -> [(f64, Vec<usize>, Vec<usize>); 2] {
        let most = ((ask.percent * x.len()) / 100).max(1);
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
        let sorted: Vec<f64> = order.iter().map(|&i| x[i]).collect();
        let lof = lof(&sorted, ask.min_pts);
        let candidates: Vec<(f64, f64, Vec<usize>)> = partitions(&sorted)
            .into_iter()
            .map(|(height, clusters)| {
                let company = outliers(&sorted, &clusters, most);
                let kept = || (0..x.len()).filter(|&i| company[i] == 0);
                let mean = kept().map(|i| lof[i]).sum::<f64>() / kept().count() as f64;
                (height, mean, company)
            })
            .collect();
        let least = candidates.iter().map(|c| c.1).fold(f64::INFINITY, f64::min);
        let full = candidates.iter().rposition(|c| c.1 <= least * (1.0 + 1e-12)).unwrap();
        let m = candidates.len();
        // In quarters of candidates, so that nothing is rounded.
        let away = |i: usize| (4 * i).abs_diff(ask.quarters * m);
        let simplified = (0..m).rev().min_by_key(|&i| away(i)).unwrap();
        [full, simplified].map(|chosen| {
            let (height, _, company) = &candidates[chosen];
            let mut labelled: Vec<(usize, usize)> =
                (0..x.len()).filter(|&i| company[i] > 0).map(|i| (order[i], company[i])).collect();
            labelled.sort_unstable();
            let (indices, sizes) = labelled.into_iter().unzip();
            (*height, indices, sizes)
        })
    }
}

/// Settings in whole numbers.
#[derive(Debug, Clone, Copy)]
struct Asked {
    percent: usize,
    min_pts: usize,
    quarters: usize,
}

impl Asked {
    const PAPER: Asked = Asked { percent: 1, min_pts: 10, quarters: 2 };
}

fn asked() -> impl Strategy<Value = Asked> {
    (1..=10_usize, 1..=20_usize, 0..=4_usize).prop_map(|(percent, min_pts, quarters)| Asked {
        percent,
        min_pts,
        quarters,
    })
}

fn compare_with_naive(values: &[f64], ask: Asked) -> Result<(), TestCaseError> {
    let share = ClusterShare::new(ask.percent as f64 / 100.0).unwrap();
    let min_pts = MinPts::new(ask.min_pts).unwrap();
    let level = CutLevel::new(ask.quarters as f64 / 4.0).unwrap();
    let positions = Positions::as_given(values);
    let factors = local_outlier_factors(&positions, min_pts);
    let expected = naive::lof(values, ask.min_pts);
    let factor_of = |value: f64| factors[positions.index_of(value)];
    for (&value, &expected) in values.iter().zip(&expected) {
        let found = factor_of(value);
        prop_assert!(relative_error(found, expected) < 1e-12, "{found} {expected}");
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let heights: Vec<f64> = naive::partitions(&sorted).iter().map(|p| p.0).collect();
    let dendrogram = Dendrogram::of(&positions, share);
    prop_assert_eq!(dendrogram.heights(), heights);
    let [full, simplified] = naive::both(values, ask);
    prop_assert_eq!(full_cut(&dendrogram, &factors), Some(full.0));
    prop_assert_eq!(simplified_cut(&dendrogram, level), Some(simplified.0));
    for (method, (_, indices, sizes)) in [(Method::Full, full), (Method::Simplified, simplified)] {
        let grid = OutlierGrid::Off;
        let curve = CutCurve::Bell;
        let rule = OutlierRule { method, grid, share, min_pts, curve, level };
        let found = rule.find(values);
        prop_assert_eq!(&found.indices, &indices, "{:?}", method);
        let outlying = rule.outlying(values, &found);
        let found: Vec<usize> = outlying.iter().filter_map(|one| one.cluster).collect();
        prop_assert_eq!(found, sizes, "{:?}", method);
        for (one, &index) in outlying.iter().zip(&indices) {
            prop_assert_eq!(one.factor, factor_of(values[index]));
        }
    }
    Ok(())
}

/// Whole numbers with many ties, some far out.
fn tied() -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![8 => 0..12_i32, 2 => 0..60_i32, 1 => 100..5000_i32];
    prop::collection::vec(value.prop_map(f64::from), 2..70)
}

fn tie_free() -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![8 => -5.0..5.0_f64, 2 => 4.0..40.0_f64, 1 => -300.0..3000.0_f64];
    prop::collection::vec(value, 2..70)
}

/// Beyond 200 values an outlier may have company.
fn larger() -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![30 => 0..40_i32, 2 => 60..90_i32, 1 => 100..400_i32];
    prop::collection::vec(value.prop_map(f64::from), 200..420)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn naive_with_ties(values in tied()) {
        compare_with_naive(&values, Asked::PAPER)?;
    }

    #[test]
    fn naive_without_ties(values in tie_free()) {
        compare_with_naive(&values, Asked::PAPER)?;
    }

    #[test]
    fn naive_with_any_settings(values in prop_oneof![tied(), tie_free()], ask in asked()) {
        compare_with_naive(&values, ask)?;
    }

    #[test]
    fn order_does_not_matter(values in prop_oneof![tied(), tie_free()], by in 1_usize..60) {
        let n = values.len();
        // Rotated and reversed: index i comes from n − 1 − (i + by) mod n.
        let from = |i: usize| n - 1 - (i + by) % n;
        let moved: Vec<f64> = (0..n).map(|i| values[from(i)]).collect();
        for (method, grid) in every_way() {
            let here = find(&values, method, grid);
            let there = find(&moved, method, grid);
            let mut back: Vec<usize> = there.indices.iter().map(|&i| from(i)).collect();
            back.sort_unstable();
            prop_assert_eq!(&here.indices, &back, "{:?} {:?}", method, grid);
            prop_assert_eq!(here.cut_height, there.cut_height);
            prop_assert_eq!(here.grid, there.grid);
        }
    }

    #[test]
    fn powers_of_two_scale_exactly(
        values in prop_oneof![tied(), tie_free()],
        exponent in prop_oneof![Just(-600), Just(-30), Just(7), Just(500)],
    ) {
        let scale = |value: f64| value * 2.0_f64.powi(exponent);
        let scaled: Vec<f64> = values.iter().map(|&value| scale(value)).collect();
        for (method, grid) in every_way() {
            let grid_there = match grid {
                OutlierGrid::Step(step) => OutlierGrid::Step(scale(step)),
                other => other,
            };
            let here = find(&values, method, grid);
            let there = find(&scaled, method, grid_there);
            prop_assert_eq!(&here.indices, &there.indices, "{:?} {:?}", method, grid);
            for (here, there) in [(here.cut_height, there.cut_height), (here.grid, there.grid)] {
                prop_assert_eq!(here.is_some(), there.is_some());
                let (here, there) = (scale(here.unwrap_or(0.0)), there.unwrap_or(0.0));
                prop_assert!(relative_error(there, here) < 1e-12, "{} {}", here, there);
            }
        }
    }

    #[test]
    fn ticks_in_any_unit_give_the_same(
        ticks in tied(),
        unit in prop_oneof![
            Just(1e-9), Just(1e-3), Just(0.1), Just(1e9 / 24e6), Just(1.0 / 3.0), Just(1e-6 / 2.9),
        ],
        offset in 0..3000_i32,
    ) {
        let scaled: Vec<f64> = ticks.iter().map(|tick| (tick + f64::from(offset)) * unit).collect();
        for method in [Method::Full, Method::Simplified] {
            let here = find(&ticks, method, OutlierGrid::Auto);
            let there = find(&scaled, method, OutlierGrid::Auto);
            prop_assert_eq!(&here.indices, &there.indices, "{:?}", method);
            let expected = here.cut_height.unwrap() * unit;
            prop_assert!(relative_error(there.cut_height.unwrap(), expected) < 1e-9);
        }
    }

    #[test]
    fn any_doubles_have_an_answer(values in prop::collection::vec(any::<f64>(), 0..60)) {
        for (method, grid) in every_way() {
            let Outliers { cut_height, indices, clustered_in_time, .. } = find(&values, method, grid);
            prop_assert!(cut_height.is_none_or(|height| height.is_finite() && height >= 0.0));
            prop_assert!(indices.iter().all(|&i| values[i].is_finite()));
            prop_assert!(indices.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(clustered_in_time.is_none_or(|time| (0.0..=1.0).contains(&time.p_value)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn naive_with_clustered_outliers(values in larger(), ask in asked()) {
        compare_with_naive(&values, Asked::PAPER)?;
        compare_with_naive(&values, ask)?;
    }
}

fn every_way() -> impl Iterator<Item = (Method, OutlierGrid)> {
    let grids = [OutlierGrid::Auto, OutlierGrid::Off, OutlierGrid::Step(4.0)];
    Method::ALL.into_iter().flat_map(move |method| grids.map(|grid| (method, grid)))
}

/// 830 is 207.5 steps of 4; in ticks of 830 times a power of two that is not an exact half.
#[test]
fn half_a_step_goes_up_in_every_unit() {
    for exponent in [-600, 0, 7, 500] {
        let scale = 2.0_f64.powi(exponent);
        let found =
            find(&[9.0 * scale, 839.0 * scale], Method::Full, OutlierGrid::Step(4.0 * scale));
        let height = found.cut_height.unwrap() / scale;
        assert!((height - 832.0).abs() < 1e-9, "2^{exponent}: {height}");
    }
}

#[test]
fn few_or_equal_values_have_no_outliers() {
    let sets: [&[f64]; 6] =
        [&[5.0], &[5.0; 2], &[5.0; 12], &[5.0; 500], &[1.0, 2.0], &[-1.0, 1e300]];
    for set in sets {
        for (method, grid) in every_way() {
            let found = find(set, method, grid);
            assert_eq!(found.indices, [0; 0], "{set:?} {method:?} {grid:?}");
            assert_eq!(found.clustered_in_time, None);
            let has_tree = set.len() > 1 && matches!(method, Method::Simplified | Method::Full);
            assert_eq!(found.cut_height.is_some(), has_tree, "{set:?} {method:?}");
        }
    }
}

#[test]
fn one_to_twenty_values_have_an_answer() {
    for n in 1..=20 {
        for seed in 0..200 {
            let mut values = vec![0.0; n];
            let population = Population::ALL[seed as usize % 5];
            population.fill(&mut values, &mut generator(seed, n as u64));
            for (method, grid) in every_way() {
                let found = find(&values, method, grid);
                assert!(found.indices.len() < n, "{values:?} {method:?} {grid:?}");
            }
        }
    }
}

/// A population with five values far out.
fn contaminated() -> Vec<f64> {
    let mut values = vec![0.0; 500];
    Population::Normal.fill(&mut values, &mut generator(7, 0));
    for (number, place) in [40, 41, 43, 44, 300].into_iter().enumerate() {
        values[place] = 500.0 + 90.0 * number as f64;
    }
    values
}

#[test]
fn far_values_are_found_and_reported_as_they_are() {
    let values = contaminated();
    for method in [Method::Simplified, Method::Full] {
        let found = find(&values, method, OutlierGrid::Auto);
        assert_eq!(found.indices, [40, 41, 43, 44, 300], "{method:?}");
        let grid = found.grid.unwrap();
        assert!((8.0..12.0).contains(&grid), "one standard deviation is 10: {grid}");
        let time = found.clustered_in_time.unwrap();
        assert_eq!((time.gaps, time.short), (4, 3));
        assert!(time.p_value < 0.01, "{time:?}");
    }
}

#[test]
fn every_choice_changes_something() {
    let values = contaminated();
    let found = |method, grid| find(&values, method, grid).indices;
    // Full and simplified agree here, which is what the grid is for; without it they do not.
    assert_ne!(found(Method::Full, OutlierGrid::Off), found(Method::Simplified, OutlierGrid::Off));
    assert_ne!(found(Method::Full, OutlierGrid::Auto), found(Method::Tukey, OutlierGrid::Auto));
    assert_ne!(found(Method::Mad, OutlierGrid::Auto), found(Method::Tukey, OutlierGrid::Auto));
    let mut clean = vec![0.0; 500];
    Population::Normal.fill(&mut clean, &mut generator(7, 1));
    for method in [Method::Full, Method::Simplified] {
        let without = find(&clean, method, OutlierGrid::Off).indices;
        assert_ne!(find(&clean, method, OutlierGrid::Auto).indices, without, "{method:?}");
        assert_ne!(
            found(method, OutlierGrid::Auto),
            found(method, OutlierGrid::Step(2000.0)),
            "{method:?}"
        );
    }
    for method in [Method::Tukey, Method::Mad, Method::AdjustedBoxplot] {
        assert_eq!(found(method, OutlierGrid::Auto), found(method, OutlierGrid::Off));
    }
}

#[test]
fn clean_normal_values_stay() {
    let (seed, mut labelled, mut without_grid, mut all) = (20_261_116, 0, 0, 0);
    for trial in 0..40 {
        let mut values = vec![0.0; 1000];
        Population::Normal.fill(&mut values, &mut generator(seed, trial));
        for method in [Method::Full, Method::Simplified] {
            labelled += find(&values, method, OutlierGrid::Auto).indices.len();
            without_grid += find(&values, method, OutlierGrid::Off).indices.len();
            all += values.len();
        }
    }
    let share = labelled as f64 / all as f64;
    println!(
        "seed {seed}: {share} labelled, {} without the grid",
        without_grid as f64 / all as f64
    );
    assert!(share < 0.006, "{share}");
    assert!(without_grid > all / 5, "the failure that the grid is for has gone: {without_grid}");
}

/// A parabola cuts at the height whose level is nearest to its peak, as a bell with that peak does.
#[test]
fn a_symmetric_curve_is_its_peak() {
    for n in [5_usize, 30, 101, 400] {
        let values: Vec<f64> = (0..n).map(|i| ((i * i * 31 + i * 7) % 1009) as f64).collect();
        let tree = Dendrogram::of(&Positions::as_given(&values), ClusterShare::PAPER);
        let heights = tree.heights();
        for percent in [0, 13, 30, 50, 77, 100] {
            let peak = f64::from(percent) / 100.0;
            let parabola = CutPolynomial::new(&[0.0, 2.0 * peak, -1.0]).unwrap();
            let far = |height: Option<f64>| {
                let index = heights.iter().position(|one| Some(*one) == height).unwrap();
                (index as f64 / heights.len() as f64 - peak).abs()
            };
            let ranked = far(ranked_cut(&tree, &parabola));
            let level = far(simplified_cut(&tree, CutLevel::new(peak).unwrap()));
            assert!((ranked - level).abs() < 1e-12, "{n} {percent}: {ranked} {level}");
        }
    }
}

/// A curve with two peaks of different heights: no level says the same for every tree.
#[test]
fn a_curve_with_two_peaks_takes_the_higher_one() {
    let values: Vec<f64> = (0..40).map(|i| f64::from(i * i)).collect();
    let tree = Dendrogram::of(&Positions::as_given(&values), ClusterShare::PAPER);
    let heights = tree.heights();
    // Zero at 0, 0.5 and 1; positive in the first half, negative in the second.
    let cubic = [0.0, 0.5, -1.5, 1.0];
    let first = ranked_cut(&tree, &CutPolynomial::new(&cubic).unwrap());
    let second = ranked_cut(&tree, &CutPolynomial::new(&cubic.map(|one| -one)).unwrap());
    let level = |height: Option<f64>| {
        let index = heights.iter().position(|one| Some(*one) == height).unwrap();
        index as f64 / heights.len() as f64
    };
    assert!((level(first) - 0.21).abs() < 0.03 && (level(second) - 0.79).abs() < 0.03);
    for wrong in [&[1.0][..], &[], &[1.0, 0.0], &[0.0; 8], &[1.0, f64::NAN], &[0.0, 1e101]] {
        assert_eq!(CutPolynomial::new(wrong), Err(SettingError::Curve), "{wrong:?}");
    }
}
