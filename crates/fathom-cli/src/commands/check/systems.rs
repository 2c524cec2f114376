//! From the command line to what every execution does.

use crate::arguments::CheckArguments;
use crate::commands::measuring::conduct;
use crate::commands::measuring::subjects::shell_words;
use crate::failure::Failure;
use fathom_measure::experiment::{Recipe, System};
use fathom_measure::{Laboratory as _, Local, Template, split};
use fathom_render::shell;

/// What every execution does.
pub(super) fn recipe(arguments: &CheckArguments) -> Result<Recipe, Failure> {
    let executions = &arguments.executions;
    let folder = std::env::current_dir()
        .map_err(|error| Failure::input(format!("the working folder is gone ({error})")))?;
    let shell = executions.shell.as_deref().map(shell_words).transpose()?;
    let mut systems: Vec<System> = Vec::new();
    for (name, command) in &executions.systems {
        if systems.iter().any(|system| system.name == *name) {
            return Err(Failure::input(format!(
                "--system {name} is given twice; give each system a name of its own"
            )));
        }
        if !is_name(name) {
            return Err(Failure::input(format!(
                "--system {name}: a system's name has letters, digits and _, so that a property \
                 can say runtime@name"
            )));
        }
        let words = words(command, shell.as_deref())?;
        if let Some(same) = systems.iter().find(|system| system.words == words) {
            return Err(Failure::input(format!(
                "--system {} and --system {name} are the same command: a system compared with \
                 itself says nothing. Two executions of one system are metric@1 and metric@2, as \
                 in 'abs(runtime@1 - runtime@2) < 5ms'",
                same.name
            )));
        }
        systems.push(System { name: name.clone(), words });
    }
    match arguments.command.as_slice() {
        [] => {}
        // One word with spaces is a command line, as `fathom run` takes it.
        [line] => {
            systems.push(System { name: line.clone(), words: words(line, shell.as_deref())? });
        }
        several => {
            let name = several.join(" ");
            let words = match &shell {
                Some(shell) => in_shell(shell, &name),
                None => several.to_vec(),
            };
            systems.push(System { name, words });
        }
    }
    if systems.is_empty() {
        return Err(Failure::input(
            "there is nothing to execute; give a command after --, or --system NAME=COMMAND, or \
             --data FILES with executions that were made elsewhere",
        ));
    }
    Ok(Recipe {
        systems,
        folder,
        timeout: executions.timeout,
        metrics: executions.metrics.clone(),
        files: executions.files.clone(),
        format: executions.input_format.map(|format| format.to_string()),
        columns: executions.columns.clone(),
        tolerated: executions.ignore_failure.clone().unwrap_or_default(),
    })
}

/// Finds every program before the first runs.
pub(super) fn find_programs(recipe: &Recipe) -> Result<(), Failure> {
    let local = conduct::local()?;
    for system in &recipe.systems {
        find_program(&local, system)?;
    }
    Ok(())
}

fn find_program(local: &Local, system: &System) -> Result<(), Failure> {
    let program = system.words.first().map_or("", String::as_str);
    let template = Template::new(program);
    if ["seed", "run", "dir"].iter().any(|name| template.mentions(name)) {
        return Ok(());
    }
    local
        .resolve(program)
        .map(|_| ())
        .map_err(|error| Failure::Command(format!("{} cannot be started: {error}", system.name)))
}

/// Whether a system's executions can differ by what Fathom gives them.
pub(super) fn mentions_seed(system: &System) -> bool {
    system.words.iter().any(|word| Template::new(word).mentions("seed"))
}

fn words(line: &str, shell: Option<&[String]>) -> Result<Vec<String>, Failure> {
    if let Some(shell) = shell {
        return Ok(in_shell(shell, line));
    }
    let words = split(line).map_err(|error| Failure::input(format!("{line}\n  {error}")))?;
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
