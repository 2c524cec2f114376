//! Processes that run already.

use crate::bench::{Bench, seen};
use fathom_measure::recording::{RecordError, RecordingOptions, find_process};
use fathom_testkit::cases::Case;
use std::cell::Cell;
use std::process::{Child, Command};
use std::time::Duration;

pub(crate) const CASES: &[Case] = &[
    ("a_process_is_recorded_until_it_ends", a_process_is_recorded_until_it_ends),
    ("groups_are_recorded_one_after_another", groups_are_recorded_one_after_another),
    ("the_user_can_stop", the_user_can_stop),
    ("what_cannot_be_attached_to_is_said", what_cannot_be_attached_to_is_said),
];

fn sleeping(seconds: &str) -> Child {
    Command::new("sleep").arg(seconds).spawn().unwrap()
}

fn a_process_is_recorded_until_it_ends() {
    let bench = Bench::new();
    let mut child = sleeping("0.3");
    let process = find_process(child.id(), &bench.plan, None).unwrap();
    let outcome = bench.recorder().attach(0, &process, None, &|| false, &mut |_| {}).unwrap();
    child.wait().unwrap();
    assert_eq!((outcome.ending, outcome.interrupted, outcome.trouble), (None, false, None));
    let trace = bench.trace();
    assert!(trace.manifest().runs[0].ended.is_some());
    let common = trace.manifest().common.clone().unwrap();
    assert!(seen(&trace, "run-1", &common) > 0);
}

fn groups_are_recorded_one_after_another() {
    let bench = Bench::with(RecordingOptions { runs: Some(2), ..RecordingOptions::default() });
    let mut child = sleeping("600");
    let duration = Some(Duration::from_millis(100));
    let error = find_process(child.id(), &bench.plan, None).unwrap_err();
    assert!(error.to_string().contains("--duration"), "{error}");
    let process = find_process(child.id(), &bench.plan, duration).unwrap();
    let mut recorder = bench.recorder();
    for n in 0..2 {
        let outcome = recorder.attach(n, &process, duration, &|| false, &mut |_| {}).unwrap();
        assert!(outcome.length >= Duration::from_millis(100));
    }
    // It ends during the third, which is not planned.
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(recorder.attach(1, &process, duration, &|| false, &mut |_| {}).is_err());
    drop(recorder);
    assert_eq!(bench.trace().manifest().runs.len(), 2);
}

fn the_user_can_stop() {
    let bench = Bench::new();
    let mut child = sleeping("600");
    let process = find_process(child.id(), &bench.plan, None).unwrap();
    let looks = Cell::new(0);
    let stop = || looks.replace(looks.get() + 1) > 3;
    let outcome = bench.recorder().attach(0, &process, None, &stop, &mut |_| {}).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(outcome.interrupted);
    assert!(bench.trace().manifest().runs[0].samplers[0].rows > 1);
}

fn what_cannot_be_attached_to_is_said() {
    let bench = Bench::new();
    let own = find_process(std::process::id(), &bench.plan, None).unwrap_err();
    assert!(matches!(own, RecordError::Itself(_)) && own.to_string().contains("Fathom itself"));
    let mut child = sleeping("0");
    child.wait().unwrap();
    let gone = find_process(child.id(), &bench.plan, None).unwrap_err();
    assert!(gone.to_string().contains("there is no process"), "{gone}");
}
