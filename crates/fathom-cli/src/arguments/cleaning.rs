//! How samples are cleaned before they are judged.

use super::values::{named_value, value};
use clap::Args;
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_stats::outliers::{
    ClusterShare, CutCurve, CutLevel, Method as OutlierMethod, MinPts, OutlierGrid,
};

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
        value_parser = value::<SteadyStatePolicy>,

    )]
    pub(crate) steady_state: SteadyStatePolicy,

    /// Choose what to do with outliers: flag them and also show the estimate without them, remove
    /// them, or keep them without looking
    #[arg(long, value_parser = named_value::<OutlierPolicy>(), default_value = "flag", value_name = "WHAT")]
    pub(crate) outliers: OutlierPolicy,

    /// Choose the rule that finds outliers: Rehn's simplified or full heuristic, Tukey's fences,
    /// double MAD, or the boxplot adjusted for skewness
    #[arg(
        long,
        value_parser = named_value::<OutlierMethod>(),
        default_value = "simplified",
        value_name = "RULE",

    )]
    pub(crate) outlier_method: OutlierMethod,

    /// Round values to a grid before looking for outliers: auto, off (as in the paper), or a step in
    /// the data's unit
    #[arg(
        long,
        default_value = "auto",
        value_name = "auto|off|STEP",
        value_parser = value::<OutlierGrid>,

    )]
    pub(crate) outlier_grid: OutlierGrid,

    /// Count clusters of up to this share of the samples as outliers (simplified, full)
    #[arg(long, default_value = "1%", value_name = "SHARE", value_parser = value::<ClusterShare>)]
    pub(crate) outlier_share: ClusterShare,

    /// Compare each sample with this many neighbours (MinPts) for its local outlier factor, which
    /// full decides by and the JSON shows
    #[arg(long, default_value = "10", value_name = "N", value_parser = value::<MinPts>)]
    pub(crate) outlier_min_pts: MinPts,

    /// Rank the cuts of the tree of clusters by this curve over their level: bell, with its peak at
    /// --outlier-level, or the coefficients of a polynomial, such as 0,0.6,-1 (simplified)
    #[arg(long, default_value = "bell", value_name = "CURVE", allow_hyphen_values = true, value_parser = value::<CutCurve>)]
    pub(crate) outlier_curve: CutCurve,

    /// Cut the tree of clusters at this level of its heights, from 0 to 1 (simplified)
    #[arg(long, default_value = "0.5", value_name = "LEVEL", value_parser = value::<CutLevel>)]
    pub(crate) outlier_level: CutLevel,

    /// Include the autocorrelation at every lag in the JSON
    #[arg(long)]
    pub(crate) correlogram: bool,
}
