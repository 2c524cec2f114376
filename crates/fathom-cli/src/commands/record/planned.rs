//! From the command line to a plan.

use crate::arguments::RecordArguments;
use crate::failure::Failure;
use fathom_measure::recording::{Plan, Wishes, offers, plan as make};
use fathom_sys::probes::Source;

pub(super) fn plan(
    arguments: &RecordArguments,
    sources: &[Box<dyn Source>],
    application: bool,
) -> Result<Plan, Failure> {
    let sampling = &arguments.sampling;
    let wishes = Wishes {
        interval: sampling.interval,
        probes: sampling.probes.clone(),
        groups: sampling.groups.clone(),
        runs: runs(arguments),
        common: sampling.common.clone(),
        application,
    };
    make(&offers(sources), &wishes).map_err(Failure::input)
}

/// A process that runs already is recorded once with all probes, unless there are times for more.
fn runs(arguments: &RecordArguments) -> Option<usize> {
    let sampling = &arguments.sampling;
    match (sampling.runs, sampling.pid, sampling.duration) {
        (Some(runs), _, _) => usize::try_from(runs).ok(),
        (None, Some(_), None) if sampling.groups.is_empty() => Some(1),
        _ => None,
    }
}
