//! What the heuristics decide on: sorted distinct positions, each with its number of values.

use super::grid::OutlierGrid;
use super::ticks;
use std::ops::Range;

/// Distinct positions on a line, ascending.
///
/// A position is a value, a whole number of ticks if all values are multiples of one (see
/// [`Positions::new`]), or a multiple of the grid's step.
///
/// ```
/// use fathom_stats::outliers::{OutlierGrid, Positions};
///
/// // Multiples of 0.1 become whole numbers of ticks.
/// let positions = Positions::new(&[0.3, 0.1, 0.2, 0.2, 0.9], OutlierGrid::Off);
/// assert_eq!(positions.count(), [1, 2, 1, 1]);
/// assert_eq!(positions.values(), 5);
/// let at = positions.at();
/// assert_eq!(at[1] - at[0], at[2] - at[1]);
/// assert_eq!(positions.in_data_unit(at[3] - at[0]), 0.8);
/// assert_eq!(positions.index_of(0.9), 3);
/// assert_eq!(positions.first_above_median(), 2);
/// assert_eq!(positions.grid(), None);
///
/// assert_eq!(Positions::as_given(&[0.3, 0.1]).at(), [0.1, 0.3]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Positions {
    at: Vec<f64>,
    count: Vec<usize>,
    /// The smallest value at each position. Positions keep the order of values, so these are
    /// enough to find the position of a value.
    lowest: Vec<f64>,
    n: usize,
    first_above_median: usize,
    unit: Unit,
    grid: Option<f64>,
}

/// What a distance of 1 between positions is in the data's unit: `times / over`.
///
/// Two numbers because 146 ticks of a thousandth are 146/1000, and 146 × 0.001 is another double.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    pub(super) times: f64,
    pub(super) over: f64,
}

impl Unit {
    pub(super) const ONE: Unit = Unit { times: 1.0, over: 1.0 };

    /// A distance in the data's unit; the span of −1e308 to 1e308 is not a double, so it saturates.
    fn in_data(self, distance: f64) -> f64 {
        (distance * self.times / self.over).min(f64::MAX)
    }

    fn in_positions(self, distance: f64) -> f64 {
        (distance / self.times * self.over).min(f64::MAX)
    }
}

impl Positions {
    /// The positions of values, in whole ticks where the values allow it, on a grid if one is asked
    /// for.
    ///
    /// Ticks matter because differences of rounded decimals are not equal where they should be:
    /// 0.3 − 0.2 is not 0.2 − 0.1. Every such pair would be two heights instead of one.
    #[must_use]
    pub fn new(values: &[f64], grid: OutlierGrid) -> Positions {
        let sorted = sorted(values);
        let (mut places, mut unit) = ticks::in_ticks(&sorted).unwrap_or_else(|| shrunk(&sorted));
        let step = match grid {
            OutlierGrid::Off => None,
            OutlierGrid::Auto => super::grid::automatic(&places),
            OutlierGrid::Step(step) => {
                let is_step = step > 0.0 && step.is_finite();
                is_step.then(|| unit.in_positions(step))
            }
        };
        let mut used = None;
        if let (Some(step), Some(&first), Some(&last)) = (step, places.first(), places.last()) {
            // Beyond 2^52 steps rounding would do nothing, and the count could overflow. The
            // smallest double is there for equal values and a step that vanished in the unit.
            let wanted = step;
            let step = step.max((last - first) * f64::EPSILON).max(f64::from_bits(1));
            // Half a step goes up, also where units have moved it down by some bits: otherwise the
            // same data in another unit would fall on another point of the grid.
            const SLACK: f64 = 1.0 + 8.0 * f64::EPSILON;
            let on_grid = |place: f64| ((place - first) / step * SLACK).round();
            places.iter_mut().for_each(|place| *place = on_grid(*place));
            used = match grid {
                // As it was given, not as it comes back from ticks.
                OutlierGrid::Step(given) if step == wanted => Some(given),
                _ => Some(unit.in_data(step)),
            };
            unit = Unit { times: (step * unit.times).min(f64::MAX), over: unit.over };
        }
        Positions::collapse(&sorted, &places, unit, used)
    }

    /// The positions of values as they are: no ticks, no grid. The paper's, and so what
    /// [`super::find`] decides on where the grid is off.
    #[must_use]
    pub fn as_given(values: &[f64]) -> Positions {
        let sorted = sorted(values);
        let (places, unit) = shrunk(&sorted);
        Positions::collapse(&sorted, &places, unit, None)
    }

    fn collapse(sorted: &[f64], places: &[f64], unit: Unit, grid: Option<f64>) -> Positions {
        let n = places.len();
        let mut at: Vec<f64> = Vec::with_capacity(n);
        let mut count: Vec<usize> = Vec::with_capacity(n);
        let mut lowest = Vec::with_capacity(n);
        for (&place, &value) in places.iter().zip(sorted) {
            match count.last_mut() {
                Some(last) if at.last() == Some(&place) => *last += 1,
                _ => {
                    at.push(place);
                    count.push(1);
                    lowest.push(value);
                }
            }
        }
        // The median is not computed: between two middle values there are no others, so "above the
        // median" is "from the upper one on", and above both where they are equal.
        let first_above_median = match (places.get(n.saturating_sub(1) / 2), places.get(n / 2)) {
            (Some(lower), Some(upper)) if lower < upper => at.partition_point(|x| x < upper),
            (_, Some(upper)) => at.partition_point(|x| x <= upper),
            _ => 0,
        };
        Positions { at, count, lowest, n, first_above_median, unit, grid }
    }

    /// The distinct positions, ascending.
    #[must_use]
    pub fn at(&self) -> &[f64] {
        &self.at
    }

    /// How many values each position has.
    #[must_use]
    pub fn count(&self) -> &[usize] {
        &self.count
    }

    /// How many values there are.
    #[must_use]
    pub fn values(&self) -> usize {
        self.n
    }

    /// The first position above the median, as an index into [`Positions::at`].
    #[must_use]
    pub fn first_above_median(&self) -> usize {
        self.first_above_median
    }

    /// The step of the grid in the data's unit.
    #[must_use]
    pub fn grid(&self) -> Option<f64> {
        self.grid
    }

    /// A distance between positions in the data's unit.
    #[must_use]
    pub fn in_data_unit(&self, distance: f64) -> f64 {
        self.unit.in_data(distance)
    }

    /// The position of a value, as an index into [`Positions::at`].
    #[must_use]
    pub fn index_of(&self, value: f64) -> usize {
        self.lowest.partition_point(|&lowest| lowest <= value).saturating_sub(1)
    }

    /// Which of the values lie in ascending ranges of positions.
    pub(super) fn indices_within(&self, ranges: &[Range<usize>], values: &[f64]) -> Vec<usize> {
        // Adjoining ranges become one interval of values, so that there are few to search.
        let mut intervals: Vec<(f64, f64)> = Vec::new();
        let mut last_end = None;
        for range in ranges {
            let from = self.lowest.get(range.start).copied().unwrap_or(f64::INFINITY);
            let to = self.lowest.get(range.end).copied().unwrap_or(f64::INFINITY);
            match intervals.last_mut() {
                Some(last) if last_end == Some(range.start) => last.1 = to,
                _ => intervals.push((from, to)),
            }
            last_end = Some(range.end);
        }
        let Some(&(from, _)) = intervals.first() else { return Vec::new() };
        let is_inside = |value: f64| {
            let after = intervals.partition_point(|interval| interval.0 <= value);
            after > 0 && value < intervals[after - 1].1
        };
        let all = values.iter().enumerate();
        all.filter(|&(_, &value)| value >= from && value.is_finite() && is_inside(value))
            .map(|(index, _)| index)
            .collect()
    }
}

/// The finite values, ascending, with one zero only.
pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    // Whole numbers sort faster than doubles under a comparison; the map between them is its own
    // inverse.
    let flip = |bits: i64| bits ^ (((bits >> 63) as u64) >> 1) as i64;
    let finite = values.iter().filter(|value| value.is_finite());
    let mut keys: Vec<i64> = finite.map(|&value| flip((value + 0.0).to_bits() as i64)).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| f64::from_bits(flip(key) as u64)).collect()
}

/// Values as places, made smaller by a power of two where sums of distances could overflow.
fn shrunk(sorted: &[f64]) -> (Vec<f64>, Unit) {
    const LARGE: f64 = f64::from_bits((1023 + 900) << 52); // 2^900
    const FACTOR: f64 = f64::from_bits((1023 - 124) << 52); // 2^-124
    let is_large = |value: Option<&f64>| value.is_some_and(|value| value.abs() > LARGE);
    if is_large(sorted.first()) || is_large(sorted.last()) {
        let places = sorted.iter().map(|value| value * FACTOR).collect();
        return (places, Unit { times: 1.0 / FACTOR, over: 1.0 });
    }
    (sorted.to_vec(), Unit::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_powers_of_two() {
        assert_eq!(shrunk(&[f64::MAX]).1.times, libm::scalbn(1.0, 124));
        assert_eq!(shrunk(&[libm::scalbn(1.0, 900)]).1, Unit::ONE);
        assert_eq!(shrunk(&[libm::scalbn(1.1, 900)]).0, [libm::scalbn(1.1, 776)]);
    }

    #[test]
    fn the_median_splits_as_if_it_were_computed() {
        let first = |values: &[f64]| Positions::new(values, OutlierGrid::Off).first_above_median();
        assert_eq!(first(&[1.0, 2.0, 3.0]), 2);
        assert_eq!(first(&[1.0, 2.0, 3.0, 4.0]), 2);
        assert_eq!(first(&[1.0, 2.0, 2.0, 4.0]), 2);
        assert_eq!(first(&[5.0, 5.0]), 1);
        // The midpoint of neighbouring doubles rounds to one of them.
        assert_eq!(first(&[1.0, 1.0 + f64::EPSILON]), 1);
    }

    #[test]
    fn sorting_keeps_signs_and_drops_what_is_not_finite() {
        let values = [2.0, -1.0, f64::NAN, -0.0, f64::INFINITY, -5e-324, 0.0, 5e-324];
        assert_eq!(sorted(&values), [-1.0, -5e-324, 0.0, 0.0, 5e-324, 2.0]);
        assert!(sorted(&values).iter().all(|value| value.to_bits() != (-0.0_f64).to_bits()));
    }
}
