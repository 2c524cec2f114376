//! One run of a process that runs already.

use super::RecordError;
use super::plan_error::words;
use super::progress::RecordingProgress;
use super::recorder::{EndedRun, Recorder, elapsed};
use fathom_record::trace::{PlannedRun, RecordingPlan, RunOutcome};
use fathom_sys::probes::Target;
use fathom_sys::running_process::RunningProcess;
use std::time::Duration;

/// How often it is looked whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Finds the process to record, and checks that it can be recorded as planned.
pub fn find_process(
    pid: u32,
    plan: &RecordingPlan,
    duration: Option<Duration>,
) -> Result<RunningProcess, RecordError> {
    if pid == std::process::id() {
        return Err(RecordError::Itself(pid));
    }
    let runs = plan.runs.len();
    if runs > 1 && duration.is_none() {
        return Err(RecordError::NeedsDuration { runs });
    }
    Ok(RunningProcess::find(pid)?)
}

impl Recorder<'_> {
    /// Records run `n` of the plan, counted from 0, of a process that runs: until it ends, for the
    /// duration, or until the user wants to stop.
    pub fn attach(
        &mut self,
        n: usize,
        process: &RunningProcess,
        duration: Option<Duration>,
        is_interrupted: &dyn Fn() -> bool,
        progress: &mut dyn FnMut(&RecordingProgress),
    ) -> Result<RunOutcome, RecordError> {
        let run = self.planned(n)?;
        if is_interrupted() {
            return Err(RecordError::Interrupted);
        }
        if process.has_ended() {
            return Err(fathom_sys::running_process::NotRunning::Ended(process.pid()).into());
        }
        self.attach_to(n, run, process, (duration, is_interrupted), progress)
    }

    fn attach_to(
        &mut self,
        n: usize,
        run: &PlannedRun,
        process: &RunningProcess,
        (duration, is_interrupted): (Option<Duration>, &dyn Fn() -> bool),
        progress: &mut dyn FnMut(&RecordingProgress),
    ) -> Result<RunOutcome, RecordError> {
        let application = self
            .application
            .map(|plan| plan.prepare())
            .transpose()
            .map_err(|error| RecordError::Application(error.to_string()))?;
        let sinks = self.enter(run)?;
        let target = Target::Running(process.pid());
        let observers = match self.observe(run, target, None, sinks, application) {
            Ok(observers) => observers,
            Err(error) => {
                self.forget(run);
                return Err(error);
            }
        };
        let mut interrupted = false;
        let has_ended = loop {
            self.look_at(n, run, &observers, progress);
            let elapsed = elapsed(&observers);
            let left = duration.map_or(LOOK, |duration| duration.saturating_sub(elapsed.into()));
            if left.is_zero() || observers.live().trouble.reason().is_some() {
                break false;
            }
            if is_interrupted() {
                interrupted = true;
                break false;
            }
            if process.await_end(left.min(LOOK)) {
                break true;
            }
        };
        let length = elapsed(&observers);
        let observed = observers.end(length);
        let mut notes = Vec::new();
        match duration {
            Some(duration) if has_ended => notes.push(format!(
                "the process ended after {}, before the {} were over",
                words(length.into()),
                words(duration)
            )),
            Some(_) if interrupted => notes.push("the recording was interrupted".to_string()),
            _ => {}
        }
        if is_ancestor(process.pid()) {
            notes.push(format!(
                "Fathom was started by process {} or one of its children, so Fathom's own work \
                 counts as part of it",
                process.pid()
            ));
        }
        let ended = EndedRun { length, ending: None, notes };
        Ok(RunOutcome { interrupted, ..self.end_entry(run, observed, ended) })
    }
}

/// Whether this process descends from another one.
fn is_ancestor(pid: u32) -> bool {
    let mut one = std::process::id();
    // A chain is not longer than there are processes; a number that was used again could make a
    // circle of it.
    for _ in 0..1000 {
        let Some(parent) = parent(one) else { return false };
        if parent == pid {
            return true;
        }
        one = parent;
    }
    false
}

fn parent(pid: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    line.trim().parse().ok().filter(|&parent| parent != 0)
}
