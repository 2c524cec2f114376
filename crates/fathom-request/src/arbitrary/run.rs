//! Any `RunRequest`.

use super::measuring::{cleaning, running, subjects};
use super::values::{confidence, duration, effort, precision, statistic};
use crate::{Effort, RunRequest};
use fathom_analyze::Method;
use proptest::prelude::*;

/// Any request to time commands that a command line can ask.
pub fn run_request() -> impl Strategy<Value = RunRequest> {
    let question = (
        prop::collection::vec(statistic(), 0..3),
        confidence(),
        prop::option::of(prop::sample::select(Method::ALL.to_vec())),
        (effort(), prop::option::of(precision())),
        prop::option::of(any::<u64>()),
    );
    // Exactly this many runs, or limits: the command line takes only one of them.
    let count = || prop::option::of(1..1_000_000_u64);
    let budget = prop_oneof![
        (1..1_000_000_u64).prop_map(|runs| (Some(runs), None, None, None)),
        (count(), count(), prop::option::of(duration()))
            .prop_map(|(min, max, time)| (None, min, max, time)),
    ];
    (subjects(), question, budget, running(), cleaning()).prop_map(
        |(subjects, question, budget, running, cleaning)| {
            let (statistics, confidence, method, (effort, precision), seed) = question;
            let (runs, min_runs, max_runs, max_time) = budget;
            // A fixed number leaves the effort nothing to choose.
            let effort = if runs.is_some() { Effort::default() } else { effort };
            RunRequest {
                subjects,
                statistics,
                confidence,
                method,
                effort,
                precision,
                max_time,
                runs,
                min_runs,
                max_runs,
                running,
                cleaning,
                seed,
            }
        },
    )
}
