//! Recordings whose recorder is killed, or asked to stop.

use crate::bench::{Bench, eventually, local, seen, shell};
use fathom_formats::trace::Trace;
use fathom_measure::recording::{Recorder, RecordingOptions, offers, plan};
use fathom_sys::probes::sources;
use fathom_testkit::cases::Case;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

pub(crate) const CASES: &[Case] = &[
    (
        "a_recorder_that_is_killed_leaves_what_can_be_read",
        a_recorder_that_is_killed_leaves_what_can_be_read,
    ),
    (
        "a_recorder_that_is_interrupted_keeps_everything",
        a_recorder_that_is_interrupted_keeps_everything,
    ),
];

/// Records a command that does not end on its own; the tests execute this program to do it.
pub(crate) fn play(folder: &[String]) {
    let sources = sources();
    let interval = Duration::from_millis(5);
    let options = RecordingOptions { interval, runs: Some(1), ..RecordingOptions::default() };
    let plan = plan(&offers(&sources), &options).unwrap();
    let path = Path::new(&folder[0]);
    let mut recorder = Recorder::create(
        path,
        false,
        Vec::new(),
        fathom_record::Environment::of_this_build(),
        &plan,
        &sources,
        None,
    )
    .unwrap();
    let outcome = recorder.record(0, &mut local(), &shell("sleep 600"), &mut |_| {}).unwrap();
    assert!(outcome.interrupted);
}

/// Starts it, and waits until rows are written.
fn recording(path: &Path) -> Child {
    let mut command = Command::new("/proc/self/exe");
    // The tests may run in a script's background, where SIGINT is ignored.
    let command = fathom_sys::signals::at_default(&mut command);
    let mut child = command.arg("__record").arg(path).spawn().unwrap();
    eventually("rows are written", || {
        assert_eq!(child.try_wait().unwrap(), None);
        std::fs::read_dir(path).is_ok_and(|entries| {
            let mut names = entries.flatten().map(|entry| entry.file_name());
            names.any(|name| name.to_string_lossy().starts_with("run-1.fast"))
        })
    });
    child
}

fn a_recorder_that_is_killed_leaves_what_can_be_read() {
    let bench = Bench::new();
    let mut child = recording(&bench.path);
    child.kill().unwrap();
    child.wait().unwrap();
    let trace = Trace::open(&bench.path).unwrap();
    let run = &trace.manifest().runs[0];
    assert_eq!((run.ended, run.ending), (None, None));
    assert!(run.clock.is_some());
    let common = trace.manifest().common.clone().unwrap();
    assert!(seen(&trace, "run-1", &common) > 1);
}

fn a_recorder_that_is_interrupted_keeps_everything() {
    let bench = Bench::new();
    let mut child = recording(&bench.path);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(child.wait().unwrap().success());
    let trace = Trace::open(&bench.path).unwrap();
    let run = &trace.manifest().runs[0];
    assert!(run.ended.is_some() && run.ending.is_none(), "{run:?}");
    assert!(run.notes.iter().any(|note| note.contains("the recording was interrupted")), "{run:?}");
    assert!(run.samplers[0].rows > 1);
}
