//! One run of a command.

use super::RecordError;
use super::application::Prepared;
use super::left_running;
use super::observers::Observers;
use super::progress::RecordingProgress;
use super::recorder::{EndedRun, Recorder, elapsed};
use super::writer::Sink;
use crate::laboratory::{Execution, Invocation, Laboratory, LaboratoryError};
use crate::local::{Listener, Local};
use crate::measure_error::last_lines;
use fathom_record::Ending;
use fathom_record::trace::{PlannedRun, RunOutcome};
use fathom_sys::probes::Target;
use std::cell::RefCell;

/// A run while the command is executed: what its start and every look at it need.
struct Stage<'r, 'p, 'a> {
    recorder: &'r mut Recorder<'a>,
    progress: &'p mut dyn FnMut(&RecordingProgress),
    n: usize,
    run: &'a PlannedRun,
    avoid: Option<usize>,
    sinks: Vec<Box<dyn Sink>>,
    application: Option<Prepared>,
    begun: Option<Result<Observers, RecordError>>,
}

impl Stage<'_, '_, '_> {
    /// The process waits before its exec.
    fn start(&mut self, pid: u32) {
        let sinks = std::mem::take(&mut self.sinks);
        let application = self.application.take();
        let target = Target::Awaiting(pid);
        self.begun = Some(self.recorder.observe(self.run, target, self.avoid, sinks, application));
    }

    /// Whether to go on waiting for the command. If it is not observed that is in vain.
    fn look(&mut self) -> bool {
        let Some(Ok(observers)) = &self.begun else { return false };
        self.recorder.look_at(self.n, self.run, observers, self.progress);
        true
    }
}

impl Recorder<'_> {
    /// Records run `n` of the plan, counted from 0: starts the command, samples until it ends, and
    /// keeps what was sampled whatever happens. A command that cannot be started leaves nothing.
    pub fn record(
        &mut self,
        n: usize,
        local: &mut Local,
        invocation: &Invocation,
        progress: &mut dyn FnMut(&RecordingProgress),
    ) -> Result<RunOutcome, RecordError> {
        self.record_execution(n, local, invocation, progress).map(|(outcome, _)| outcome)
    }

    /// Like [`record`](Recorder::record), with what the command left; `None` if it was interrupted.
    pub(crate) fn record_execution(
        &mut self,
        n: usize,
        local: &mut Local,
        invocation: &Invocation,
        progress: &mut dyn FnMut(&RecordingProgress),
    ) -> Result<(RunOutcome, Option<Execution>), RecordError> {
        let run = self.planned(n)?;
        if local.is_interrupted() {
            return Err(RecordError::Interrupted);
        }
        let mut application = self
            .application
            .map(|plan| plan.prepare())
            .transpose()
            .map_err(|error| RecordError::Application(error.to_string()))?;
        let listener = application.as_mut().map_or_else(Listener::default, |prepared| Listener {
            output: prepared.take_output(),
            variables: prepared.variables(),
        });
        let before = left_running::children(local.server());
        let sinks = self.enter(run)?;
        let stage = RefCell::new(Stage {
            recorder: self,
            progress,
            n,
            run,
            avoid: invocation.cpu,
            sinks,
            application,
            begun: None,
        });
        let executed = local.execute_announced(
            invocation,
            listener,
            &mut |pid| stage.borrow_mut().start(pid),
            &mut || stage.borrow_mut().look(),
        );
        let begun = stage.into_inner().begun;
        let observers = match begun {
            Some(Ok(observers)) => observers,
            not_begun => {
                self.forget(run);
                // What kept it from being observed is why it was killed.
                return Err(match (not_begun, executed) {
                    (Some(Err(error)), _) => error,
                    (_, Err(error)) => not_executed(error),
                    _ => RecordError::Broken("the command did not report its start".to_string()),
                });
            }
        };
        let length = elapsed(&observers);
        let observed = observers.end(length);
        let mut ended = EndedRun { length, ending: None, notes: Vec::new() };
        match executed {
            Ok(execution) => {
                ended.ending = Some(execution.ending);
                if execution.ending == Ending::TimedOut {
                    // Not a failure of the command, but its trace ends where the user cut it.
                    let how = execution.ending.in_words(invocation.timeout);
                    ended.notes.push(format!("the command {how}"));
                }
                let after = left_running::children(local.server());
                let left: Vec<u32> =
                    after.into_iter().filter(|pid| !before.contains(pid)).collect();
                ended.notes.extend(left_running::note(&left));
                let outcome = RunOutcome {
                    usage: Some(execution.usage),
                    said: last_lines(&execution.stderr_tail),
                    ..self.end_entry(run, observed, ended)
                };
                Ok((outcome, Some(execution)))
            }
            Err(LaboratoryError::Interrupted) => {
                ended.notes.push("the recording was interrupted".to_string());
                let outcome = self.end_entry(run, observed, ended);
                Ok((RunOutcome { interrupted: true, ..outcome }, None))
            }
            Err(error @ LaboratoryError::CannotStart(_)) => {
                self.forget(run);
                Err(not_executed(error))
            }
            Err(error) => {
                ended.notes.push(error.to_string());
                self.end_entry(run, observed, ended);
                Err(not_executed(error))
            }
        }
    }
}

fn not_executed(error: LaboratoryError) -> RecordError {
    match error {
        LaboratoryError::CannotStart(why) => RecordError::CannotStart(why),
        LaboratoryError::Interrupted => RecordError::Interrupted,
        LaboratoryError::TooMuchOutput(why) | LaboratoryError::Broken(why) => {
            RecordError::Broken(why)
        }
    }
}
