//! How large a cluster of outliers can be.

use super::SettingError;

/// The share of the values up to which a cluster counts as outliers, above 0 and at most 0.5.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct ClusterShare(f64);

impl ClusterShare {
    /// The paper's threshold: 1% of the values.
    pub const PAPER: ClusterShare = ClusterShare(0.01);

    /// Checks the range.
    ///
    /// ```
    /// use fathom_stats::outliers::ClusterShare;
    /// assert_eq!(ClusterShare::new(0.02)?.of(250), 5);
    /// assert_eq!(ClusterShare::PAPER.get(), 0.01);
    /// assert!(ClusterShare::new(0.6).is_err());
    /// # Ok::<(), fathom_stats::outliers::SettingError>(())
    /// ```
    pub fn new(share: f64) -> Result<ClusterShare, SettingError> {
        let is_share = share > 0.0 && share <= 0.5;
        if is_share { Ok(ClusterShare(share)) } else { Err(SettingError::Share(share)) }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// How many of n values a cluster of outliers may have: always one, since a value that stands
    /// alone is what an outlier is.
    #[must_use]
    pub fn of(self, n: usize) -> usize {
        // 0.29 × 100 is 28.999999999999996.
        const SLACK: f64 = 1.0 + 4.0 * f64::EPSILON;
        ((self.0 * n as f64 * SLACK) as usize).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_n_is_exact() {
        for n in 0..20_000 {
            assert_eq!(ClusterShare::PAPER.of(n), (n / 100).max(1));
        }
        for percent in 1..=50_usize {
            let share = ClusterShare::new(percent as f64 / 100.0).unwrap();
            for n in [100, 300, 700, 5000, 1_000_000] {
                assert_eq!(share.of(n), percent * n / 100);
            }
        }
    }

    #[test]
    fn what_is_no_share_is_refused() {
        for share in [0.0, -0.01, 0.51, f64::NAN, f64::INFINITY] {
            assert!(ClusterShare::new(share).is_err(), "{share}");
        }
    }
}
