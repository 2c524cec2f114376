//! Ranks of values; ties share the middle of theirs.

/// Ranks in the values' own order, from 1.
pub(crate) fn midranks_of(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    midranks(values, &order)
}

/// The same where the order by size is known.
pub(crate) fn midranks(values: &[f64], order: &[usize]) -> Vec<f64> {
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let value = values[order[start]];
        let ties = order[start..].iter().take_while(|&&index| values[index] == value).count();
        let middle = start as f64 + (ties as f64 + 1.0) / 2.0;
        for &index in &order[start..start + ties] {
            ranks[index] = middle;
        }
        start += ties;
    }
    ranks
}

/// Spearman's correlation of two rows of ranks, and how many standard errors that is from none;
/// `None` where one of them has no spread.
pub(crate) fn correlation_of_ranks(first: &[f64], second: &[f64]) -> Option<(f64, f64)> {
    let middle = 0.5 * (first.len() as f64 + 1.0);
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - middle) * (b - middle)).sum()
    };
    let spread = (product(first, first) * product(second, second)).sqrt();
    let rho = product(first, second) / spread;
    (spread > 0.0).then(|| (rho, rho * (first.len() as f64 - 1.0).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_middle_of_their_ranks() {
        assert_eq!(midranks_of(&[5.0, 1.0, 5.0, 0.0]), [3.5, 2.0, 3.5, 1.0]);
        assert_eq!(midranks_of(&[]), []);
    }

    #[test]
    fn opposite_orders_correlate_by_minus_one() {
        let ranks: Vec<f64> = (1..=10).map(f64::from).collect();
        let reversed: Vec<f64> = ranks.iter().rev().copied().collect();
        assert_eq!(correlation_of_ranks(&ranks, &reversed), Some((-1.0, -3.0)));
        assert_eq!(correlation_of_ranks(&ranks, &[5.5; 10]), None);
    }
}
