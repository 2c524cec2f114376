//! The plan before the first execution, in JSON.

use fathom_stats::proportion::{Operating, SampleSizePlan};
use serde::Serialize;

/// The plan before the first execution.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PlanEntry {
    /// The largest number of samples.
    samples: usize,
    /// The number of samples until the answer if all are true; `null` if the budget is too small.
    earliest_true: Option<usize>,
    /// The number of samples until the answer if all are false; `null` if the budget is too small.
    earliest_false: Option<usize>,
    /// What to expect for some true shares.
    expected: Vec<OperatingEntry>,
    /// The true share that needs the most samples.
    worst: OperatingEntry,
}

/// What to expect for a true share.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Expectation"))]
struct OperatingEntry {
    /// The true share.
    share: f64,
    /// The mean number of samples.
    samples: f64,
    /// The probability of the verdict `true`.
    says_true: f64,
    /// The probability of the verdict `false`.
    says_false: f64,
    /// The probability that it stays inconclusive.
    undecided: f64,
}

impl PlanEntry {
    pub(super) fn of(plan: &SampleSizePlan) -> PlanEntry {
        PlanEntry {
            samples: plan.horizon,
            earliest_true: plan.earliest_positive,
            earliest_false: plan.earliest_negative,
            expected: plan.at.iter().map(OperatingEntry::of).collect(),
            worst: OperatingEntry::of(&plan.worst),
        }
    }
}

impl OperatingEntry {
    fn of(at: &Operating) -> OperatingEntry {
        OperatingEntry {
            share: at.share,
            samples: at.samples,
            says_true: at.positive,
            says_false: at.negative,
            undecided: at.undecided,
        }
    }
}
