//! Ranks of the whole series: everything up to the final fit sees these instead of the values.

/// Dense ranks in time order: equal values share one, the smallest has 0.
///
/// `None` for a series that is too long to number in 32 bits.
pub(super) fn dense(values: &[f64]) -> Option<Vec<u32>> {
    let count = u32::try_from(values.len()).ok()?;
    let mut order: Vec<(u64, u32)> =
        values.iter().map(|&value| ordered(value)).zip(0..count).collect();
    order.sort_unstable();
    let mut ranks = vec![0; values.len()];
    let mut rank = 0;
    let mut before = order.first().map_or(0, |&(key, _)| key);
    for &(key, index) in &order {
        rank += u32::from(key != before);
        before = key;
        if let Some(slot) = ranks.get_mut(index as usize) {
            *slot = rank;
        }
    }
    Some(ranks)
}

/// An integer that orders as the number does. Both zeros are one number.
pub(super) fn ordered(value: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    let bits = (value + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_a_rank_and_zeros_are_equal() {
        let values = [3.0, -0.0, 1e308, 0.0, -5e-324, 3.0, -1e308];
        assert_eq!(dense(&values), Some(vec![3, 2, 4, 2, 1, 3, 0]));
        assert_eq!(dense(&[]), Some(vec![]));
    }
}
