//! Recordings.

use super::measuring::command;
use super::values::{any_text as text, any_texts as texts, duration as time};
use crate::{ApplicationOptions, RecordRequest, RecordedCommandOptions, SamplingOptions};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Any recording of a command, or of a process that runs already.
pub fn record_request() -> impl Strategy<Value = RecordRequest> {
    prop_oneof![of_command(), of_process()]
}

fn of_command() -> impl Strategy<Value = RecordRequest> {
    (vec(text(), 1..4), sampling(), application(), texts(), running()).prop_map(
        |(command, sampling, application, derived, running)| RecordRequest {
            command,
            sampling,
            application,
            derived,
            running,
            ..RecordRequest::default()
        },
    )
}

fn of_process() -> impl Strategy<Value = RecordRequest> {
    (any::<u32>(), option::of(time()), sampling(), application(), texts()).prop_map(
        |(pid, duration, sampling, application, derived)| RecordRequest {
            pid: Some(pid),
            duration,
            sampling,
            application,
            derived,
            ..RecordRequest::default()
        },
    )
}

/// Probes are named alone, or in groups.
fn sampling() -> impl Strategy<Value = SamplingOptions> {
    let names = || vec("[a-z]{1,6}(\\.[a-z]{1,6})?", 0..3);
    let groups = vec(text(), 1..3);
    let chosen = prop_oneof![
        names().prop_map(|probes| (probes, Vec::new())),
        groups.prop_map(|groups| (Vec::new(), groups)),
    ];
    (time(), chosen, texts(), option::of(1..=10_000_u32), option::of(text())).prop_map(
        |(every, (probes, groups), events, runs, common)| SamplingOptions {
            every,
            probes,
            groups,
            events,
            runs,
            common,
        },
    )
}

fn application() -> impl Strategy<Value = ApplicationOptions> {
    (texts(), any::<bool>(), texts()).prop_map(|(metrics, json, sources)| ApplicationOptions {
        metrics,
        json,
        sources,
    })
}

fn running() -> impl Strategy<Value = RecordedCommandOptions> {
    (option::of(text()), option::of(text()), command()).prop_map(|(prepare, conclude, command)| {
        RecordedCommandOptions { prepare, conclude, command }
    })
}
