//! Levels, steps and slopes, by hand and against every possibility.

use super::*;

fn jitter(row: usize) -> f64 {
    ((row * 7919 + row * row * 104_729) % 1009) as f64 / 1009.0 - 0.5
}

fn series(rows: usize, shape: impl Fn(usize) -> f64) -> Vec<f64> {
    (0..rows).map(|row| shape(row) + jitter(row)).collect()
}

#[test]
fn the_best_step_is_the_best_of_all() {
    let values = series(50, |row| if row < 31 { 0.0 } else { 1.0 });
    let sums = Sums::of(&values);
    for region in [0..50, 10..45, 28..36, 29..35] {
        let left = |split: usize| {
            sums.left_by_level(&(region.start..split)) + sums.left_by_level(&(split..region.end))
        };
        let all = region.start + 3..=region.end - 3;
        let best = all.clone().map(left).fold(f64::INFINITY, f64::min);
        let (found, split) = best_step(&sums, &region).unwrap();
        assert!((found - best).abs() < 1e-12 && all.contains(&split), "{region:?}: {split}");
    }
    // Three values on either side, or there is no step.
    assert_eq!(best_step(&sums, &(0..6)).unwrap().1, 3);
    assert!(best_step(&sums, &(0..5)).is_none());
}

#[test]
fn a_piece_is_a_level_or_a_line() {
    let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let sums = Sums::of(&values);
    let slope = Piece::new(&values, &sums, 2..6, true);
    // From half a value before the first to half a value after the last.
    assert!((slope.from - 2.5).abs() < 1e-12 && (slope.to - 6.5).abs() < 1e-12);
    assert_eq!(Noise::of(&slope.products, 0).variance, 0.0, "nothing is left");
    let mut level = Piece::new(&values, &sums, 2..6, false);
    assert_eq!((level.from, level.to, level.slopes, level.strength), (4.5, 4.5, false, 0.0));
    assert_eq!(Noise::of(&level.products, 0).variance, 5.0 / 4.0);
    level.join(&Piece::new(&values, &sums, 6..8, false));
    assert_eq!(level.range, 2..8);
    assert_eq!((level.from, level.to), (5.5, 5.5), "4.5 of four values, 7.5 of two");
}

#[test]
fn a_slope_is_found_where_it_is() {
    for (start, end) in [(60, 140), (20, 44), (100, 190)] {
        let up = |row: usize| 20.0 * (row.clamp(start, end) - start) as f64 / (end - start) as f64;
        let values = series(200, up);
        let sums = Sums::of(&values);
        let (left, slope) = best_slope(&sums, &(0..200)).unwrap();
        assert!(slope.start.abs_diff(start) <= 3 && slope.end.abs_diff(end) <= 3, "{slope:?}");
        let parts = sums.left_by_level(&(0..slope.start))
            + sums.line(&slope).left
            + sums.left_by_level(&(slope.end..200));
        assert!((left - parts).abs() < 1e-9);
    }
    let values: Vec<f64> = (0..40).map(f64::from).collect();
    let sums = Sums::of(&values);
    assert_eq!(best_slope(&sums, &(0..40)).unwrap().1, 0..40);
    assert!(best_slope(&sums, &(3..10)).is_none());
    assert!(best_slope(&sums, &(3..11)).is_some());
    // A slope that does not lead from one level to the other is a step.
    let jump = series(60, |row| if row < 30 { 0.0 } else { 100.0 - row as f64 });
    let sums = Sums::of(&jump);
    let found = best_slope(&sums, &(0..60));
    assert!(found.is_none_or(|(left, _)| left > sums.left_by_level(&(30..60))));
}

#[test]
fn strengths_are_standard_errors_over_what_is_believed() {
    // 100 values around 0, 100 around h: the noise alternates, so that it does not depend on itself.
    let around = |row: usize| if row.is_multiple_of(2) { 0.1 } else { -0.1 };
    let values: Vec<f64> =
        (0..200).map(|row| around(row) + if row < 100 { 0.0 } else { 0.5 }).collect();
    let sums = Sums::of(&values);
    let levels = [0..100, 100..200].map(|range| Piece::new(&values, &sums, range, false));
    let found = strengths(&levels);
    let variance = 0.01 / (1.0 - 2.0 / 200.0);
    let error = (2.0 * variance / 100.0_f64).sqrt();
    let caution = 1.0 + 10.0 / 200.0;
    let expected = 0.5 / error / (caution * 5.5);
    assert_eq!(found[0], None);
    assert!((found[1].unwrap() - expected).abs() < 1e-9 * expected, "{found:?} {expected}");
    // A line from 0 to h has 12 times the variance of a mean in its rise.
    let values: Vec<f64> = (0..200).map(|row| around(row) + 0.05 * row as f64).collect();
    let sums = Sums::of(&values);
    let slope = Piece::new(&values, &sums, 0..200, true);
    let noise = Noise::of(&slope.products, 2);
    let expected =
        (slope.to - slope.from) / (12.0 * noise.variance / 200.0).sqrt() / (caution * 5.5);
    let found = strengths(std::slice::from_ref(&slope));
    assert!((found[0].unwrap() - expected).abs() < 1e-9 * expected, "{found:?} {expected}");
    // A level after a slope is no step.
    let after = Piece::new(&values, &sums, 150..200, false);
    assert_eq!(strengths(&[slope, after])[1], None);
    assert_eq!((ratio(0.0, 0.0), ratio(1.0, 0.0), ratio(-3.0, 4.0)), (0.0, STRONGEST, 1.5));
}

#[test]
fn pieces_are_what_was_put_in() {
    let kinds = |values: &[f64]| -> Vec<(Range<usize>, bool)> {
        find(values).into_iter().map(|piece| (piece.range, piece.slopes)).collect()
    };
    assert_eq!(kinds(&series(300, |_| 0.0)), [(0..300, false)]);
    let two = series(300, |row| {
        if row < 100 {
            0.0
        } else if row < 200 {
            3.0
        } else {
            7.0
        }
    });
    assert_eq!(kinds(&two), [(0..100, false), (100..200, false), (200..300, false)]);
    let found = find(&two);
    assert_eq!(found[0].strength, 0.0);
    assert!(found[1].strength >= 1.0 && (found[1].to - 3.0).abs() < 0.1);
    let down = series(300, |row| -0.1 * (row.clamp(100, 200) as f64));
    let found = kinds(&down);
    let slopes: Vec<bool> = found.iter().map(|(_, slopes)| *slopes).collect();
    assert_eq!(slopes, [false, true, false], "{found:?}");
    assert!(found[1].0.start.abs_diff(100) <= 5 && found[1].0.end.abs_diff(200) <= 5, "{found:?}");
    // A gentle slope, whose stairs are too low to be steps, is one piece.
    assert_eq!(kinds(&series(100, |row| 0.012 * row as f64)), [(0..100, true)]);
    // Up, and down again.
    let tent = series(300, |row| 0.1 * (150.0 - (150.0 - row as f64).abs()));
    let slopes: Vec<Piece> = find(&tent).into_iter().filter(|piece| piece.slopes).collect();
    let [up, down] = slopes.as_slice() else { unreachable!("{slopes:?}") };
    assert!(up.to - up.from > 14.0 && down.to - down.from < -13.0, "{slopes:?}");
    assert!(up.range.end.abs_diff(150) <= 5 && down.range.start.abs_diff(150) <= 6, "{slopes:?}");
}
