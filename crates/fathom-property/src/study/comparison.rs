//! Configurations compared over all benchmarks: ratios of estimates, and their geometric mean.

use fathom_stats::{Confidence, Interval};

/// One value of an axis compared with a baseline, or the systems of one, over all other cells.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyComparison {
    /// The place of the estimate among the questions of a cell.
    pub question: usize,
    /// The axis on which two values are compared; `None` if the estimate itself compares systems, as
    /// `speedup(old, new)` does.
    pub axis: Option<usize>,
    /// The place of the value that is compared.
    pub value: usize,
    /// The place of the value that it is compared with.
    pub baseline: usize,
    /// The ratio in each cell, in the order of the cells.
    pub ratios: Vec<CellRatio>,
    /// The geometric mean of the ratios over the cells; `None` if there is only one, or an estimate is
    /// unknown or not above 0.
    pub mean: Option<f64>,
    /// The interval of the geometric mean; unbounded where the executions do not bound it.
    pub interval: Interval,
    /// The confidence of each interval of this comparison.
    pub confidence: Confidence,
    /// How intervals are computed.
    pub method: ComparisonMethod,
    /// Whether executions with the same seed are pairs.
    pub is_paired: bool,
}

/// A cell's estimate, divided by that of the cell it is compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct CellRatio {
    /// The place of the cell.
    pub cell: usize,
    /// The place of the cell that it is compared with; `None` if the estimate itself is a ratio.
    pub baseline: Option<usize>,
    /// The ratio: 0.8 if the estimate is 20% smaller than that of the baseline. `None` if an estimate is
    /// unknown or not above 0.
    pub ratio: Option<f64>,
    /// Its interval; unbounded where the executions do not bound it.
    pub interval: Interval,
}

/// How the interval of a comparison is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonMethod {
    /// From where the true quantiles lie among the ordered executions of the cells, whose number was
    /// fixed beforehand.
    Ranks,
    /// From the ends of the cells' intervals, which hold whenever the executions end.
    Ends,
}

impl ComparisonMethod {
    /// All of them.
    pub const ALL: [ComparisonMethod; 2] = [ComparisonMethod::Ranks, ComparisonMethod::Ends];

    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ComparisonMethod::Ranks => "ranks",
            ComparisonMethod::Ends => "ends",
        }
    }
}
