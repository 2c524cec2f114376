//! Whether the order of the runs mixes their amounts of work.

use crate::ranks::midranks_of;

/// Whether amounts change so slowly from run to run that a drift of the machine would look like work:
/// they rise, fall, or stay alike for long.
///
/// Von Neumann's ratio of the ranks (Bartels): the squared steps from run to run over the squared
/// distances from the mean. In random order it is about 2, and 1 only if neighbours are half as far
/// apart.
pub(super) fn changes_slowly(work: &[f64]) -> bool {
    let ranks = midranks_of(work);
    let middle = 0.5 * (ranks.len() as f64 + 1.0);
    let steps: f64 = ranks.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let spread: f64 = ranks.iter().map(|rank| (rank - middle).powi(2)).sum();
    steps <= spread
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_scripts_and_of_fathom() {
        let ten = |i: usize| (i % 10) as f64;
        let slow: [Vec<f64>; 6] = [
            vec![1.0, 2.0, 3.0],
            vec![9.0, 4.0, 3.0, 1.0],
            (0..50).map(|i| i as f64).collect(),
            // Ten runs of each amount, one amount after the other.
            (0..30).map(|i| [1.0, 100.0, 10.0][i / 10]).collect(),
            // Up and down again.
            (0..20_i32).map(|i| f64::from((i - 10).abs())).collect(),
            // The amounts twice.
            (0..20).map(ten).collect(),
        ];
        for work in slow {
            assert!(changes_slowly(&work), "{work:?}");
        }
        let mixed: [Vec<f64>; 4] = [
            vec![1.0, 3.0, 2.0],
            (0..9).map(|i| [1.0, 10.0, 100.0][i % 3]).collect(),
            (0..12).map(|i| [1.0, 2.0, 2.0, 1.0][i % 4]).collect(),
            (0..20).map(|i| ten(7 * i)).collect(),
        ];
        for work in mixed {
            assert!(!changes_slowly(&work), "{work:?}");
        }
    }
}
