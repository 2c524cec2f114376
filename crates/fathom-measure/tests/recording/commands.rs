//! Commands that Fathom starts.

use crate::bench::{Bench, eventually, seen, shell};
use fathom_measure::recording::application::{AppMetric, AppSource, ApplicationPlan, PassOn};
use fathom_measure::recording::{RecordError, RecordingOptions};
use fathom_record::trace::{Kind, RecordingSummary};
use fathom_record::{Ending, Timestamp};
use fathom_testkit::cases::Case;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

pub(crate) const CASES: &[Case] = &[
    ("a_command_is_recorded_to_its_end", a_command_is_recorded_to_its_end),
    (
        "every_group_has_its_run_and_the_common_metric",
        every_group_has_its_run_and_the_common_metric,
    ),
    ("a_command_that_ends_at_once_has_a_row", a_command_that_ends_at_once_has_a_row),
    ("a_command_that_is_missing_leaves_nothing", a_command_that_is_missing_leaves_nothing),
    (
        "a_command_that_cannot_be_executed_leaves_nothing",
        a_command_that_cannot_be_executed_leaves_nothing,
    ),
    (
        "a_later_run_that_does_not_start_leaves_the_others",
        a_later_run_that_does_not_start_leaves_the_others,
    ),
    ("what_a_command_leaves_running_is_said", what_a_command_leaves_running_is_said),
    ("a_command_that_fails_says_why", a_command_that_fails_says_why),
    ("a_command_that_takes_too_long_is_kept", a_command_that_takes_too_long_is_kept),
    (
        "a_folder_that_vanishes_does_not_end_the_command",
        a_folder_that_vanishes_does_not_end_the_command,
    ),
    ("what_the_program_says_is_recorded", what_the_program_says_is_recorded),
];

fn a_command_is_recorded_to_its_end() {
    let bench = Bench::new();
    let outcomes = bench.shell("i=0; while [ $i -lt 40 ]; do i=$((i+1)); sleep 0.01; done");
    assert_eq!(outcomes[0].ending, Some(Ending::Exited(0)));
    assert_eq!((&outcomes[0].trouble, outcomes[0].interrupted), (&None, false));
    let trace = bench.trace();
    let run = &trace.manifest().runs[0];
    assert!(run.ended.unwrap() > Timestamp::from_seconds(0.4), "{run:?}");
    assert!(run.clock.unwrap().wall > Timestamp::from_seconds(1.6e9));
    let fast = &run.samplers[0];
    assert!(fast.rows > 2, "{run:?}");
    let [median, high, worst] = fast.lateness.unwrap();
    assert!(median <= high && high <= worst);
    assert!(fast.cpu_share.unwrap() > 0.0);
    // Each probe was read as often as there are rows, but for the last, which may say nothing.
    for cost in &fast.probes {
        assert!(cost.samples >= fast.rows && cost.samples <= fast.rows + 1, "{cost:?}");
        assert!(cost.ns_per_sample > 0.0 && cost.cpu_share > 0.0, "{cost:?}");
    }
    // The times go forward, and totals do not go back.
    let common = trace.manifest().common.clone().unwrap();
    let samples = trace.samples("run-1", &common).unwrap();
    assert_eq!(samples.len() as u64, fast.rows);
    assert_eq!(samples.starts[0], samples.ends[0]);
    assert!(samples.starts.iter().skip(1).eq(samples.ends.iter().take(samples.len() - 1)));
    assert!(samples.ends.is_sorted());
    if samples.metric.kind == Kind::Counter {
        let values: Vec<f64> = samples.values.reals().flatten().collect();
        assert!(values.len() > 1 && values.is_sorted(), "{values:?}");
    }
    let summary = RecordingSummary::of(trace.manifest());
    assert_eq!(summary.rows, run.samplers.iter().map(|sampler| sampler.rows).sum::<u64>());
    assert!(!summary.probes.is_empty());
}

fn every_group_has_its_run_and_the_common_metric() {
    let bench = Bench::with(RecordingOptions { runs: Some(3), ..RecordingOptions::default() });
    bench.shell("sleep 0.1");
    let trace = bench.trace();
    assert_eq!(trace.manifest().runs.len(), 3);
    let common = trace.manifest().common.clone().unwrap();
    for run in &trace.manifest().runs {
        assert!(seen(&trace, &run.id, &common) > 0, "{} has no {common}", run.id);
    }
    let groups: Vec<&str> = trace.manifest().runs.iter().map(|run| run.group.as_str()).collect();
    assert_ne!(groups[0], groups[1]);
}

fn a_command_that_ends_at_once_has_a_row() {
    let interval = Duration::from_secs(60);
    let bench =
        Bench::with(RecordingOptions { interval, runs: Some(1), ..RecordingOptions::default() });
    let outcomes = bench.shell("true");
    let note = outcomes[0].notes.iter().find(|note| note.contains("before the second sample"));
    assert!(note.unwrap().contains("shorter --every"), "{note:?}");
    let trace = bench.trace();
    assert!(trace.manifest().runs[0].samplers[0].rows >= 1);
    assert_eq!(trace.manifest().runs[0].notes, outcomes[0].notes);
}

fn a_command_that_is_missing_leaves_nothing() {
    let bench = Bench::new();
    let mut invocation = shell("");
    invocation.words = vec!["no-such-command-anywhere".to_string()];
    let error = bench.run(&invocation).unwrap_err();
    assert!(matches!(error, RecordError::CannotStart(_)), "{error}");
    assert!(error.to_string().contains("no-such-command-anywhere"), "{error}");
    assert!(!bench.path.exists());
}

/// The kernel refuses it only after its process was announced and sampled.
fn a_command_that_cannot_be_executed_leaves_nothing() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/nowhere/at/all\n").unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let mut invocation = shell("");
    invocation.words = vec![script.display().to_string()];
    let error = bench.run(&invocation).unwrap_err();
    assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
    assert!(!bench.path.exists());
}

fn a_later_run_that_does_not_start_leaves_the_others() {
    let bench = Bench::with(RecordingOptions { runs: Some(2), ..RecordingOptions::default() });
    let mut recorder = bench.recorder();
    let mut local = crate::bench::local();
    recorder.record(0, &mut local, &shell("sleep 0.05"), &mut |_| {}).unwrap();
    let mut missing = shell("");
    missing.words = vec!["no-such-command-anywhere".to_string()];
    recorder.record(1, &mut local, &missing, &mut |_| {}).unwrap_err();
    drop(recorder);
    let trace = bench.trace();
    assert_eq!(trace.manifest().runs.len(), 1);
    let names = std::fs::read_dir(&bench.path).unwrap().flatten();
    assert!(
        names.map(|entry| entry.file_name()).all(|name| !name.to_string_lossy().contains("run-2"))
    );
}

fn what_a_command_leaves_running_is_said() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    let pid_file = folder.path().join("pid");
    let outcomes =
        bench.shell(&format!("sleep 300 & echo $! > '{}'; sleep 0.05", pid_file.display()));
    let pid = std::fs::read_to_string(&pid_file).unwrap().trim().to_string();
    let note = outcomes[0].notes.iter().find(|note| note.contains("left processes running"));
    std::process::Command::new("kill").args(["-9", &pid]).status().unwrap();
    let note = note.unwrap_or_else(|| panic!("{:?}", outcomes[0].notes));
    assert!(note.contains(&format!("{pid} (sleep)")) && note.contains("--pid"), "{note}");
}

fn a_command_that_fails_says_why() {
    let bench = Bench::new();
    let outcomes = bench.shell("echo it is broken >&2; sleep 0.02; exit 3");
    assert_eq!(outcomes[0].ending, Some(Ending::Exited(3)));
    assert_eq!(outcomes[0].said, ["it is broken"]);
    assert_eq!(bench.trace().manifest().runs[0].ending, Some(Ending::Exited(3)));
}

fn a_command_that_takes_too_long_is_kept() {
    let bench = Bench::new();
    let mut invocation = shell("sleep 600");
    invocation.timeout = Some(Duration::from_millis(200));
    let outcomes = bench.run(&invocation).unwrap();
    assert_eq!(outcomes[0].ending, Some(Ending::TimedOut));
    let trace = bench.trace();
    let run = &trace.manifest().runs[0];
    assert!(run.samplers[0].rows > 1);
    let said = "exceeded its time limit of 200ms and was killed";
    assert!(run.notes.iter().any(|note| note.contains(said)), "{:?}", run.notes);
}

fn a_folder_that_vanishes_does_not_end_the_command() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    let witness = folder.path().join("witness");
    // Longer than it takes until rows are written.
    let text =
        format!("rm -rf '{}'; sleep 1.5; touch '{}'", bench.path.display(), witness.display());
    let mut seen = None;
    let mut recorder = bench.recorder();
    let mut local = crate::bench::local();
    let outcome = recorder
        .record(0, &mut local, &shell(&text), &mut |progress| {
            seen = seen.take().or_else(|| progress.trouble.clone());
        })
        .unwrap();
    assert_eq!(outcome.ending, Some(Ending::Exited(0)));
    assert!(witness.exists());
    let trouble = outcome.trouble.unwrap();
    assert!(trouble.contains("run-1"), "{trouble}");
    assert!(
        outcome.notes.iter().any(|note| note.contains("recording stopped")),
        "{:?}",
        outcome.notes
    );
    // The samples were taken in time; it was the writing that failed.
    let notes = outcome.notes.join("\n");
    assert!(notes.contains("could not be written and are lost"), "{notes}");
    let after = |words: &str| {
        let rest = notes.split_once(words)?.1;
        rest.split(' ').next()?.trim_end_matches(':').parse::<u64>().ok()
    };
    // A busy machine may have missed some, but none of those.
    if let Some(missed) = after("the sampler fast missed ") {
        let lost = after("the last ").unwrap();
        let of = after(&format!("the sampler fast missed {missed} of ")).unwrap();
        assert!(missed + lost <= of, "{notes}");
    }
    eventually("the folder is not made again", || !bench.path.join("manifest.json").exists());
}

fn what_the_program_says_is_recorded() {
    let options =
        RecordingOptions { runs: Some(1), application: true, ..RecordingOptions::default() };
    let mut bench = Bench::with(options);
    bench.application = Some(ApplicationPlan {
        metrics: vec![AppMetric::parse("tps=tps: ([0-9]+)").unwrap()],
        json: false,
        sources: vec![AppSource::Output(PassOn::Nowhere)],
        interval: Duration::from_millis(10),
    });
    let outcomes = bench.shell("for i in 1 2 3; do echo tps: $i; sleep 0.02; done; echo bye");
    assert_eq!(outcomes[0].trouble, None);
    let trace = bench.trace();
    let samples = trace.samples("run-1", "app.tps").unwrap();
    assert_eq!(samples.values.reals().collect::<Vec<_>>(), [Some(1.0), Some(2.0), Some(3.0)]);
    assert!(samples.ends.is_sorted() && samples.ends[0] > Timestamp::ZERO);
    let app = trace.manifest().runs[0].samplers.iter().find(|one| one.name == "app").unwrap();
    assert_eq!((app.rows, app.missed, app.interval), (3, 0, None));
}
