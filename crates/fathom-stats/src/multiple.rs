//! Many tests at once.

/// Benjamini and Hochberg's adjusted p-values (q-values), in the order of the p-values.
///
/// Of what has q ≤ α, a share of at most α is expected to be there by chance, if the p-values are
/// independent or positively dependent. What is not a number counts as 1.
///
/// ```
/// let q = fathom_stats::multiple::benjamini_hochberg(&[0.01, 0.04, 0.03, 0.2]);
/// let expected = [0.04, 0.16 / 3.0, 0.16 / 3.0, 0.2];
/// assert!(q.iter().zip(expected).all(|(q, e)| (q - e).abs() < 1e-12));
/// ```
#[must_use]
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let p: Vec<f64> = p.iter().map(|p| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) }).collect();
    let mut largest_first: Vec<(usize, f64)> = p.iter().copied().enumerate().collect();
    largest_first.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let mut q = vec![1.0; p.len()];
    let mut least = 1.0_f64;
    for (place, (index, p_value)) in largest_first.into_iter().enumerate() {
        let rank = p.len() - place;
        least = least.min(p_value * p.len() as f64 / rank as f64);
        if let Some(q) = q.get_mut(index) {
            *q = least;
        }
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// As it is defined: the least level at which it would be rejected.
        #[test]
        fn q_is_the_least_level(p in prop::collection::vec(0..=20_u32, 0..40)) {
            let p: Vec<f64> = p.into_iter().map(|p| f64::from(p) / 20.0).collect();
            for (one, q) in p.iter().zip(benjamini_hochberg(&p)) {
                let at_most = |limit: f64| p.iter().filter(|p| **p <= limit).count() as f64;
                let least = p
                    .iter()
                    .filter(|limit| *limit >= one)
                    .map(|limit| limit * p.len() as f64 / at_most(*limit))
                    .fold(1.0, f64::min);
                prop_assert!((q - least).abs() < 1e-12, "{} instead of {}", q, least);
            }
        }
    }

    #[test]
    fn hostile_input_is_safe() {
        assert!(benjamini_hochberg(&[]).is_empty());
        let q = benjamini_hochberg(&[f64::NAN, -1.0, 2.0, f64::INFINITY]);
        assert_eq!(q, [1.0, 0.0, 1.0, 1.0]);
    }
}
