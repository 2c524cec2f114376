//! Random checks.

use super::values::{
    confidence, duration, name, named, probability, trimmed_text as text, trimmed_texts as texts,
};
use crate::{
    CheckQuestion, CheckRequest, EstimateQuestion, ExecutionBudget, ExecutionOptions,
    ExecutionSource, Executor, Frequency, Indifference, MetricUnit, NamedCommand, PropertyMethod,
    PropertyQuestion, ReadingOptions, SlurmSettings, SystemOptions,
};
use fathom_analyze::stopping::Precision;
use fathom_formats::ObservationFormat;
use fathom_measure::Tolerated;
use proptest::option::of;
use proptest::prelude::*;
use std::path::PathBuf;
use std::str::FromStr;

/// Any check.
pub fn check_request() -> impl Strategy<Value = CheckRequest> {
    (question(), probability(), confidence(), source(), reading(), named())
        .prop_map(|(question, probability, confidence, executions, reading, on_failure)| {
            CheckRequest { question, probability, confidence, executions, reading, on_failure }
        })
        .prop_map(fitting)
}

/// A required precision leaves the number of executions open, and needs executions.
fn fitting(mut request: CheckRequest) -> CheckRequest {
    let is_open = match &request.executions {
        ExecutionSource::Commands(options) => !options.budget.is_fixed(),
        ExecutionSource::Data { .. } => false,
    };
    if let (CheckQuestion::Estimate(question), false) = (&mut request.question, is_open) {
        question.precision = None;
    }
    request
}

fn question() -> impl Strategy<Value = CheckQuestion> {
    let wald = (1e-6..1.0_f64).prop_filter_map("a share", Indifference::new);
    let method =
        prop_oneof![named().prop_map(PropertyMethod::Named), wald.prop_map(PropertyMethod::Wald)];
    let property = (text(), named(), of(method))
        .prop_map(|(text, vacuous, method)| PropertyQuestion { text, vacuous, method });
    let precision = (1e-6..1.0_f64).prop_filter_map("a precision", |p| Precision::new(p).ok());
    let estimate = (text(), named(), of(precision), of(named())).prop_map(
        |(expression, direction, precision, method)| EstimateQuestion {
            expression,
            direction,
            precision,
            method,
        },
    );
    prop_oneof![
        property.prop_map(CheckQuestion::Property),
        estimate.prop_map(CheckQuestion::Estimate)
    ]
}

fn source() -> impl Strategy<Value = ExecutionSource> {
    let files = prop::collection::vec(text(), 1..4);
    let data = (files, of(named())).prop_map(|(files, rows)| ExecutionSource::Data { files, rows });
    let commands = options().prop_map(|options| ExecutionSource::Commands(Box::new(options)));
    prop_oneof![data, commands]
}

fn options() -> impl Strategy<Value = ExecutionOptions> {
    let codes = prop::collection::vec(0..256_i32, 1..3).prop_map(Tolerated::Codes);
    let tolerated = prop_oneof![Just(Tolerated::Nothing), Just(Tolerated::Everything), codes];
    let reading = (of(text()), texts(), texts());
    let running = (budget(), tolerated, of(duration()), executor());
    (systems(), reading, running, of(text().prop_map(PathBuf::from)), of(any::<u64>())).prop_map(
        |(systems, (shell, metrics, files), running, keep_files, seed)| {
            let (budget, ignore_failure, timeout, executor) = running;
            ExecutionOptions {
                systems,
                shell,
                metrics,
                files,
                budget,
                ignore_failure,
                timeout,
                executor,
                keep_files,
                seed,
            }
        },
    )
}

fn systems() -> impl Strategy<Value = SystemOptions> {
    let words = prop::collection::vec(text(), 1..4).prop_map(SystemOptions::Command);
    let system = (name(), text()).prop_map(|(name, command)| NamedCommand { name, command });
    let several = prop::collection::vec(system, 1..4).prop_map(SystemOptions::Several);
    prop_oneof![words, several]
}

fn budget() -> impl Strategy<Value = ExecutionBudget> {
    let runs = || 1..10_000_000_u64;
    let at_most = (of(runs()), of(duration()));
    prop_oneof![
        runs().prop_map(ExecutionBudget::Exactly),
        at_most.prop_map(|(runs, time)| ExecutionBudget::AtMost { runs, time })
    ]
}

fn executor() -> impl Strategy<Value = Executor> {
    let local = (1..=1024_u16).prop_map(|jobs| Executor::Local { jobs });
    let options =
        prop::collection::vec(one_of(&["--constraint=fast", "-Cfast", "--qos=a b"]), 0..3);
    let slurm = (
        of(one_of(&["main", "-", "a,b"])),
        of(one_of(&["10", "1:30:00", "2-0"])),
        of(one_of(&["2G", "500"])),
        of(one_of(&["physics"])),
        options,
        of(1..=10_000_u16),
    );
    let slurm = slurm.prop_map(|(partition, time, memory, account, options, width)| {
        Executor::Slurm(SlurmSettings { partition, time, memory, account, options, width })
    });
    prop_oneof![local, slurm]
}

fn reading() -> impl Strategy<Value = ReadingOptions> {
    let formats: Vec<ObservationFormat> = ObservationFormat::all().collect();
    let unit = (name(), text()).prop_map(|(metric, unit)| MetricUnit { metric, unit });
    let clock = (1e-3..1e12_f64).prop_filter_map("a frequency", Frequency::new);
    let options = (
        of(prop::sample::select(formats)),
        texts(),
        prop::collection::vec(unit, 0..3),
        texts(),
        texts(),
        of(clock),
    );
    options.prop_map(|(input_format, columns, units, linear, events, clock)| ReadingOptions {
        input_format,
        columns,
        units,
        linear,
        events,
        clock,
    })
}

/// One of the texts, as the value that it is.
fn one_of<T: FromStr + Clone + std::fmt::Debug + 'static>(
    texts: &[&str],
) -> impl Strategy<Value = T> + use<T> {
    let values: Vec<T> = texts.iter().filter_map(|text| text.parse().ok()).collect();
    prop::sample::select(values)
}
