//! Lines through points: found where they were planted, and never worse than they must be.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_explain::segment::{Points, Segmentation, automatic_pattern, best, greedy, optimal};
use fathom_explain::{Grid, Sequence};
use fathom_record::Span;
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn grid(rows: usize) -> Grid {
    Grid::even(rows, Span::from_milliseconds(1)).unwrap()
}

fn points(values: &[f64]) -> Points {
    Points::of(&grid(values.len()), &Sequence::from(values.to_vec()), 0..values.len())
}

fn cuts(lines: &Segmentation) -> Vec<usize> {
    lines.cuts().collect()
}

fn noise(random: &mut Xoshiro256PlusPlus) -> f64 {
    (0..12).map(|_| random.next_u64() as f64 / u64::MAX as f64).sum::<f64>() - 6.0
}

/// Lines between heights at given rows, with jumps, and noise.
fn planted(knots: &[usize], height: f64, sigma: f64, seed: u64) -> Vec<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut values = Vec::new();
    for (line, pair) in knots.windows(2).enumerate() {
        let (from, slope) =
            (if line % 2 == 0 { 0.0 } else { height }, if line % 3 == 0 { 0.02 } else { -0.01 });
        values.extend(
            (pair[0]..pair[1])
                .map(|row| from + slope * (row - pair[0]) as f64 + sigma * noise(&mut random)),
        );
    }
    values
}

#[test]
fn planted_lines_are_found() {
    for seed in 0..20 {
        let knots = [0, 40, 95, 130, 200];
        let values = planted(&knots, 10.0, 0.5, seed);
        let points = points(&values);
        // BIC now and then adds a line for the noise, and loses none.
        let found = cuts(&best(&points).unwrap());
        assert!(knots[1..4].iter().all(|knot| found.contains(knot)), "seed {seed}: {found:?}");
        assert!(found.len() <= 5, "seed {seed}: {found:?}");
        assert_eq!(cuts(&optimal(&points, 4, 3)), knots[1..4], "seed {seed}");
    }
}

#[test]
fn perfect_lines_are_not_cut_further() {
    let knots = [0, 12, 31, 50];
    let values = planted(&knots, 5.0, 0.0, 0);
    let points = points(&values);
    assert_eq!(cuts(&best(&points).unwrap()), [12, 31]);
    assert_eq!(cuts(&optimal(&points, 9, 2)), [12, 31]);
    assert_eq!(cuts(&greedy(&points, 9, 2)).len(), cuts(&greedy(&points, 40, 2)).len());
    assert!(optimal(&points, 3, 2).unexplained < 1e-15);
    let fitted = optimal(&points, 3, 2).fitted(&points);
    assert!(fitted.iter().zip(&values).all(|(fit, value)| (fit - value).abs() < 1e-12));
}

#[test]
fn what_does_not_change_is_one_line() {
    for level in [0.0, 0.1, -7e300] {
        let points = points(&[level; 60]);
        for lines in [greedy(&points, 5, 1), optimal(&points, 5, 1), best(&points).unwrap()] {
            assert_eq!((lines.lines.len(), lines.unexplained), (1, 0.0));
            assert_eq!(lines.lines[0].at(0.02), level);
        }
    }
    let empty = Points::of(&grid(5), &Sequence::from(vec![1.0; 5]), 3..3);
    assert!(greedy(&empty, 3, 2).lines.is_empty() && best(&empty).is_none());
    assert_eq!(optimal(&points(&[1.0]), 3, 2).lines.len(), 1);
    assert!(best(&points(&[1.0; 19])).is_none());
}

#[test]
fn of_equals_the_earliest_is_taken() {
    // Two steps of the same height: the first cut could be either.
    let values: Vec<f64> =
        (0..90).map(|row| if (30..60).contains(&row) { 1.0 } else { 0.0 }).collect();
    let mirrored: Vec<f64> = values.iter().map(|value| 0.3 - 0.7 * value).collect();
    for values in [values, mirrored] {
        let points = points(&values);
        assert_eq!(cuts(&optimal(&points, 2, 2)), [30]);
        assert_eq!(cuts(&greedy(&points, 2, 2)), [30]);
    }
}

#[test]
fn gaps_are_no_points() {
    let mut rows: Vec<Option<f64>> =
        planted(&[0, 30, 60], 9.0, 0.1, 3).into_iter().map(Some).collect();
    for row in [4, 29, 30, 31, 50] {
        rows[row] = None;
    }
    let points = Points::of(&grid(60), &Sequence::new(&rows), 0..60);
    assert_eq!(points.len(), 55);
    let lines = best(&points).unwrap();
    let first: Vec<usize> = lines.cuts().map(|cut| points.rows()[cut]).collect();
    assert!(first.contains(&32), "{first:?}");
    let pattern = automatic_pattern(&grid(60), &Sequence::new(&rows), 0..60);
    assert_eq!(pattern.len(), 60);
    assert!(pattern[29] < 2.0 && pattern[31] > 7.0, "{pattern:?}");
}

#[test]
fn a_pattern_sees_through_spikes() {
    let mut values = planted(&[0, 50, 100], 4.0, 0.2, 9);
    let plain = automatic_pattern(&grid(100), &Sequence::from(values.clone()), 0..100);
    values[20] += 500.0;
    let spiked = automatic_pattern(&grid(100), &Sequence::from(values.clone()), 0..100);
    assert!(plain.iter().zip(&spiked).all(|(plain, spiked)| (plain - spiked).abs() < 0.2));
    // Too few rows for lines are themselves.
    assert_eq!(
        automatic_pattern(&grid(100), &Sequence::from(values.clone()), 5..20),
        values[5..20]
    );
    assert!(automatic_pattern(&grid(100), &Sequence::from(values), 100..100).is_empty());
}

/// Beyond 500 points not every cut is tried: what that loses.
#[test]
fn long_windows_lose_next_to_nothing() {
    for seed in 0..4 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut at = 0.0;
        let walk: Vec<f64> = (0..1400)
            .map(|row| {
                at += 0.2 * noise(&mut random);
                at + if (300..900).contains(&row) { 3.0 } else { 0.0 } + 0.3 * noise(&mut random)
            })
            .collect();
        let long = points(&walk);
        for most in [2, 3, 5, 8] {
            let found = optimal(&long, most, 28).unexplained;
            let exact = least_error(&walk, most, 28);
            assert!(
                found >= exact - 1e-9 && found <= exact * 1.005,
                "seed {seed}, {most}: {found}, {exact}"
            );
        }
    }
}

/// The least error of exactly this many lines, as a share, by running sums.
fn least_error(values: &[f64], most: usize, shortest: usize) -> f64 {
    let count = values.len();
    let mean = values.iter().sum::<f64>() / count as f64;
    let mut sums = vec![[0.0; 5]];
    for (row, value) in values.iter().enumerate() {
        let (t, x) = (row as f64 - count as f64 / 2.0, value - mean);
        let last = sums[row];
        sums.push([last[0] + t, last[1] + x, last[2] + t * t, last[3] + t * x, last[4] + x * x]);
    }
    let error = |from: usize, to: usize| {
        let n = (to - from) as f64;
        let [t, x, tt, tx, xx] = std::array::from_fn(|which| sums[to][which] - sums[from][which]);
        let (tt, tx, xx) = (tt - t * t / n, tx - t * x / n, xx - x * x / n);
        if n <= 2.0 { 0.0 } else { xx - tx * tx / tt }
    };
    let mut least = vec![f64::INFINITY; count + 1];
    least[0] = 0.0;
    for _ in 0..most {
        let mut next = vec![f64::INFINITY; count + 1];
        for (to, next) in next.iter_mut().enumerate().skip(shortest) {
            let ways = least.iter().enumerate().take(to - shortest + 1);
            let ways = ways.filter(|(_, before)| before.is_finite());
            *next = ways.map(|(from, before)| before + error(from, to)).fold(*next, f64::min);
        }
        least = next;
    }
    least[count] / error_about_the_mean(values)
}

fn error_about_the_mean(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean) * (value - mean)).sum()
}

proptest! {
    #[test]
    fn nothing_beats_the_optimum(values in prop::collection::vec(-5.0..5.0_f64, 6..16), shortest in 1..4_usize) {
        let points = points(&values);
        let count = values.len();
        let found = optimal(&points, 3, shortest);
        let lengths = found.lines.iter().map(|line| line.points.len());
        prop_assert!(lengths.min().unwrap() >= shortest.min(count));
        // Every way to cut into three, and with b = c into two, and with a = c into one.
        let error = |from: usize, to: usize| if from == to { 0.0 } else { least_error(&values[from..to], 1, 1) * error_about_the_mean(&values[from..to]) };
        let whole = error_about_the_mean(&values);
        for first in (0..=count).filter(|&at| at == 0 || at >= shortest) {
            for second in (first..=count).filter(|&at| at == first || at - first >= shortest) {
                if second != count && count - second < shortest {
                    continue;
                }
                let share = (error(0, first) + error(first, second) + error(second, count)) / whole;
                prop_assert!(share.is_nan() || found.unexplained <= share + 1e-9, "{:?} against {}, {}: {}", found, first, second, share);
            }
        }
        for most in 1..6 {
            let top_down = greedy(&points, most, shortest);
            prop_assert!(top_down.lines.len() <= most);
            prop_assert!(top_down.unexplained >= optimal(&points, most, shortest).unexplained - 1e-12);
        }
    }
}
