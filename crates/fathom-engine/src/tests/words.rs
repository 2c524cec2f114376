//! Requests of a few words, for tests: as the command line reads them, as far as these tests go.

use fathom_request::value::OptionValue;
use fathom_request::{
    CompareRequest, ParameterList, ParameterScan, RunRequest, RunningOptions, SubjectOptions,
};
use std::iter::Copied;
use std::slice::Iter;

pub(super) fn run_request(words: &[&str]) -> RunRequest {
    let mut request = RunRequest::default();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--precision" => request.precision = Some(next(&mut words)),
            "--max-time" => request.max_time = Some(next(&mut words)),
            "-r" => request.runs = Some(next(&mut words)),
            "-m" => request.min_runs = Some(next(&mut words)),
            "-M" => request.max_runs = Some(next(&mut words)),
            "--work" => request.work = Some(next(&mut words)),
            "--reference" => request.subjects.reference = Some(next(&mut words)),
            "-n" => request.subjects.names.push(next(&mut words)),
            "-v" => {}
            word => common(word, &mut words, &mut request.subjects, &mut request.running),
        }
    }
    request
}

pub(super) fn compare_request(words: &[&str]) -> CompareRequest {
    let mut request = CompareRequest::default();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "-v" => {}
            "--statistic" => request.statistic = next(&mut words),
            "--outliers" => request.cleaning.outliers = next(&mut words),
            "--max-time" => request.max_time = Some(next(&mut words)),
            "-r" => request.pairs = Some(next(&mut words)),
            "-m" => request.min_pairs = Some(next(&mut words)),
            "-M" => request.max_pairs = Some(next(&mut words)),
            "--fail-if-slower" => request.fail_if_slower = Some(next(&mut words)),
            "--require-equivalent" => request.require_equivalent = Some(next(&mut words)),
            word => common(word, &mut words, &mut request.subjects, &mut request.running),
        }
    }
    request
}

type Words<'w> = Copied<Iter<'w, &'w str>>;

fn next<V: OptionValue>(words: &mut Words<'_>) -> V {
    V::read(words.next().unwrap()).unwrap()
}

fn common(
    word: &str,
    words: &mut Words<'_>,
    subjects: &mut SubjectOptions,
    running: &mut RunningOptions,
) {
    match word {
        "-s" => running.setup.push(next(words)),
        "-p" => running.prepare.push(next(words)),
        "-C" => running.conclude.push(next(words)),
        "-c" => running.cleanup.push(next(words)),
        "-w" => running.warmup = Some(next(words)),
        "-S" => running.command.shell = Some(next(words)),
        "-i" => running.command.ignore_failure = OptionValue::read("all").unwrap(),
        "--between" => running.between = Some(next(words)),
        "--metric" => running.metrics.push(next(words)),
        "--on" => running.on.push(next(words)),
        "-L" => subjects.lists.push(ParameterList { name: next(words), values: next(words) }),
        "-P" => {
            let (name, min, max) = (next(words), next(words), next(words));
            subjects.scans.push(ParameterScan { name, min, max });
        }
        _ => match word.strip_prefix("-i=") {
            Some(codes) => running.command.ignore_failure = OptionValue::read(codes).unwrap(),
            None => {
                assert!(!word.starts_with('-'), "{word} is not known to these tests");
                subjects.commands.push(word.to_string());
            }
        },
    }
}
