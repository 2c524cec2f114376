//! A baseline in which a row that is far out counts as an ordinary one.

use fathom_stats::{Probability, quantile};

/// Rows beyond this many robust standard deviations from the median are far out.
const FAR_OUT: f64 = 10.0;
/// The standard deviation of normal values by their median distance from the median.
const DEVIATION: f64 = 1.4826;
/// At most this many rows are held back, or one in [`SHARE`]: what is far out more often is usual.
const FEWEST: usize = 2;
const SHARE: usize = 100;

/// Brings the most extreme rows to the distance from the median that the next one has.
///
/// A single start-up row of 2e8 among rows near 100 would otherwise be the level, and its disappearance
/// the usual change. Values that are mostly equal have no robust deviation, and stay as they are: their
/// rare moves are what is known of them.
pub(crate) fn hold_back(values: &mut [f64]) {
    let mut sorted = values.to_vec();
    let Some(median) = quantile::of_unsorted(&mut sorted, Probability::HALF) else { return };
    let mut distances: Vec<f64> = values.iter().map(|value| (value - median).abs()).collect();
    let half = quantile::of_unsorted(&mut distances, Probability::HALF).unwrap_or(0.0);
    let fence = FAR_OUT * DEVIATION * half;
    // Infinite distances of the largest numbers are far out.
    if half == 0.0 || !half.is_finite() || distances.iter().all(|distance| *distance <= fence) {
        return;
    }
    let most = (values.len() / SHARE).max(FEWEST).min(values.len().saturating_sub(1));
    distances.sort_unstable_by(|a, b| b.total_cmp(a));
    let far = distances.partition_point(|distance| *distance > fence);
    let Some(&limit) = distances.get(far.min(most)) else { return };
    for value in values {
        if (*value - median).abs() > limit {
            *value = if *value > median { median + limit } else { median - limit };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(rows: i64) -> Vec<f64> {
        (0..rows).map(|n| ((n * n * 37 + n * 11) % 101) as f64 - 50.0).collect()
    }

    #[test]
    fn a_row_far_out_counts_as_the_next_one() {
        let mut values = noise(200);
        let plain = values.clone();
        hold_back(&mut values);
        assert_eq!(values, plain, "nothing is far out");
        values[0] = 2e8;
        values[150] = -3e9;
        hold_back(&mut values);
        // As far from the median as the next row.
        assert!(values[0].abs() <= 51.0 && values[150].abs() <= 51.0, "{values:?}");
        assert_eq!(values[1..150], plain[1..150]);
    }

    #[test]
    fn what_is_far_out_more_often_is_usual() {
        let mut values = noise(200);
        values[20..30].fill(5e3);
        values[100] = 1e6;
        let plain = values.clone();
        hold_back(&mut values);
        assert_eq!(values[100], 5e3);
        assert_eq!(values[20..30], plain[20..30]);
    }

    #[test]
    fn rare_counts_and_hostile_values_stay() {
        let mut rare = vec![0.0; 100];
        rare[7] = 3.0;
        let plain = rare.clone();
        hold_back(&mut rare);
        assert_eq!(rare, plain);
        for mut hostile in [vec![], vec![1.0], vec![f64::MAX, f64::MIN, 0.0, 1.0, 2.0, 3.0]] {
            hold_back(&mut hostile);
            assert!(hostile.iter().all(|value| value.is_finite()));
        }
    }
}
