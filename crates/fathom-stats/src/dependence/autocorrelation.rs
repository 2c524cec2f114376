//! The autocorrelation coefficient at any lag, and at all of them.

use crate::magnitude::{Ordinary, ordinary};
use crate::mean::Moments;

/// R(lag): the covariance of values that far apart over the variance, both about the mean of all.
/// `None` where there is no such pair or no variance.
///
/// ```
/// use fathom_stats::dependence::autocorrelation;
/// let alternating = [1.0, -1.0, 1.0, -1.0];
/// assert_eq!(autocorrelation(&alternating, 1), Some(-0.75));
/// ```
#[must_use]
pub fn autocorrelation(values: &[f64], lag: usize) -> Option<f64> {
    let deviations = standardised(values)?;
    (lag < values.len()).then(|| product(&deviations, lag) / product(&deviations, 0))
}

/// R at every lag from 1 to `most`, or to the last there is.
///
/// Long series go through the Fourier transform, since lags times length would be quadratic.
///
/// ```
/// use fathom_stats::dependence::{autocorrelation, correlogram};
/// let values = [1.0, 2.0, 4.0, 3.0, 1.0, 0.0];
/// let all = correlogram(&values, 100);
/// assert_eq!(all.len(), 5);
/// assert!((all[1] - autocorrelation(&values, 2).ok_or("constant")?).abs() < 1e-12);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn correlogram(values: &[f64], most: usize) -> Vec<f64> {
    const DIRECT: usize = 20_000_000;
    let Some(deviations) = standardised(values) else { return Vec::new() };
    let most = most.min(values.len().saturating_sub(1));
    let sums: Vec<f64> = if values.len().saturating_mul(most) <= DIRECT {
        (0..=most).map(|lag| product(&deviations, lag)).collect()
    } else {
        products_by_fourier(&deviations)
    };
    sums.iter().skip(1).take(most).map(|sum| sum / sums[0]).collect()
}

/// Deviations from the mean in standard deviations, so that no square overflows; `None` if there
/// are none.
fn standardised(values: &[f64]) -> Option<Vec<f64>> {
    let Ordinary { values, .. } = ordinary(values);
    let moments = Moments::of(&values).filter(|moments| moments.sd > 0.0)?;
    Some(values.iter().map(|value| (value - moments.mean) / moments.sd).collect())
}

fn product(deviations: &[f64], lag: usize) -> f64 {
    deviations.iter().zip(&deviations[lag..]).map(|(a, b)| a * b).sum()
}

/// The products at all lags: the power spectrum, transformed back.
fn products_by_fourier(deviations: &[f64]) -> Vec<f64> {
    // Padding to twice the length keeps the end of the series from meeting its beginning.
    let size = (2 * deviations.len()).next_power_of_two();
    let mut real = deviations.to_vec();
    real.resize(size, 0.0);
    let mut imaginary = vec![0.0; size];
    fourier(&mut real, &mut imaginary);
    for (re, im) in real.iter_mut().zip(&mut imaginary) {
        *re = *re * *re + *im * *im;
        *im = 0.0;
    }
    // The spectrum is even and real, so the transform is its own inverse up to the size.
    fourier(&mut real, &mut imaginary);
    real.truncate(deviations.len());
    real.iter().map(|value| value / size as f64).collect()
}

/// The discrete Fourier transform in place; the length is a power of two.
fn fourier(real: &mut [f64], imaginary: &mut [f64]) {
    let n = real.len();
    let bits = n.trailing_zeros();
    if bits == 0 {
        return;
    }
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            real.swap(i, j);
            imaginary.swap(i, j);
        }
    }
    let mut half = 1;
    while half < n {
        for k in 0..half {
            let (sin, cos) = (-std::f64::consts::PI * k as f64 / half as f64).sin_cos();
            for top in (k..n).step_by(2 * half) {
                let bottom = top + half;
                let re = real[bottom] * cos - imaginary[bottom] * sin;
                let im = real[bottom] * sin + imaginary[bottom] * cos;
                real[bottom] = real[top] - re;
                imaginary[bottom] = imaginary[top] - im;
                real[top] += re;
                imaginary[top] += im;
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fourier_transform_gives_the_same_products() {
        let values: Vec<f64> = (0..300).map(|i| f64::from((i * i) % 101)).collect();
        let deviations = standardised(&values).unwrap();
        for (lag, found) in products_by_fourier(&deviations).into_iter().enumerate() {
            assert!((found - product(&deviations, lag)).abs() < 1e-9, "lag {lag}");
        }
    }

    #[test]
    fn constant_and_short_series_have_no_autocorrelation() {
        assert_eq!(autocorrelation(&[3.0; 9], 1), None);
        assert_eq!(autocorrelation(&[1.0, 2.0], 2), None);
        assert!(correlogram(&[5.0], 10).is_empty());
    }
}
