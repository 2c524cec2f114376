//! What the tests have in common: this machine, and a folder.

use fathom_formats::trace::Trace;
use fathom_measure::recording::application::ApplicationPlan;
use fathom_measure::recording::{RecordError, Recorder, RecordingOptions, offers, plan};
use fathom_measure::{Invocation, Local};
use fathom_record::trace::{RecordingPlan, RunOutcome};
use fathom_sys::probes::{Source, sources};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A place to record into.
pub(crate) struct Bench {
    pub(crate) sources: Vec<Box<dyn Source>>,
    pub(crate) plan: RecordingPlan,
    pub(crate) application: Option<ApplicationPlan>,
    _folder: TempDir,
    pub(crate) path: PathBuf,
}

impl Bench {
    /// With all that the machine offers in a single run.
    pub(crate) fn new() -> Bench {
        Bench::with(RecordingOptions {
            interval: Duration::from_millis(5),
            runs: Some(1),
            ..RecordingOptions::default()
        })
    }

    pub(crate) fn with(options: RecordingOptions) -> Bench {
        let sources = sources();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("traces");
        let plan = plan(&offers(&sources), &options).unwrap();
        Bench { sources, plan, application: None, _folder: folder, path }
    }

    pub(crate) fn recorder(&self) -> Recorder<'_> {
        let application = self.application.as_ref();
        Recorder::create(
            &self.path,
            false,
            Vec::new(),
            fathom_record::Environment::of_this_build(),
            &self.plan,
            &self.sources,
            application,
        )
        .unwrap()
    }

    /// Records all runs of a shell's text.
    pub(crate) fn shell(&self, text: &str) -> Vec<RunOutcome> {
        self.run(&shell(text)).unwrap()
    }

    /// Records all runs of a command.
    pub(crate) fn run(&self, invocation: &Invocation) -> Result<Vec<RunOutcome>, RecordError> {
        let mut recorder = self.recorder();
        let mut local = local();
        (0..self.plan.runs.len())
            .map(|n| recorder.record(n, &mut local, invocation, &mut |_| {}))
            .collect()
    }

    pub(crate) fn trace(&self) -> Trace {
        Trace::open(&self.path).unwrap()
    }
}

pub(crate) fn local() -> Local {
    Local::start(Path::new("/proc/self/exe"), Path::new("/")).unwrap()
}

pub(crate) fn shell(text: &str) -> Invocation {
    let words = ["sh", "-c", text].map(str::to_string).to_vec();
    Invocation { words, ..Invocation::default() }
}

/// Waits until it is so; tests never assert how long something takes, but must end.
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "not within 60 s: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// How many rows of a run have a value of a metric.
pub(crate) fn seen(trace: &Trace, run: &str, metric: &str) -> usize {
    let samples = trace.samples(run, metric).unwrap();
    samples.len() - samples.missing()
}
