//! Pearson's coefficient of a shape with every stretch of a series.

use super::series::Series;
use crate::{Sequence, fourier};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection};
use std::sync::Arc;

/// How much of a shape must be seen at a place for a coefficient.
const LEAST_SEEN: f64 = 0.5;
/// How much of a shape's variation must be seen.
const LEAST_SHAPE: f64 = 0.1;
/// The largest |r|.
const CLIP: f64 = 0.995;
/// The fewest rows that a coefficient is made of.
pub(super) const FEWEST_ROWS: usize = 4;

/// Fourier transforms for series of one length.
pub(super) struct Transforms {
    rows: usize,
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
}

/// A shape: its sum is 0, its sum of squares 1.
pub(super) struct Shape {
    heights: Vec<f64>,
    spectrum: Vec<Complex<f64>>,
    /// That of the squares, which only series with gaps need.
    spectrum_of_squares: Vec<Complex<f64>>,
}

impl Transforms {
    pub(super) fn new(rows: usize) -> Transforms {
        // Wrapping round reaches only places that the shape does not fit in.
        let transform = |direction| fourier::transform(rows, direction);
        Transforms {
            rows,
            forward: transform(FftDirection::Forward),
            inverse: transform(FftDirection::Inverse),
        }
    }

    fn size(&self) -> usize {
        self.forward.len()
    }

    fn spectrum(&self, mut signal: Vec<Complex<f64>>) -> Vec<Complex<f64>> {
        signal.resize(self.size(), Complex::default());
        self.forward.process(&mut signal);
        signal
    }

    /// The correlation of a signal with a template, both by their spectra, at every start.
    fn correlation(
        &self,
        signal: &[Complex<f64>],
        template: &[Complex<f64>],
        scratch: &mut [Complex<f64>],
    ) -> Vec<Complex<f64>> {
        let scale = 1.0 / self.size() as f64;
        let product = |(s, t): (&Complex<f64>, &Complex<f64>)| s * t.conj() * scale;
        let mut product: Vec<Complex<f64>> = signal.iter().zip(template).map(product).collect();
        self.inverse.process_with_scratch(&mut product, scratch);
        product
    }

    /// A shape of these heights; `None` if they are too few or too many, or all the same.
    pub(super) fn shape(&self, heights: &[f64]) -> Option<Shape> {
        if heights.len() < FEWEST_ROWS || heights.len() > self.rows {
            return None;
        }
        let largest = heights.iter().fold(0.0_f64, |largest, height| largest.max(height.abs()));
        let mean =
            heights.iter().map(|height| height / largest).sum::<f64>() / heights.len() as f64;
        let mut heights: Vec<f64> = heights.iter().map(|height| height / largest - mean).collect();
        let norm = heights.iter().map(|height| height * height).sum::<f64>().sqrt();
        // What is left of equal heights is the error of their mean. Not a number if all are 0.
        if norm.is_nan() || norm <= 1e-13 * (heights.len() as f64).sqrt() {
            return None;
        }
        heights.iter_mut().for_each(|height| *height /= norm);
        let complex = |height: f64| Complex::new(height, 0.0);
        let spectrum = self.spectrum(heights.iter().copied().map(complex).collect());
        let squares = heights.iter().map(|height| complex(height * height)).collect();
        Some(Shape { heights, spectrum, spectrum_of_squares: self.spectrum(squares) })
    }

    /// [`bent`] coefficients of each shape with the series at each place it fits in; `NaN` where it
    /// cannot be said. A stretch that does not move follows nothing: 0.
    pub(super) fn everywhere(&self, shapes: &[&Shape], series: &Series) -> Vec<Vec<f64>> {
        let mut scratch = vec![Complex::default(); self.inverse.get_inplace_scratch_len()];
        // The mask as imaginary part: what is correlated with a real shape stays apart.
        let signal: Vec<Complex<f64>> = match series.mask() {
            None => series.values().iter().map(|&value| Complex::new(value, 0.0)).collect(),
            Some(mask) => {
                let seen = mask.iter().map(|&seen| f64::from(u8::from(seen)));
                series.values().iter().zip(seen).map(|(&x, m)| Complex::new(x, m)).collect()
            }
        };
        let signal = self.spectrum(signal);
        let one = |shape: &&Shape| {
            let products = self.correlation(&signal, &shape.spectrum, &mut scratch);
            let squares = series
                .mask()
                .map(|_| self.correlation(&signal, &shape.spectrum_of_squares, &mut scratch));
            coefficients(shape, series, &products, squares.as_deref())
        };
        shapes.iter().map(one).collect()
    }
}

impl Shape {
    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        self.heights.len()
    }

    /// Its heights.
    pub(super) fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// The [`bent`] coefficient with one stretch, directly, which no jump elsewhere makes less
    /// precise; `None` if too little was seen of the stretch.
    pub(super) fn at(&self, metric: &Sequence, start: usize) -> Option<f64> {
        let rows = || {
            let seen = |(row, height): (usize, &f64)| Some((*height, metric.get(start + row)?));
            self.heights.iter().enumerate().filter_map(seen)
        };
        let count = rows().count() as f64;
        if !is_enough(count, self.len()) || start + self.len() > metric.len() {
            return None;
        }
        let largest = rows().fold(0.0_f64, |largest, (_, x)| largest.max(x.abs()));
        if largest == 0.0 {
            return Some(0.0);
        }
        let height = rows().map(|(q, _)| q).sum::<f64>() / count;
        let level = rows().map(|(_, x)| x / largest).sum::<f64>() / count;
        let (mut product, mut of_shape, mut of_metric) = (0.0, 0.0, 0.0);
        for (q, x) in rows() {
            let (q, x) = (q - height, x / largest - level);
            product += q * x;
            of_shape += q * q;
            of_metric += x * x;
        }
        let still = 1e-26 * count;
        if of_metric <= still {
            return Some(0.0);
        }
        (of_shape > LEAST_SHAPE).then(|| bent(product / (of_shape * of_metric).sqrt()))
    }
}

/// Fisher's transform of a coefficient, by which coefficients can be averaged. A coefficient near 1
/// would outweigh all others: |r| is at most .995.
pub(super) fn bent(r: f64) -> f64 {
    let r = r.clamp(-CLIP, CLIP);
    0.5 * ((1.0 + r) / (1.0 - r)).ln()
}

fn is_enough(count: f64, rows: usize) -> bool {
    count >= FEWEST_ROWS as f64 && count >= LEAST_SEEN * rows as f64
}

fn coefficients(
    shape: &Shape,
    series: &Series,
    products: &[Complex<f64>],
    squares: Option<&[Complex<f64>]>,
) -> Vec<f64> {
    let rows = shape.len();
    let least = series.least_variation();
    let places = (series.len() + 1).saturating_sub(rows);
    let Some(squares) = squares else {
        let one = |(product, (variation, moves)): (&Complex<f64>, (f64, bool))| {
            if !moves {
                0.0
            } else if variation <= least {
                f64::NAN
            } else {
                bent(product.re / variation.sqrt())
            }
        };
        return products.iter().take(places).zip(series.variations(rows)).map(one).collect();
    };
    let one = |(start, product): (usize, &Complex<f64>)| {
        let Some(stretch) = series.stretch(start, rows) else { return f64::NAN };
        if !is_enough(stretch.count, rows) {
            return f64::NAN;
        }
        if !stretch.moves {
            return 0.0;
        }
        if stretch.variation <= least {
            return f64::NAN;
        }
        let Some(squares) = squares.get(start) else { return f64::NAN };
        let of_shape = squares.im - product.im * product.im / stretch.count;
        if of_shape <= LEAST_SHAPE {
            return f64::NAN;
        }
        let together = product.re - product.im * stretch.sum / stretch.count;
        bent(together / (of_shape * stretch.variation).sqrt())
    };
    products.iter().take(places).enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pearson's coefficient of what both have, as it is defined.
    fn plainly(heights: &[f64], rows: &[Option<f64>]) -> Option<f64> {
        let pairs: Vec<(f64, f64)> =
            heights.iter().zip(rows).filter_map(|(q, x)| Some((*q, (*x)?))).collect();
        if !is_enough(pairs.len() as f64, heights.len()) {
            return None;
        }
        let n = pairs.len() as f64;
        let (mean_q, mean_x) =
            pairs.iter().fold((0.0, 0.0), |(q, x), pair| (q + pair.0 / n, x + pair.1 / n));
        let sum = |of: fn(f64, f64) -> f64| {
            pairs.iter().map(|(q, x)| of(q - mean_q, x - mean_x)).sum::<f64>()
        };
        let (qx, qq, xx) = (sum(|q, x| q * x), sum(|q, _| q * q), sum(|_, x| x * x));
        let all = heights.iter().sum::<f64>() / heights.len() as f64;
        let whole = heights.iter().map(|q| (q - all).powi(2)).sum::<f64>();
        if pairs.windows(2).all(|two| two[0].1 == two[1].1) {
            return Some(0.0);
        }
        (qq > (LEAST_SHAPE + 1e-9) * whole).then(|| bent(qx / (qq * xx).sqrt()))
    }

    /// Whether as much of the shape was seen as is just not enough.
    fn is_at_the_limit(heights: &[f64], rows: &[Option<f64>]) -> bool {
        let variation = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
            values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
        };
        let seen: Vec<f64> = heights.iter().zip(rows).filter_map(|(q, x)| x.map(|_| *q)).collect();
        (variation(&seen) - LEAST_SHAPE * variation(heights)).abs() < 1e-9 * variation(heights)
    }

    fn agree(heights: &[f64], rows: &[Option<f64>]) {
        let transforms = Transforms::new(rows.len());
        let Some(shape) = transforms.shape(heights) else { return };
        let metric = Sequence::new(rows);
        let Some(series) = Series::new(&metric) else { return };
        let found = transforms.everywhere(&[&shape], &series);
        assert_eq!(found[0].len(), rows.len() + 1 - heights.len());
        for (start, (z, stretch)) in found[0].iter().zip(rows.windows(heights.len())).enumerate() {
            let plain = plainly(heights, stretch);
            let directly = shape.at(&metric, start);
            match plain {
                Some(plain) => {
                    assert!((z - plain).abs() < 1e-6, "{start}: {z} instead of {plain}");
                    assert!((directly.unwrap() - plain).abs() < 1e-6, "{start}: {directly:?}");
                }
                // Whether a little of the shape is enough may go either way by rounding.
                None if is_at_the_limit(heights, stretch) => {}
                None => assert!(z.is_nan() && directly.is_none(), "{start}: {z} for nothing"),
            }
        }
    }

    proptest! {
        #[test]
        fn it_is_pearsons_coefficient_at_every_place(
            heights in prop::collection::vec(-9..9_i32, 4..9),
            rows in prop::collection::vec(prop::option::weighted(0.8, -5..5_i32), 9..60),
            level in prop::sample::select(vec![0.0, 1e6, -1e-6]),
        ) {
            let heights: Vec<f64> = heights.into_iter().map(f64::from).collect();
            let plain: Vec<Option<f64>> =
                rows.iter().map(|row| row.map(|row| level + f64::from(row))).collect();
            agree(&heights, &plain);
            let whole: Vec<Option<f64>> =
                rows.iter().map(|row| Some(level + f64::from(row.unwrap_or(3)))).collect();
            agree(&heights, &whole);
        }
    }

    #[test]
    fn what_a_jump_drowns_is_not_said() {
        let wave = |row: usize| (row as f64 * 0.7).sin();
        let jump = |row| if row < 50 { wave(row) } else { 1e12 };
        let metric = Sequence::from((0..100).map(jump).collect::<Vec<_>>());
        let transforms = Transforms::new(100);
        let shape = transforms.shape(&(0..9).map(wave).collect::<Vec<_>>()).unwrap();
        let found = transforms.everywhere(&[&shape], &Series::new(&metric).unwrap());
        assert!(found[0][..41].iter().all(|z| z.is_nan()), "{:?}", found[0]);
        assert!(found[0][50..].iter().all(|z| *z == 0.0), "{:?}", found[0]);
        assert!((shape.at(&metric, 0).unwrap() - bent(1.0)).abs() < 1e-9);
    }

    #[test]
    fn a_level_line_is_no_shape() {
        let transforms = Transforms::new(30);
        for heights in [vec![0.0; 9], vec![0.1; 9], vec![1e300; 9], vec![1.0, 2.0, 3.0], vec![]] {
            assert!(transforms.shape(&heights).is_none(), "{heights:?}");
        }
        assert!(transforms.shape(&[1e308, -1e308, 1e308, 0.0]).is_some());
        assert!(transforms.shape(&[1e-308, -1e-308, 1e-308, 0.0]).is_some());
    }
}
