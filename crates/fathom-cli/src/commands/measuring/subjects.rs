//! From the command line to subjects.

use crate::arguments::{RunningArguments, SubjectArguments};
use crate::failure::Failure;
use fathom_measure::Parameter;
use fathom_measure::{CommandLine, EmptyValue, Hooks, Subject, split};
use fathom_measure::{Expanded, Template, expand, unused};

/// The subjects, and which of them is the reference.
#[derive(Debug)]
pub(crate) struct Subjects {
    pub(crate) all: Vec<Subject>,
    pub(crate) reference: usize,
}

/// Every command with every combination of parameters.
pub(crate) fn build(
    arguments: &SubjectArguments,
    running: &RunningArguments,
) -> Result<Subjects, Failure> {
    if arguments.commands.is_empty() {
        let hint = if running.shell.is_some() { " (-S takes the shell's name: -S sh)" } else { "" };
        return Err(Failure::input(format!(
            "there is no command; give one or several, each in quotes: 'sleep 0.1'{hint}"
        )));
    }
    let mut commands = arguments.commands.clone();
    // The reference may be one of the commands, by its text or its name, or one more.
    let reference = arguments.reference.as_ref().map(|wanted| {
        let by_text = commands.iter().position(|command| command == wanted);
        let by_name = arguments.names.iter().position(|name| name == wanted);
        by_text.or(by_name).unwrap_or_else(|| {
            commands.insert(0, wanted.clone());
            0
        })
    });
    let is_added = commands.len() > arguments.commands.len();
    let mut names = arguments.names.clone();
    if is_added && !names.is_empty() {
        names.insert(0, commands[0].clone());
    }
    let parameters = parameters(arguments)?;
    let hooks = [&running.setup, &running.prepare, &running.conclude, &running.cleanup];
    let texts: Vec<&String> = commands.iter().chain(hooks.into_iter().flatten()).collect();
    unused(&parameters, &texts).map_err(Failure::input)?;
    let expanded = expand(&commands, &names, &parameters).map_err(Failure::input)?;
    // hyperfine's names for no shell at all, and for whichever.
    let shell = match running.shell.as_deref() {
        None | Some("none") => None,
        Some("default") => Some(shell_words("sh")?),
        Some(shell) => Some(shell_words(shell)?),
    };
    let all: Result<Vec<Subject>, Failure> = expanded
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
    running: &RunningArguments,
) -> Result<Subject, Failure> {
    let Expanded { command, assignment, name, .. } = expanded;
    let template = Template::new(&commands[command]);
    let command_line = match shell {
        Some(shell) => CommandLine::Shell {
            shell: shell.to_vec(),
            text: template
                .fill_for_shell(&assignment, EmptyValue::Nothing)
                .map_err(Failure::input)?,
        },
        None => CommandLine::Direct(
            template
                .words(&assignment)
                .map_err(|error| Failure::input(format!("{}\n  {error}", commands[command])))?,
        ),
    };
    let hook = |flag: &str, hooks: &[String]| -> Result<Option<String>, Failure> {
        let text = match hooks {
            [] => return Ok(None),
            [one] => one,
            several if several.len() == count => &several[command],
            several => {
                return Err(Failure::input(format!(
                    "{flag} is given {} times for {count} commands; give it once for all, or once \
                     for each",
                    several.len()
                )));
            }
        };
        let filled = Template::new(text).fill_for_shell(&assignment, EmptyValue::Word);
        filled.map(Some).map_err(|error| Failure::input(format!("{flag}: {error}")))
    };
    let hooks = Hooks {
        setup: hook("--setup", &running.setup)?,
        prepare: hook("--prepare", &running.prepare)?,
        conclude: hook("--conclude", &running.conclude)?,
        cleanup: hook("--cleanup", &running.cleanup)?,
    };
    Ok(Subject { name, command: command_line, parameters: assignment, hooks })
}

pub(crate) fn shell_words(shell: &str) -> Result<Vec<String>, Failure> {
    let words = split(shell).map_err(|error| Failure::input(format!("-S: {error}")))?;
    Ok(words.iter().map(|word| word.text().to_string()).collect())
}

fn parameters(arguments: &SubjectArguments) -> Result<Vec<Parameter>, Failure> {
    let mut parameters = Vec::new();
    let scans: Vec<&[String]> = arguments.scans.chunks_exact(3).collect();
    if arguments.steps.len() > 1 && arguments.steps.len() != scans.len() {
        return Err(Failure::input(format!(
            "-D is given {} times for {} -P; give it once for all, or once for each",
            arguments.steps.len(),
            scans.len()
        )));
    }
    for (index, scan) in scans.iter().enumerate() {
        let step = match arguments.steps.as_slice() {
            [one] => Some(one.as_str()),
            steps => steps.get(index).map(String::as_str),
        };
        let parameter = Parameter::scan(&scan[0], &scan[1], &scan[2], step);
        parameters.push(parameter.map_err(Failure::input)?);
    }
    for list in arguments.lists.chunks_exact(2) {
        parameters.push(Parameter::list(&list[0], &list[1]).map_err(Failure::input)?);
    }
    Ok(parameters)
}
