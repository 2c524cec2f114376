//! Where the simplified heuristic cuts.

use super::SettingError;

/// The place of a cut among the unique heights of a tree: 0 is the lowest, 1 the highest.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct CutLevel(f64);

impl CutLevel {
    /// The middle, where the paper's bell curve has its peak.
    pub const PAPER: CutLevel = CutLevel(0.5);

    /// Checks the range.
    ///
    /// ```
    /// use fathom_stats::outliers::CutLevel;
    /// assert_eq!(CutLevel::new(0.3)?.get(), 0.3);
    /// assert!(CutLevel::new(1.5).is_err());
    /// # Ok::<(), fathom_stats::outliers::SettingError>(())
    /// ```
    pub fn new(level: f64) -> Result<CutLevel, SettingError> {
        // Adding zero turns -0 into 0.
        let is_level = (0.0..=1.0).contains(&level);
        if is_level { Ok(CutLevel(level + 0.0)) } else { Err(SettingError::Level(level)) }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}
