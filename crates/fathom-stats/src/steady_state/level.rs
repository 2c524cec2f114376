//! The level of a segment and how well it is known.

use super::autocorrelation::{correlation, inflation};
use super::scores::ScoreTable;

/// Segments shorter than this say nothing about dependence.
const FEWEST_FOR_CORRELATION: usize = 20;
/// Within a segment, correlation is believed up to here.
const LARGEST_CORRELATION: f64 = 0.5;

/// An interquartile mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Level {
    pub(super) value: f64,
    pub(super) standard_error: f64,
}

/// Measures levels; holds the buffers.
#[derive(Debug)]
pub(super) struct Leveller {
    table: ScoreTable,
    scores: Vec<f64>,
    sorted: Vec<f64>,
}

impl Leveller {
    /// For segments of a series of this length.
    pub(super) fn new(length: usize) -> Leveller {
        Leveller { table: ScoreTable::new(length), scores: Vec::new(), sorted: Vec::new() }
    }

    /// The level of a segment, given its values and their ranks.
    pub(super) fn level(&mut self, values: &[f64], ranks: &[u32]) -> Level {
        self.sorted.clear();
        self.sorted.extend_from_slice(values);
        self.sorted.sort_unstable_by(f64::total_cmp);
        let correlation = if ranks.len() < FEWEST_FOR_CORRELATION {
            0.0
        } else if self.table.write(ranks, &mut self.scores).is_some() {
            correlation(&self.scores, None).min(LARGEST_CORRELATION)
        } else {
            0.0
        };
        Level {
            value: interquartile_mean(&self.sorted),
            standard_error: standard_error(&self.sorted) * inflation(correlation).sqrt(),
        }
    }
}

/// The mean of the middle half. A median jumps between the clumps of bimodal data and the ticks of
/// a coarse clock.
pub(super) fn interquartile_mean(sorted: &[f64]) -> f64 {
    let cut = sorted.len() / 4;
    let middle = &sorted[cut..sorted.len() - cut];
    middle.iter().sum::<f64>() / middle.len() as f64
}

/// Its standard error for independent values: from the winsorised standard deviation.
fn standard_error(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    if n < 2 {
        return 0.0;
    }
    let cut = n / 4;
    let (low, high) = (sorted[cut], sorted[n - 1 - cut]);
    // Not `clamp`, which panics where a bound is not a number.
    let clamped = |value: &f64| value.max(low).min(high);
    let mean = sorted.iter().map(clamped).sum::<f64>() / n as f64;
    let squares: f64 = sorted.iter().map(clamped).map(|value| (value - mean).powi(2)).sum();
    let middle_share = (n - 2 * cut) as f64 / n as f64;
    (squares / (n - 1) as f64).sqrt() / (middle_share * (n as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_quarters_do_not_move_the_level() {
        let sorted = [-1e9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1e9];
        assert_eq!(interquartile_mean(&sorted), 3.5);
        // Winsorised: 2 2 2 3 4 5 5 5, squares about 3.5 sum to 14; the middle share is a half.
        let expected = (14.0_f64 / 7.0).sqrt() / (0.5 * 8.0_f64.sqrt());
        assert!((standard_error(&sorted) - expected).abs() < 1e-15);
        assert_eq!((interquartile_mean(&[7.0]), standard_error(&[7.0])), (7.0, 0.0));
    }

    #[test]
    fn equal_values_have_no_error() {
        let level = Leveller::new(30).level(&[2.0; 30], &[0; 30]);
        assert_eq!(level, Level { value: 2.0, standard_error: 0.0 });
    }
}
