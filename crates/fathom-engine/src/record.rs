//! Records many metrics over time, in one or several runs.

mod application;
mod command;
mod derived;
mod document;
mod planned;

pub use document::{
    PlanDocument, PlanEntry, PlannedProbeEntry, PlannedRunEntry, RecordingDocument,
    UnavailableEntry,
};

use crate::engine::local;
use crate::measuring::programs::Programs;
use crate::{Answer, Engine, EngineError, ErrorKind, Watch, provenance};
use command::RecordedCommand;
use fathom_measure::recording::application::ApplicationPlan;
use fathom_measure::recording::{RecordError, Recorder, RecordingProgress, find_process};
use fathom_measure::{CommandFailure, Laboratory as _, Local};
use fathom_property::DerivedMetric;
use fathom_record::trace::{Recording, RecordingPlan, RunOutcome};
use fathom_record::{Ending, Environment};
use fathom_render::core_share;
use fathom_request::RecordRequest;
use fathom_sys::probes::{Source, event_source, sources};
use fathom_sys::running_process::RunningProcess;
use fathom_sys::signals::Interrupt;
use std::path::{Path, PathBuf};

/// What will be recorded, and what with.
struct Prepared {
    plan: RecordingPlan,
    sources: Vec<Box<dyn Source>>,
    application: Option<ApplicationPlan>,
    derived: Vec<DerivedMetric>,
}

impl Prepared {
    fn of(request: &RecordRequest) -> Result<Prepared, EngineError> {
        if request.command.is_empty() && request.pid.is_none() {
            return Err(EngineError::usage(
                "there is nothing to record; give a command after --, as in `fathom record -o \
                 traces -- ./program`, or a process with --pid",
            ));
        }
        if request.duration.is_some() && request.pid.is_none() {
            return Err(EngineError::usage(
                "--duration is for a process that runs already (--pid); --timeout ends a command",
            ));
        }
        let application = application::application(request)?;
        let mut sources = sources();
        let events = &request.sampling.events;
        if !events.is_empty() {
            let named = event_source(events);
            let named = named.map_err(|error| EngineError::from(error).about("--event"))?;
            sources.insert(0, named);
        }
        let plan = planned::plan(request, &sources, application.is_some())?;
        let derived = derived::planned(request, &plan, application.is_some())?;
        Ok(Prepared { plan, sources, application, derived })
    }
}

/// What is recorded.
enum RecordedSubject {
    Command(Box<Local>, Box<RecordedCommand>),
    Process(RunningProcess),
}

impl RecordedSubject {
    /// Looks for it before an earlier recording is replaced: it may not even be there.
    fn find(
        request: &RecordRequest,
        plan: &RecordingPlan,
        folder: &Path,
    ) -> Result<RecordedSubject, EngineError> {
        if let Some(pid) = request.pid {
            let process = find_process(pid, plan, request.duration).map_err(failed)?;
            return Ok(RecordedSubject::Process(process));
        }
        let command = RecordedCommand::of(request)?;
        let local = local(folder)?;
        local.resolve(command.program()).map_err(EngineError::command)?;
        Ok(RecordedSubject::Command(Box::new(local), Box::new(command)))
    }
}

impl Engine<'_> {
    /// What would be recorded, in which runs and at what cost.
    ///
    /// # Errors
    /// This machine does not offer what is asked for.
    pub fn plan_recording(
        &mut self,
        request: &RecordRequest,
    ) -> Result<RecordingPlan, EngineError> {
        Ok(Prepared::of(request)?.plan)
    }

    /// Records into a new folder; with `force`, into one that holds an earlier recording, which is
    /// replaced. What was recorded before the user ended it, or before a run failed, is the report.
    ///
    /// # Errors
    /// Nothing was recorded, and why.
    pub fn record(
        &mut self,
        request: &RecordRequest,
        into: &Path,
        force: bool,
    ) -> Result<Answer<Recording>, EngineError> {
        let Prepared { plan, sources, application, derived } = Prepared::of(request)?;
        for warning in &plan.warnings {
            self.watch.note(&format!("warning: {warning}"));
        }
        let subject = RecordedSubject::find(request, &plan, &self.working_folder()?)?;
        let words = request.command.clone();
        let environment = environment(request, &self.working_folder()?);
        let recorder = Recorder::create(
            into,
            force,
            words,
            environment,
            &plan,
            &sources,
            application.as_ref(),
        );
        let mut recorder = recorder.map_err(failed)?;
        recorder.define(derived.iter().map(DerivedMetric::definition).collect()).map_err(failed)?;
        let mut computed: Vec<String> = Vec::new();
        let watch = &mut *self.watch;
        let (outcomes, ended_early) = match subject {
            RecordedSubject::Command(mut local, mut command) => all_runs(&plan, request, |n| {
                command.prepare(&mut local)?;
                let invocation = command.invocation(n);
                let outcome = recorder
                    .record(n, &mut local, invocation, &mut |now| tell(&mut *watch, now))
                    .map_err(failed)?;
                command.conclude(&mut local)?;
                computed.extend(derived::compute(&mut recorder, &outcome.id, &derived)?);
                Ok(outcome)
            }),
            RecordedSubject::Process(process) => {
                let interrupt = Interrupt::install().map_err(|error| {
                    EngineError::file(format!("signals cannot be handled: {error}"), error)
                })?;
                let is_over = || interrupt.requested();
                all_runs(&plan, request, |n| {
                    let outcome = recorder
                        .attach(n, &process, request.duration, &is_over, &mut |now| {
                            tell(&mut *watch, now);
                        })
                        .map_err(failed)?;
                    computed.extend(derived::compute(&mut recorder, &outcome.id, &derived)?);
                    Ok(outcome)
                })
            }
        };
        self.watch.clear();
        // Before anything was recorded there is nothing to show but why.
        if recorder.manifest().runs.is_empty() {
            return Err(ended_early.unwrap_or_else(EngineError::interrupted));
        }
        for metric in derived.iter().filter(|one| !computed.iter().any(|it| it == one.name())) {
            self.watch.note(&format!(
                "warning: {} was not computed: no run has all of {}. `fathom show -v` lists the metrics",
                metric.name(),
                metric.names().join(", ")
            ));
        }
        let manifest = recorder.manifest().clone();
        let recording = Recording { folder: into.to_path_buf(), manifest, outcomes };
        Ok(Answer { ended_early, ..Answer::of(recording) })
    }
}

/// With what is recorded: the command, or what the process was started with.
fn environment(request: &RecordRequest, folder: &Path) -> Environment {
    let (words, folder) = match request.pid {
        None => (request.command.clone(), folder.to_path_buf()),
        Some(pid) => {
            let process = PathBuf::from(format!("/proc/{pid}"));
            let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
            let words = line.split(|&byte| byte == 0).filter(|word| !word.is_empty());
            let words = words.map(|word| String::from_utf8_lossy(word).into_owned()).collect();
            // Of another user's process it is not known.
            let folder = std::fs::read_link(process.join("cwd"));
            (words, folder.unwrap_or_default())
        }
    };
    let programs = Programs::of([words.as_slice()], &folder);
    Environment::of_measurement(provenance::of_measurement(&programs, &folder))
}

/// Makes all runs, until one fails or the user has enough; why it ended then.
fn all_runs(
    plan: &RecordingPlan,
    request: &RecordRequest,
    mut one: impl FnMut(usize) -> Result<RunOutcome, EngineError>,
) -> (Vec<RunOutcome>, Option<EngineError>) {
    let mut outcomes = Vec::new();
    for n in 0..plan.runs.len() {
        let outcome = match one(n) {
            Ok(outcome) => outcome,
            Err(error) => return (outcomes, Some(error)),
        };
        let stops = reason_to_stop(&outcome, request);
        outcomes.push(outcome);
        if stops.is_some() {
            return (outcomes, stops);
        }
    }
    (outcomes, None)
}

/// Why the next run does not begin after this one, if it does not.
fn reason_to_stop(outcome: &RunOutcome, request: &RecordRequest) -> Option<EngineError> {
    // A process without a time limit is recorded until the user has enough.
    let is_open_ended = request.pid.is_some() && request.duration.is_none();
    if outcome.interrupted && !is_open_ended {
        return Some(EngineError::interrupted());
    }
    if let Some(trouble) = &outcome.trouble {
        // It could not be written: the disk is full, or the folder is gone.
        return Some(EngineError::cannot_be_done(format!("recording stopped: {trouble}")));
    }
    match outcome.ending {
        // The user said how long it may take; that is not a failure of the command.
        None | Some(Ending::TimedOut) => None,
        Some(ending) if request.running.command.ignore_failure.accepts(ending) => None,
        Some(ending) => Some(EngineError::command(CommandFailure {
            what: request.subject(),
            how: ending.in_words(request.running.command.timeout),
            said: outcome.said.clone(),
            hint: Some(
                "what was recorded is kept; -i goes on with the next run all the same".to_string(),
            ),
        })),
    }
}

fn tell(watch: &mut dyn Watch, now: &RecordingProgress) {
    watch.progress(&|| {
        let seconds = now.elapsed.as_secs_f64();
        let share = core_share(now.share);
        let trouble = now.trouble.as_deref().map_or(String::new(), |trouble| {
            format!(", nothing more is recorded: {trouble}; the command goes on, Ctrl-C ends it")
        });
        format!(
            "run {} of {} ({}): {seconds:.1} s, {} samples, {share}{trouble}",
            now.run, now.runs, now.group, now.samples
        )
    });
}

/// Why nothing could be recorded.
fn failed(error: RecordError) -> EngineError {
    let error = EngineError::from(error);
    match error.kind() {
        ErrorKind::Interrupted => EngineError::interrupted(),
        _ => error,
    }
}
