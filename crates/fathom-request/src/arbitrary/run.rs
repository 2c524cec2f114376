//! Any `RunRequest`.

use super::measuring::{cleaning, running, subjects};
use super::values::{confidence, duration, effort, name, precision, statistic, subsession_range};
use crate::{CleaningOptions, EffortPreset, RunRequest, SubjectOptions};
use fathom_analyze::Method;
use proptest::prelude::*;

/// Any request to time commands that a command line can ask.
pub fn run_request() -> impl Strategy<Value = RunRequest> {
    let question = (
        prop::collection::vec(statistic(), 0..3),
        confidence(),
        (prop::option::of(prop::sample::select(Method::ALL.to_vec())), subsession_range()),
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
    let of_times = (subjects(), question, budget, running(), cleaning()).prop_map(
        |(subjects, question, budget, running, cleaning)| {
            let (statistics, confidence, (method, range), (effort, precision), seed) = question;
            let (runs, min_runs, max_runs, max_time) = budget;
            // A fixed number leaves the effort nothing to choose.
            let effort = if runs.is_some() { EffortPreset::default() } else { effort };
            RunRequest {
                subjects,
                statistics,
                confidence,
                method,
                // The command line takes it only with a method.
                subsession_range: range.filter(|_| method.is_some()),
                effort,
                precision,
                max_time,
                runs,
                min_runs,
                max_runs,
                work: None,
                running,
                cleaning,
                seed,
            }
        },
    );
    (of_times, prop::option::weighted(0.2, name())).prop_map(|(request, work)| match work {
        Some(_) => of_work(request, work),
        None => request,
    })
}

/// A rate of work has no statistics, nothing to clean and no reference.
fn of_work(request: RunRequest, work: Option<String>) -> RunRequest {
    let assume_independent = request.cleaning.assume_independent;
    RunRequest {
        work,
        statistics: Vec::new(),
        method: None,
        subsession_range: None,
        cleaning: CleaningOptions { assume_independent, ..CleaningOptions::default() },
        subjects: SubjectOptions { reference: None, ..request.subjects },
        ..request
    }
}
