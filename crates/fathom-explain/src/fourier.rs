//! Fourier transforms, of lengths that are products of twos and threes.
//!
//! Rustfft's planner knows a transform for every length, and all of them would be compiled into this
//! crate, which then takes twice as long. Series are padded with zeros anyway, so two algorithms do.
//! They are scalar: the same bytes on every processor.

use rustfft::algorithm::{Radix3, Radix4};
use rustfft::{Fft, FftDirection};
use std::sync::Arc;

/// A transform of the shortest such length that holds `rows` rows.
pub(crate) fn transform(rows: usize, direction: FftDirection) -> Arc<dyn Fft<f64>> {
    let length = padded(rows);
    let twos = 1 << length.trailing_zeros();
    let of_twos = Radix4::new(twos, direction);
    match (length / twos).ilog(3) {
        0 => Arc::new(of_twos),
        threes => Arc::new(Radix3::new_with_base(threes, Arc::new(of_twos))),
    }
}

/// The smallest product of twos and threes that is at least `rows`.
fn padded(rows: usize) -> usize {
    let is_product = |length: &usize| {
        let mut rest = length >> length.trailing_zeros();
        while rest.is_multiple_of(3) {
            rest /= 3;
        }
        rest == 1
    };
    (rows.max(1)..).find(is_product).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustfft::num_complex::Complex;

    #[test]
    fn a_length_is_the_next_product_of_twos_and_threes() {
        let products: Vec<usize> = (1..=1000).filter(|&length| padded(length) == length).collect();
        let mut expected: Vec<usize> = (0..10)
            .flat_map(|twos| (0..7).map(move |threes| 2_usize.pow(twos) * 3_usize.pow(threes)))
            .filter(|&length| length <= 1000)
            .collect();
        expected.sort_unstable();
        assert_eq!(products, expected);
        assert_eq!((padded(0), padded(5), padded(17), padded(1000)), (1, 6, 18, 1024));
    }

    /// The definition, for every length up to 200, in both directions.
    #[test]
    fn it_is_the_sum_that_defines_it() {
        for rows in 1..=200 {
            for direction in [FftDirection::Forward, FftDirection::Inverse] {
                let transform = transform(rows, direction);
                let length = transform.len();
                let sign = if direction == FftDirection::Forward { -1.0 } else { 1.0 };
                let signal: Vec<Complex<f64>> = (0..length)
                    .map(|row| Complex::new((row as f64 * 1.7).sin(), (row as f64 * 0.3).cos()))
                    .collect();
                let mut found = signal.clone();
                transform.process(&mut found);
                for (bin, found) in found.iter().enumerate() {
                    let term = |(row, value): (usize, &Complex<f64>)| {
                        let turn = sign * std::f64::consts::TAU * ((bin * row) % length) as f64;
                        value * Complex::from_polar(1.0, turn / length as f64)
                    };
                    let expected: Complex<f64> = signal.iter().enumerate().map(term).sum();
                    assert!((found - expected).norm() < 1e-10, "{length}, {bin}: {found}");
                }
            }
        }
    }
}
