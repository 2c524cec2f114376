//! From labelled samples to estimates: which statistic, by which method, what to warn about.

mod autocorrelation;
mod bootstrap;
mod estimate;
mod independent;
mod interval;
mod method;
mod no_interval;
mod request;
mod startup;
mod statistic;
mod subsession_range;
mod warnings;
mod work;

pub use autocorrelation::Autocorrelation;
pub use estimate::{Aside, Estimate, IntervalOutcome};
pub use method::{Method, MethodError};
pub use no_interval::NoInterval;
pub use request::{EstimateRequest, QuantileProperty};
pub use startup::StartupEstimate;
pub use statistic::{Statistic, StatisticError};
pub use subsession_range::{SubsessionRange, SubsessionRangeError};
pub use work::{WorkEstimate, WorkPoint, analyze_work};

pub(crate) use startup::stretch;
pub(crate) use warnings::of_slow_beginning;

use crate::Spread;
use crate::clean;
use crate::report::{Levels, StopReason, Subject};
use fathom_record::Series;
use independent::Independent;
use startup::ShellMedian;

/// Cleans a series and estimates every statistic that was asked for.
#[must_use]
pub fn analyze(series: Series, request: &EstimateRequest) -> Subject {
    // What is subtracted for a shell is known only when it is known which runs count.
    let series = series.with_startup_subtracted(0.0);
    let independent = Independent::of(&series, request);
    let levels = independent.levels();
    let base = independent.base();
    let labelled = clean::label(&base, request);
    let mut estimates: Vec<Estimate> = request
        .estimates()
        .into_iter()
        .map(|(statistic, method)| {
            let samples = independent.samples(statistic);
            let by_method = EstimateRequest { method, ..request.clone() };
            estimate::estimate(&samples, &labelled, statistic, series.unit(), &by_method)
        })
        .collect();
    let start = if levels == Levels::Values { labelled.start() } else { 0 };
    let shell = series.startup().map(|startup| ShellMedian::of(startup, start, request));
    if let Some(shell) = &shell {
        estimates.iter_mut().for_each(|estimate| shell.subtract_from(estimate));
    }
    let startup = shell.map(|shell| shell.summary);
    let kept = labelled.kept(&base);
    let autocorrelation = Autocorrelation::of(&kept, request);
    let means = labelled.kept(&independent.samples(Statistic::Mean));
    let series = match startup {
        Some(StartupEstimate { median, .. }) => series.with_startup_subtracted(median),
        None => series,
    };
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
        runs: None,
        function: None,
        startup,
        levels,
        labelled: Some(labelled),
        autocorrelation: Some(autocorrelation),
        estimates,
        work: None,
        stopped: StopReason::Fixed,
        warnings,
    }
}
