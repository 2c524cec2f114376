//! What happens to samples before they are judged.

use crate::command_line::CommandLine;
use crate::value::as_text;
use fathom_analyze::EstimateRequest;
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_stats::outliers::{Method, OutlierGrid};
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
    /// Whether the report has the autocorrelation at every lag.
    pub correlogram: bool,
}

impl Default for CleaningOptions {
    fn default() -> CleaningOptions {
        CleaningOptions {
            assume_independent: false,
            steady_state: SteadyStatePolicy::Auto,
            outliers: OutlierPolicy::Flag,
            outlier_method: Method::Simplified,
            outlier_grid: OutlierGrid::Auto,
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
            outlier_method: self.outlier_method,
            outlier_grid: self.outlier_grid,
            correlogram: self.correlogram,
            ..request
        }
    }

    pub(crate) fn write(&self, line: &mut CommandLine) {
        let usual = CleaningOptions::default();
        line.switch("--assume-independent", self.assume_independent);
        line.value("--steady-state", &self.steady_state, &usual.steady_state);
        line.value("--outliers", &self.outliers, &usual.outliers);
        line.value("--outlier-method", &self.outlier_method, &usual.outlier_method);
        line.value("--outlier-grid", &self.outlier_grid, &usual.outlier_grid);
        line.switch("--correlogram", self.correlogram);
    }
}
