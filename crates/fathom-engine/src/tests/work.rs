//! `run --work`: the order of runs, when measuring stops, and what the terminal shows.

use super::{log_of, noise, run_in, shown};
use crate::measuring::scripted::Scripted;
use fathom_analyze::{Report, StopReason};
use insta::assert_snapshot;
use std::collections::BTreeMap;

const LINE: [&str; 7] = ["-P", "size", "1", "10", "--work", "size", "./x {size}"];

/// The amount of work that the words name last.
fn size(words: &str) -> f64 {
    words.rsplit(' ').next().unwrap().parse().unwrap()
}

/// 8 ms of set-up and 4 ms for each piece of work.
fn line(words: &str, n: usize) -> f64 {
    8.0 + 4.0 * size(words) + 0.5 * noise(n * 31 + size(words) as usize)
}

fn measured(
    words: &[&str],
    millis: impl FnMut(&str, usize) -> f64 + 'static,
) -> (Vec<String>, Report) {
    let mut laboratory = Scripted::timed(millis);
    let (_, report) = run_in(&mut laboratory, words);
    (log_of(&laboratory), report)
}

fn page(words: &[&str], millis: impl FnMut(&str, usize) -> f64 + 'static) -> String {
    shown(&measured(words, millis).1, words, 1.0)
}

#[test]
fn the_rate_is_measured_until_it_is_precise() {
    let (log, report) = measured(&LINE, line);
    let subject = &report.subjects[0];
    assert_eq!(subject.stopped, StopReason::Precision);
    assert_eq!(log.len() % 10, 0, "whole rounds");
    let mut runs = BTreeMap::new();
    log.iter().for_each(|command| *runs.entry(command).or_insert(0) += 1);
    assert!(runs.len() == 10 && runs.values().all(|count| *count == log.len() / 10), "{runs:?}");
    let work = subject.work.as_ref().unwrap();
    let found = work.found.as_ref().unwrap();
    assert!(work.rate_interval().unwrap().contains(250.0), "{found:?}");
    assert!(found.setup_interval.contains(0.008), "{found:?}");
    assert!(work.relative_half_width().unwrap() <= 0.02);
    // More precision takes more runs.
    let finer = [&["--precision", "0.2%"][..], &LINE].concat();
    assert!(measured(&finer, line).0.len() > log.len());
}

#[test]
fn hooks_and_warm_ups_are_of_each_amount() {
    let words = ["-w", "1", "-s", "set {n}", "-c", "cle {n}", "-r", "1", "-L", "n", "1,2"];
    let words = [&words[..], &["--work", "n", "go {n}"]].concat();
    let (log, report) = measured(&words, |words, _| size(words));
    assert_eq!(log[..4], ["sh -c set 1", "sh -c set 2", "go 1", "go 2"]);
    let mut counted = log[4..6].to_vec();
    counted.sort();
    assert_eq!(counted, ["go 1", "go 2"]);
    assert_eq!(log[6..], ["sh -c cle 1", "sh -c cle 2"]);
    assert_eq!(report.subjects[0].series.len(), 2);
}

#[test]
fn commands_are_measured_one_after_another() {
    let words = ["-r", "2", "-L", "n", "1,2", "--work", "n", "a {n}", "b {n}"];
    let (log, report) = measured(&words, |words, _| size(words));
    assert!(log[..4].iter().all(|one| one.starts_with('a')), "{log:?}");
    assert!(log[4..].iter().all(|one| one.starts_with('b')), "{log:?}");
    let names: Vec<&str> = report.subjects.iter().map(|one| one.series.name()).collect();
    assert_eq!(names, ["a {n}", "b {n}"]);
}

/// An empty shell does not alternate: its start is part of the set-up, and the page says so.
#[test]
fn a_shell_is_part_of_the_set_up() {
    let words = [&["-S", "sh", "-r", "4"][..], &LINE].concat();
    let (log, report) = measured(&words, line);
    assert_eq!(log.len(), 40);
    let page = shown(&report, &words, 1.0);
    assert!(page.contains("the set-up time includes the start of the shell"), "{page}");
}

#[test]
fn a_rate() {
    assert_snapshot!(page(&LINE, line));
}

#[test]
fn everything_there_is_to_say() {
    let words = [&["-v", "-r", "4"][..], &LINE].concat();
    assert_snapshot!(page(&words, line));
}

#[test]
fn two_commands_and_a_parameter() {
    let words = ["-r", "6", "-L", "n", "1,2,4", "-L", "x", "p,q", "--work", "n", "a {x} {n}"];
    assert_snapshot!(page(&words, line));
}

/// The smallest amount takes a millisecond of the two that the largest varies by.
#[test]
fn a_set_up_time_that_may_be_zero() {
    let words = ["-r", "12", "-L", "n", "1,10,100", "--work", "n", "./x {n}"];
    assert_snapshot!(page(&words, |words, n| size(words) * (1.0 + 0.1 * noise(n * 17))));
}

#[test]
fn a_curve() {
    let words = [&["-r", "6"][..], &LINE].concat();
    assert_snapshot!(page(&words, |words, n| 8.0 + size(words).powi(2) + 0.5 * noise(n)));
}

#[test]
fn more_work_takes_no_more_time() {
    let words = [&["-r", "6"][..], &LINE].concat();
    assert_snapshot!(page(&words, |words, n| {
        20.0 - 0.01 * size(words) + 5.0 * noise(n * 13 + size(words) as usize)
    }));
}

#[test]
fn too_few_runs_tell_nothing() {
    let words = [&["--max-time", "1ms"][..], &LINE].concat();
    assert_snapshot!(page(&words, line));
}

#[test]
fn few_runs_are_assumed_independent() {
    let words = [&["-r", "1"][..], &LINE].concat();
    assert_snapshot!(page(&words, line));
}

#[test]
fn a_cold_first_run() {
    let mut is_first = true;
    let words = [&["-r", "4"][..], &LINE].concat();
    let page = page(&words, move |words, n| {
        line(words, n) + if std::mem::take(&mut is_first) { 200.0 } else { 0.0 }
    });
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("times as long as the line gives it: cold caches; -w 1"), "{page}");
}

/// What is saved shows the same, and a session that was cut off shows what there is.
#[test]
fn a_session_shows_the_same_line() {
    let mut laboratory = Scripted::timed(line);
    let (measured, report) = run_in(&mut laboratory, &LINE);
    let plan = serde_json::json!({ "stopped": ["precision"] }).to_string();
    let request = super::words::run_request(&LINE);
    let saved = |runs, plan: &str| super::saved(runs, plan, 1);
    let again = crate::run::report_of_session(&request, &saved(measured.runs.clone(), &plan));
    assert_eq!(again.unwrap().subjects, report.subjects);
    let cut: Vec<_> = measured.runs[..2].to_vec();
    let cut = crate::run::report_of_session(&request, &saved(cut, "{}")).unwrap();
    assert_eq!(cut.subjects[0].stopped, StopReason::Interrupted);
    let page = shown(&cut, &LINE, 1.0);
    assert!(page.starts_with("Cannot tell how fast ./x {size} works: 2 runs are"), "{page}");
}

/// A session that was cut off in the middle of a round goes on with the order it would have had.
#[test]
fn a_resumed_session_continues_the_round() {
    let words = [&["-r", "4"][..], &LINE].concat();
    let (whole, expected) = measured(&words, line);
    let mut cut = Scripted::timed(line).interrupted_after(12);
    let (before, _) = run_in(&mut cut, &words);
    assert!(before.error.is_some() && before.runs.len() == 12, "{}", before.runs.len());
    let request = super::words::run_request(&words);
    let subjects = super::subjects::build(&request.subjects, &request.running).unwrap();
    let prepared = super::settings::prepare(&request.running, 1).unwrap();
    let plan = crate::run::RunPlan::of(&request, subjects.all, &prepared, 1).unwrap();
    let mut rest = Scripted::timed(line);
    let log = rest.log();
    let mut bench = super::Bench::new(
        &mut rest,
        plan.subjects.clone(),
        prepared.settings.clone(),
        super::Keeper::Nothing,
        12,
        super::Span::ZERO,
    );
    let before = crate::run::Measured { error: None, ..before };
    let after = crate::run::measure(&plan, &mut bench, before, &mut ());
    assert_eq!(after.runs.len(), 40);
    assert_eq!(log.borrow().as_slice(), &whole[12..]);
    assert_eq!(expected.subjects[0].series.len(), 40);
}
