//! From when on neighbouring subsessions count as independent.

use fathom_stats::dependence::NEGLIGIBLE;
use std::fmt;

/// The largest lag-1 autocorrelation, either way, at which `--method subsession` takes merged
/// samples as independent.
///
/// ```
/// use fathom_analyze::SubsessionRange;
/// assert_eq!(SubsessionRange::DEFAULT.get(), 0.1);
/// assert!(SubsessionRange::new(0.3).is_ok() && SubsessionRange::new(0.0).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SubsessionRange(f64);

/// A range that is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SubsessionRangeError;

impl fmt::Display for SubsessionRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("use a number above 0 and below 1, such as 0.1")
    }
}

impl std::error::Error for SubsessionRangeError {}

impl SubsessionRange {
    /// Ferrari's, and Pilot's.
    pub const DEFAULT: SubsessionRange = SubsessionRange(NEGLIGIBLE);

    /// A range of this size to either side of 0.
    pub fn new(limit: f64) -> Result<SubsessionRange, SubsessionRangeError> {
        if limit > 0.0 && limit < 1.0 {
            Ok(SubsessionRange(limit))
        } else {
            Err(SubsessionRangeError)
        }
    }

    /// Its size.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for SubsessionRange {
    fn default() -> SubsessionRange {
        SubsessionRange::DEFAULT
    }
}
