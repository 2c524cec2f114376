//! What holds for every correlator, whatever the numbers, and what the paper says about some.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::single_range_in_vec_init, reason = "windows are ranges, and often there is one")]

use fathom_explain::correlate::prepare;
use fathom_explain::{Correlator, Grid, Pattern, Question, Score, Segments, Sequence, Sign};
use fathom_record::{Span, Timestamp};
use proptest::prelude::*;
use std::ops::Range;

const SHAPES: [Correlator; 10] = [
    Correlator::Pearson,
    Correlator::Spearman,
    Correlator::Euclidean,
    Correlator::Manhattan,
    Correlator::Warping,
    Correlator::SameSplits,
    Correlator::BestSplits,
    Correlator::ManualPattern,
    Correlator::AutoPattern,
    Correlator::Lagged,
];

fn pattern<const N: usize>(knots: [(i64, f64); N]) -> Option<Pattern> {
    Pattern::new(knots.map(|(at, height)| (Timestamp::from_nanoseconds(at), height)).into())
}

fn question(target: Vec<Option<f64>>, windows: Vec<Range<usize>>, segments: usize) -> Question {
    let rows = i64::try_from(target.len()).unwrap();
    Question {
        grid: Grid::even(target.len(), Span::from_nanoseconds(1000)).unwrap(),
        target: Sequence::new(&target),
        windows,
        baseline: None,
        segments: Segments::Exactly(segments),
        pattern: pattern([(0, 0.0), (rows * 500, 2.0), (rows * 1000, 1.0)]),
    }
}

fn whole(target: &[f64]) -> Question {
    let rows = target.len();
    question(target.iter().copied().map(Some).collect(), vec![0..rows], 2)
}

fn score(correlator: Correlator, question: &Question, metric: &[f64]) -> Option<Score> {
    prepare(correlator, question).ok()?.judge(&Sequence::from(metric.to_vec()))
}

fn value(correlator: Correlator, target: &[f64], metric: &[f64]) -> f64 {
    score(correlator, &whole(target), metric).unwrap().value()
}

#[test]
fn what_the_paper_says_of_ranks() {
    let steady = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let steep = steady.map(|n| 10_f64.powf(n));
    assert!((value(Correlator::Pearson, &steady, &steep) - 0.7).abs() < 0.01);
    assert!((value(Correlator::Spearman, &steady, &steep) - 1.0).abs() < 1e-12);
    let noisy = [1000.0, 1002.0, 1003.0];
    assert!((value(Correlator::Spearman, &noisy, &[1.0, 100.0, 1000.0]) - 1.0).abs() < 1e-12);
}

#[test]
fn what_the_paper_says_of_warping() {
    let event = [0.0, 100.0, 0.0, 0.0];
    let later = [0.0, 0.0, 100.0, 0.0];
    assert_eq!(value(Correlator::Warping, &event, &later), f64::INFINITY);
    assert!(value(Correlator::Pearson, &event, &later) < 0.4);
    // A longer event has other z-scores, so it is close, not the same.
    let longer = [0.0, 100.0, 100.0, 0.0];
    let closer = value(Correlator::Warping, &event, &longer);
    assert!(closer > value(Correlator::Manhattan, &event, &longer));
}

#[test]
fn the_warping_of_each_window_is_its_own() {
    let target = [0.0, 9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 0.0];
    let metric = [0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0];
    let rows = target.iter().copied().map(Some).collect();
    let both = question(rows, vec![0..4, 6..10], 2);
    assert_eq!(score(Correlator::Warping, &both, &metric).unwrap().value(), f64::INFINITY);
}

#[test]
fn long_windows_are_averaged_before_they_are_warped() {
    let target: Vec<f64> = (0..4100).map(|n| (f64::from(n) * 0.01).sin()).collect();
    let copy: Vec<f64> = target.iter().map(|value| 3.0 * value - 1.0).collect();
    let other: Vec<f64> = (0..4100).map(|n| (f64::from(n) * 0.013).sin()).collect();
    assert_eq!(value(Correlator::Warping, &target, &copy), f64::INFINITY);
    assert!(value(Correlator::Warping, &target, &other).is_finite());
}

#[test]
fn a_lag_is_found_with_values_from_outside_of_the_window() {
    let wave = |row: f64| (row * 0.37).sin() + (row * 0.11).cos();
    let target: Vec<f64> = (0..120).map(|row| wave(f64::from(row))).collect();
    let asked = question(target.into_iter().map(Some).collect(), vec![30..60, 70..100], 2);
    for lag in [-7_i32, -1, 0, 3, 7] {
        let metric: Vec<f64> = (0..120).map(|row| 5.0 - 2.0 * wave(f64::from(row - lag))).collect();
        let found = score(Correlator::Lagged, &asked, &metric).unwrap();
        assert_eq!(found.lag, isize::try_from(lag).ok());
        assert!(found.value() > 1.0 - 1e-12);
        assert_eq!(found.sign, Sign::Against);
    }
    let steady: Vec<f64> = (0..120).map(f64::from).collect();
    let line = whole(&steady);
    assert_eq!(score(Correlator::Lagged, &line, &steady).unwrap().lag, Some(0));
}

#[test]
fn the_pattern_that_was_drawn_is_what_counts() {
    let mut asked = whole(&[5.0, 1.0, 4.0, 1.0, 5.0, 2.0]);
    asked.pattern = pattern([(500, 0.0), (3500, 3.0), (5500, 1.0)]);
    let drawn = [0.0, 1.0, 2.0, 3.0, 2.0, 1.0];
    let found = score(Correlator::ManualPattern, &asked, &drawn).unwrap();
    assert!((found.value() - 1.0).abs() < 1e-12 && found.sign == Sign::With);
    asked.pattern = None;
    assert!(prepare(Correlator::ManualPattern, &asked).err().unwrap().0.contains("--pattern"));
    asked.pattern = pattern([(0, 1.0), (10, 1.0)]);
    assert!(prepare(Correlator::ManualPattern, &asked).err().unwrap().0.contains("level"));
}

#[test]
fn what_does_not_change_or_is_hardly_seen_has_no_score() {
    let target: Vec<f64> = (0..40).map(|n| f64::from(n % 7) + f64::from(n) * 0.1).collect();
    let asked = whole(&target);
    for correlator in SHAPES {
        let judge = prepare(correlator, &asked).unwrap();
        for level in [0.0, -0.0, 3.7, 1e300, 5e-324] {
            assert_eq!(
                judge.judge(&Sequence::from(vec![level; 40])),
                None,
                "{correlator}, {level}"
            );
        }
        let mut few = vec![None; 40];
        (few[3], few[20]) = (Some(1.0), Some(2.0));
        assert_eq!(judge.judge(&Sequence::new(&few)), None, "{correlator}");
        assert_eq!(judge.judge(&Sequence::new(&[None; 40])), None, "{correlator}");
        // Shorter than the grid: what is missing was not seen.
        assert!(judge.judge(&Sequence::from(target[..30].to_vec())).is_some(), "{correlator}");
        assert_eq!(judge.judge(&Sequence::from(vec![])), None, "{correlator}");
        if correlator != Correlator::ManualPattern {
            let flat = whole(&[2.0; 40]);
            let why = prepare(correlator, &flat).err().unwrap().0;
            assert!(why.contains("does not change"), "{correlator}: {why}");
        }
        let short = question(vec![Some(1.0), None, Some(2.0), None], vec![0..2], 2);
        assert!(prepare(correlator, &short).is_err(), "{correlator}");
    }
    assert!(prepare(Correlator::Baro, &asked).is_err());
}

#[test]
fn a_metric_without_cuts_is_far_from_a_target_with_some() {
    let target: Vec<f64> = (0..40).map(|n| if n < 20 { 0.0 } else { 5.0 }).collect();
    let line: Vec<f64> = (0..40).map(f64::from).collect();
    let later: Vec<f64> = (0..40).map(|n| if n < 23 { 9.0 } else { 1.0 }).collect();
    assert_eq!(value(Correlator::BestSplits, &target, &target), f64::INFINITY);
    let found = score(Correlator::BestSplits, &whole(&target), &later).unwrap();
    assert!((found.value() - 1.0 / 3.0).abs() < 1e-12 && found.sign == Sign::Against);
    assert!((value(Correlator::BestSplits, &target, &line) - 1.0 / 40.0).abs() < 1e-12);
}

/// A target and a metric, with gaps.
fn rows() -> impl Strategy<Value = (Vec<f64>, Vec<Option<f64>>)> {
    let value = prop_oneof![8 => -1.0..1.0_f64, 1 => Just(0.5), 1 => -9.0..9.0_f64];
    let seen = prop_oneof![9 => Just(true), 1 => Just(false)];
    let row = (value.clone(), value, seen);
    prop::collection::vec(row, 24..90).prop_map(|rows| {
        rows.into_iter().map(|(target, metric, seen)| (target, seen.then_some(metric))).unzip()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_unit_of_a_metric_does_not_matter(
        (target, metric) in rows(),
        factor in prop_oneof![Just(1e-300), Just(1e300), Just(5e-310), 0.001..1000.0_f64],
        offset in -3.0..3.0_f64,
        segments in 2..5_usize,
    ) {
        let count = target.len();
        let target: Vec<Option<f64>> = target.into_iter().map(Some).collect();
        let asked = question(target, vec![1..count / 2 - 1, count / 2 + 1..count], segments);
        let plain = Sequence::new(&metric);
        // Subnormal numbers have fewer digits.
        let tolerance = if factor < 1e-305 { 1e-2 } else { 1e-9 };
        let map = |factor: f64| {
            Sequence::new(&metric.iter().map(|m| m.map(|m| m * factor + offset * factor)).collect::<Vec<_>>())
        };
        for correlator in SHAPES {
            let Ok(judge) = prepare(correlator, &asked) else { continue };
            let (Some(plain), Some(mapped), Some(mirrored)) =
                (judge.judge(&plain), judge.judge(&map(factor)), judge.judge(&map(-factor))) else {
                prop_assert_eq!(judge.judge(&plain), None);
                continue;
            };
            let near = |found: Score| {
                found.value() == plain.value()
                    || (found.value() - plain.value()).abs() <= tolerance * plain.value().abs().max(1.0)
            };
            if factor > 1e-305 || correlator == Correlator::Pearson {
                prop_assert!(near(mapped), "{}: {:?} and {:?}", correlator, plain, mapped);
                prop_assert!(near(mirrored), "{}: {:?} and {:?}", correlator, plain, mirrored);
            }
            if factor > 1e-305 && plain.value() > 1e-6 {
                prop_assert_eq!(mapped.sign, plain.sign, "{}", correlator);
                let opposite = match plain.sign {
                    Sign::With => Sign::Against,
                    Sign::Against => Sign::With,
                    Sign::Unsaid => Sign::Unsaid,
                };
                prop_assert_eq!(mirrored.sign, opposite, "{}", correlator);
                prop_assert_eq!(mapped.lag, plain.lag);
            }
        }
    }

    #[test]
    fn scores_stay_within_their_bounds((target, metric) in rows()) {
        let count = target.len();
        let target: Vec<Option<f64>> = target.into_iter().map(Some).collect();
        let asked = question(target.clone(), vec![0..count], 3);
        let metric = Sequence::new(&metric);
        let of = |correlator| prepare(correlator, &asked).ok().and_then(|judge| judge.judge(&metric));
        for correlator in SHAPES {
            let Some(found) = of(correlator) else { continue };
            let most = match correlator {
                Correlator::Euclidean | Correlator::Manhattan | Correlator::Warping | Correlator::BestSplits => f64::INFINITY,
                _ => 1.0,
            };
            prop_assert!((0.0..=most).contains(&found.value()), "{}: {:?}", correlator, found);
        }
        let value = |correlator| of(correlator).map(|score| score.value());
        if let (Some(r), Some(euclidean)) = (value(Correlator::Pearson), value(Correlator::Euclidean)) {
            // d^2 = 2N(1 - |r|), here per row.
            prop_assert!((euclidean.powi(-2) - 2.0 * (1.0 - r)).abs() < 1e-12);
            prop_assert!(value(Correlator::Lagged).unwrap() >= r - 1e-9);
            // Warping may not warp.
            prop_assert!(value(Correlator::Warping).unwrap() >= value(Correlator::Manhattan).unwrap() * (1.0 - 1e-12));
        }
    }

    #[test]
    fn hostile_numbers_do_no_harm(
        target in prop::collection::vec(hostile(), 3..40),
        metric in prop::collection::vec(hostile(), 40),
    ) {
        let count = target.len();
        let target = target.into_iter().map(Some).collect();
        let asked = question(target, vec![0..count], 3);
        let metric = Sequence::from(metric[..count].to_vec());
        for correlator in SHAPES {
            if let Ok(judge) = prepare(correlator, &asked) {
                let found = judge.judge(&metric);
                prop_assert!(found.is_none_or(|score| score.value() >= 0.0), "{}: {:?}", correlator, found);
            }
        }
    }
}

fn hostile() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(f64::MAX),
        Just(f64::MIN),
        Just(5e-324),
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(1e300),
        any::<f64>(),
        -1.0..1.0_f64,
    ]
}
