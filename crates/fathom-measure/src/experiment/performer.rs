//! Performs one execution of a recipe and reads what it shows.

use super::built_in;
use super::completeness::Completeness;
use super::kept_output;
use super::own_files::FilesBefore;
use super::sources::{Remains, Sources, Unreadable};
use super::{ExecutionFailure, ExecutionRecording, FleetError, Performed, Recipe, Scratch, Ticket};
use crate::environment_offset::{EnvironmentOffset, run_variables};
use crate::laboratory::{Execution, Invocation, Laboratory, LaboratoryError, Output};
use crate::measure_error::last_lines;
use crate::template::{EmptyValue, Template};
use fathom_record::{Ending, Observation, Unit, Usage};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The limit counts from a moment before the program starts. Without this, one that reached its
/// limit would have run for a little less, and it would not be sure that it took longer.
const SLACK: Duration = Duration::from_millis(20);

/// A recipe that was looked through, with all that is needed to perform its executions.
#[derive(Debug, Clone)]
pub struct Performer {
    recipe: Recipe,
    sources: Sources,
    scratch: Scratch,
    host: String,
    recording: Option<Arc<ExecutionRecording>>,
    offset: Option<EnvironmentOffset>,
}

/// Performs one execution; see [`Performer::perform`].
///
/// # Errors
/// Those of [`Performer::new`] and [`Performer::perform`].
pub fn perform(
    recipe: &Recipe,
    ticket: Ticket,
    scratch: &Scratch,
    laboratory: &mut dyn Laboratory,
) -> Result<Performed, FleetError> {
    Performer::new(recipe.clone(), scratch.clone())?.perform(ticket, laboratory)
}

impl Performer {
    /// Looks through a recipe.
    ///
    /// # Errors
    /// What is wrong in it: an option of `--metric` or `--read`.
    pub fn new(recipe: Recipe, scratch: Scratch) -> Result<Performer, FleetError> {
        let sources = Sources::of(&recipe).map_err(FleetError::Broken)?;
        let host = fathom_sys::machine::host_name().unwrap_or_else(|| "this machine".to_string());
        let offset = recipe.env_offset.as_deref().map(EnvironmentOffset::parse).transpose();
        let offset = offset.map_err(|error| FleetError::Broken(error.to_string()))?;
        Ok(Performer { recipe, sources, scratch, host, recording: None, offset })
    }

    /// Records every execution.
    #[must_use]
    pub fn with_recording(self, recording: Option<ExecutionRecording>) -> Performer {
        Performer { recording: recording.map(Arc::new), ..self }
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Refuses files that all executions would write to: several at a time would read each
    /// other's.
    ///
    /// # Errors
    /// There is such a file.
    pub fn check_several_at_a_time(&self) -> Result<(), FleetError> {
        match self.sources.shared_file() {
            None => Ok(()),
            Some(file) => {
                let name = Path::new(file).file_name().and_then(|name| name.to_str());
                Err(FleetError::Broken(format!(
                    "all executions write to {file}, so executions that run at once would \
                     overwrite each other's results. Write to {{dir}}, a separate folder for each \
                     execution, and read {{dir}}/{}; or run one execution at a time.",
                    name.unwrap_or("FILE")
                )))
            }
        }
    }

    /// Performs one execution and waits for it. In the command's words `{seed}` is the ticket's
    /// seed, `{run}` its number, counted from 1, and `{dir}` its own empty folder; a value stays
    /// within its word, and in a text for a shell it is simply inserted. The variables FATHOM_SEED,
    /// FATHOM_RUN and FATHOM_DIR have the same values.
    ///
    /// One that fails is [`Performed`] too. One that reached its time limit is not a failure: its
    /// observation is marked as cut, what it cost are lower bounds, its traces end with their last
    /// complete line, and its numbers are unknown. So is one that a signal ended, where that is not
    /// a failure.
    ///
    /// # Errors
    /// The user wants to stop, or Fathom's own part failed: its folder cannot be created, for example.
    pub fn perform(
        &self,
        ticket: Ticket,
        laboratory: &mut dyn Laboratory,
    ) -> Result<Performed, FleetError> {
        let system = self.recipe.systems.get(ticket.system).ok_or_else(|| {
            FleetError::Broken(format!("there is no system number {}", ticket.system))
        })?;
        if laboratory.is_interrupted() {
            return Err(FleetError::Interrupted);
        }
        let folder = self.scratch.open(&self.recipe, ticket)?;
        let run = ticket.number.saturating_add(1);
        let assignment = [
            ("seed".to_string(), ticket.seed.to_string()),
            ("run".to_string(), run.to_string()),
            ("dir".to_string(), folder.text().to_string()),
        ];
        let fill = |word: &String| Template::new(word.clone()).fill(&assignment);
        let mut variables = vec![
            ("FATHOM_SEED".to_string(), ticket.seed.to_string()),
            ("FATHOM_DIR".to_string(), folder.text().to_string()),
        ];
        let of_run = run_variables(run, self.offset, self.recipe.offset_seed);
        variables.extend(of_run.into_iter().map(|(name, value)| (name.to_string(), value)));
        let keeps_output = self.sources.read_output();
        let invocation = Invocation {
            words: system.words.iter().map(fill).collect(),
            variables,
            output: folder.output_file().map_or(Output::Null, Output::File),
            keeps_output,
            cpu: self.recipe.cpu,
            timeout: self.recipe.timeout.map(|limit| limit.saturating_add(SLACK)),
            ..Invocation::default()
        };
        let paths = self.sources.paths(&self.recipe.folder, &assignment);
        let before = FilesBefore::look(paths.iter().map(|path| path.as_path()));
        let performed = |ending, usage, outcome| Performed {
            ticket,
            host: self.host.clone(),
            ending,
            usage,
            outcome,
            output: None,
            session: None,
        };
        let failed = |how: String| {
            performed(
                None,
                Usage::default(),
                Err(ExecutionFailure { how, said: Vec::new(), hint: None }),
            )
        };
        if let Some(prepare) = &system.prepare
            && let Some(how) = prepare_by(prepare, &assignment, laboratory)?
        {
            return Ok(failed(how));
        }
        let executed = match &self.recording {
            None => laboratory.execute(&invocation, &mut || {}),
            Some(recording) => match laboratory.as_local() {
                Some(local) => recording.execute(&self.recipe, ticket, local, &invocation),
                None => {
                    let why = "executions are recorded only where Fathom itself runs them";
                    Err(LaboratoryError::Broken(why.to_string()))
                }
            },
        };
        let execution = match executed {
            Ok(execution) => execution,
            Err(LaboratoryError::Interrupted) => return Err(FleetError::Interrupted),
            Err(LaboratoryError::Broken(reason)) => return Err(FleetError::Broken(reason)),
            Err(LaboratoryError::CannotStart(reason)) => {
                return Ok(failed(format!("cannot be started: {reason}")));
            }
            Err(LaboratoryError::TooMuchOutput(reason)) => {
                return Ok(failed(format!("cannot be read: {reason}")));
            }
        };
        if laboratory.is_interrupted() {
            // The signal that stops us may have stopped it too; its seed can repeat it.
            return Err(FleetError::Interrupted);
        }
        let remains = Remains {
            stdout: &execution.stdout,
            before: &before,
            folder: &self.recipe.folder,
            assignment: &assignment,
            completeness: Completeness::of(execution.ending),
        };
        let outcome = self.outcome(&execution, &remains);
        folder.close(keeps_output.then_some(&execution.stdout), &execution.stderr_tail)?;
        let keeps = self.recipe.keeps_output && keeps_output;
        let output = keeps.then(|| kept_output::worth_keeping(&execution.stdout)).flatten();
        Ok(Performed { output, ..performed(Some(execution.ending), execution.usage, outcome) })
    }

    fn outcome(
        &self,
        execution: &Execution,
        remains: &Remains<'_>,
    ) -> Result<Observation, ExecutionFailure> {
        let Execution { ending, usage, .. } = execution;
        let said = || last_lines(&execution.stderr_tail);
        let is_cut = remains.completeness == Completeness::Cut;
        if *ending != Ending::TimedOut && !self.recipe.tolerated.accepts(*ending) {
            let how = ending.in_words(self.recipe.timeout);
            return Err(ExecutionFailure { how, said: said(), hint: None });
        }
        let observed = self.sources.observe(remains);
        let mut seen = observed.map_err(|Unreadable { how, hint }| ExecutionFailure {
            how,
            said: said(),
            hint,
        })?;
        if is_cut {
            seen.set_cut(true);
        }
        let timeout = self.recipe.timeout;
        built_in::add(&mut seen, *ending, usage, timeout);
        let has_times = !seen.signals().is_empty() || !seen.events().is_empty();
        if seen.end().is_none() {
            let latest = match has_times {
                true => latest(&seen),
                false => {
                    seen.set_time_unit(Unit::SECONDS);
                    Some(built_in::runtime(*ending, usage, timeout))
                }
            };
            if let Some(end) = latest {
                seen.set_end(end).map_err(|error| ExecutionFailure {
                    how: error.to_string(),
                    said: said(),
                    hint: None,
                })?;
            }
        }
        Ok(seen)
    }
}

/// Runs the command that comes before an execution; why the execution cannot be one that counts, if it
/// fails.
fn prepare_by(
    prepare: &str,
    assignment: &[(String, String)],
    laboratory: &mut dyn Laboratory,
) -> Result<Option<String>, FleetError> {
    let text = Template::new(prepare).fill_for_shell(assignment, EmptyValue::Word);
    let text = text.map_err(|error| FleetError::Broken(format!("--prepare: {error}")))?;
    let words = ["sh", "-c", &text].map(str::to_string).to_vec();
    let invocation = Invocation { words, ..Invocation::default() };
    let why = match laboratory.execute(&invocation, &mut || {}) {
        Err(LaboratoryError::Interrupted) => return Err(FleetError::Interrupted),
        Err(LaboratoryError::Broken(reason)) => return Err(FleetError::Broken(reason)),
        Err(error) => error.to_string(),
        Ok(_) if laboratory.is_interrupted() => return Err(FleetError::Interrupted),
        Ok(execution) if execution.ending.is_success() => return Ok(None),
        Ok(execution) => {
            let said = last_lines(&execution.stderr_tail).join("; ");
            let said = if said.is_empty() { said } else { format!(": {said}") };
            format!("{}{said}", execution.ending.in_words(None))
        }
    };
    Ok(Some(format!("was not prepared: `{prepare}` {why}")))
}

/// When the last thing was seen.
fn latest(seen: &Observation) -> Option<f64> {
    let signals = seen.signals().values().filter_map(|signal| signal.times().last());
    let events = seen.events().values().filter_map(|events| events.times().last());
    signals.chain(events).copied().reduce(f64::max)
}
