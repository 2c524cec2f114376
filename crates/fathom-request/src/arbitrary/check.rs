//! Random checks.

use super::values::{
    confidence, duration, effort, name, named, probability, trimmed_text as text,
    trimmed_texts as texts,
};
use crate::{
    CheckQuestion, CheckRequest, EffortPreset, EstimateQuestion, ExecutionBudget, ExecutionOptions,
    ExecutionSource, Executor, Frequency, GridOptions, Indifference, MetricUnit, NamedCommand,
    ParameterList, ParameterScan, PropertyMethod, PropertyQuestion, ReadingOptions, SlurmSettings,
    SystemOptions, name_and_text,
};
use fathom_analyze::stopping::Precision;
use fathom_formats::ObservationFormat;
use fathom_measure::{EnvironmentOffset, Tolerated};
use proptest::option::of;
use proptest::prelude::*;
use std::path::PathBuf;
use std::str::FromStr;

/// Any check.
pub fn check_request() -> impl Strategy<Value = CheckRequest> {
    let asked = (questions(), any::<bool>());
    (asked, probability(), confidence(), source(), reading(), named())
        .prop_map(|(asked, probability, confidence, executions, reading, on_failure)| {
            let (questions, per_question) = asked;
            CheckRequest {
                questions,
                per_question,
                probability,
                confidence,
                executions,
                reading,
                on_failure,
            }
        })
        .prop_map(fitting)
}

/// A required precision leaves the number of executions open, and needs executions.
fn fitting(mut request: CheckRequest) -> CheckRequest {
    let is_open = match &request.executions {
        ExecutionSource::Commands(options) => !options.budget.is_fixed(),
        ExecutionSource::Data { .. } => false,
    };
    for question in &mut request.questions {
        if let (CheckQuestion::Estimate(question), false) = (question, is_open) {
            question.precision = None;
        }
    }
    request
}

/// Properties and then estimates, at least one. What is typed once is the same for all of a kind.
fn questions() -> impl Strategy<Value = Vec<CheckQuestion>> {
    let wald = (1e-6..1.0_f64).prop_filter_map("a share", Indifference::new);
    let method =
        prop_oneof![named().prop_map(PropertyMethod::Named), wald.prop_map(PropertyMethod::Wald)];
    let precision = (1e-6..1.0_f64).prop_filter_map("a precision", |p| Precision::new(p).ok());
    let texts = || prop::collection::vec(text(), 0..4);
    (texts(), texts(), named(), of(method), named(), of(precision)).prop_map(
        |(properties, estimates, vacuous, method, direction, precision)| {
            let split = |typed: &str| {
                let (name, text) = name_and_text(typed);
                (name.map(str::to_string), text.to_string())
            };
            let named_method = match method {
                Some(PropertyMethod::Named(method)) => Some(method),
                _ => None,
            };
            let mut questions: Vec<CheckQuestion> = Vec::new();
            for typed in &properties {
                let (name, text) = split(typed);
                let question = PropertyQuestion { name, text, vacuous, method };
                questions.push(CheckQuestion::Property(question));
            }
            for typed in &estimates {
                let (name, expression) = split(typed);
                let method = named_method;
                let question = EstimateQuestion { name, expression, direction, precision, method };
                questions.push(CheckQuestion::Estimate(question));
            }
            if questions.is_empty() { vec![CheckQuestion::default()] } else { questions }
        },
    )
}

fn source() -> impl Strategy<Value = ExecutionSource> {
    let files = prop::collection::vec(text(), 1..4);
    let data = (files, of(named()), of(text()))
        .prop_map(|(files, rows, group_by)| ExecutionSource::Data { files, rows, group_by });
    let commands = options().prop_map(|options| ExecutionSource::Commands(Box::new(options)));
    prop_oneof![data, commands]
}

fn options() -> impl Strategy<Value = ExecutionOptions> {
    let codes = prop::collection::vec(0..256_i32, 1..3).prop_map(Tolerated::Codes);
    let tolerated = prop_oneof![Just(Tolerated::Nothing), Just(Tolerated::Everything), codes];
    let reading = (of(text()), texts(), texts());
    let running = (budget(), tolerated, of(duration()), executor());
    let files = (of(text().prop_map(PathBuf::from)), of(duration()));
    let kept = (files, of(any::<u64>()), any::<bool>());
    (systems(), reading, running, kept, grid(), conditions()).prop_map(
        |(systems, (shell, metrics, files), running, kept, grid, conditions)| {
            let (budget, ignore_failure, timeout, executor) = running;
            let ((keep_files, record), seed, shared_seeds) = kept;
            let (warmup, prepare, cpu, env_offset) = conditions;
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
                record,
                seed,
                grid,
                shared_seeds,
                warmup,
                prepare,
                cpu,
                env_offset,
            }
        },
    )
}

fn grid() -> impl Strategy<Value = GridOptions> {
    let scan =
        (text(), text(), text()).prop_map(|(name, min, max)| ParameterScan { name, min, max });
    let list = (text(), text()).prop_map(|(name, values)| ParameterList { name, values });
    let scans = prop::collection::vec(scan, 0..2);
    let lists = prop::collection::vec(list, 0..3);
    (scans, texts(), lists, of(text())).prop_map(|(scans, steps, lists, baseline)| {
        // Without parameters there is no grid, and so nothing else of one.
        match scans.is_empty() && lists.is_empty() {
            true => GridOptions::default(),
            false => {
                let steps = if scans.is_empty() { Vec::new() } else { steps };
                GridOptions { scans, steps, lists, baseline }
            }
        }
    })
}

/// Warm-up, preparation, processor and offset.
fn conditions()
-> impl Strategy<Value = (u64, Option<String>, Option<usize>, Option<EnvironmentOffset>)> {
    let offset = prop_oneof![
        Just(EnvironmentOffset::Random),
        (0..100_000_usize).prop_map(EnvironmentOffset::Fixed)
    ];
    (0..100_u64, of(text()), of(0..1000_usize), of(offset))
}

fn systems() -> impl Strategy<Value = SystemOptions> {
    let words = prop::collection::vec(text(), 1..4).prop_map(SystemOptions::Command);
    let system = (name(), text()).prop_map(|(name, command)| NamedCommand { name, command });
    let several = prop::collection::vec(system, 1..4).prop_map(SystemOptions::Several);
    prop_oneof![words, several]
}

fn budget() -> impl Strategy<Value = ExecutionBudget> {
    let runs = || 1..10_000_000_u64;
    let at_most = (effort(), of(runs()), of(duration())).prop_map(|(effort, runs, time)| {
        // A number of executions leaves the effort nothing to choose.
        let effort = if runs.is_some() { EffortPreset::default() } else { effort };
        ExecutionBudget::AtMost { effort, runs, time }
    });
    prop_oneof![runs().prop_map(ExecutionBudget::Exactly), at_most]
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
