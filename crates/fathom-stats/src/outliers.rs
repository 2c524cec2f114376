//! Outliers by the heuristics of Rehn et al., and by classic rules.
//!
//! [`find`] labels values and deletes none. Both heuristics cluster the values by complete linkage,
//! cut the tree at some height, and label small clusters above the median; they differ in the choice
//! of the height. Both take O(n log n) time, and of that only the sort is more than O(n).
//!
//! The pieces are public for tests and tables: [`Positions`] (what is decided on),
//! [`local_outlier_factors`], [`Dendrogram`], [`full_cut`] and [`simplified_cut`].
//!
//! The page is `docs/methods/outliers.md`, the error rates are in `calibration/outliers.md`.

mod classic;
mod dendrogram;
mod full;
mod grid;
mod in_time;
mod local_outlier_factor;
mod positions;
mod simplified;
mod ticks;

pub use dendrogram::Dendrogram;
pub use full::full_cut;
pub use grid::OutlierGrid;
pub use in_time::InTime;
pub use local_outlier_factor::local_outlier_factors;
pub use positions::Positions;
pub use simplified::simplified_cut;

/// A rule that says which values are outliers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Rehn et al., Algorithm 2: cut at the middle one of the tree's unique heights.
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
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 4] = [Method::Simplified, Method::Full, Method::Tukey, Method::Mad];

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
        }
    }
}

/// The values that a rule labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Outliers {
    /// The rule.
    pub method: Method,
    /// The step of the grid that was decided on, in the data's unit; `None` where there was none.
    pub grid: Option<f64>,
    /// The height at which the tree was cut, in the data's unit; `None` for the classic rules and
    /// where there is no tree (fewer than two values).
    pub cut_height: Option<f64>,
    /// Where the labelled values are, ascending.
    pub indices: Vec<usize>,
    /// Whether the labelled values lie close together in time; `None` for fewer than two of them.
    pub clustered_in_time: Option<InTime>,
}

/// Labels the outliers among values in the order of measurement.
///
/// Every finite input has an answer. Values that are not finite are left out of account and are
/// never labelled.
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
    let mut grid_used = None;
    let mut cut_height = None;
    let mut indices = match method {
        Method::Tukey => classic::tukey(values),
        Method::Mad => classic::double_mad(values),
        Method::Simplified | Method::Full => {
            let positions = match grid {
                // As the paper has it: the doubles themselves.
                OutlierGrid::Off => Positions::as_given(values),
                _ => Positions::new(values, grid),
            };
            let dendrogram = Dendrogram::of(&positions);
            let cut = match method {
                Method::Full => full_cut(&dendrogram, &local_outlier_factors(&positions)),
                _ => simplified_cut(&dendrogram),
            };
            grid_used = positions.grid();
            cut_height = cut.map(|height| positions.in_data_unit(height));
            cut.map_or(Vec::new(), |height| {
                positions.indices_within(&dendrogram.outliers_at(height), values)
            })
        }
    };
    indices.shrink_to_fit();
    let clustered_in_time = InTime::of(&indices, values.len());
    Outliers { method, grid: grid_used, cut_height, indices, clustered_in_time }
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
            for method in [Method::Simplified, Method::Full, Method::Tukey, Method::Mad] {
                for grid in grids.into_iter().chain(nonsense) {
                    let found = find(set, method, grid);
                    assert!(found.indices.iter().all(|&index| set[index].is_finite()));
                    assert!(found.cut_height.is_none_or(f64::is_finite), "{set:?} {found:?}");
                    assert!(found.grid.is_none_or(|step| step > 0.0 && step.is_finite()));
                    assert!(found.clustered_in_time.is_none_or(|time| time.p_value >= 0.0));
                }
            }
        }
    }
}
