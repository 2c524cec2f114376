//! From the request to what every execution does.

use crate::EngineError;
use crate::engine::local;
use crate::measuring::subjects::shell_words;
use fathom_measure::experiment::{Recipe, System};
use fathom_measure::{Laboratory as _, Local, Template, split};
use fathom_record::shell;
use fathom_request::{ExecutionOptions, NamedCommand, ReadingOptions, SystemOptions};
use std::path::PathBuf;

/// What every execution does, in this folder.
pub(super) fn recipe(
    options: &ExecutionOptions,
    reading: &ReadingOptions,
    folder: PathBuf,
) -> Result<Recipe, EngineError> {
    let shell = options.shell.as_deref().map(shell_words).transpose()?;
    let systems = match &options.systems {
        SystemOptions::Several(systems) => several(systems, shell.as_deref())?,
        SystemOptions::Command(words) => one(words, shell.as_deref())?.into_iter().collect(),
    };
    if systems.is_empty() {
        return Err(EngineError::usage(
            "there is nothing to execute. Give a command after --, or --system NAME=COMMAND, or \
             --data FILES with executions that ran elsewhere",
        ));
    }
    Ok(Recipe {
        systems,
        folder,
        timeout: options.timeout,
        metrics: options.metrics.clone(),
        files: options.files.clone(),
        format: reading.input_format.map(|format| format.to_string()),
        columns: reading.columns.clone(),
        tolerated: options.ignore_failure.clone(),
    })
}

/// The system of a single command; `None` without one.
fn one(command: &[String], shell: Option<&[String]>) -> Result<Option<System>, EngineError> {
    Ok(match command {
        [] => None,
        // One word with spaces is a command line, as `fathom run` takes it.
        [line] => Some(System { name: line.clone(), words: words(line, shell)? }),
        several => {
            let name = several.join(" ");
            let words = match shell {
                Some(shell) => in_shell(shell, &name),
                None => several.to_vec(),
            };
            Some(System { name, words })
        }
    })
}

/// Several systems, each with a name of its own.
fn several(
    commands: &[NamedCommand],
    shell: Option<&[String]>,
) -> Result<Vec<System>, EngineError> {
    let mut systems: Vec<System> = Vec::new();
    for NamedCommand { name, command } in commands {
        if systems.iter().any(|system| system.name == *name) {
            return Err(EngineError::usage(format!(
                "--system {name} is given twice. Give each system a name of its own"
            )));
        }
        if !is_name(name) {
            return Err(EngineError::usage(format!(
                "--system {name}: use letters, digits and _ in a system's name, so that a property \
                 can say runtime@name"
            )));
        }
        let words = words(command, shell)?;
        if let Some(same) = systems.iter().find(|system| system.words == words) {
            return Err(EngineError::usage(format!(
                "--system {} and --system {name} are the same command: a system compared with \
                 itself says nothing. Two executions of one system are metric@1 and metric@2, as \
                 in 'abs(runtime@1 - runtime@2) < 5ms'",
                same.name
            )));
        }
        systems.push(System { name: name.clone(), words });
    }
    Ok(systems)
}

/// Finds every program before the first runs.
pub(super) fn find_programs(recipe: &Recipe) -> Result<(), EngineError> {
    let local = local(&recipe.folder)?;
    for system in &recipe.systems {
        find_program(&local, system)?;
    }
    Ok(())
}

fn find_program(local: &Local, system: &System) -> Result<(), EngineError> {
    let program = system.words.first().map_or("", String::as_str);
    let template = Template::new(program);
    if ["seed", "run", "dir"].iter().any(|name| template.mentions(name)) {
        return Ok(());
    }
    local.resolve(program).map(|_| ()).map_err(|error| {
        EngineError::command(format!("{} cannot be started: {error}", system.name))
    })
}

/// Whether a system's executions can differ by what Fathom gives them.
pub(super) fn mentions_seed(system: &System) -> bool {
    system.words.iter().any(|word| Template::new(word).mentions("seed"))
}

fn words(line: &str, shell: Option<&[String]>) -> Result<Vec<String>, EngineError> {
    if let Some(shell) = shell {
        return Ok(in_shell(shell, line));
    }
    let words = split(line).map_err(|error| EngineError::usage(format!("{line}\n  {error}")))?;
    Ok(words.iter().map(|word| word.text().to_string()).collect())
}

fn in_shell(shell: &[String], text: &str) -> Vec<String> {
    let mut words = shell.to_vec();
    words.extend(["-c".to_string(), text.to_string()]);
    words
}

pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The command of one execution, as it would be typed. `{dir}` stays: the folder is gone.
pub(super) fn command(system: &System, run: u64, seed: u32) -> String {
    let values = [("run".to_string(), run.to_string()), ("seed".to_string(), seed.to_string())];
    let words = system.words.iter().map(|word| Template::new(word).fill(&values));
    let words: Vec<String> = words.collect();
    shell::line(words.iter().map(String::as_str))
}
