//! How large the largest statistic gets by chance.

use super::sign_flips::SignFlips;
use super::studentized::Studentized;

/// The largest statistic of each outcome of the coins.
pub(super) fn largest_statistics(quantities: &[Studentized], flips: &SignFlips) -> Vec<f64> {
    let mut signs = Vec::new();
    let largest = |outcome| {
        flips.write(outcome, &mut signs);
        quantities.iter().map(|one| one.statistic(&signs)).fold(0.0, f64::max)
    };
    (0..flips.count).map(largest).collect()
}

/// The value that the largest statistic exceeds in at most a share `alpha` of all outcomes. Infinite if
/// there are too few outcomes for that.
pub(super) fn critical_value(mut largest: Vec<f64>, alpha: f64) -> f64 {
    let may_exceed = (alpha * largest.len() as f64 * (1.0 + 1e-12)).floor() as usize;
    let Some(place) = largest.len().checked_sub(may_exceed + 1) else { return f64::INFINITY };
    if may_exceed == 0 {
        // Even the clearest outcome is not rare enough.
        return f64::INFINITY;
    }
    *largest.select_nth_unstable_by(place, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_exceeded_in_at_most_the_share() {
        let differences = [0.5, -0.2, 0.9, 0.4, -0.1, 0.7, 0.3, 1.1];
        let quantities = [Studentized::of(&differences, 0.0)];
        let flips = SignFlips::of(8, 1, 10_000);
        let critical = critical_value(largest_statistics(&quantities, &flips), 0.05);
        let mut signs = Vec::new();
        let statistics: Vec<f64> = (0..flips.count)
            .map(|outcome| {
                flips.write(outcome, &mut signs);
                quantities[0].statistic(&signs)
            })
            .collect();
        // 6 of 128 are 4.7%, 7 are more than 5%.
        assert!(statistics.iter().filter(|one| **one > critical).count() <= 6);
        assert!(statistics.iter().filter(|one| **one >= critical).count() >= 7);
    }

    #[test]
    fn few_blocks_have_none() {
        let five = [Studentized::of(&[0.5, -0.2, 0.9, 0.4, -0.1], 0.0)];
        let largest = largest_statistics(&five, &SignFlips::of(5, 1, 10_000));
        assert_eq!(critical_value(largest, 0.05), f64::INFINITY);
    }
}
