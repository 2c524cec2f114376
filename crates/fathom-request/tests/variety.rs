//! Random requests show what they are meant to show: every part of a question takes more than one value.
//! Without that, a test that a request comes back says nothing about the part.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fathom_request::arbitrary::{
    analyze_request, check_request, compare_request, contrast_request, explain_request,
    record_request, run_request, suggest_request,
};
use fathom_request::{CheckQuestion, CheckRequest, CompareSource, ExecutionSource, Request};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const SAMPLE: usize = 500;

fn drawn<R>(strategy: impl Strategy<Value = R>) -> Vec<R> {
    let mut runner = TestRunner::deterministic();
    (0..SAMPLE).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

/// The values of every part, by its path; the elements of a list have one path.
fn values<R: Into<Request>>(requests: Vec<R>) -> BTreeMap<String, BTreeSet<String>> {
    fn walk(path: &str, value: &Value, found: &mut BTreeMap<String, BTreeSet<String>>) {
        found.entry(path.to_string()).or_default().insert(value.to_string());
        match value {
            Value::Object(fields) => {
                fields
                    .iter()
                    .for_each(|(name, value)| walk(&format!("{path}.{name}"), value, found));
            }
            Value::Array(all) => {
                all.iter().for_each(|value| walk(&format!("{path}[]"), value, found));
            }
            _ => {}
        }
    }
    let mut found = BTreeMap::new();
    for request in requests {
        walk("", &request.into().to_value(), &mut found);
    }
    found
}

/// A switch that is written only where it is set.
const SWITCH: &str = ".executions.commands.shared_seeds";

fn constant(values: &BTreeMap<String, BTreeSet<String>>) -> Vec<&str> {
    let is_constant = |(path, all): &(&String, &BTreeSet<String>)| all.len() < 2 && *path != SWITCH;
    values.iter().filter(is_constant).map(|(path, _)| path.as_str()).collect()
}

#[test]
fn seeds_are_shared_in_some_checks() {
    let is_shared = |request: CheckRequest| match request.executions {
        ExecutionSource::Commands(options) => options.shared_seeds,
        ExecutionSource::Data { .. } => false,
    };
    let shared = drawn(check_request()).into_iter().map(is_shared).filter(|shared| *shared).count();
    assert!((1..SAMPLE).contains(&shared), "{shared}");
}

const ALWAYS: [&str; 2] = [".question", ".version"];

#[test]
fn every_part_of_every_question_varies() {
    let boxed = |request| Request::Run(Box::new(request));
    assert_eq!(constant(&values(drawn(run_request()).into_iter().map(boxed).collect())), ALWAYS);
    let boxed = |request| Request::Compare(Box::new(request));
    let compared = drawn(compare_request());
    assert_eq!(constant(&values(compared.into_iter().map(boxed).collect())), ALWAYS);
    let boxed = |request| Request::Check(Box::new(request));
    assert_eq!(constant(&values(drawn(check_request()).into_iter().map(boxed).collect())), ALWAYS);
    assert_eq!(constant(&values(drawn(record_request()))), ALWAYS);
    assert_eq!(constant(&values(drawn(explain_request()))), ALWAYS);
    assert_eq!(constant(&values(drawn(suggest_request()))), ALWAYS);
    assert_eq!(constant(&values(drawn(contrast_request()))), ALWAYS);
    assert_eq!(constant(&values(drawn(analyze_request()))), ALWAYS);
}

/// The parts that vary in these requests, of those that were named.
fn vary<'p>(values: &BTreeMap<String, BTreeSet<String>>, parts: &[&'p str]) -> Vec<&'p str> {
    let varies = |part: &&str| values.get(*part).is_some_and(|all| all.len() > 1);
    parts.iter().copied().filter(varies).collect()
}

#[test]
fn each_kind_of_comparison_has_its_own_parts() {
    let (mut commands, mut files, mut functions) = (Vec::new(), Vec::new(), Vec::new());
    for request in drawn(compare_request()) {
        match request.source {
            CompareSource::Commands | CompareSource::Baseline(_) => &mut commands,
            CompareSource::Files(_) => &mut files,
            _ => &mut functions,
        }
        .push(Request::Compare(Box::new(request)));
    }
    let [commands, files, functions] = [commands, files, functions].map(values);
    let everywhere = [
        ".statistic",
        ".margin",
        ".confidence",
        ".fail_if_slower",
        ".require_equivalent",
        ".allow_inconclusive",
    ];
    let measured = [".subjects.commands", ".max_time", ".seed"];
    let of_commands = [".subjects.reference", ".pairs", ".min_pairs", ".max_pairs", ".running"];
    let of_functions = [".skip", ".exact", ".layouts", ".gate_unchanged"];
    for kind in [&commands, &files, &functions] {
        assert_eq!(vary(kind, &everywhere), everywhere);
    }
    assert_eq!(vary(&files, &measured), [""; 0]);
    assert_eq!(vary(&commands, &measured), measured);
    assert_eq!(vary(&functions, &measured), measured);
    assert_eq!(vary(&commands, &of_commands), of_commands);
    assert_eq!(vary(&functions, &of_commands), [""; 0]);
    assert_eq!(vary(&functions, &of_functions), of_functions);
    assert_eq!(vary(&commands, &of_functions), [""; 0]);
    assert_eq!(vary(&commands, &[".cleaning"]), vary(&files, &[".cleaning"]));
}

#[test]
fn a_recording_is_of_a_command_or_of_a_process() {
    let (processes, commands): (Vec<_>, Vec<_>) =
        drawn(record_request()).into_iter().partition(|request| request.pid.is_some());
    assert!(processes.len() > SAMPLE / 5 && commands.len() > SAMPLE / 5);
    assert!(processes.iter().all(|request| request.command.is_empty()));
    assert!(
        commands.iter().all(|request| !request.command.is_empty() && request.duration.is_none())
    );
    let [processes, commands] = [processes, commands].map(values);
    let both = [".sampling", ".application", ".sampling.every", ".application.json"];
    assert_eq!(vary(&processes, &both), both);
    assert_eq!(vary(&commands, &both), both);
    assert_eq!(vary(&processes, &[".duration", ".pid", ".running"]), [".duration", ".pid"]);
    let running = [".running.prepare", ".running.conclude"];
    assert_eq!(vary(&commands, &running), running);
}

#[test]
fn a_rate_of_work_has_nothing_to_clean_and_no_statistic() {
    let of_work: Vec<_> =
        drawn(run_request()).into_iter().filter(|request| request.work.is_some()).collect();
    assert!(of_work.len() > SAMPLE / 10 && of_work.len() < SAMPLE / 2);
    for request in &of_work {
        assert!(request.statistics.is_empty() && request.method.is_none());
        assert!(request.subsession_range.is_none() && request.subjects.reference.is_none());
        assert!(!request.cleaning.correlogram);
    }
    let of_work = values(of_work.into_iter().map(|one| Request::Run(Box::new(one))).collect());
    let kept = [".subjects.commands", ".confidence", ".running", ".seed", ".max_time", ".cleaning"];
    assert_eq!(vary(&of_work, &kept), kept);
}

/// A required precision needs executions whose number is open.
#[test]
fn only_a_check_whose_number_is_open_asks_for_a_precision() {
    let (mut open, mut fixed) = (0, 0);
    for request in drawn(check_request()) {
        let is_open = match &request.executions {
            ExecutionSource::Commands(options) => !options.budget.is_fixed(),
            ExecutionSource::Data { .. } => false,
        };
        for question in &request.questions {
            let CheckQuestion::Estimate(question) = question else { continue };
            match is_open {
                true => open += usize::from(question.precision.is_some()),
                false => fixed += usize::from(question.precision.is_some()),
            }
        }
    }
    assert!(open > 10 && fixed == 0, "{open} {fixed}");
}
