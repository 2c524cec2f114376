//! Outliers by the heuristics of Rehn et al., and by classic rules.
//!
//! [`OutlierRule::find`] labels values and deletes none. Both heuristics cluster the values by
//! complete linkage, cut the tree at some height, and label small clusters above the median; they
//! differ in the choice of the height. Both take O(n log n) time, and of that only the sort is more
//! than O(n).
//!
//! The pieces are public for tests and tables: [`Positions`] (what is decided on),
//! [`local_outlier_factors`], [`Dendrogram`], [`full_cut`], [`simplified_cut`],
//! [`ranked_cut`] and [`medcouple`].
//!
//! The page is `docs/methods/outliers.md`, the error rates are in `calibration/outliers.md`.

use std::fmt;

mod classic;
mod cluster_share;
mod cut_curve;
mod cut_level;
mod dendrogram;
mod full;
mod grid;
mod in_time;
mod local_outlier_factor;
mod medcouple;
mod min_pts;
mod outlying;
mod positions;
mod rule;
mod simplified;
mod ticks;

pub use cluster_share::ClusterShare;
pub use cut_curve::{CutCurve, CutPolynomial};
pub use cut_level::CutLevel;
pub use dendrogram::Dendrogram;
pub use full::full_cut;
pub use grid::OutlierGrid;
pub use in_time::InTime;
pub use local_outlier_factor::local_outlier_factors;
pub use medcouple::medcouple;
pub use min_pts::MinPts;
pub use outlying::{OutlierKind, Outlying};
pub use positions::Positions;
pub use rule::OutlierRule;
pub use simplified::{ranked_cut, simplified_cut};

/// A setting of a rule that is out of its range.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SettingError {
    /// The largest cluster of outliers.
    Share(f64),
    /// The neighbours of a value.
    MinPts(usize),
    /// The level of the cut.
    Level(f64),
    /// The coefficients of a curve.
    Curve,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingError::Share(found) => {
                write!(f, "the share is above 0 and at most 0.5; found {found}")
            }
            SettingError::MinPts(found) => {
                write!(f, "MinPts is a whole number from 1 to 1000; found {found}")
            }
            SettingError::Level(found) => write!(f, "the level is from 0 to 1; found {found}"),
            SettingError::Curve => f.write_str(
                "a curve has 2 to 7 coefficients from -1e100 to 1e100, and is not constant",
            ),
        }
    }
}

impl std::error::Error for SettingError {}

/// A rule that says which values are outliers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Rehn et al., Algorithm 2: cut at a fixed level of the tree's unique heights.
    Simplified,
    /// Rehn et al., Algorithm 1: cut where the values that stay have the smallest mean local
    /// outlier factor.
    Full,
    /// Tukey's inner fences, on both sides: below Q1 − 1.5 IQR or above Q3 + 1.5 IQR, quartiles of
    /// Hyndman and Fan's type 7. Labels about 0.7% of normal values.
    Tukey,
    /// Double MAD, on both sides: further from the median than 3.5 × 1.4826 × the median absolute
    /// deviation of the values on that side. A side whose deviation is 0 has no outliers.
    Mad,
    /// The boxplot of Hubert and Vandervieren, on both sides: Tukey's fences, moved with the
    /// [`medcouple`] MC to below Q1 − 1.5 e^(−4 MC) IQR or above Q3 + 1.5 e^(3 MC) IQR (mirrored
    /// where MC is negative). Labels about 0.7% of skewed values, too.
    AdjustedBoxplot,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 5] =
        [Method::Simplified, Method::Full, Method::Tukey, Method::Mad, Method::AdjustedBoxplot];

    /// Its name in options and in JSON.
    ///
    /// ```
    /// use fathom_stats::outliers::Method;
    /// assert_eq!(Method::Tukey.name(), "tukey");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::Simplified => "simplified",
            Method::Full => "full",
            Method::Tukey => "tukey",
            Method::Mad => "mad",
            Method::AdjustedBoxplot => "adjusted-boxplot",
        }
    }

    /// Whether it looks for clusters, which have a size and a cut.
    ///
    /// ```
    /// use fathom_stats::outliers::Method;
    /// assert!(Method::Full.clusters() && !Method::Tukey.clusters());
    /// ```
    #[must_use]
    pub fn clusters(self) -> bool {
        matches!(self, Method::Simplified | Method::Full)
    }
}

/// The values that a rule labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Outliers {
    /// The rule.
    pub rule: OutlierRule,
    /// The step of the grid that was decided on, in the data's unit; `None` where there was none.
    pub grid: Option<f64>,
    /// The height at which the tree was cut, in the data's unit; `None` for the classic rules and
    /// where there is no tree (fewer than two values).
    pub cut_height: Option<f64>,
    /// The skewness that moved the fences; `None` for the other rules.
    pub medcouple: Option<f64>,
    /// Where the labelled values are, ascending.
    pub indices: Vec<usize>,
    /// Whether the labelled values lie close together in time; `None` for fewer than two of them.
    pub clustered_in_time: Option<InTime>,
}

/// Labels the outliers among values in the order of measurement, by a rule with its usual settings.
///
/// ```
/// use fathom_stats::outliers::{find, OutlierGrid, Method};
/// let mut values: Vec<f64> = (0..200).map(|i| 100.0 + f64::from(i % 7)).collect();
/// values[50] = 900.0;
/// let found = find(&values, Method::Simplified, OutlierGrid::Auto);
/// assert_eq!(found.indices, [50]);
/// ```
#[must_use]
pub fn find(values: &[f64], method: Method, grid: OutlierGrid) -> Outliers {
    OutlierRule { method, grid, ..OutlierRule::default() }.find(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_beyond_everything_makes_all_equal() {
        let values = [0.1, 0.2, 0.3, 0.4, 0.5, 70.5];
        for step in [1000.0, f64::MAX] {
            let found = find(&values, Method::Simplified, OutlierGrid::Step(step));
            assert_eq!((found.grid, found.cut_height), (Some(step), Some(0.0)));
            assert_eq!(found.indices, [0; 0]);
        }
    }

    #[test]
    fn extreme_values_have_an_answer() {
        let sets: [&[f64]; 13] = [
            &[],
            &[3.0],
            &[3.0, 3.0],
            &[3.0, 4.0],
            &[f64::MAX, f64::MIN],
            &[f64::MAX, f64::MAX],
            &[f64::MAX, f64::MIN, 0.0, 5e-324, -5e-324, 1e308, 1e-300],
            &[5e-324, 1e-323, 1.5e-323, 2e-323, 1e-322, 0.0],
            &[-5.0, -4.0, -3.0, 1e300],
            &[0.0, -0.0, 0.0, -0.0, 1.0],
            &[f64::NAN, 1.0, 2.0, f64::INFINITY, 3.0, 1e6],
            &[f64::NAN, f64::NEG_INFINITY],
            &[f64::MAX, f64::MAX, 1.0, 1.0, 1.0, 1.0 + f64::EPSILON],
        ];
        let grids = [
            OutlierGrid::Auto,
            OutlierGrid::Off,
            OutlierGrid::Step(5e-324),
            OutlierGrid::Step(f64::MAX),
        ];
        let nonsense =
            [OutlierGrid::Step(0.0), OutlierGrid::Step(-1.0), OutlierGrid::Step(f64::NAN)];
        for set in sets {
            for method in Method::ALL {
                for grid in grids.into_iter().chain(nonsense) {
                    let rule = OutlierRule { method, grid, ..OutlierRule::default() };
                    let found = rule.find(set);
                    let outlying = rule.outlying(set, &found);
                    assert_eq!(outlying.len(), found.indices.len());
                    assert!(outlying.iter().all(|one| one.factor.is_finite() && one.factor > 0.0));
                    assert!(found.medcouple.is_none_or(|skew| (-1.0..=1.0).contains(&skew)));
                    assert!(found.indices.iter().all(|&index| set[index].is_finite()));
                    assert!(found.cut_height.is_none_or(f64::is_finite), "{set:?} {found:?}");
                    assert!(found.grid.is_none_or(|step| step > 0.0 && step.is_finite()));
                    assert!(found.clustered_in_time.is_none_or(|time| time.p_value >= 0.0));
                }
            }
        }
    }
}
