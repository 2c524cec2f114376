//! The curve that ranks the cuts of the simplified heuristic.

use super::SettingError;
use std::fmt;

/// What ranks the heights of a tree by their level, which is their index over their number. The
/// heuristic cuts at the height that ranks highest.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum CutCurve {
    /// The paper's bell curve. It is symmetric around its peak, the [`CutLevel`](super::CutLevel), so
    /// nothing else of it counts.
    #[default]
    Bell,
    /// A polynomial of the level.
    Polynomial(CutPolynomial),
}

/// A polynomial a₀ + a₁x + a₂x² + … of at most degree 6, as the paper fits one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutPolynomial {
    /// Zero where there are fewer.
    coefficients: [f64; CutPolynomial::MOST],
    count: usize,
}

impl CutPolynomial {
    /// The most coefficients.
    pub const MOST: usize = 7;
    /// Sums of larger coefficients could overflow.
    const LARGEST: f64 = 1e100;

    /// Checks coefficients in ascending order of their powers.
    ///
    /// # Errors
    /// There are fewer than two or more than seven, or one is not finite or above 1e100, or the
    /// polynomial is constant and ranks all levels alike.
    ///
    /// ```
    /// use fathom_stats::outliers::CutPolynomial;
    /// let parabola = CutPolynomial::new(&[0.0, 0.6, -1.0])?;
    /// assert_eq!(parabola.at(0.3), 0.09);
    /// assert!(CutPolynomial::new(&[1.0]).is_err());
    /// # Ok::<(), fathom_stats::outliers::SettingError>(())
    /// ```
    pub fn new(coefficients: &[f64]) -> Result<CutPolynomial, SettingError> {
        let count = coefficients.len();
        let is_in_range = |one: &f64| one.abs() <= CutPolynomial::LARGEST;
        let is_constant = coefficients.iter().skip(1).all(|one| *one == 0.0);
        if count > CutPolynomial::MOST || is_constant || !coefficients.iter().all(is_in_range) {
            return Err(SettingError::Curve);
        }
        let mut all = [0.0; CutPolynomial::MOST];
        // Adding zero turns -0 into 0.
        all.iter_mut().zip(coefficients).for_each(|(place, one)| *place = one + 0.0);
        Ok(CutPolynomial { coefficients: all, count })
    }

    /// The coefficients in ascending order of their powers.
    ///
    /// ```
    /// use fathom_stats::outliers::CutPolynomial;
    /// assert_eq!(CutPolynomial::new(&[1.0, -2.0])?.coefficients(), [1.0, -2.0]);
    /// # Ok::<(), fathom_stats::outliers::SettingError>(())
    /// ```
    #[must_use]
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients[..self.count]
    }

    /// How high it ranks a level.
    #[must_use]
    pub fn at(&self, level: f64) -> f64 {
        self.coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * level + coefficient)
    }
}

impl fmt::Display for CutCurve {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CutCurve::Bell => out.write_str("bell"),
            CutCurve::Polynomial(polynomial) => {
                let texts = polynomial.coefficients().iter().map(f64::to_string);
                out.write_str(&texts.collect::<Vec<_>>().join(","))
            }
        }
    }
}
