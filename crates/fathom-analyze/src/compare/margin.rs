//! A relative difference.

use fathom_stats::LogRatioInterval;
use std::fmt;

/// A relative difference, such as 1%: what is smaller does not matter.
///
/// As a ratio it reaches from 1/(1 + m) to 1 + m, which is symmetric in the logarithm, so that it
/// does not matter which of the two subjects is the reference.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Margin(f64);

/// Not a margin.
#[derive(Debug, Clone, PartialEq)]
pub struct MarginError(f64);

impl fmt::Display for MarginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.0;
        write!(
            f,
            "the margin must be at least 0 and below 10 (1000%), such as 0.01 or 1%; found {found}"
        )
    }
}

impl std::error::Error for MarginError {}

impl Margin {
    /// 1%.
    pub const DEFAULT: Margin = Margin(0.01);

    /// Checks the range.
    pub fn new(share: f64) -> Result<Margin, MarginError> {
        if (0.0..10.0).contains(&share) { Ok(Margin(share)) } else { Err(MarginError(share)) }
    }

    /// The number: 0.01 for 1%.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// ln(1 + m).
    #[must_use]
    pub fn log(self) -> f64 {
        self.0.ln_1p()
    }

    /// Whether an interval of log-ratios lies inside.
    #[must_use]
    pub fn holds(self, interval: LogRatioInterval) -> bool {
        -self.log() < interval.lower && interval.upper < self.log()
    }
}
