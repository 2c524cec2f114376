//! How many runs show what happens to few of them.

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
    let least = runs_with_two(alpha);
    (worth < least as f64).then(|| (weights.len() as f64 * least as f64 / worth).ceil() as usize)
}

/// The fewest runs that miss having two stalls with this probability at most.
fn runs_with_two(alpha: f64) -> usize {
    let rest = 1.0 - SHARE;
    let missed = |n: i32| rest.powi(n) + f64::from(n) * SHARE * rest.powi(n - 1);
    // Confidences end well below the probability of a thousand runs without.
    (2..1000_i32).find(|n| missed(*n) <= alpha).map_or(1000, |n| n as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_twenty_are_seen() {
        // By the binomial: 92 runs have fewer than two with 5.2%, 93 with 4.98%.
        assert_eq!([runs_with_two(0.05), runs_with_two(0.01)], [93, 130]);
    }

    #[test]
    fn equal_weights_count_one_each() {
        assert_eq!(needed_for_setup(&[0.01; 93], 0.05), None);
        assert_eq!(needed_for_setup(&[0.02; 50], 0.05), Some(93));
        // Half of the runs lower the line at zero.
        let halves: Vec<f64> = (0..100).map(|i| if i % 2 == 0 { 0.03 } else { -0.01 }).collect();
        assert_eq!(needed_for_setup(&halves, 0.05), Some(186));
    }
}
