//! A rule with its settings.

use super::{
    ClusterShare, CutCurve, CutLevel, Dendrogram, InTime, Method, MinPts, OutlierGrid, Outliers,
    Positions, classic, full_cut, local_outlier_factors, ranked_cut, simplified_cut,
};

/// A rule with its settings. Each rule looks at those that it needs.
///
/// ```
/// use fathom_stats::outliers::{CutLevel, OutlierRule};
/// let mut values: Vec<f64> = (0..200).map(|i| 100.0 + f64::from(i % 7)).collect();
/// values[50] = 900.0;
/// let rule = OutlierRule { level: CutLevel::PAPER, ..OutlierRule::default() };
/// assert_eq!(rule.find(&values).indices, [50]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutlierRule {
    /// Which rule.
    pub method: Method,
    /// How coarsely the heuristics look.
    pub grid: OutlierGrid,
    /// How large a cluster of outliers can be, for the heuristics.
    pub share: ClusterShare,
    /// The neighbourhood of the local outlier factors.
    pub min_pts: MinPts,
    /// The curve that ranks the cuts of the simplified heuristic.
    pub curve: CutCurve,
    /// Where the simplified heuristic cuts by the bell curve.
    pub level: CutLevel,
}

impl Default for OutlierRule {
    fn default() -> OutlierRule {
        OutlierRule::PAPER
    }
}

impl OutlierRule {
    /// The simplified heuristic with the paper's settings, on the grid.
    pub const PAPER: OutlierRule = OutlierRule {
        method: Method::Simplified,
        grid: OutlierGrid::Auto,
        share: ClusterShare::PAPER,
        min_pts: MinPts::PAPER,
        curve: CutCurve::Bell,
        level: CutLevel::PAPER,
    };

    /// Labels the outliers among values in the order of measurement.
    ///
    /// Every finite input has an answer. Values that are not finite are left out of account and are
    /// never labelled.
    #[must_use]
    pub fn find(&self, values: &[f64]) -> Outliers {
        let mut found = Outliers {
            rule: *self,
            grid: None,
            cut_height: None,
            medcouple: None,
            indices: Vec::new(),
            clustered_in_time: None,
        };
        match self.method {
            Method::Tukey => found.indices = classic::tukey(values),
            Method::Mad => found.indices = classic::double_mad(values),
            Method::AdjustedBoxplot => {
                (found.indices, found.medcouple) = classic::adjusted_boxplot(values);
            }
            Method::Simplified | Method::Full => {
                let positions = self.positions(values);
                let dendrogram = Dendrogram::of(&positions, self.share);
                let cut = match self.method {
                    Method::Full => {
                        full_cut(&dendrogram, &local_outlier_factors(&positions, self.min_pts))
                    }
                    _ => match &self.curve {
                        CutCurve::Bell => simplified_cut(&dendrogram, self.level),
                        CutCurve::Polynomial(curve) => ranked_cut(&dendrogram, curve),
                    },
                };
                found.grid = positions.grid();
                found.cut_height = cut.map(|height| positions.in_data_unit(height));
                found.indices = cut.map_or(Vec::new(), |height| {
                    positions.indices_within(&dendrogram.outliers_at(height), values)
                });
            }
        }
        found.indices.shrink_to_fit();
        found.clustered_in_time = InTime::of(&found.indices, values.len());
        found
    }

    /// What the rule decides on, and what its local outlier factors are of.
    pub(super) fn positions(&self, values: &[f64]) -> Positions {
        match (self.method.clusters(), self.grid) {
            // As the paper has it: the doubles themselves.
            (true, OutlierGrid::Off) => Positions::as_given(values),
            (true, grid) => Positions::new(values, grid),
            // Fences need no grid.
            (false, _) => Positions::new(values, OutlierGrid::Off),
        }
    }
}
