//! The correlators in a line each, for who chooses one.

use fathom_explain::{Correlator, Family};

/// What it looks for.
pub(super) fn family(correlator: Correlator) -> &'static str {
    match correlator.family() {
        Family::Shape => "shape",
        Family::Change => "change",
        Family::Both => "both",
    }
}

/// What it says of a metric.
pub(super) fn about(correlator: Correlator) -> &'static str {
    match correlator {
        Correlator::Pearson => "how far both go up and down together, in a straight line",
        Correlator::Spearman => "how far both go up and down together, by their order alone",
        Correlator::Euclidean => "how close the two lines lie; ranks as pearson does",
        Correlator::Manhattan => "how close the two lines lie, large differences counting less",
        Correlator::Warping => "how close the two lines lie where time may stretch",
        Correlator::SameSplits => "how well lines fit that are cut where the target's are",
        Correlator::BestSplits => "how close its own cuts are to the target's",
        Correlator::ManualPattern => "how far it follows the pattern that was drawn",
        Correlator::AutoPattern => "how far it follows the straight lines that fit the target best",
        Correlator::Lagged => "as pearson, earlier or later where that fits better",
        Correlator::NSigma => "by how many standard deviations of the baseline the mean moved",
        Correlator::Volume => "by which share of the baseline's mean the mean moved",
        Correlator::KsLevels => "how differently its values are distributed than in the baseline",
        Correlator::KsDifferences => "the same of its steps from row to row",
        Correlator::Baro => "the largest distance from the baseline's median",
        Correlator::ChangeScore => "by how many of its usual changes its level moved",
        Correlator::ShapeScore => "how much closer it follows the target here than elsewhere",
        Correlator::Combined => "changes and shape together",
    }
}
