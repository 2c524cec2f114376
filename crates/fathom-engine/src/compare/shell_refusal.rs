//! Statistics that the start-up time of a shell cannot be subtracted from.

use crate::EngineError;
use fathom_analyze::compare::ComparedStatistic;
use fathom_record::Metric;

/// Refuses them where commands run side by side. A mean of sums is the sum of the means; a quantile of
/// sums is not that of quantiles.
pub(super) fn refuse_shell_side_by_side(
    statistic: ComparedStatistic,
    has_shell: bool,
    metric: &Metric,
) -> Result<(), EngineError> {
    let adds_up = matches!(statistic, ComparedStatistic::Median | ComparedStatistic::Mean);
    if adds_up || !has_shell || !metric.adds_up() {
        return Ok(());
    }
    Err(EngineError::usage(format!(
        "--statistic {statistic} with -S: Fathom cannot tell how long each run would have taken \
         without the shell, only how long runs take without it on average. Leave out -S, or use \
         --statistic mean or median"
    )))
}

/// Refuses them where the two are measured separately, each next to a shell of its own time.
pub(super) fn refuse_shell_of_baseline(
    statistic: ComparedStatistic,
    has_shell: bool,
    metric: &Metric,
) -> Result<(), EngineError> {
    if statistic.is_median() || !has_shell || !metric.adds_up() {
        return Ok(());
    }
    Err(EngineError::usage(format!(
        "--statistic {statistic} with --baseline and -S: only medians of results that were measured \
         separately are compared without the shell's start-up. Leave out -S, measure both side by \
         side, or use --statistic median"
    )))
}
