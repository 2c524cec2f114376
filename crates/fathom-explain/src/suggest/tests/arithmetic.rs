//! What suggestions are computed from, against the plain definitions.

use super::*;
use crate::suggest::excursions::Excursion;
use crate::suggest::noise::{Noise, Products};
use crate::suggest::sums::Sums;

fn close(one: f64, two: f64) -> bool {
    (one - two).abs() <= 1e-9 * (1.0 + one.abs().max(two.abs()))
}

/// The values of a stretch, its mean, and what that leaves.
fn by_definition(values: &[f64], range: &Range<usize>) -> (f64, f64) {
    let part = &values[range.clone()];
    let mean = part.iter().sum::<f64>() / part.len().max(1) as f64;
    (mean, part.iter().map(|value| (value - mean).powi(2)).sum())
}

#[test]
fn means_levels_and_lines_are_those_of_the_definition() {
    let values = series(40, 21, |row| 0.3 * row as f64);
    let sums = Sums::of(&values);
    for range in [0..1, 0..2, 0..3, 0..40, 5..8, 5..31, 37..40, 12..12] {
        let (mean, left) = by_definition(&values, &range);
        assert!(close(sums.mean(&range), mean), "{range:?}");
        assert!(close(sums.left_by_level(&range), left), "{range:?}");
        let line = sums.line(&range);
        assert!(close(line.middle, mean), "{range:?}");
        if range.len() < 3 {
            assert_eq!((line.slope, line.left), (0.0, sums.left_by_level(&range)));
            continue;
        }
        let centre = range.clone().map(|row| row as f64).sum::<f64>() / range.len() as f64;
        let along: f64 =
            range.clone().map(|row| (row as f64 - centre) * (values[row] - mean)).sum();
        let spread: f64 = range.clone().map(|row| (row as f64 - centre).powi(2)).sum();
        let slope = along / spread;
        assert!(close(line.slope, slope), "{range:?}");
        let misses = range.clone().map(|row| values[row] - mean - slope * (row as f64 - centre));
        assert!(close(line.left, misses.map(|miss| miss * miss).sum()), "{range:?}");
    }
}

#[test]
fn a_mean_begins_and_ends_within_values() {
    let sums = Sums::of(&[2.0, 4.0, 8.0, 16.0]);
    assert!(close(sums.mean_between(0.0, 4.0), sums.mean(&(0..4))));
    assert!(close(sums.mean_between(1.0, 3.0), 6.0));
    assert!(close(sums.mean_between(0.5, 3.25), (1.0 + 4.0 + 8.0 + 4.0) / 2.75));
    assert!(close(sums.mean_between(1.25, 1.75), 4.0));
    assert_eq!((sums.mean_between(2.0, 2.0), sums.mean_between(3.0, 1.0)), (0.0, 0.0));
}

#[test]
fn products_are_of_neighbours_and_add_up() {
    let one = Products::of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let two = Products::of(&[2.0, -1.0]);
    let noise = |products: &Products| Noise::of(products, 0);
    // The mean of the squares: 91 of 6, 5 of 2, 96 of 8.
    assert!(close(noise(&one).variance, 91.0 / 6.0));
    assert!(close(noise(&two).variance, 2.5));
    let both = one.and(&two);
    assert_eq!((one.count(), two.count(), both.count()), (6, 2, 8));
    assert!(close(noise(&both).variance, 12.0));
    // So few values tell of immediate neighbours alone: 70 − 2 of 96.
    let correlation = 68.0 / 96.0;
    assert!(close(noise(&both).factor, (1.0 + correlation) / (1.0 - correlation)));
}

#[test]
fn noise_of_an_autoregression_has_the_inflation_of_theory() {
    // x = φ x' + e makes the variance of a sum larger by (1 + φ) / (1 − φ).
    for (phi, seed) in [(0.5, 31), (0.8, 32)] {
        let mut x = 0.0;
        let values: Vec<f64> = series(60_000, seed, |_| 0.0)
            .into_iter()
            .map(|step| {
                x = phi * x + step;
                x
            })
            .collect();
        let noise = Noise::of(&Products::of(&values), 1);
        let theory = (1.0 + phi) / (1.0 - phi);
        assert!((noise.factor / theory - 1.0).abs() < 0.1, "{phi}: {}", noise.factor);
        assert!((noise.variance * (1.0 - phi * phi) - 1.0).abs() < 0.1, "{phi}");
        // A mean of one value varies as a value does, that of many by the share of theory.
        assert!(close(noise.of_mean(1), noise.variance));
        assert!(close(noise.of_mean(1000), noise.variance * noise.factor / 1000.0));
        assert!(close(noise.of_mean(0), noise.variance));
    }
    // Without dependence there is none, and what alternates does not count as less than none.
    let plain = series(60_000, 33, |_| 0.0);
    assert!(Noise::of(&Products::of(&plain), 1).factor < 1.1);
    let alternating: Vec<f64> = (0..100).map(|row| if row % 2 == 0 { 1.0 } else { -1.0 }).collect();
    assert!(close(Noise::of(&Products::of(&alternating), 1).factor, 1.0));
    // A walk has no bound.
    let mut sum = 0.0;
    let walk = plain.iter().take(3000).map(|step| {
        sum += step;
        sum
    });
    let walk: Vec<f64> = walk.collect();
    assert!(Noise::of(&Products::of(&walk), 1).factor > 500.0);
    // Nothing at all is no noise.
    let nothing = Noise::of(&Products::of(&[0.0; 50]), 1);
    assert_eq!((nothing.variance, nothing.factor), (0.0, 1.0));
}

#[test]
fn what_a_fit_takes_away_is_given_back() {
    // Of 10 values that do not follow each other a fit of 2 numbers takes a fifth of the squares.
    let values = [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0];
    let noise = Noise::of(&Products::of(&values), 2);
    assert!(close(noise.variance, 1.0 / 0.8), "{noise:?}");
    // At most half is given back.
    let many = Noise::of(&Products::of(&values), 9);
    assert!(close(many.variance, 2.0), "{many:?}");
}

fn excursion(range: Range<usize>, level: f64, reached: f64, strength: f64) -> Excursion {
    Excursion { range, level, reached, strength, is_still: false }
}

#[test]
fn groups_are_of_like_length_depth_and_direction() {
    let first = excursion(100..110, 10.0, 4.0, 9.0);
    let is_alike = |other: Excursion| grouping::alike(vec![first.clone(), other]).len() == 1;
    assert!(is_alike(excursion(0..40, 10.0, 4.0, 2.0)));
    assert!(!is_alike(excursion(0..41, 10.0, 4.0, 2.0)));
    assert!(is_alike(excursion(0..3, 10.0, 4.0, 2.0)));
    assert!(!is_alike(excursion(0..2, 10.0, 4.0, 2.0)));
    assert!(is_alike(excursion(0..10, 10.0, 8.0, 2.0)));
    assert!(!is_alike(excursion(0..10, 10.0, 8.1, 2.0)));
    assert!(is_alike(excursion(0..10, 10.0, -8.0, 2.0)));
    assert!(!is_alike(excursion(0..10, 10.0, -8.1, 2.0)));
    assert!(!is_alike(excursion(0..10, 10.0, 16.0, 2.0)));
    // The strongest comes first, and decides what the others are alike to.
    let groups = grouping::alike(vec![
        excursion(0..10, 10.0, 16.0, 2.0),
        first.clone(),
        excursion(50..60, 10.0, 5.0, 3.0),
    ]);
    let ranges: Vec<Vec<Range<usize>>> =
        groups.iter().map(|group| group.iter().map(|one| one.range.clone()).collect()).collect();
    let second: Vec<Range<usize>> = std::iter::once(0..10).collect();
    assert_eq!(ranges, [vec![50..60, 100..110], second]);
    // What overlaps is one: as deep as the longer of the two.
    let groups = grouping::alike(vec![
        excursion(0..10, 10.0, 5.0, 3.0),
        excursion(8..20, 10.0, 4.0, 2.0),
        excursion(20..30, 10.0, 4.0, 1.0),
    ]);
    let joined = excursion(0..20, 10.0, 4.0, 2.0);
    assert_eq!(groups, [vec![joined, excursion(20..30, 10.0, 4.0, 1.0)]]);
}

#[test]
fn spacing_is_known_of_four_that_are_about_even() {
    let at = |starts: &[usize]| -> Vec<Excursion> {
        starts.iter().map(|&start| excursion(start..start + 4, 1.0, 0.0, 1.0)).collect()
    };
    assert_eq!(grouping::spacing(&at(&[0, 100, 200])), None);
    assert_eq!(grouping::spacing(&at(&[0, 100, 200, 300])), Some(100.0));
    // A standard deviation of up to a fifth of the mean: 80, 120, 80, 120, and 79, 121, 79, 121.
    assert_eq!(grouping::spacing(&at(&[0, 80, 200, 280, 400])), Some(100.0));
    assert_eq!(grouping::spacing(&at(&[0, 79, 200, 279, 400])), None);
    // From middle to middle: these are of different lengths.
    let mut uneven = at(&[0, 100, 200, 300]);
    uneven[3].range = 300..312;
    assert!(close(grouping::spacing(&uneven).unwrap(), (100.0 + 100.0 + 104.0) / 3.0));
}

#[test]
fn points_are_in_a_size_that_squares_fit_in() {
    let of = |values: Vec<f64>| Points::of(&Sequence::from(values)).unwrap();
    let points = of(vec![2.0, 4.0, 8.0, -8.0, 2.0]);
    assert_eq!(points.values(), [0.0, 0.25, 0.75, -1.25, 0.0]);
    for (value, original) in points.values().iter().zip([2.0, 4.0, 8.0, -8.0, 2.0]) {
        assert_eq!(points.original(*value), original);
    }
    assert_eq!(points.original(50.0), 8.0, "never beyond the largest");
    // Ratios count where 5% to 95% span a factor of 20, not below; and only of positive values.
    let spanning =
        |largest: f64| of((0..100).map(|n| if n < 50 { 1.0 } else { largest }).collect());
    let [narrow, wide] = [19.9, 20.1].map(spanning);
    assert!(close(narrow.original(narrow.values()[99]), 19.9));
    assert!(close(wide.original(wide.values()[99]), 20.1));
    assert!(close(wide.values()[99] - wide.values()[0], 1.0), "ln 20.1 over itself");
    assert!(close(narrow.values()[99] - narrow.values()[0], 18.9 / 19.9));
    let mut with_zero: Vec<f64> = (0..100).map(|n| if n < 50 { 1.0 } else { 1e6 }).collect();
    with_zero[0] = 0.0;
    let zero = of(with_zero);
    assert!(close(zero.values()[99] - zero.values()[0], 1.0));
    assert!(close(zero.original(zero.values()[1]), 1.0));
    assert!(Points::of(&Sequence::from(vec![3.0; 5])).is_none());
}

#[test]
fn averages_are_of_whole_parts_and_know_their_rows() {
    let seen: Vec<Option<f64>> =
        (0..12).map(|row| (row != 4).then_some(f64::from(row) + 1.0)).collect();
    let points = Points::of(&Sequence::new(&seen)).unwrap();
    assert_eq!(points.values().len(), 11);
    assert_eq!((points.rows(&(3..5)), points.rows(&(0..11))), (3..6, 0..12));
    let averaged = points.averaged(4.0);
    // Two parts: the last has what is left over.
    assert_eq!(averaged.values().len(), 2);
    assert_eq!((averaged.rows(&(0..1)), averaged.rows(&(1..2))), (0..4, 5..12));
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    assert!(close(averaged.values()[0], mean(&points.values()[..4])));
    assert!(close(averaged.values()[1], mean(&points.values()[4..])));
    assert_eq!(points.averaged_to(11).values(), points.values());
    assert_eq!(points.averaged_to(10).values().len(), 5);
    assert_eq!(points.averaged_to(4).values().len(), 3);
    let levelled = points.without([(2..4, 9.0)].into_iter());
    assert_eq!(levelled.values()[1..5], [points.values()[1], 9.0, 9.0, points.values()[4]]);
}
