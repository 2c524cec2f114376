//! A mean in units of its standard error, under any signs.

/// The differences of a quantity that are not zero, and what does not change with their signs.
#[derive(Debug, Clone)]
pub(super) struct Studentized {
    /// Blocks and their differences.
    nonzero: Vec<(u32, f64)>,
    /// All differences, where most are not zero: sums over them are quicker.
    dense: Option<Vec<f64>>,
    sum_of_squares: f64,
    blocks: f64,
}

impl Studentized {
    /// Differences, each less `centre`.
    pub(super) fn of(differences: &[f64], centre: f64) -> Studentized {
        let centred = || differences.iter().map(|difference| difference - centre);
        // Only ratios count, and squares of tiny or huge numbers have no digits left.
        let largest = centred().fold(0.0, |largest: f64, one| largest.max(one.abs()));
        let scale = if largest > 0.0 { largest.recip() } else { 1.0 };
        let scale = if scale.is_finite() { scale } else { 1.0 };
        let scaled: Vec<f64> = centred().map(|one| one * scale).collect();
        let nonzero: Vec<(u32, f64)> =
            (0_u32..).zip(scaled.iter().copied()).filter(|(_, one)| *one != 0.0).collect();
        let sum_of_squares = scaled.iter().map(|one| one * one).sum();
        let is_dense = nonzero.len() * 4 > scaled.len();
        Studentized {
            nonzero,
            sum_of_squares,
            blocks: scaled.len() as f64,
            dense: is_dense.then_some(scaled),
        }
    }

    /// |mean| / standard error. Infinite if all differences are alike and not zero; 0 if all are zero.
    pub(super) fn statistic(&self, signs: &[f64]) -> f64 {
        let sum = match &self.dense {
            Some(all) => sum_of_products(all, signs),
            None => self.nonzero.iter().map(|(block, one)| one * signs[*block as usize]).sum(),
        };
        // n Σ(d − mean)² = n Σd² − (Σd)².
        let squared_errors = self.blocks * self.sum_of_squares - sum * sum;
        let rounding = 1e-12 * self.blocks * self.sum_of_squares;
        if squared_errors <= rounding {
            return if sum == 0.0 { 0.0 } else { f64::INFINITY };
        }
        sum.abs() * ((self.blocks - 1.0) / squared_errors).sqrt()
    }
}

/// Four sums side by side, so that the processor need not wait for one; the order of additions is fixed.
fn sum_of_products(some: &[f64], others: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (chunks, other_chunks) = (some.chunks_exact(4), others.chunks_exact(4));
    let rest: f64 = chunks
        .remainder()
        .iter()
        .zip(other_chunks.remainder())
        .map(|(one, other)| one * other)
        .sum();
    for (four, other_four) in chunks.zip(other_chunks) {
        for (sum, (one, other)) in sums.iter_mut().zip(four.iter().zip(other_four)) {
            *sum += one * other;
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook's t of signed differences.
    fn plain(differences: &[f64], signs: &[f64]) -> f64 {
        let n = differences.len() as f64;
        let signed: Vec<f64> = differences.iter().zip(signs).map(|(d, s)| d * s).collect();
        let mean = signed.iter().sum::<f64>() / n;
        let variance = signed.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
        mean.abs() / (variance / n).sqrt()
    }

    #[test]
    fn it_is_the_t_statistic_of_the_signed_differences() {
        let dense = [0.3, -1.2, 2.5, 0.1, 0.0, 3.3, -0.2];
        let sparse = [0.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, -2.0];
        let signs = [1.0, -1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, -1.0];
        for differences in [&dense[..], &sparse[..]] {
            let signs = &signs[..differences.len()];
            let found = Studentized::of(differences, 0.0).statistic(signs);
            assert!((found - plain(differences, signs)).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn a_centre_is_subtracted() {
        let centred: Vec<f64> = [1.0, 2.0, 4.0].iter().map(|d| d - 2.0).collect();
        let signs = [1.0, 1.0, -1.0];
        let found = Studentized::of(&[1.0, 2.0, 4.0], 2.0).statistic(&signs);
        assert!((found - plain(&centred, &signs)).abs() < 1e-12);
    }

    #[test]
    fn differences_without_noise_are_infinitely_clear() {
        assert_eq!(Studentized::of(&[2.0; 6], 0.0).statistic(&[1.0; 6]), f64::INFINITY);
        assert_eq!(Studentized::of(&[0.1; 6], 0.0).statistic(&[1.0; 6]), f64::INFINITY);
        assert_eq!(Studentized::of(&[0.0; 6], 0.0).statistic(&[1.0; 6]), 0.0);
    }

    #[test]
    fn size_does_not_matter() {
        for scale in [1e-300, 1e-160, 1e160, 1e300] {
            let differences: Vec<f64> = [0.5, -0.25, 0.75].iter().map(|d| d * scale).collect();
            let found = Studentized::of(&differences, 0.0).statistic(&[1.0; 3]);
            assert!(
                (found - plain(&[0.5, -0.25, 0.75], &[1.0; 3])).abs() < 1e-12,
                "{scale}: {found}"
            );
        }
    }
}
