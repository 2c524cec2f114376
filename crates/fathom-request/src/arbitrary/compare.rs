//! Any `CompareRequest`.

use super::measuring::{cleaning, running, subjects};
use super::values::{confidence, duration, effort, margin, name, one_of, path, text};
use crate::{CompareRequest, CompareSource, EffortPreset, SubjectOptions};
use fathom_analyze::compare::ComparedStatistic;
use proptest::prelude::*;

/// Any request to compare that a command line can ask.
pub fn compare_request() -> impl Strategy<Value = CompareRequest> {
    prop_oneof![of_commands(), of_files(), of_functions()]
}

type Question = (
    Option<fathom_analyze::compare::Margin>,
    fathom_stats::Confidence,
    Option<fathom_analyze::compare::Margin>,
    Option<fathom_analyze::compare::Margin>,
    bool,
    EffortPreset,
    Option<u64>,
    ComparedStatistic,
);

/// The parts that every comparison has.
fn question() -> impl Strategy<Value = Question> {
    let margins = || prop::option::of(margin());
    let seed = prop::option::of(any::<u64>());
    let names: &[&str] = &["median", "mean", "min", "quantiles", "p50", "p99.9"];
    (margins(), confidence(), margins(), margins(), any::<bool>(), effort(), seed, one_of(names))
}

fn with_question(question: Question) -> CompareRequest {
    let (
        margin,
        confidence,
        fail_if_slower,
        require_equivalent,
        allow_inconclusive,
        effort,
        seed,
        statistic,
    ) = question;
    CompareRequest {
        statistic,
        margin,
        confidence,
        fail_if_slower,
        require_equivalent,
        allow_inconclusive,
        effort,
        seed,
        ..CompareRequest::default()
    }
}

fn of_commands() -> impl Strategy<Value = CompareRequest> {
    let count = || prop::option::of(2..1_000_000_u64);
    let budget = prop_oneof![
        (2..1_000_000_u64).prop_map(|pairs| (Some(pairs), None, None, None)),
        (count(), count(), prop::option::of(duration()))
            .prop_map(|(min, max, time)| (None, min, max, time)),
    ];
    let baseline = prop::option::of(name());
    (question(), subjects(), budget, running(), cleaning(), baseline).prop_map(
        |(question, subjects, budget, running, cleaning, baseline)| {
            let (pairs, min_pairs, max_pairs, max_time) = budget;
            // A baseline is the reference.
            let reference = if baseline.is_some() { None } else { subjects.reference.clone() };
            let question = with_question(question);
            // A fixed number leaves the effort nothing to choose.
            let effort = if pairs.is_some() { EffortPreset::default() } else { question.effort };
            CompareRequest {
                effort,
                source: baseline.map_or(CompareSource::Commands, CompareSource::Baseline),
                subjects: SubjectOptions { reference, ..subjects },
                pairs,
                min_pairs,
                max_pairs,
                max_time,
                running,
                cleaning,
                ..question
            }
        },
    )
}

fn of_files() -> impl Strategy<Value = CompareRequest> {
    (question(), prop::collection::vec(path(), 2..5), cleaning()).prop_map(
        |(question, files, cleaning)| CompareRequest {
            source: CompareSource::Files(files),
            cleaning,
            // Nothing is measured.
            effort: EffortPreset::default(),
            seed: None,
            ..with_question(question)
        },
    )
}

fn of_functions() -> impl Strategy<Value = CompareRequest> {
    let source = prop_oneof![
        (path(), path(), prop::option::of(text()))
            .prop_map(|(old, new, cargo_args)| CompareSource::Benches { old, new, cargo_args }),
        (text(), prop::option::of(text())).prop_map(|(revision, cargo_args)| {
            CompareSource::Revision { revision, cargo_args }
        }),
    ];
    let texts = || prop::collection::vec(text(), 0..3);
    let layouts = (prop::option::of(1..1000_u64), any::<bool>());
    let time = prop::option::of(duration());
    (question(), source, texts(), texts(), any::<bool>(), time, layouts).prop_map(
        |(question, source, filters, skip, exact, max_time, layouts)| CompareRequest {
            source,
            subjects: SubjectOptions { commands: filters, ..SubjectOptions::default() },
            skip,
            exact,
            max_time,
            layouts: layouts.0,
            gate_unchanged: layouts.1,
            ..with_question(question)
        },
    )
}
