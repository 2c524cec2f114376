//! The command that is recorded, and what runs around it.

use crate::EngineError;
use crate::measuring::subjects::shell_words;
use fathom_measure::{
    CommandFailure, CommandLine, Invocation, Laboratory, LaboratoryError, Local, last_lines,
    run_variables,
};
use fathom_record::Ending;
use fathom_request::RecordRequest;

/// A command that is run again and again.
pub(super) struct RecordedCommand {
    invocation: Invocation,
    prepare: Option<String>,
    conclude: Option<String>,
}

impl RecordedCommand {
    pub(super) fn of(request: &RecordRequest) -> Result<RecordedCommand, EngineError> {
        let running = &request.running;
        let options = &running.command;
        let command = match &options.shell {
            None => CommandLine::Direct(request.command.clone()),
            Some(shell) => {
                let text = request.command.join(" ");
                CommandLine::Shell { shell: shell_words(shell)?, text }
            }
        };
        let invocation = Invocation {
            words: command.words(),
            input: options.input.clone(),
            output: options.output.clone(),
            cpu: options.cpu,
            timeout: options.timeout,
            ..Invocation::default()
        };
        let (prepare, conclude) = (running.prepare.clone(), running.conclude.clone());
        Ok(RecordedCommand { invocation, prepare, conclude })
    }

    /// The program that is started.
    pub(super) fn program(&self) -> &str {
        self.invocation.words.first().map_or("", String::as_str)
    }

    /// What run `n` executes, counted from 0: the command finds the number in FATHOM_RUN.
    pub(super) fn invocation(&mut self, n: usize) -> &Invocation {
        let number = u64::try_from(n).unwrap_or(u64::MAX);
        let variables = run_variables(number, None, 0);
        self.invocation.variables =
            variables.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        &self.invocation
    }

    pub(super) fn prepare(&self, local: &mut Local) -> Result<(), EngineError> {
        hook(local, "the prepare command", self.prepare.as_deref())
    }

    pub(super) fn conclude(&self, local: &mut Local) -> Result<(), EngineError> {
        hook(local, "the conclude command", self.conclude.as_deref())
    }
}

fn hook(local: &mut Local, what: &str, text: Option<&str>) -> Result<(), EngineError> {
    let Some(text) = text else { return Ok(()) };
    let shell = CommandLine::Shell { shell: vec!["sh".to_string()], text: text.to_string() };
    let invocation = Invocation { words: shell.words(), ..Invocation::default() };
    let execution = local.execute(&invocation, &mut || ()).map_err(|error| match error {
        LaboratoryError::Interrupted => EngineError::interrupted(),
        error => EngineError::command(format!("{what} {text}: {error}")),
    })?;
    if execution.ending == Ending::Exited(0) {
        return Ok(());
    }
    let failure = CommandFailure {
        what: format!("{what} `{text}`"),
        how: execution.ending.in_words(None),
        said: last_lines(&execution.stderr_tail),
        hint: None,
    };
    Err(EngineError::command(failure))
}
