//! Order statistics of the pairwise averages (dᵢ + dⱼ)/2, i ≤ j, without forming them.

/// The k-th smallest pairwise average (k from 1) of sorted values; `None` if there is no such one.
///
/// Bisection over the doubles themselves: 64 counts of O(n) each, exact to the bit because
/// floating-point addition keeps the order.
///
/// ```
/// use fathom_stats::paired::{kth_walsh, median_walsh};
/// // The averages are 1, 2, 3, 3, 4 and 5.
/// let sorted = [1.0, 3.0, 5.0];
/// assert_eq!(kth_walsh(&sorted, 2), Some(2.0));
/// assert_eq!(kth_walsh(&sorted, 7), None);
/// assert_eq!(median_walsh(&sorted), Some(3.0));
/// ```
#[must_use]
pub fn kth_walsh(sorted: &[f64], k: usize) -> Option<f64> {
    let n = sorted.len();
    if k == 0 || k > n * (n + 1) / 2 {
        return None;
    }
    let (mut low, mut high) = (place(average(sorted[0], sorted[0])), place(sorted[n - 1]));
    while low < high {
        let middle = low + ((i128::from(high) - i128::from(low)) / 2) as i64;
        if count_up_to(sorted, value(middle)) >= k {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(value(low))
}

/// The median of the pairwise averages of sorted values: Hodges and Lehmann's estimate.
#[must_use]
pub fn median_walsh(sorted: &[f64]) -> Option<f64> {
    let count = sorted.len() * (sorted.len() + 1) / 2;
    let upper = kth_walsh(sorted, count / 2 + 1)?;
    if count % 2 == 1 {
        return Some(upper);
    }
    let lower = kth_walsh(sorted, count / 2)?;
    Some(average(lower, upper))
}

/// How many pairwise averages are at most `limit`.
pub(super) fn count_up_to(sorted: &[f64], limit: f64) -> usize {
    let mut count = 0;
    // For every i, those j ≥ i that stay within; as i grows they become fewer.
    let mut end = sorted.len();
    for (i, &value) in sorted.iter().enumerate() {
        while end > i && average(value, sorted[end - 1]) > limit {
            end -= 1;
        }
        if end <= i {
            break;
        }
        count += end - i;
    }
    count
}

fn average(a: f64, b: f64) -> f64 {
    0.5 * (a + b)
}

/// Doubles numbered in their order. Negative zero is taken as zero.
fn place(value: f64) -> i64 {
    let bits = (value + 0.0).to_bits() as i64;
    if bits < 0 { i64::MIN - bits } else { bits }
}

fn value(place: i64) -> f64 {
    f64::from_bits(if place < 0 { (i64::MIN - place) as u64 } else { place as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(sorted: &[f64]) -> Vec<f64> {
        let mut all = Vec::new();
        for (i, a) in sorted.iter().enumerate() {
            all.extend(sorted[i..].iter().map(|b| average(*a, *b) + 0.0));
        }
        all.sort_by(f64::total_cmp);
        all
    }

    #[test]
    fn places_keep_the_order_and_come_back() {
        let values = [-1e300, -1.0, -1e-310, 0.0, 5e-324, 1.0, 1e300];
        for pair in values.windows(2) {
            assert!(place(pair[0]) < place(pair[1]));
        }
        assert!(values.iter().all(|&x| value(place(x)) == x));
    }

    proptest! {
        #[test]
        fn every_order_statistic_is_that_of_all_averages(
            mut values in proptest::collection::vec(
                prop_oneof![-1.0..1.0_f64, (-3..3_i8).prop_map(f64::from)], 1..60)
        ) {
            values.sort_by(f64::total_cmp);
            let all = naive(&values);
            for (index, expected) in all.iter().enumerate() {
                prop_assert_eq!(kth_walsh(&values, index + 1), Some(*expected));
            }
            let middle = all.len() / 2;
            let median = if all.len() % 2 == 1 {
                all[middle]
            } else {
                average(all[middle - 1], all[middle])
            };
            prop_assert_eq!(median_walsh(&values), Some(median));
            prop_assert_eq!(kth_walsh(&values, all.len() + 1), None);
        }

        #[test]
        fn two_hundred_values_as_well(
            mut values in proptest::collection::vec(-1e3..1e3_f64, 150..200), at in 0.0..1.0_f64
        ) {
            values.sort_by(f64::total_cmp);
            let all = naive(&values);
            let index = ((all.len() - 1) as f64 * at) as usize;
            prop_assert_eq!(kth_walsh(&values, index + 1), Some(all[index]));
        }
    }
}
