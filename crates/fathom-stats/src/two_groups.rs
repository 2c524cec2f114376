//! Which of many measures differ between two groups of runs by more than chance.
//!
//! Each run gives a number for each measure. If the groups do not differ, every way to divide the runs
//! into groups of these sizes was equally likely, for all measures at once. So the measures may depend
//! on each other in any way: the distribution of the largest difference among them is known exactly, by
//! dividing the runs again. The method's page is `docs/methods/contrast.md`.

mod labellings;
mod measure;

use labellings::Labellings;
use measure::Measure;

/// Statistics that differ by no more than this share are equal: sums in another order round
/// differently.
const ROUNDING: f64 = 1e-9;

/// What two groups of runs show about many measures.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupDifferences {
    /// The measures, in the order in which they were given.
    pub measures: Vec<GroupDifference>,
    /// How many ways to divide the runs were compared.
    pub divisions: usize,
    /// Whether these are all there are. Otherwise they were drawn.
    pub are_all: bool,
}

/// What two groups of runs show about one measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupDifference {
    /// How far the groups are apart: Student's t on the scale of a standard normal variable, not
    /// negative. 0 if that cannot be known: one group has no number, there are fewer than three
    /// numbers, or all are equal.
    pub separation: f64,
    /// How often this measure alone is as far apart by chance.
    pub p_value: f64,
    /// The same for the family: how often chance takes any measure as far that differs no more than
    /// this one. The probability of any false claim among all measures with a value of at most α is at
    /// most α.
    pub family_p_value: f64,
}

/// Compares two groups of runs. `is_second` says for each run whether it is in the second group; each
/// measure has a number for each run, or none. Above 10,000 ways to divide the runs, as many are drawn;
/// `seed` decides which.
///
/// ```
/// use fathom_stats::two_groups::compare;
/// let is_second = [false, false, false, false, true, true, true, true];
/// let slower = [1.0, 1.2, 1.1, 0.9, 2.0, 2.1, 2.2, 1.9].map(Some).to_vec();
/// let same = [5.0, 6.0, 5.5, 6.5, 5.2, 6.2, 5.7, 6.1].map(Some).to_vec();
/// let found = compare(&is_second, &[slower, same], 0);
/// // The only one of 35 pairs of groups that takes a measure so far apart.
/// assert_eq!((found.divisions, found.are_all), (35, true));
/// assert_eq!(found.measures[0].family_p_value, 1.0 / 35.0);
/// assert!(found.measures[1].family_p_value > 0.5);
/// ```
#[must_use]
pub fn compare(is_second: &[bool], measures: &[Vec<Option<f64>>], seed: u64) -> GroupDifferences {
    let labellings = Labellings::new(is_second, seed);
    let measures: Vec<Measure> =
        measures.iter().map(|values| Measure::new(values, is_second.len())).collect();
    let observed: Vec<f64> =
        measures.iter().map(|one| one.separation(labellings.observed())).collect();
    // The largest first: each is compared with the largest of those that differ no more than it.
    let mut order: Vec<usize> = (0..measures.len()).collect();
    order.sort_by(|&a, &b| observed[b].total_cmp(&observed[a]));
    let least: Vec<f64> = observed.iter().map(|one| one * (1.0 - ROUNDING)).collect();
    let mut alone = vec![0_usize; measures.len()];
    let mut family = vec![0_usize; measures.len()];
    labellings.for_each(|chosen| {
        let mut largest = 0.0_f64;
        for &number in order.iter().rev() {
            let separation = measures[number].separation(chosen);
            largest = largest.max(separation);
            alone[number] += usize::from(separation >= least[number]);
            family[number] += usize::from(largest >= least[number]);
        }
    });
    let divisions = labellings.count();
    let share = |count: usize| count as f64 / divisions as f64;
    let mut found: Vec<GroupDifference> = (0..measures.len())
        .map(|number| GroupDifference {
            separation: observed[number],
            p_value: share(alone[number]),
            family_p_value: share(family[number]),
        })
        .collect();
    // What differs less cannot be surer.
    let mut most = 0.0_f64;
    for &number in &order {
        most = most.max(found[number].family_p_value);
        found[number].family_p_value = most;
    }
    GroupDifferences { measures: found, divisions, are_all: labellings.are_all() }
}

/// The smallest p-value that groups of these sizes can give, however far they are apart; 1 if one of
/// them is empty, or both have fewer than three runs together.
///
/// ```
/// use fathom_stats::two_groups::smallest_p_value;
/// assert_eq!(smallest_p_value(2, 2), 1.0 / 3.0);
/// assert_eq!(smallest_p_value(3, 3), 0.1);
/// assert_eq!(smallest_p_value(3, 4), 1.0 / 35.0);
/// ```
#[must_use]
pub fn smallest_p_value(first: usize, second: usize) -> f64 {
    if first.min(second) == 0 || first + second < 3 {
        return 1.0;
    }
    let ways = labellings::ways(first + second, first.min(second));
    // Groups of one size may change places.
    1.0 / if first == second { ways / 2.0 } else { ways }
}

/// The sizes with the fewest further runs with which a p-value can be below `level`: the smaller group
/// grows first.
///
/// ```
/// use fathom_stats::two_groups::sizes_needed;
/// assert_eq!(sizes_needed(2, 2, 0.05), (4, 3));
/// assert_eq!(sizes_needed(10, 1, 0.05), (10, 2));
/// assert_eq!(sizes_needed(5, 5, 0.05), (5, 5));
/// ```
#[must_use]
pub fn sizes_needed(first: usize, second: usize, level: f64) -> (usize, usize) {
    // No level needs more runs than its own size in powers of two.
    let (mut first, mut second) = (first, second);
    for _ in 0..64 {
        if smallest_p_value(first, second) < level {
            break;
        }
        if first <= second {
            first += 1;
        } else {
            second += 1;
        }
    }
    (first, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(first: usize, second: usize) -> Vec<bool> {
        (0..first + second).map(|run| run >= first).collect()
    }

    proptest! {
        /// Neither the unit, nor the zero point, nor the names of the groups matter.
        #[test]
        fn units_do_not_matter(
            values in prop::collection::vec(0..1000_i32, 8),
            factor in prop::sample::select(vec![1e-200, 0.5, 3.0, 1e200]),
        ) {
            let plain: Vec<Option<f64>> = values.iter().map(|x| Some(f64::from(*x))).collect();
            let moved: Vec<Option<f64>> =
                values.iter().map(|x| Some((f64::from(*x) + 5.0) * factor)).collect();
            let is_second = labels(3, 5);
            let others: Vec<bool> = is_second.iter().map(|label| !label).collect();
            let one = compare(&is_second, &[plain.clone()], 0).measures[0];
            for other in [compare(&is_second, &[moved], 0), compare(&others, &[plain], 0)] {
                let other = other.measures[0];
                prop_assert!((one.separation - other.separation).abs() < 1e-6);
                prop_assert!((one.p_value - other.p_value).abs() < 1e-12);
            }
        }

        /// Each alone is at most as unlikely as in the family, and nothing falls below what there are
        /// ways for.
        #[test]
        fn the_family_is_stricter(
            rows in prop::collection::vec(prop::collection::vec(prop::option::weighted(0.9, -50..50_i32), 9), 1..6),
        ) {
            let measures: Vec<Vec<Option<f64>>> = rows
                .iter()
                .map(|row| row.iter().map(|value| value.map(f64::from)).collect())
                .collect();
            let found = compare(&labels(4, 5), &measures, 0);
            prop_assert_eq!(found.divisions, 126);
            for one in found.measures {
                prop_assert!(one.p_value <= one.family_p_value);
                prop_assert!(one.p_value >= smallest_p_value(4, 5));
                prop_assert!(one.separation.is_finite() && one.separation >= 0.0);
            }
        }
    }

    #[test]
    fn what_cannot_be_known_is_not_claimed() {
        let nothing = compare(&[], &[vec![]], 0);
        assert_eq!(nothing.measures[0].family_p_value, 1.0);
        let still = vec![Some(3.0); 8];
        let rounded: Vec<Option<f64>> =
            (0..8).map(|run| Some(0.1 + f64::from(run / 4) * 1e-17)).collect();
        let one_sided: Vec<Option<f64>> = (0..8).map(|run| (run < 4).then_some(1.0)).collect();
        let hostile: Vec<Option<f64>> = (0..8).map(|_| Some(f64::NAN)).collect();
        let found = compare(&labels(4, 4), &[still, rounded, one_sided, hostile], 0);
        for one in found.measures {
            assert_eq!((one.separation, one.family_p_value), (0.0, 1.0));
        }
        // Nobody is in the second group.
        let found = compare(&[false; 5], &[vec![Some(1.0), Some(2.0), Some(3.0), None, None]], 0);
        assert_eq!(found.measures[0].p_value, 1.0);
    }

    /// A count that is 3 in one group and 4 in the other is less certain than times that are as far
    /// apart but have many values.
    #[test]
    fn coarse_numbers_count_for_less() {
        let coarse = (0..10).map(|run| Some(f64::from(3 + run / 5))).collect();
        let fine = (0..10).map(|run| Some(f64::from(run) * 0.01 + f64::from(run / 5))).collect();
        let found = compare(&labels(5, 5), &[coarse, fine], 0).measures;
        assert!(found[0].separation < found[1].separation);
        assert_eq!((found[0].p_value, found[1].p_value), (1.0 / 126.0, 1.0 / 126.0));
    }

    /// Drawn divisions say about the same as all of them, and the same seed the same.
    #[test]
    fn many_runs_are_divided_by_draws() {
        let values = (0..24).map(|run| Some(f64::from((run * 7) % 13) + f64::from(run / 12)));
        let measures = [values.collect::<Vec<_>>()];
        let found = compare(&labels(12, 12), &measures, 7);
        assert_eq!((found.divisions, found.are_all), (10_000, false));
        assert_eq!(found, compare(&labels(12, 12), &measures, 7));
        let other = compare(&labels(12, 12), &measures, 8).measures[0].p_value;
        assert!((found.measures[0].p_value - other).abs() < 0.03);
        let apart = [(0..24).map(|run| Some(f64::from(run))).collect::<Vec<_>>()];
        let p_value = compare(&labels(12, 12), &apart, 7).measures[0].p_value;
        assert!((1e-4..2e-3).contains(&p_value), "{p_value}");
    }

    #[test]
    fn the_fewest_runs() {
        assert_eq!(smallest_p_value(0, 9), 1.0);
        assert_eq!(smallest_p_value(1, 1), 1.0);
        assert_eq!(smallest_p_value(1, 20), 1.0 / 21.0);
        assert_eq!(sizes_needed(1, 20, 0.05), (1, 20));
        assert_eq!(sizes_needed(0, 0, 0.05), (4, 3));
        assert!(smallest_p_value(5000, 5000) >= 0.0);
    }
}
