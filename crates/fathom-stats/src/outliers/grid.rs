//! The grid: what is close together counts as equal.

use super::ticks::smallest_gap;
use crate::Probability;
use crate::distribution::normal;
use crate::quantile;

/// How coarsely to look before deciding.
///
/// On values without ties the heuristics label up to half of clean data, because every height of
/// the tree is unique then. So x − min is rounded to multiples of a step first. The values
/// themselves are reported as they are. The classic rules need no grid and ignore it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OutlierGrid {
    /// The larger of the data's resolution (their smallest gap) and 1.4826 × the median absolute
    /// deviation: about one standard deviation of the bulk.
    ///
    /// Where more than half of the values are equal that deviation is 0; its 75% and 90% quantiles
    /// take its place, each divided by the normal distribution's.
    Auto,
    /// No grid, as in the paper.
    Off,
    /// This step, in the data's unit. What is not positive and finite is not a grid.
    Step(f64),
}

/// The automatic step for sorted places; `None` if all are equal.
pub(super) fn automatic(sorted: &[f64]) -> Option<f64> {
    let resolution = smallest_gap(sorted)?;
    Some(spread(sorted).unwrap_or(0.0).max(resolution))
}

/// A robust standard deviation that is not 0, if there is one.
fn spread(sorted: &[f64]) -> Option<f64> {
    let median = quantile::of_sorted(sorted, Probability::HALF)?;
    let mut deviations: Vec<f64> = sorted.iter().map(|place| (place - median).abs()).collect();
    for level in [0.5, 0.75, 0.9] {
        let deviation = quantile::of_unsorted(&mut deviations, Probability::new(level).ok()?)?;
        if deviation > 0.0 {
            return Some(deviation / normal::quantile(0.5 + 0.5 * level));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_the_spread_or_the_resolution() {
        let step = automatic(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 100.0]).unwrap();
        assert!((step - 2.0 * 1.482602218505602).abs() < 1e-12, "{step}");
        assert_eq!(automatic(&[10.0, 20.0, 20.0, 20.0, 30.0]), Some(10.0));
        assert_eq!(automatic(&[10.0, 10.0]), None);
        assert_eq!(automatic(&[]), None);
    }

    #[test]
    fn when_most_values_are_equal_the_rest_decide() {
        // 14 of 20 at 50; the median deviation is 0, and so the gap of 1e-9 would be the step.
        let mut places = vec![50.0; 14];
        places.extend([50.000000001, 55.0, 56.0, 57.0, 58.0, 59.0]);
        assert!(automatic(&places).unwrap() > 1.0);
    }
}
