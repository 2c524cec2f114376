//! Sums of products.

/// The sum of the products of two sequences, as far as both go.
///
/// In eight sums side by side, which one addition after the other would wait for. Always the same
/// eight, so that the result does not depend on the processor.
#[must_use]
pub(crate) fn sum_of_products(a: &[f64], b: &[f64]) -> f64 {
    const SIDE_BY_SIDE: usize = 8;
    let count = a.len().min(b.len());
    let (a, b) = (a.get(..count).unwrap_or_default(), b.get(..count).unwrap_or_default());
    let (mut a, mut b) = (a.chunks_exact(SIDE_BY_SIDE), b.chunks_exact(SIDE_BY_SIDE));
    let mut sums = [0.0; SIDE_BY_SIDE];
    for (a, b) in a.by_ref().zip(b.by_ref()) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    let rest = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum::<f64>();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_products_are_summed() {
        for count in [0_i32, 1, 7, 8, 9, 100] {
            let a: Vec<f64> = (0..count).map(f64::from).collect();
            let b: Vec<f64> = (0..count + 3).map(|n| f64::from(n) - 2.0).collect();
            let plain: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            assert_eq!(sum_of_products(&a, &b), plain, "{count}");
        }
    }
}
