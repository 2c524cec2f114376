//! Stretches, by hand.

use super::*;

#[test]
fn a_bump_is_the_middle_of_three_means_on_either_side() {
    // Three thirds of two values before, one value, three thirds after.
    let values = [1.0, 3.0, 9.0, 9.0, 4.0, 4.0, 20.0, 6.0, 6.0, 1.0, 1.0, 7.0, 9.0];
    let bump = Bump::direct(&values, 6, 1).unwrap();
    assert_eq!((bump.before, bump.within, bump.after), (4.0, 20.0, 6.0));
    assert_eq!((bump.signed(), bump.height(), bump.level()), (14.0, 14.0, 5.0));
    let by_sums = Bump::at(&Sums::of(&values), values.len(), 6, 1).unwrap();
    assert_eq!((by_sums.before, by_sums.within, by_sums.after), (4.0, 20.0, 6.0));
    let of = |before: f64, within: f64, after: f64| Bump { before, within, after }.signed();
    assert_eq!(of(5.0, 1.0, 3.0), -2.0, "the smaller difference of two that agree");
    assert_eq!(of(3.0, 1.0, 5.0), -2.0);
    assert_eq!((of(1.0, 3.0, 5.0), of(1.0, 1.0, 0.0)), (0.0, 0.0), "a slope is no bump");
    // Context needs as many values as the stretch has, and three.
    let context = |start, length| Bump::context(40, start, length);
    assert_eq!(context(10, 1), Some((4..10, 11..17)));
    assert_eq!(context(10, 4), Some((0..10, 14..26)));
    assert_eq!(context(3, 1), Some((0..3, 4..10)));
    assert_eq!(context(2, 1), None);
    assert_eq!(context(4, 5), None);
    assert_eq!(context(36, 1), Some((30..36, 37..40)));
    assert_eq!(context(37, 1), None);
    assert_eq!(context(32, 4), Some((20..32, 36..40)));
    assert_eq!(context(33, 4), None);
}

#[test]
fn the_usual_spread_is_robust_and_has_a_floor() {
    // Median 3, absolute deviations 2 1 0 1 97: their median is 1.
    assert_eq!(spread(vec![1.0, 2.0, 3.0, 4.0, 3.0]), 1.0 / 0.674_49);
    // Mostly nothing: a tenth of the root mean square.
    assert!((spread(vec![0.0, 0.0, 0.0, 0.0, 10.0]) - 0.1 * 20_f64.sqrt()).abs() < 1e-12);
    assert_eq!(spread(Vec::new()), 0.0);
    for (fit, expected) in [(1.0, 31.4), (20.0, 1.4 + 2.447_746_830_680_8 + 1.5)] {
        assert!((least(fit) - expected).abs() < 1e-9, "{fit}: {}", least(fit));
    }
    assert!((least(0.5) - 61.4).abs() < 1e-9);
}

/// The largest sum of every stretch there is.
fn largest_of_all(values: &[f64], around: &Range<usize>) -> f64 {
    let mut best = 0.0_f64;
    for start in around.clone() {
        for end in start + 1..=around.end {
            best = best.max(values[start..end].iter().map(|value| value - 0.4).sum());
        }
    }
    best
}

#[test]
fn the_largest_sum_is_that_of_all_stretches() {
    let values: Vec<f64> =
        (0..40_u32).map(|row| f64::from((row * row * 7 + 3) % 11) / 10.0).collect();
    for around in [0..40, 5..30, 12..13, 7..7] {
        let range = largest_sum(&values, &around, |value| value - 0.4);
        let sum: f64 = values[range.clone()].iter().map(|value| value - 0.4).sum();
        assert!((sum - largest_of_all(&values, &around)).abs() < 1e-12, "{around:?}: {range:?}");
        assert!(range.is_empty() || (range.start >= around.start && range.end <= around.end));
    }
    assert_eq!(largest_sum(&[0.0, 0.1], &(0..2), |value| value - 0.4), 0..0);
    // The first of equal ones, without what adds nothing.
    assert_eq!(
        largest_sum(&[0.0, 1.4, 0.4, 0.0, 0.0, 0.0, 1.4], &(0..7), |value| value - 0.4),
        1..2
    );
}

/// A scale with known heights, into which `fit` stretches of one value fit.
fn scale(heights: &[f64], fit: f64) -> Scale {
    Scale { length: 1, stride: 1, heights: heights.to_vec(), spread: 1.0, fit }
}

#[test]
fn peaks_are_highest_around_and_set_apart() {
    let heights = [0.0, -9.0, 0.0, 2.0, 2.0, 0.0, 20.0, 19.0, 0.0];
    let peaks = scale(&heights, 24.0).peaks();
    assert_eq!(peaks, [(1, 9.0), (3, 2.0), (4, 2.0), (6, 20.0)]);
    let wide = Scale { length: 3, ..scale(&heights, 24.0) };
    assert_eq!(wide.peaks(), [(1, 9.0), (6, 20.0)]);
    let apart = |heights: &[f64], fit: f64| {
        let peaks: Vec<(usize, f64)> = heights.iter().copied().enumerate().collect();
        scale(heights, fit).apart(&peaks)
    };
    // The least height that is believed of 24 stretches is 1.4 + 2.52 + 1.25.
    let limit = scale(&[], 24.0).limit();
    assert!((limit - 5.171_06).abs() < 1e-4, "{limit}");
    // One alone has to be 2.5 times the next, the last of several 1.8 times.
    assert_eq!(apart(&[12.8, 5.1], 24.0), 12.8);
    assert_eq!(apart(&[12.7, 5.1], 24.0), f64::INFINITY);
    assert_eq!(apart(&[20.0, 9.2, 5.1], 24.0), 9.2);
    assert_eq!(apart(&[20.0, 9.1, 5.1], 24.0), f64::INFINITY);
    assert_eq!(apart(&[23.0, 9.1, 5.1], 24.0), 23.0);
    assert_eq!(apart(&[20.0, 8.0], 24.0), 8.0, "there is nothing lower");
    // At most a sixth of the stretches are excursions.
    assert_eq!(apart(&[20.0, 18.0, 17.0, 16.0, 2.0], 24.0), 16.0);
    assert_eq!(apart(&[20.0, 18.0, 17.0, 16.0, 15.0, 2.0], 24.0), f64::INFINITY);
    assert_eq!(apart(&[5.0, 1.0], 24.0), f64::INFINITY, "below what is believed");
    assert_eq!(apart(&[], 24.0), f64::INFINITY);
    // Longer stretches need less: half as far for four values.
    let four = Scale { length: 4, ..scale(&[], 24.0) };
    assert_eq!(four.apart(&[(0, 8.75), (1, 5.0)]), 8.75);
    assert_eq!(four.apart(&[(0, 8.7), (1, 5.0)]), f64::INFINITY);
}

#[test]
fn extreme_single_values_are_pulled_in() {
    let mut series = [10.0, 20.0, 30.0, 40.0];
    scale(&[4.0, 9.0, -9.0, -4.0], 4.0).clip_single(&mut series);
    assert_eq!(series, [10.0, 15.0, 35.0, 40.0]);
}

#[test]
fn candidates_say_where_they_are_and_how_strong() {
    let strided = Scale { length: 8, stride: 2, ..scale(&[0.0, 0.0, 0.0, -40.0, 0.0], 24.0) };
    let found = strided.candidates();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].start, found[0].length), (6, 8));
    assert!((found[0].strength - 40.0 / strided.limit()).abs() < 1e-12);
    assert!(Scale { spread: 0.0, ..strided }.candidates().is_empty());
}

#[test]
fn what_is_found_has_its_edges_its_level_and_its_strength() {
    let mut values: Vec<f64> = (0..240_u32).map(|row| f64::from((row * 37) % 11) / 11.0).collect();
    values[100..108].iter_mut().for_each(|value| *value -= 30.0);
    values[160] += 40.0;
    let found = find(&values);
    let ranges: Vec<Range<usize>> = found.iter().map(|one| one.range.clone()).collect();
    assert_eq!(ranges, [100..108, 160..161]);
    assert!((found[0].level - 0.45).abs() < 0.2 && (found[0].depth() + 30.0).abs() < 0.3);
    assert!((found[1].depth() - 40.0).abs() < 0.8 && found[0].strength > 3.0);
    let mean = values[100..108].iter().sum::<f64>() / 8.0;
    assert!((found[0].reached - mean).abs() < 1e-12);
    // More than a quarter of all rows is how the series is.
    let teeth = |width: usize| -> Vec<f64> {
        let tooth = |row: usize| if row % 60 < width { 30.0 } else { 0.0 };
        (0..960_usize).map(|row| tooth(row) + ((row * 37) % 11) as f64 / 11.0).collect()
    };
    assert_eq!(find(&teeth(14)).len(), 15, "all but the first, which has nothing before it");
    assert!(find(&teeth(20)).is_empty());
}
