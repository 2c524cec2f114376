//! The command that is recorded, and what runs around it.

use crate::arguments::RecordArguments;
use crate::commands::measuring::subjects::shell_words;
use crate::failure::Failure;
use fathom_measure::{
    CommandFailure, CommandLine, Invocation, Laboratory, LaboratoryError, Local, Output, how,
    last_lines, run_variables,
};
use fathom_record::Ending;

/// A command that is run again and again.
pub(super) struct Recording {
    invocation: Invocation,
    prepare: Option<String>,
    conclude: Option<String>,
}

impl Recording {
    pub(super) fn of(arguments: &RecordArguments) -> Result<Recording, Failure> {
        let running = &arguments.running;
        let command = match &running.shell {
            None => CommandLine::Direct(arguments.command.clone()),
            Some(shell) => {
                let text = arguments.command.join(" ");
                CommandLine::Shell { shell: shell_words(shell)?, text }
            }
        };
        let output = if running.show_output { Output::Inherit } else { running.output_to.clone() };
        let invocation = Invocation {
            words: command.words(),
            input: running.input.clone(),
            output,
            cpu: running.cpu,
            timeout: running.timeout,
            ..Invocation::default()
        };
        let (prepare, conclude) = (running.prepare.clone(), running.conclude.clone());
        Ok(Recording { invocation, prepare, conclude })
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

    pub(super) fn prepare(&self, local: &mut Local) -> Result<(), Failure> {
        hook(local, "the prepare command", self.prepare.as_deref())
    }

    pub(super) fn conclude(&self, local: &mut Local) -> Result<(), Failure> {
        hook(local, "the conclude command", self.conclude.as_deref())
    }
}

fn hook(local: &mut Local, what: &str, text: Option<&str>) -> Result<(), Failure> {
    let Some(text) = text else { return Ok(()) };
    let shell = CommandLine::Shell { shell: vec!["sh".to_string()], text: text.to_string() };
    let invocation = Invocation { words: shell.words(), ..Invocation::default() };
    let execution = local.execute(&invocation, &mut || ()).map_err(|error| match error {
        LaboratoryError::Interrupted => Failure::Interrupted,
        error => Failure::Command(format!("{what} {text}: {error}")),
    })?;
    if execution.ending == Ending::Exited(0) {
        return Ok(());
    }
    let failure = CommandFailure {
        what: format!("{what} `{text}`"),
        how: how(execution.ending, None),
        said: last_lines(&execution.stderr_tail),
        hint: None,
    };
    Err(Failure::Command(failure.to_string()))
}

/// What is recorded, in words.
pub(super) fn whom(arguments: &RecordArguments) -> String {
    match arguments.sampling.pid {
        Some(pid) => format!("process {pid}"),
        None => arguments.command.join(" "),
    }
}
