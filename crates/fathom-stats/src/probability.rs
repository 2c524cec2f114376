//! Numbers between zero and one that must not be mistaken for each other.

use std::fmt;

/// A number that is out of its range.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum LevelError {
    /// A probability or quantile level.
    Probability(f64),
    /// A confidence.
    Confidence(f64),
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelError::Probability(found) => {
                write!(f, "{found} is not between 0 and 1, exclusive")
            }
            LevelError::Confidence(found) => {
                write!(f, "the confidence must be at least 0.5 and below 1; found {found}")
            }
        }
    }
}

impl std::error::Error for LevelError {}

/// A probability, or the level of a quantile, strictly between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Probability(f64);

impl Probability {
    /// The median's level.
    pub const HALF: Probability = Probability(0.5);
    /// Nine of ten.
    pub const P90: Probability = Probability(0.9);

    /// Checks the range.
    ///
    /// ```
    /// use fathom_stats::Probability;
    /// assert!(Probability::new(0.9).is_ok());
    /// assert!(Probability::new(1.0).is_err());
    /// ```
    pub fn new(p: f64) -> Result<Probability, LevelError> {
        if p > 0.0 && p < 1.0 { Ok(Probability(p)) } else { Err(LevelError::Probability(p)) }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// 1 − p. The caller's 0.1 and 0.9 are complements of each other although the doubles are
    /// not, so the result is rounded to 15 digits.
    ///
    /// ```
    /// use fathom_stats::Probability;
    /// let p = Probability::new(0.9)?;
    /// assert_eq!((p.get(), p.complement().get()), (0.9, 0.1));
    /// # Ok::<(), fathom_stats::LevelError>(())
    /// ```
    #[must_use]
    pub fn complement(self) -> Probability {
        let rounded = ((1.0 - self.0) * 1e15).round() / 1e15;
        Probability(if rounded > 0.0 && rounded < 1.0 { rounded } else { 1.0 - self.0 })
    }
}

/// A confidence: at least 0.5 and below 1.
///
/// Below one half an interval would claim less than a coin does; the rules for ranks break down
/// there too.
///
/// ```
/// use fathom_stats::Confidence;
/// let c = Confidence::new(0.9)?;
/// assert_eq!(c.get(), 0.9);
/// assert!((c.alpha() - 0.1).abs() < 1e-15);
/// assert!(c.is_reached_by(0.9) && !c.is_reached_by(0.89));
/// assert!(Confidence::new(0.4).is_err());
/// # Ok::<(), fathom_stats::LevelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    /// 95%.
    pub const DEFAULT: Confidence = Confidence(0.95);

    /// Checks the range.
    pub fn new(c: f64) -> Result<Confidence, LevelError> {
        if (0.5..1.0).contains(&c) { Ok(Confidence(c)) } else { Err(LevelError::Confidence(c)) }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// The error that is allowed: 1 − C.
    #[must_use]
    pub fn alpha(self) -> f64 {
        1.0 - self.0
    }

    /// Whether a computed probability reaches this confidence.
    ///
    /// Some exact values equal C (n = 1, F = C = 0.9), and the last bits of a computed one are
    /// rounding: a shortfall of 1e-12 is not a shortfall.
    #[must_use]
    pub fn is_reached_by(self, probability: f64) -> bool {
        probability >= self.0 - 1e-12
    }
}
