//! How samples are cleaned before they are judged.

use super::names::{OutlierMethodName, OutlierName};
use super::values::{outlier_grid, steady_state};
use clap::Args;
use fathom_analyze::Request;
use fathom_analyze::clean::SteadyStatePolicy;
use fathom_stats::outliers::Grid;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Cleaning")]
pub(crate) struct CleaningArguments {
    /// Treat samples as independent and pool executions; the report says so
    #[arg(long)]
    pub(crate) assume_independent: bool,

    /// Detect and skip warm-up samples (auto), use all (off), or skip the first N
    #[arg(
        long,
        default_value = "auto",
        value_name = "auto|off|N",
        value_parser = steady_state,

    )]
    pub(crate) steady_state: SteadyStatePolicy,

    /// Choose what to do with outliers: flag them and also show the estimate without them, remove
    /// them, or keep them without looking
    #[arg(long, value_enum, default_value_t = OutlierName::Flag, value_name = "WHAT")]
    pub(crate) outliers: OutlierName,

    /// Choose the rule that finds outliers: Rehn's simplified or full heuristic, Tukey's fences,
    /// or double MAD
    #[arg(
        long,
        value_enum,
        default_value_t = OutlierMethodName::Simplified,
        value_name = "RULE",

    )]
    pub(crate) outlier_method: OutlierMethodName,

    /// Round values to a grid before looking for outliers: auto, off (as in the paper), or a step in
    /// the data's unit
    #[arg(
        long,
        default_value = "auto",
        value_name = "auto|off|STEP",
        value_parser = outlier_grid,

    )]
    pub(crate) outlier_grid: Grid,

    /// Include the autocorrelation at every lag in the JSON
    #[arg(long)]
    pub(crate) correlogram: bool,
}

impl CleaningArguments {
    /// The request with this cleaning.
    pub(crate) fn apply(&self, request: Request) -> Request {
        Request {
            assume_independent: self.assume_independent,
            steady_state: self.steady_state,
            outliers: self.outliers.value(),
            outlier_method: self.outlier_method.value(),
            outlier_grid: self.outlier_grid,
            correlogram: self.correlogram,
            ..request
        }
    }
}
