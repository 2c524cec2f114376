//! What happens to samples before they are judged.

use super::names::{OutlierMethodName, OutlierName};
use super::values::{outlier_grid, steady_state};
use clap::Args;
use fathom_analyze::Request;
use fathom_analyze::clean::SteadyStatePolicy;
use fathom_stats::outliers::Grid;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Cleaning")]
pub(crate) struct CleaningArguments {
    /// Take samples as independent, and say so: no handling of dependence, executions pooled
    #[arg(long)]
    pub(crate) assume_independent: bool,

    /// Which samples are the steady state: auto finds out, off takes all, N skips the first N
    #[arg(
        long,
        default_value = "auto",
        value_name = "auto|off|N",
        value_parser = steady_state,

    )]
    pub(crate) steady_state: SteadyStatePolicy,

    /// Outliers: flag them and show the estimate without them beside, remove them from the
    /// estimate, or keep them and do not look
    #[arg(long, value_enum, default_value_t = OutlierName::Flag, value_name = "WHAT")]
    pub(crate) outliers: OutlierName,

    /// The rule that finds outliers: Rehn's simplified or full heuristic, Tukey's fences, or
    /// double MAD
    #[arg(
        long,
        value_enum,
        default_value_t = OutlierMethodName::Simplified,
        value_name = "RULE",

    )]
    pub(crate) outlier_method: OutlierMethodName,

    /// How coarsely the heuristics look: auto, off (as in the paper), or a step in the data's unit
    #[arg(
        long,
        default_value = "auto",
        value_name = "auto|off|STEP",
        value_parser = outlier_grid,

    )]
    pub(crate) outlier_grid: Grid,

    /// Put the autocorrelation at every lag into the JSON
    #[arg(long)]
    pub(crate) correlogram: bool,
}

impl CleaningArguments {
    /// A request that is cleaned as asked.
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
