//! From commands and parameters to subjects.

use crate::EngineError;
use fathom_measure::Parameter;
use fathom_measure::{CommandLine, CommandSubject, EmptyValue, Hooks, split};
use fathom_measure::{Expanded, Template, expand, unused};
use fathom_request::{RunningOptions, SubjectOptions};

/// The subjects, and which of them is the reference.
#[derive(Debug)]
pub(crate) struct Subjects {
    pub(crate) all: Vec<CommandSubject>,
    pub(crate) reference: usize,
}

/// Every command with every combination of parameters.
pub(crate) fn build(
    options: &SubjectOptions,
    running: &RunningOptions,
) -> Result<Subjects, EngineError> {
    if options.commands.is_empty() {
        let hint = if running.command.shell.is_some() {
            " (-S takes the shell's name: -S sh)"
        } else {
            ""
        };
        return Err(EngineError::usage(format!(
            "there is no command; give one or several, each in quotes: 'sleep 0.1'{hint}"
        )));
    }
    let mut commands = options.commands.clone();
    // The reference may be one of the commands, by its text or its name, or one more.
    let reference = options.reference.as_ref().map(|wanted| {
        let by_text = commands.iter().position(|command| command == wanted);
        let by_name = options.names.iter().position(|name| name == wanted);
        by_text.or(by_name).unwrap_or_else(|| {
            commands.insert(0, wanted.clone());
            0
        })
    });
    let is_added = commands.len() > options.commands.len();
    let mut names = options.names.clone();
    if is_added && !names.is_empty() {
        names.insert(0, commands[0].clone());
    }
    let parameters = parameters(options)?;
    let hooks = [&running.setup, &running.prepare, &running.conclude, &running.cleanup];
    let texts: Vec<&String> = commands.iter().chain(hooks.into_iter().flatten()).collect();
    unused(&parameters, &texts)?;
    let expanded = expand(&commands, &names, &parameters)?;
    // hyperfine's names for no shell at all, and for whichever.
    let shell = match running.command.shell.as_deref() {
        None | Some("none") => None,
        Some("default") => Some(shell_words("sh")?),
        Some(shell) => Some(shell_words(shell)?),
    };
    let all: Result<Vec<CommandSubject>, EngineError> = expanded
        .into_iter()
        .map(|expanded| subject(&commands, commands.len(), expanded, shell.as_deref(), running))
        .collect();
    let all = all?;
    // A parameter gives the reference several forms; the first is what others are compared with.
    let reference = reference.unwrap_or(0).min(all.len() - 1);
    Ok(Subjects { all, reference })
}

fn subject(
    commands: &[String],
    count: usize,
    expanded: Expanded,
    shell: Option<&[String]>,
    running: &RunningOptions,
) -> Result<CommandSubject, EngineError> {
    let Expanded { command, assignment, name, .. } = expanded;
    let template = Template::new(&commands[command]);
    let command_line =
        match shell {
            Some(shell) => CommandLine::Shell {
                shell: shell.to_vec(),
                text: template.fill_for_shell(&assignment, EmptyValue::Nothing)?,
            },
            None => CommandLine::Direct(template.words(&assignment).map_err(|error| {
                EngineError::usage(format!("{}\n  {error}", commands[command]))
            })?),
        };
    let hook = |flag: &str, hooks: &[String]| -> Result<Option<String>, EngineError> {
        let text = match hooks {
            [] => return Ok(None),
            [one] => one,
            several if several.len() == count => &several[command],
            several => {
                return Err(EngineError::usage(format!(
                    "{flag} is given {} times for {count} commands; give it once for all, or once \
                     for each",
                    several.len()
                )));
            }
        };
        let filled = Template::new(text).fill_for_shell(&assignment, EmptyValue::Word);
        filled.map(Some).map_err(|error| EngineError::usage(format!("{flag}: {error}")))
    };
    let hooks = Hooks {
        setup: hook("--setup", &running.setup)?,
        prepare: hook("--prepare", &running.prepare)?,
        conclude: hook("--conclude", &running.conclude)?,
        cleanup: hook("--cleanup", &running.cleanup)?,
    };
    Ok(CommandSubject { name, command: command_line, parameters: assignment, hooks })
}

pub(crate) fn shell_words(shell: &str) -> Result<Vec<String>, EngineError> {
    let words = split(shell).map_err(|error| EngineError::usage(format!("-S: {error}")))?;
    Ok(words.iter().map(|word| word.text().to_string()).collect())
}

/// The parameters, in the order of their options.
pub(crate) fn parameters(options: &SubjectOptions) -> Result<Vec<Parameter>, EngineError> {
    let mut parameters = Vec::new();
    let scans = &options.scans;
    if options.steps.len() > 1 && options.steps.len() != scans.len() {
        return Err(EngineError::usage(format!(
            "-D is given {} times for {} -P; give it once for all, or once for each",
            options.steps.len(),
            scans.len()
        )));
    }
    for (index, scan) in scans.iter().enumerate() {
        let step = match options.steps.as_slice() {
            [one] => Some(one.as_str()),
            steps => steps.get(index).map(String::as_str),
        };
        let parameter = Parameter::scan(&scan.name, &scan.min, &scan.max, step);
        parameters.push(parameter?);
    }
    for list in &options.lists {
        parameters.push(Parameter::list(&list.name, &list.values)?);
    }
    Ok(parameters)
}
