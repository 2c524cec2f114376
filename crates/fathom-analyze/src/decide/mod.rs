//! From labelled samples to estimates: which statistic, by which method, what to warn about.

mod autocorrelation;
mod bootstrap;
mod estimate;
mod independent;
mod interval;
mod method;
mod request;
mod statistic;
mod warnings;
mod work;

pub use autocorrelation::Autocorrelation;
pub use estimate::{Aside, Estimate, Outcome};
pub use method::{Method, MethodError};
pub use request::{Property, Request};
pub use statistic::{Statistic, StatisticError};
pub use work::{WorkEstimate, analyze_work};

pub(crate) use warnings::of_slow_beginning;

use crate::Spread;
use crate::clean;
use crate::report::{Stopped, Subject};
use fathom_record::Series;
use independent::Independent;

/// Cleans a series and estimates every statistic that was asked for.
#[must_use]
pub fn analyze(series: Series, request: &Request) -> Subject {
    let independent = Independent::of(&series, request);
    let levels = independent.levels();
    let base = independent.base();
    let labelled = clean::label(&base, request);
    let estimates: Vec<Estimate> = request
        .statistics
        .iter()
        .map(|&statistic| {
            let samples = independent.samples(statistic);
            estimate::estimate(&samples, &labelled, statistic, series.unit(), request)
        })
        .collect();
    let kept = labelled.kept(&base);
    let autocorrelation = Autocorrelation::of(&kept, request.correlogram);
    let means = labelled.kept(&independent.samples(Statistic::Mean));
    let warnings = warnings::Circumstances {
        series: &series,
        levels,
        labelled: &labelled,
        autocorrelation: &autocorrelation,
        estimates: &estimates,
        means: &means,
        request,
    }
    .warnings();
    Subject {
        spread: Spread::of(series.values()),
        series,
        parameters: Vec::new(),
        resources: Vec::new(),
        function: None,
        levels,
        labelled: Some(labelled),
        autocorrelation: Some(autocorrelation),
        estimates,
        work: None,
        stopped: Stopped::Fixed,
        warnings,
    }
}
