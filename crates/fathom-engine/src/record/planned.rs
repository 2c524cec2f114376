//! From a request to a plan.

use crate::EngineError;
use fathom_measure::recording::{RecordingOptions, offers, plan as make};
use fathom_record::trace::RecordingPlan;
use fathom_request::RecordRequest;
use fathom_sys::probes::{NAMED_EVENTS, Source};

pub(super) fn plan(
    request: &RecordRequest,
    sources: &[Box<dyn Source>],
    application: bool,
) -> Result<RecordingPlan, EngineError> {
    let sampling = &request.sampling;
    let offers = offers(sources);
    let named = offers.iter().find(|offer| offer.name == NAMED_EVENTS);
    if let Some(Err(why)) = named.map(|offer| &offer.found) {
        return Err(EngineError::usage(format!("--event: {why}")));
    }
    // What the user names is in every run, whatever else is.
    let with_events = |mut names: Vec<String>| {
        if named.is_some() && !names.is_empty() {
            names.push(NAMED_EVENTS.to_string());
        }
        names
    };
    let in_group = |group: &String| match named {
        Some(_) => format!("{group},{NAMED_EVENTS}"),
        None => group.clone(),
    };
    let options = RecordingOptions {
        interval: sampling.every,
        probes: with_events(sampling.probes.clone()),
        groups: sampling.groups.iter().map(in_group).collect(),
        runs: runs(request),
        common: sampling.common.clone(),
        application,
    };
    Ok(make(&offers, &options)?)
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
