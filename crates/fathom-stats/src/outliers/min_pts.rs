//! How many neighbours make a neighbourhood.

use super::SettingError;

/// MinPts of Breunig et al.: how many neighbours a value is compared with, from 1 to 1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MinPts(usize);

impl MinPts {
    /// The paper's: the lowest value that Breunig et al. recommend.
    pub const PAPER: MinPts = MinPts(10);

    /// More than this answers no other question, and takes time for each value.
    const MOST: usize = 1000;

    /// Checks the range.
    ///
    /// ```
    /// use fathom_stats::outliers::MinPts;
    /// assert_eq!(MinPts::new(50)?.get(), 50);
    /// assert!(MinPts::new(0).is_err());
    /// # Ok::<(), fathom_stats::outliers::SettingError>(())
    /// ```
    pub fn new(neighbours: usize) -> Result<MinPts, SettingError> {
        if (1..=MinPts::MOST).contains(&neighbours) {
            Ok(MinPts(neighbours))
        } else {
            Err(SettingError::MinPts(neighbours))
        }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> usize {
        self.0
    }
}
