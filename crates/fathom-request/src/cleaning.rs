//! What happens to samples before they are judged.

use crate::command_line::CommandLine;
use crate::value::as_text;
use fathom_analyze::EstimateRequest;
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_stats::outliers::{
    ClusterShare, CutCurve, CutLevel, Method, MinPts, OutlierGrid, OutlierRule,
};
use serde::{Deserialize, Serialize};

/// What happens to samples before they are judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CleaningOptions {
    /// Whether samples count as independent, whatever they look like.
    pub assume_independent: bool,
    /// Which samples are the steady state.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub steady_state: SteadyStatePolicy,
    /// What happens to outliers.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub outliers: OutlierPolicy,
    /// The rule that finds them.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub outlier_method: Method,
    /// The resolution of that rule.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub outlier_grid: OutlierGrid,
    /// The share of the samples that a cluster of outliers can have.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub outlier_share: ClusterShare,
    /// How many neighbours the local outlier factor compares a sample with.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub outlier_min_pts: MinPts,
    /// The curve that ranks the cuts of the simplified rule: `bell`, or the coefficients of a polynomial.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub outlier_curve: CutCurve,
    /// Where the simplified rule cuts by the bell curve.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub outlier_level: CutLevel,
    /// Whether the report has the autocorrelation at every lag.
    pub correlogram: bool,
}

impl Default for CleaningOptions {
    fn default() -> CleaningOptions {
        let rule = OutlierRule::default();
        CleaningOptions {
            assume_independent: false,
            steady_state: SteadyStatePolicy::Auto,
            outliers: OutlierPolicy::Flag,
            outlier_method: rule.method,
            outlier_grid: rule.grid,
            outlier_share: rule.share,
            outlier_min_pts: rule.min_pts,
            outlier_curve: rule.curve,
            outlier_level: rule.level,
            correlogram: false,
        }
    }
}

impl CleaningOptions {
    /// An analysis that cleans like this.
    #[must_use]
    pub fn apply(&self, request: EstimateRequest) -> EstimateRequest {
        EstimateRequest {
            assume_independent: self.assume_independent,
            steady_state: self.steady_state,
            outliers: self.outliers,
            outlier_rule: OutlierRule {
                method: self.outlier_method,
                grid: self.outlier_grid,
                share: self.outlier_share,
                min_pts: self.outlier_min_pts,
                curve: self.outlier_curve,
                level: self.outlier_level,
            },
            correlogram: self.correlogram,
            ..request
        }
    }

    /// Whether each setting of an outlier rule has an effect.
    ///
    /// # Errors
    /// One has none, in words: the rule that was chosen does not look at it.
    pub fn check(&self) -> Result<(), String> {
        let usual = CleaningOptions::default();
        let method = self.outlier_method;
        let useless = |option: &str, whose: &str| {
            Err(format!("{option} has no effect with --outlier-method {}: {whose}", method.name()))
        };
        let only_of_clusters = "only simplified and full look for clusters";
        if self.outlier_grid != usual.outlier_grid && !method.clusters() {
            return useless("--outlier-grid", only_of_clusters);
        }
        if self.outlier_share != usual.outlier_share && !method.clusters() {
            return useless("--outlier-share", only_of_clusters);
        }
        if self.outlier_curve != usual.outlier_curve && method != Method::Simplified {
            return useless("--outlier-curve", "only simplified ranks its cuts by a curve");
        }
        if self.outlier_level != usual.outlier_level && method != Method::Simplified {
            return useless("--outlier-level", "only simplified cuts at a fixed level");
        }
        if self.outlier_level != usual.outlier_level && self.outlier_curve != CutCurve::Bell {
            return Err(
                "--outlier-level has no effect with another --outlier-curve than bell: it is \
                        the peak of that curve"
                    .to_string(),
            );
        }
        Ok(())
    }

    pub(crate) fn write(&self, line: &mut CommandLine) {
        let usual = CleaningOptions::default();
        line.switch("--assume-independent", self.assume_independent);
        line.value("--steady-state", &self.steady_state, &usual.steady_state);
        line.value("--outliers", &self.outliers, &usual.outliers);
        line.value("--outlier-method", &self.outlier_method, &usual.outlier_method);
        line.value("--outlier-grid", &self.outlier_grid, &usual.outlier_grid);
        line.value("--outlier-share", &self.outlier_share, &usual.outlier_share);
        line.value("--outlier-min-pts", &self.outlier_min_pts, &usual.outlier_min_pts);
        line.value("--outlier-curve", &self.outlier_curve, &usual.outlier_curve);
        line.value("--outlier-level", &self.outlier_level, &usual.outlier_level);
        line.switch("--correlogram", self.correlogram);
    }
}
