//! The correlators in a line each, for the chooser.

use fathom_explain::{Correlator, Family};

/// What it looks for.
pub(super) fn family(correlator: Correlator) -> &'static str {
    match correlator.family() {
        Family::Shape => "shape",
        Family::Change => "change",
        Family::Both => "both",
    }
}

/// Its score of a metric.
pub(super) fn about(correlator: Correlator) -> &'static str {
    match correlator {
        Correlator::Pearson => "linear correlation: how far both rise and fall together",
        Correlator::Spearman => {
            "rank correlation: how far both rise and fall together, by order alone"
        }
        Correlator::Euclidean => "how close the two lines are; ranks like pearson",
        Correlator::Manhattan => "how close the two lines are; large differences count less",
        Correlator::Warping => "how close the two lines are if time may stretch",
        Correlator::SameSplits => "how well segments split at the target's split points fit",
        Correlator::BestSplits => "how close its own split points are to the target's",
        Correlator::ManualPattern => "how closely it follows the pattern you draw",
        Correlator::AutoPattern => "how closely it follows the segments that fit the target best",
        Correlator::Lagged => "like pearson, shifted in time where that fits better",
        Correlator::NSigma => "change of the mean, in standard deviations of the baseline",
        Correlator::Volume => "change of the mean, as a share of the baseline's mean",
        Correlator::KsLevels => "difference in distribution from the baseline (Kolmogorov-Smirnov)",
        Correlator::KsDifferences => "the same for its row-to-row differences",
        Correlator::Baro => "largest distance from the baseline's median",
        Correlator::ChangeScore => "change of level, relative to its usual changes",
        Correlator::ShapeScore => "how much more closely it follows the target here than elsewhere",
        Correlator::Combined => "change and shape combined",
    }
}
