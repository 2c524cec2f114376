//! What blocks are worth that depend on each other.
//!
//! The coins make the blocks independent if the subjects differ by a factor only. If one of them has slow
//! phases of its own, neighbouring blocks favour the same side.

use crate::dependence::{SAMPLES_TO_JUDGE, Thinness, autocorrelation, subsessions};

/// Dependence counts from this many standard errors on: less would widen the intervals of independent
/// blocks for nothing, more would overlook what matters.
const NOTICED: f64 = 2.0;

/// How much fewer numbers these are worth, where it shows: neighbours are more alike than chance makes
/// them, or means of neighbours are, or those vary more than they would. 1 where it does not.
pub(super) fn thinness_where_evident(series: &[f64]) -> f64 {
    if series.len() < SAMPLES_TO_JUDGE || !(are_neighbours_alike(series) || do_means_tell(series)) {
        return 1.0;
    }
    Thinness::of(series).map_or(1.0, |found| found.tau)
}

/// Of independent numbers the autocorrelation has a mean of about −1/n and a standard error of 1/√n.
fn is_noticed(correlation: f64, n: usize) -> bool {
    (correlation + 1.0 / n as f64) * (n as f64).sqrt() > NOTICED
}

fn are_neighbours_alike(series: &[f64]) -> bool {
    autocorrelation(series, 1).is_some_and(|lag1| is_noticed(lag1, series.len()))
}

/// Slow changes beneath much noise show in means of neighbours before they show in neighbours.
fn do_means_tell(series: &[f64]) -> bool {
    let n = series.len();
    let count = usize::max(SAMPLES_TO_JUDGE, (1.5 * (n as f64).sqrt()).ceil() as usize);
    let size = n / count;
    let (Some(single), Some(means)) = (subsessions(series, 1), subsessions(series, size)) else {
        return false;
    };
    let ratio = size as f64 * means.variance / single.variance;
    let error = (2.0 / means.count as f64).sqrt();
    size > 1 && (is_noticed(means.lag1, means.count) || ratio - 1.0 > NOTICED * error)
}
