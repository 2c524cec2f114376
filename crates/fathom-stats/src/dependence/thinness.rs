//! How many samples it takes to tell as much as an independent one would.

/// The two-level estimate of a series' thinness τ: n samples are worth n/τ.
///
/// τ compares the variance of the mean with that of independent samples, seen through single
/// samples and through subsessions of about √n of them; the larger counts. The lag-1
/// autocorrelation that extrapolates each level is corrected for bias and raised by one standard
/// error, because underestimating dependence costs coverage and overestimating it only width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thinness {
    /// τ, at least 1.
    pub tau: f64,
    /// τ seen through single samples.
    pub of_samples: f64,
    /// τ seen through subsessions; 0 if the series is too short for them.
    pub of_subsessions: f64,
    /// Σ(z − mean)²/n of the series.
    pub(super) variance: f64,
    /// The mean of the series.
    pub(super) mean: f64,
}

impl Thinness {
    /// The thinness of a series in time order; `None` for fewer than five values, or without any
    /// variance.
    ///
    /// ```
    /// use fathom_stats::dependence::Thinness;
    /// let slow: Vec<f64> = (0..200).map(|i| f64::from((i / 10) % 2)).collect();
    /// assert!(Thinness::of(&slow).unwrap().tau > 10.0);
    /// ```
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Thinness> {
        let n = values.len();
        if n < 5 {
            return None;
        }
        let size = n as f64;
        let rough = values.iter().map(|value| value / size).sum::<f64>();
        let mean = rough + values.iter().map(|value| (value - rough) / size).sum::<f64>();
        let variance = values.iter().map(|value| (value - mean).powi(2) / size).sum::<f64>();
        if !variance.is_finite() || variance <= 0.0 {
            return None;
        }
        let level = |q: usize| level(values, mean, variance, q);
        let of_samples = level(1);
        // About 1.5 √n subsessions, and not fewer than twenty.
        let count = usize::max(20, (1.5 * size.sqrt()).ceil() as usize);
        let q = n / count;
        let of_subsessions = if q > 1 { level(q) } else { 0.0 };
        let tau = of_samples.max(of_subsessions).max(1.0);
        Some(Thinness { tau, of_samples, of_subsessions, variance, mean })
    }

    /// What n samples of such a series are worth.
    ///
    /// ```
    /// use fathom_stats::dependence::Thinness;
    /// let slow: Vec<f64> = (0..200).map(|i| f64::from((i / 10) % 2)).collect();
    /// let thinness = Thinness::of(&slow).ok_or("constant")?;
    /// assert_eq!(thinness.effective(200), 200.0 / thinness.tau);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn effective(&self, n: usize) -> f64 {
        n as f64 / self.tau
    }
}

/// τ seen through subsessions of q samples.
fn level(values: &[f64], mean: f64, variance: f64, q: usize) -> f64 {
    /// Beyond this an extrapolation is a guess.
    const MOST: f64 = 0.97;
    let (n, h) = (values.len() as f64, (values.len() / q) as f64);
    let (mut squares, mut products, mut before) = (0.0, 0.0, 0.0);
    for part in values.chunks_exact(q) {
        let here = part.iter().sum::<f64>() / q as f64 - mean;
        squares += here * here;
        products += here * before;
        before = here;
    }
    if squares <= 0.0 || h <= 3.0 {
        return 0.0;
    }
    let r = products / squares;
    // E[r] is about ρ − (1 + 3ρ)/h; undo it, then go one standard error up, at most doubling.
    let corrected = ((h * r + 1.0) / (h - 3.0)).clamp(0.0, MOST);
    let error = ((1.0 - corrected * corrected) / h).sqrt();
    let raised = (corrected + corrected.min(error)).min(MOST);
    q as f64 * (squares / (h - 1.0)) * (1.0 + raised) / (1.0 - raised) / (variance * n / (n - 1.0))
}
