//! How many runs show a set-up time.

use crate::rare_events::runs_with_two;

/// Runs that stall are a share of all that an interval still allows for.
const SHARE: f64 = 0.05;

/// How many runs the set-up time needs for an interval, given what each run counts in it; `None` if
/// there are enough.
///
/// The set-up time is a mean, and what did not happen cannot be seen in the runs. So two stalls of one
/// run in twenty must be among them, as surely as the interval is to cover.
pub(super) fn needed_for_setup(weights: &[f64], alpha: f64) -> Option<usize> {
    // Runs that raise the line at zero if they stall.
    let raising = || weights.iter().filter(|weight| **weight > 0.0);
    let (sum, squares) = raising()
        .fold((0.0, 0.0), |(sum, squares), weight| (sum + weight, squares + weight * weight));
    let worth = sum * sum / squares;
    let least = runs_with_two(SHARE, alpha);
    (worth < least as f64).then(|| (weights.len() as f64 * least as f64 / worth).ceil() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_count_one_each() {
        assert_eq!(needed_for_setup(&[0.01; 93], 0.05), None);
        assert_eq!(needed_for_setup(&[0.02; 50], 0.05), Some(93));
        // Half of the runs lower the line at zero.
        let halves: Vec<f64> = (0..100).map(|i| if i % 2 == 0 { 0.03 } else { -0.01 }).collect();
        assert_eq!(needed_for_setup(&halves, 0.05), Some(186));
    }
}
