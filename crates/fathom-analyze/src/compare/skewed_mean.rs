//! Whether rare long runs decide a ratio of means.

use super::{ComparedStatistic, ComparedSubject};
use crate::warning::Warning;
use fathom_stats::LogRatioInterval;
use fathom_stats::mean::{Moments, SkewnessVerdict, skewness_verdict};

/// The warning where the differences of blocks are skewed: r times the reference's runs less the
/// subject's, with r the estimated ratio.
pub(super) fn skewed_mean(
    subject: &ComparedSubject,
    statistic: ComparedStatistic,
) -> Option<Warning> {
    if statistic != ComparedStatistic::Mean || subject.interval() == LogRatioInterval::EVERYTHING {
        return None;
    }
    let ratio = subject.log_ratio()?.exp();
    let sum = |runs: &[f64]| runs.iter().sum::<f64>();
    let differences: Vec<f64> = subject
        .runs()
        .iter()
        .map(|block| ratio * sum(block.reference()) - sum(block.subject()))
        .collect();
    let moments = Moments::of(&differences)?;
    let is_doubtful = skewness_verdict(&moments) == SkewnessVerdict::Doubtful;
    let (skewness, blocks) = (moments.skewness.abs(), moments.n);
    is_doubtful.then_some(Warning::RareRunsDecide { skewness, blocks })
}
