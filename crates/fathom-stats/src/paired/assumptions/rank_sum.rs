//! Two groups that coins made: by how much one is shifted.

use super::two_sided;
use crate::ranks::midranks_of;

/// With fewer in a group no shift is surprising.
const FEWEST: usize = 7;

/// A shift between two groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GroupShift {
    /// The median of all differences, second group less first (Hodges and Lehmann).
    pub(super) shift: f64,
    /// Two-sided, of Wilcoxon's rank sum, by the normal law with corrections for continuity and
    /// ties.
    pub(super) p_value: f64,
}

impl GroupShift {
    /// `None` if a group is too small.
    pub(super) fn of(first: &[f64], second: &[f64]) -> Option<GroupShift> {
        let (m, n) = (first.len(), second.len());
        if m.min(n) < FEWEST {
            return None;
        }
        let all: Vec<f64> = first.iter().chain(second).copied().collect();
        let ranks = midranks_of(&all);
        let sum: f64 = ranks[m..].iter().sum();
        let (m, n) = (m as f64, n as f64);
        let size = m + n;
        // The variance of ranks that share places is less: taken from the ranks themselves.
        let middle = 0.5 * (size + 1.0);
        let spread = ranks.iter().map(|rank| (rank - middle).powi(2)).sum::<f64>();
        let variance = m * n * spread / (size * (size - 1.0));
        let beyond = ((sum - n * middle).abs() - 0.5).max(0.0);
        let p_value = if variance > 0.0 { two_sided(beyond / variance.sqrt()) } else { 1.0 };
        Some(GroupShift { shift: median_difference(first, second), p_value })
    }
}

/// The median of all differences second less first, by bisection: there may be many millions.
fn median_difference(first: &[f64], second: &[f64]) -> f64 {
    let sorted = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_unstable_by(f64::total_cmp);
        values
    };
    let (first, second) = (sorted(first), sorted(second));
    let half = (first.len() * second.len()).div_ceil(2);
    // How many differences are at most `limit`: as the second grows, so does what it may exceed.
    let count = |limit: f64| {
        let mut below = 0;
        let mut count = 0;
        for &value in &second {
            while below < first.len() && value - first[below] > limit {
                below += 1;
            }
            count += first.len() - below;
        }
        count
    };
    let mut low = second[0] - first[first.len() - 1];
    let mut high = second[second.len() - 1] - first[0];
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if count(middle) >= half {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all ways to choose the second group.
    #[test]
    fn the_p_value_is_near_that_of_all_choices() {
        let values: Vec<f64> = (0..14).map(|i| f64::from((i * 5) % 14)).collect();
        let statistic = |is_second: u32| -> f64 {
            (0..14).filter(|i| is_second >> i & 1 == 1).map(|i| values[i]).sum()
        };
        let chosen = (0..1_u32 << 14).filter(|choice| choice.count_ones() == 7);
        let sums: Vec<f64> = chosen.map(statistic).collect();
        for is_second in [0b10_1010_1010_1010, 0b11_1111_1000_0000, 0b00_0100_1101_1101_u32] {
            let seen = (statistic(is_second) - 45.5).abs();
            let exact = sums.iter().filter(|sum| (**sum - 45.5).abs() >= seen - 1e-9).count();
            let exact = exact as f64 / sums.len() as f64;
            let group = |second: bool| -> Vec<f64> {
                (0..14).filter(|i| (is_second >> i & 1 == 1) == second).map(|i| values[i]).collect()
            };
            let found = GroupShift::of(&group(false), &group(true)).unwrap();
            assert!((found.p_value - exact).abs() < 0.02, "{found:?} {exact}");
        }
    }

    #[test]
    fn the_shift_is_the_median_of_all_differences() {
        let first: Vec<f64> = (0..9).map(|i| f64::from((i * i * 7) % 23)).collect();
        let second: Vec<f64> = (0..11).map(|i| 3.5 + f64::from((i * i * 5) % 19)).collect();
        let mut all: Vec<f64> =
            first.iter().flat_map(|a| second.iter().map(move |b| b - a)).collect();
        all.sort_by(f64::total_cmp);
        let found = GroupShift::of(&first, &second).unwrap();
        assert!((found.shift - all[all.len().div_ceil(2) - 1]).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn equal_values_show_nothing_and_few_tell_nothing() {
        let found = GroupShift::of(&[1.0; 9], &[1.0; 8]).unwrap();
        assert_eq!(found, GroupShift { shift: 0.0, p_value: 1.0 });
        assert_eq!(GroupShift::of(&[1.0; 6], &[1.0; 60]), None);
    }
}
