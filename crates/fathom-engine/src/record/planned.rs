//! From a request to a plan.

use crate::EngineError;
use fathom_measure::recording::{RecordingOptions, offers, plan as make};
use fathom_record::trace::RecordingPlan;
use fathom_request::RecordRequest;
use fathom_sys::probes::Source;

pub(super) fn plan(
    request: &RecordRequest,
    sources: &[Box<dyn Source>],
    application: bool,
) -> Result<RecordingPlan, EngineError> {
    let sampling = &request.sampling;
    let options = RecordingOptions {
        interval: sampling.every,
        probes: sampling.probes.clone(),
        groups: sampling.groups.clone(),
        runs: runs(request),
        common: sampling.common.clone(),
        application,
    };
    Ok(make(&offers(sources), &options)?)
}

/// A process that runs already is recorded once with all probes, unless there are times for more.
fn runs(request: &RecordRequest) -> Option<usize> {
    let sampling = &request.sampling;
    match (sampling.runs, request.pid, request.duration) {
        (Some(runs), _, _) => usize::try_from(runs).ok(),
        (None, Some(_), None) if sampling.groups.is_empty() => Some(1),
        _ => None,
    }
}
