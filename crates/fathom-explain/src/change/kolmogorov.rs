//! Kolmogorov and Smirnov's distance of two samples.

use crate::Sign;

/// The largest difference of the two shares of values at or below a number, and which way the second
/// sample lies from the first; `None` if one of them is empty or all values are equal. Reorders them.
///
/// Only the smaller sample is sorted: between two of its values its share does not change, so that
/// the other's is largest and smallest right there.
#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
pub(super) fn distance(first: &mut [f64], second: &mut [f64]) -> Option<(f64, Sign)> {
    if second.len() > first.len() {
        let (distance, sign) = distance(second, first)?;
        let turned = match sign {
            Sign::With => Sign::Against,
            Sign::Against => Sign::With,
            Sign::Unsaid => Sign::Unsaid,
        };
        return Some((distance, turned));
    }
    second.sort_unstable_by(f64::total_cmp);
    let &smallest = second.first()?;
    let is_constant = second.last() == Some(&smallest);
    if is_constant && first.iter().all(|&value| value == smallest) {
        return None;
    }
    // Of each place between the sorted ones, how many of the others lie there: below the value, and
    // on it.
    let mut below = vec![0_usize; second.len() + 1];
    let mut on = vec![0_usize; second.len() + 1];
    for &value in &*first {
        let place = second.partition_point(|&other| other < value);
        let counts = if second.get(place) == Some(&value) { &mut on } else { &mut below };
        if let Some(count) = counts.get_mut(place) {
            *count += 1;
        }
    }
    let (n, m) = (first.len() as f64, second.len() as f64);
    let (mut higher, mut lower) = (0.0_f64, 0.0_f64);
    let mut passed = 0_usize;
    let mut place = 0;
    while let Some(&value) = second.get(place) {
        let past = place + second.iter().skip(place).take_while(|&&other| other == value).count();
        passed += below.get(place).copied().unwrap_or(0);
        higher = higher.max(passed as f64 / n - place as f64 / m);
        passed += on.get(place).copied().unwrap_or(0);
        lower = lower.max(past as f64 / m - passed as f64 / n);
        place = past;
    }
    Some((higher.max(lower), Sign::of(higher - lower)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(first: &[f64], second: &[f64]) -> Option<(f64, Sign)> {
        distance(&mut first.to_vec(), &mut second.to_vec())
    }

    #[test]
    fn samples_apart_are_at_distance_one() {
        assert_eq!(of(&[1.0, 2.0, 3.0], &[4.0, 5.0]), Some((1.0, Sign::With)));
        assert_eq!(of(&[4.0, 5.0], &[1.0, 2.0, 3.0]), Some((1.0, Sign::Against)));
        assert_eq!(of(&[1.0, 4.0], &[2.0, 3.0]), Some((0.5, Sign::Unsaid)));
        assert_eq!(of(&[1.0, 1.0], &[1.0]), None);
        assert_eq!(of(&[], &[1.0]), None);
        assert_eq!(of(&[1.0], &[]), None);
        assert_eq!(of(&[1.0, 2.0], &[2.0, 1.0]), Some((0.0, Sign::Unsaid)));
        assert_eq!(of(&[0.0, -0.0], &[-0.0, 0.0]), None);
        let infinite = of(&[f64::NEG_INFINITY, 0.0], &[f64::INFINITY]);
        assert_eq!(infinite, Some((1.0, Sign::With)));
    }

    proptest! {
        /// By the definition, at every value there is.
        #[test]
        fn it_is_the_largest_difference_of_shares(
            first in prop::collection::vec(-4_i32..5, 1..40),
            second in prop::collection::vec(-4_i32..5, 1..40),
        ) {
            let share = |sample: &[i32], at: i32| {
                sample.iter().filter(|&&x| x <= at).count() as f64 / sample.len() as f64
            };
            let largest = (-4..5)
                .map(|at| (share(&first, at) - share(&second, at)).abs())
                .fold(0.0, f64::max);
            let reals = |sample: &[i32]| sample.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
            match of(&reals(&first), &reals(&second)) {
                Some((found, _)) => prop_assert!((found - largest).abs() < 1e-12),
                None => prop_assert!(first.iter().chain(&second).all(|x| *x == first[0])),
            }
        }
    }
}
