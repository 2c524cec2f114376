//! The bench: runs subjects one at a time, with their hooks, and keeps what they cost.

use crate::empty_shell::{EmptyShell, EmptyShellError};
use crate::environment_offset::run_variables;
use crate::laboratory::{Execution, Invocation, Laboratory, LaboratoryError, Output};
use crate::measure_error::{CommandFailure, MeasureError, last_lines};
use crate::settings::Settings;
use crate::{CommandSubject, Keeper};
use fathom_record::{BlockSlot, Ending, Metric, Phase, Reading, Run, Span, Timestamp};
use std::fmt;
use std::time::Duration;

/// A place to measure in, with everything at hand.
pub struct Bench<'a> {
    laboratory: &'a mut dyn Laboratory,
    subjects: Vec<CommandSubject>,
    settings: Settings,
    keeper: Keeper,
    /// On the laboratory's clock, whose zero may lie after it if the session is resumed.
    began: Timestamp,
    runs: usize,
    /// What runs took beyond what was measured of them, hooks left out.
    overhead: Span,
    runs_here: u64,
}

impl fmt::Debug for Bench<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bench").field("subjects", &self.subjects).finish_non_exhaustive()
    }
}

impl<'a> Bench<'a> {
    /// A bench on which `runs` of the subjects were done before (in a session that is resumed),
    /// which took `before`.
    pub fn new(
        laboratory: &'a mut dyn Laboratory,
        subjects: Vec<CommandSubject>,
        settings: Settings,
        keeper: Keeper,
        runs: usize,
        before: Span,
    ) -> Bench<'a> {
        let began = laboratory.now() - before;
        Bench {
            laboratory,
            subjects,
            settings,
            keeper,
            began,
            runs,
            overhead: Span::ZERO,
            runs_here: 0,
        }
    }

    /// What measuring and saving a run costs in addition to it, in seconds; `None` before the
    /// first.
    #[must_use]
    pub fn overhead_per_run(&self) -> Option<f64> {
        (self.runs_here > 0).then(|| self.overhead.nanoseconds_f64() / self.runs_here as f64 / 1e9)
    }

    /// The subjects.
    #[must_use]
    pub fn subjects(&self) -> &[CommandSubject] {
        &self.subjects
    }

    /// How long the session has lasted.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Duration::from(self.laboratory.now() - self.began)
    }

    /// The smallest step of the clock, in seconds.
    #[must_use]
    pub fn clock_grain(&self) -> f64 {
        self.laboratory.grain().seconds()
    }

    /// Whether the user wants to stop.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.laboratory.is_interrupted()
    }

    /// Where runs are kept.
    pub fn keeper(&mut self) -> &mut Keeper {
        &mut self.keeper
    }

    /// Ends the work and hands back where the runs are.
    #[must_use]
    pub fn into_keeper(self) -> Keeper {
        self.keeper
    }

    /// Runs a subject's set-up.
    pub fn set_up(&mut self, subject: usize) -> Result<(), MeasureError> {
        let hook = self.subjects[subject].hooks.setup.clone();
        self.hook("setup", subject, hook)
    }

    /// Runs a subject's clean-up.
    pub fn clean_up(&mut self, subject: usize) -> Result<(), MeasureError> {
        let hook = self.subjects[subject].hooks.cleanup.clone();
        self.hook("cleanup", subject, hook)
    }

    /// Runs a subject once, with the hooks around a run, and keeps the run.
    pub fn run(
        &mut self,
        subject: usize,
        phase: Phase,
        place: Option<BlockSlot>,
        watch: &mut dyn FnMut(),
    ) -> Result<Run, MeasureError> {
        let hooks = self.subjects[subject].hooks.clone();
        if self.runs > 0 {
            let between = self.settings.between.clone();
            self.hook("between", subject, between)?;
        }
        self.hook("prepare", subject, hooks.prepare)?;
        let settings = &self.settings;
        let invocation = Invocation {
            input: settings.input.clone(),
            output: settings.output.clone(),
            keeps_output: !settings.metrics.is_empty(),
            ..self.invocation(self.subjects[subject].command.words())
        };
        let began = self.laboratory.now().relative_to(self.began);
        let execution = self
            .laboratory
            .execute(&invocation, watch)
            .map_err(|error| self.refused(subject, error))?;
        if self.laboratory.is_interrupted() {
            // A terminal sends Ctrl-C to the command too; its time is cut short.
            return Err(MeasureError::Interrupted);
        }
        if !self.settings.tolerated.accepts(execution.ending) {
            return Err(MeasureError::Command(Box::new(self.failure(subject, &execution))));
        }
        let wall = execution.usage.wall;
        let run = Run {
            subject,
            phase,
            place,
            began,
            ending: execution.ending,
            usage: execution.usage,
            readings: self.readings(subject, &execution)?,
        };
        self.keeper.append(&run)?;
        self.runs += 1;
        self.count(began, wall);
        self.hook("conclude", subject, hooks.conclude)?;
        Ok(run)
    }

    /// Runs the shell of a subject without a command and keeps the run; `None` if no shell runs the
    /// subjects. No hook runs for it: hooks prepare for a command.
    pub fn run_empty_shell(
        &mut self,
        subject: usize,
        place: Option<BlockSlot>,
    ) -> Result<Option<Run>, MeasureError> {
        let Some(shell) = EmptyShell::of(&self.subjects) else { return Ok(None) };
        let invocation = self.invocation(shell.words());
        let began = self.laboratory.now().relative_to(self.began);
        let execution =
            shell.execute(self.laboratory, &invocation).map_err(|error| match error {
                EmptyShellError::Interrupted => MeasureError::Interrupted,
                error => MeasureError::Broken(error.to_string()),
            })?;
        let run = Run {
            subject,
            phase: Phase::EmptyShell,
            place,
            began,
            ending: execution.ending,
            usage: execution.usage,
            readings: counted(&execution),
        };
        self.keeper.append(&run)?;
        self.count(began, run.usage.wall);
        Ok(Some(run))
    }

    /// How words are run by default.
    fn invocation(&self, words: Vec<String>) -> Invocation {
        let settings = &self.settings;
        let run = self.runs as u64;
        let variables = run_variables(run, settings.environment_offset, settings.seed);
        Invocation {
            words,
            variables: variables.into_iter().map(|(k, v)| (k.to_string(), v)).collect(),
            cpu: settings.cpu,
            timeout: settings.timeout,
            counters: settings.counters.clone(),
            ..Invocation::default()
        }
    }

    /// Notes what a run took in addition to its measured time.
    fn count(&mut self, began: Timestamp, wall: Span) {
        let took = self.laboratory.now().relative_to(self.began) - began;
        self.overhead += took - wall;
        self.runs_here += 1;
    }

    fn readings(
        &self,
        subject: usize,
        execution: &Execution,
    ) -> Result<Vec<Reading>, MeasureError> {
        let mut readings = counted(execution);
        for metric in &self.settings.metrics {
            let value = metric.read(&execution.stdout).map_err(|error| MeasureError::Metric {
                subject: self.subjects[subject].name.clone(),
                error,
            })?;
            let name = Metric::Printed(metric.name().to_string()).to_string();
            readings.push(Reading { name, value });
        }
        Ok(readings)
    }

    /// Runs a hook by a shell, as hyperfine does.
    fn hook(
        &mut self,
        kind: &str,
        subject: usize,
        hook: Option<String>,
    ) -> Result<(), MeasureError> {
        let Some(text) = hook else { return Ok(()) };
        let output = match self.settings.output {
            Output::Inherit => Output::Inherit,
            _ => Output::Null,
        };
        let words = ["sh", "-c", &text].map(str::to_string).to_vec();
        let invocation = Invocation { words, output, ..Invocation::default() };
        let execution =
            self.laboratory.execute(&invocation, &mut || {}).map_err(|error| match error {
                LaboratoryError::Interrupted => MeasureError::Interrupted,
                error => MeasureError::Broken(format!("the {kind} command: {error}")),
            })?;
        if self.laboratory.is_interrupted() {
            return Err(MeasureError::Interrupted);
        }
        if execution.ending.is_success() {
            return Ok(());
        }
        let name = &self.subjects[subject].name;
        Err(MeasureError::Hook(Box::new(CommandFailure {
            what: format!("the {kind} command of {name} (`{text}`)"),
            how: execution.ending.in_words(None),
            said: last_lines(&execution.stderr_tail),
            hint: Some(format!(
                "If this is not a failure, end the command with `|| true`: --{kind} '{text} || \
                 true'"
            )),
        })))
    }

    fn refused(&self, subject: usize, error: LaboratoryError) -> MeasureError {
        let name = &self.subjects[subject].name;
        match error {
            LaboratoryError::Interrupted => MeasureError::Interrupted,
            LaboratoryError::CannotStart(reason) => {
                MeasureError::Command(Box::new(CommandFailure {
                    what: name.clone(),
                    how: format!("cannot be started: {reason}"),
                    said: Vec::new(),
                    hint: None,
                }))
            }
            LaboratoryError::TooMuchOutput(reason) => {
                MeasureError::Command(Box::new(CommandFailure {
                    what: name.clone(),
                    how: reason,
                    said: Vec::new(),
                    hint: None,
                }))
            }
            LaboratoryError::Broken(reason) => MeasureError::Broken(reason),
        }
    }

    fn failure(&self, subject: usize, execution: &Execution) -> CommandFailure {
        let hint = match execution.ending {
            Ending::TimedOut => {
                Some("Allow more time with --timeout, or make the command do less.".into())
            }
            Ending::Exited(code) => Some(format!(
                "If this is not a failure, accept it with -i={code}, or any status with -i."
            )),
            Ending::Signalled(_) => None,
        };
        CommandFailure {
            what: self.subjects[subject].name.clone(),
            how: format!(
                "{} in run {}",
                execution.ending.in_words(self.settings.timeout),
                self.runs + 1
            ),
            said: last_lines(&execution.stderr_tail),
            hint,
        }
    }
}

/// What was counted.
fn counted(execution: &Execution) -> Vec<Reading> {
    let reading = |counter: &Reading| Reading {
        name: Metric::Counter(counter.name.clone()).to_string(),
        value: counter.value,
    };
    execution.counters.iter().map(reading).collect()
}
