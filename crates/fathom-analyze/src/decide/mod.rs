//! From values to estimates: which statistic, by which method, and what to warn about.

mod estimate;
mod independent;
mod method;
mod request;
mod statistic;
mod warnings;

pub use estimate::{Estimate, Outcome};
pub use method::{Method, MethodError};
pub use request::{Property, Request};
pub use statistic::{Statistic, StatisticError};

use crate::report::{Stopped, Subject};
use fathom_record::Series;
use independent::Independent;

/// Estimates every statistic that was asked for.
#[must_use]
pub fn analyze(series: Series, request: &Request) -> Subject {
    let samples = Independent::of(&series, request);
    let estimates: Vec<Estimate> = request
        .statistics
        .iter()
        .map(|&statistic| estimate::estimate(&samples, statistic, request))
        .collect();
    let warnings = warnings::warnings(&series, &samples, &estimates, request);
    let levels = samples.levels();
    Subject { series, levels, estimates, stopped: Stopped::Fixed, warnings }
}
