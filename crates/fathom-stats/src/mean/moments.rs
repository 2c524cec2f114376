//! Mean, standard deviation and skewness, without overflow.

/// The first three moments of a sample.
///
/// ```
/// use fathom_stats::mean::Moments;
///
/// let moments = Moments::of(&[1.0, 2.0, 3.0]).ok_or("no values")?;
/// assert_eq!((moments.n, moments.mean, moments.sd, moments.skewness), (3, 2.0, 1.0, 0.0));
/// assert!((moments.standard_error() - 1.0 / 3.0_f64.sqrt()).abs() < 1e-15);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// How many values.
    pub n: usize,
    /// The mean.
    pub mean: f64,
    /// The standard deviation with n − 1; 0 for a single value. That of the largest doubles of
    /// both signs is none itself, and saturates.
    pub sd: f64,
    /// The skewness Σ(x − m)³/n / (Σ(x − m)²/n)^1.5; 0 for constant values.
    pub skewness: f64,
}

impl Moments {
    /// Two passes; `None` for no values.
    ///
    /// Values of any finite size: they are scaled by a power of two first, so squares and cubes
    /// neither overflow nor vanish.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Moments> {
        let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let n = values.len();
        if n == 0 {
            return None;
        }
        if largest == 0.0 {
            return Some(Moments { n, mean: 0.0, sd: 0.0, skewness: 0.0 });
        }
        let size = n as f64;
        // A power of two, so scaling rounds nothing. Clamped, because the factor for a subnormal
        // number would itself overflow; what is left of it is still far from the limits.
        let factor = libm::scalbn(1.0, (-libm::frexp(largest).1).clamp(-1022, 1022));
        let scale = |value: f64| value * factor;
        let unscale = |value: f64| value / factor;
        let rough = values.iter().map(|&value| scale(value)).sum::<f64>() / size;
        // The second pass mends the rounding of the first mean, which near 1e9 is as large as a
        // nanosecond clock's ticks; differences to it are exact.
        let correction = values.iter().map(|&value| scale(value) - rough).sum::<f64>() / size;
        let mean = rough + correction;
        let (mut squares, mut cubes) = (0.0, 0.0);
        for &value in values {
            let d = (scale(value) - rough) - correction;
            squares += d * d;
            cubes += d * d * d;
        }
        let constant = values.iter().all(|&value| value == values[0]);
        if constant || n == 1 {
            return Some(Moments { n, mean: values[0], sd: 0.0, skewness: 0.0 });
        }
        let spread = (squares / size).sqrt();
        let skewness = if spread > 0.0 { cubes / size / (spread * spread * spread) } else { 0.0 };
        Some(Moments {
            n,
            mean: unscale(mean),
            sd: unscale((squares / (size - 1.0)).sqrt()).min(f64::MAX),
            skewness: if skewness.is_finite() { skewness } else { 0.0 },
        })
    }

    /// The standard error of the mean.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        self.sd / (self.n as f64).sqrt()
    }
}
