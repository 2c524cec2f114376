//! The local outlier factor of Breunig et al. on a line.

use super::min_pts::MinPts;
use super::positions::Positions;
use std::ops::Range;

/// The local outlier factor of each position, about 1 inside a cluster and more outside.
///
/// The neighbourhood has everything within the distance of the MinPts-th nearest other value, ties
/// included. A density is 1 / max(mean reachability distance, smallest gap): the original
/// definition is infinite where more than MinPts values are equal, which with a clock's ticks they
/// are. So factors are finite, and depend neither on the unit nor on the order of the values.
///
/// ```
/// use fathom_stats::outliers::{MinPts, Positions, local_outlier_factors};
///
/// let mut values: Vec<f64> = (0..20).map(f64::from).collect();
/// values.push(100.0);
/// let factors = local_outlier_factors(&Positions::as_given(&values), MinPts::PAPER);
/// assert!((factors[10] - 1.0).abs() < 0.2);
/// assert!(factors[20] > 5.0);
/// ```
#[must_use]
pub fn local_outlier_factors(positions: &Positions, min_pts: MinPts) -> Vec<f64> {
    let (at, count) = (positions.at(), positions.count());
    let wanted = min_pts.get().min(positions.values().saturating_sub(1));
    if wanted == 0 || at.len() < 2 {
        return vec![1.0; at.len()];
    }
    if positions.values() == at.len() {
        return of_distinct(at, wanted);
    }
    let Neighbourhoods { ranges, radius } = Neighbourhoods::of_counted(at, count, wanted);
    // The mean over the neighbours of i: all values in its range but one at i itself.
    let mean = |i: usize, term: &dyn Fn(usize) -> f64| -> f64 {
        let others = |j: usize| if j == i { count[j] - 1 } else { count[j] };
        let range = || ranges[i].clone();
        let sum: f64 = range().map(|j| others(j) as f64 * term(j)).sum();
        sum / range().map(others).sum::<usize>() as f64
    };
    let least = floor(at);
    let reach: Vec<f64> = (0..at.len())
        .map(|i| mean(i, &|j| radius[j].max((at[i] - at[j]).abs())).max(least))
        .collect();
    // Between 0 and 1: a density in units of the largest one possible.
    let density: Vec<f64> = reach.iter().map(|reach| least / reach).collect();
    (0..at.len()).map(|i| reach[i] / least * mean(i, &|j| density[j])).collect()
}

/// The same where every position has one value; this is where a million positions come from.
fn of_distinct(at: &[f64], wanted: usize) -> Vec<f64> {
    let Neighbourhoods { ranges, radius } = Neighbourhoods::of_distinct(at, wanted);
    let least = floor(at);
    let each = || ranges.iter().enumerate();
    // Sums are over the whole range, and its own term, never the larger part, is taken off.
    let reach: Vec<f64> = each()
        .map(|(i, range)| {
            let (places, radii) = (&at[range.clone()], &radius[range.clone()]);
            let sum = in_lanes(places, radii, |place, radius| (at[i] - place).abs().max(radius));
            ((sum - radius[i]) / (range.len() - 1) as f64).max(least)
        })
        .collect();
    let density: Vec<f64> = reach.iter().map(|reach| least / reach).collect();
    each()
        .map(|(i, range)| {
            let densities = &density[range.clone()];
            let sum = in_lanes(densities, densities, |density, _| density);
            reach[i] / least * ((sum - density[i]) / (range.len() - 1) as f64)
        })
        .collect()
}

/// A sum in four parts, since one addition need not wait for another then.
fn in_lanes(xs: &[f64], ys: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let ((fours_x, rest_x), (fours_y, rest_y)) = (xs.as_chunks::<4>(), ys.as_chunks::<4>());
    let mut lanes = [0.0; 4];
    for (x, y) in fours_x.iter().zip(fours_y) {
        for lane in 0..4 {
            lanes[lane] += term(x[lane], y[lane]);
        }
    }
    let rest: f64 = rest_x.iter().zip(rest_y).map(|(&x, &y)| term(x, y)).sum();
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + rest
}

/// The smallest gap, but not so small that ratios to it overflow.
fn floor(at: &[f64]) -> f64 {
    const TINY: f64 = f64::from_bits((1023 - 900) << 52); // 2^-900
    let span = at.last().zip(at.first()).map_or(0.0, |(last, first)| last - first);
    super::ticks::smallest_gap(at).unwrap_or(1.0).max(span * TINY)
}

/// Which positions each position's neighbours are at, itself included, and how far they reach.
struct Neighbourhoods {
    ranges: Vec<Range<usize>>,
    radius: Vec<f64>,
}

impl Neighbourhoods {
    /// One value at each position: the nearest `wanted` others are a window of fixed length, which
    /// only ever moves to the right.
    fn of_distinct(at: &[f64], wanted: usize) -> Neighbourhoods {
        let mut found = Neighbourhoods::with_capacity(at.len());
        let mut start = 0;
        for (i, &here) in at.iter().enumerate() {
            while start + wanted + 1 < at.len() && at[start + wanted + 1] - here < here - at[start]
            {
                start += 1;
            }
            let radius = f64::max(here - at[start], at[start + wanted] - here);
            found.push_with_ties(at, i, start..start + wanted + 1, radius);
        }
        found
    }

    /// Several values at a position: grow from it, always to the nearer side.
    fn of_counted(at: &[f64], count: &[usize], wanted: usize) -> Neighbourhoods {
        let mut found = Neighbourhoods::with_capacity(at.len());
        for (i, &here) in at.iter().enumerate() {
            let (mut range, mut radius) = (i..i + 1, 0.0);
            let mut gathered = count[i] - 1;
            while gathered < wanted {
                let left = range.start.checked_sub(1).map_or(f64::INFINITY, |j| here - at[j]);
                let right = at.get(range.end).map_or(f64::INFINITY, |place| place - here);
                if left <= right {
                    // There are more than `wanted` values in all, so one side is not at its end.
                    range.start -= 1;
                    (gathered, radius) = (gathered + count[range.start], left);
                } else {
                    (gathered, radius) = (gathered + count[range.end], right);
                    range.end += 1;
                }
            }
            found.push_with_ties(at, i, range, radius);
        }
        found
    }

    fn with_capacity(capacity: usize) -> Neighbourhoods {
        let (ranges, radius) = (Vec::with_capacity(capacity), Vec::with_capacity(capacity));
        Neighbourhoods { ranges, radius }
    }

    fn push_with_ties(&mut self, at: &[f64], i: usize, mut range: Range<usize>, radius: f64) {
        // One step to the right at most, and none to the left, which the search prefers; more only
        // where subtraction rounds different distances to one.
        while range.start > 0 && at[i] - at[range.start - 1] <= radius {
            range.start -= 1;
        }
        while range.end < at.len() && at[range.end] - at[i] <= radius {
            range.end += 1;
        }
        self.ranges.push(range);
        self.radius.push(radius);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outliers::OutlierGrid;

    fn factors(values: &[f64]) -> Vec<f64> {
        local_outlier_factors(&Positions::new(values, OutlierGrid::Off), MinPts::PAPER)
    }

    #[test]
    fn the_floor_is_a_power_of_two_of_the_span() {
        assert_eq!(floor(&[0.0, 5e-324, 1.0]), libm::scalbn(1.0, -900));
        assert_eq!(floor(&[0.0, 0.25, 1.0]), 0.25);
    }

    #[test]
    fn no_gap_or_many_equal_values_give_one() {
        assert_eq!(factors(&[7.0]), [1.0]);
        assert_eq!(factors(&[7.0; 30]), [1.0]);
        let mut two_spikes = vec![7.0; 30];
        two_spikes.extend([900.0; 30]);
        assert_eq!(factors(&two_spikes), [1.0, 1.0]);
    }

    #[test]
    fn both_ways_to_the_neighbourhood_agree() {
        let mut at: Vec<f64> = (0..300_i32).map(|i| f64::from(i * i % 997) * 1.37).collect();
        at.sort_by(f64::total_cmp);
        at.dedup();
        for wanted in [1, 2, 10] {
            let sliding = Neighbourhoods::of_distinct(&at, wanted);
            let growing = Neighbourhoods::of_counted(&at, &vec![1; at.len()], wanted);
            assert_eq!(sliding.ranges, growing.ranges);
            assert_eq!(sliding.radius, growing.radius);
        }
    }
}
