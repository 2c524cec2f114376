//! From the request to what every execution does.

use super::grid::{Grid, GridCell};
use crate::EngineError;
use crate::engine::local;
use crate::measuring::subjects::shell_words;
use fathom_measure::experiment::{Recipe, System};
use fathom_measure::{EmptyValue, Laboratory as _, Local, Template, split, unused};
use fathom_record::shell;
use fathom_request::value::OptionValue;
use fathom_request::{ExecutionOptions, NamedCommand, ReadingOptions, SystemOptions};
use std::path::PathBuf;

/// The systems of every cell, which have the same names in each.
pub(super) struct CellSystems {
    /// What a property calls them; of a single command, the command.
    pub(super) names: Vec<Vec<String>>,
    /// All of them, those of the first cell first.
    pub(super) recipe: Recipe,
}

/// What every execution does, in this folder. `seed` is that of random offsets of the environment.
pub(super) fn recipe(
    options: &ExecutionOptions,
    reading: &ReadingOptions,
    folder: PathBuf,
    grid: Option<&Grid>,
    seed: u64,
) -> Result<CellSystems, EngineError> {
    let shell = options.shell.as_deref().map(shell_words).transpose()?;
    if let Some(grid) = grid {
        let mut texts: Vec<&String> = match &options.systems {
            SystemOptions::Command(words) => words.iter().collect(),
            SystemOptions::Several(systems) => systems.iter().map(|it| &it.command).collect(),
        };
        texts.extend(&options.prepare);
        unused(&grid.parameters, &texts)?;
    }
    let (mut names, mut systems) = (Vec::new(), Vec::new());
    for cell in cells(grid) {
        let assignment = cell.map_or(&[][..], |cell| &cell.assignment);
        let mut of_cell = match &options.systems {
            SystemOptions::Several(systems) => several(systems, shell.as_deref(), assignment)?,
            SystemOptions::Command(words) => {
                one(words, shell.as_deref(), assignment)?.into_iter().collect()
            }
        };
        names.push(of_cell.iter().map(|system| system.name.clone()).collect());
        let is_single = of_cell.len() == 1;
        for system in &mut of_cell {
            system.prepare = prepared(options.prepare.as_deref(), assignment)?;
            if let Some(cell) = cell {
                system.name = match is_single {
                    true => cell.name.clone(),
                    false => format!("{}: {}", cell.name, system.name),
                };
            }
        }
        systems.extend(of_cell);
    }
    if systems.is_empty() {
        return Err(EngineError::usage(
            "there is nothing to execute. Give a command after --, or --system NAME=COMMAND, or \
             --data FILES with executions that ran elsewhere",
        ));
    }
    let recipe = Recipe {
        systems,
        folder,
        timeout: options.timeout,
        metrics: options.metrics.clone(),
        files: options.files.clone(),
        format: reading.input_format.map(|format| format.to_string()),
        columns: reading.columns.clone(),
        tolerated: options.ignore_failure.clone(),
        cpu: options.cpu,
        env_offset: options.env_offset.as_ref().map(OptionValue::text),
        offset_seed: seed,
        // A study may ask for another number later.
        keeps_output: grid.is_some(),
    };
    Ok(CellSystems { names, recipe })
}

/// The cells of a grid; without one, a single one with nothing to fill in.
fn cells(grid: Option<&Grid>) -> Vec<Option<&GridCell>> {
    match grid {
        Some(grid) => grid.cells.iter().map(Some).collect(),
        None => vec![None],
    }
}

/// The command before every execution, with a cell's values.
fn prepared(
    prepare: Option<&str>,
    assignment: &[(String, String)],
) -> Result<Option<String>, EngineError> {
    let Some(text) = prepare else { return Ok(None) };
    let filled = Template::new(text).fill_for_shell(assignment, EmptyValue::Word);
    filled.map(Some).map_err(|error| EngineError::usage(format!("--prepare: {error}")))
}

/// The system of a single command; `None` without one.
fn one(
    command: &[String],
    shell: Option<&[String]>,
    assignment: &[(String, String)],
) -> Result<Option<System>, EngineError> {
    Ok(match command {
        [] => None,
        // One word with spaces is a command line, as `fathom run` takes it.
        [line] => Some(System {
            name: line.clone(),
            words: words(line, shell, assignment)?,
            prepare: None,
        }),
        several => {
            let name = several.join(" ");
            let words = match shell {
                Some(_) => words(&name, shell, assignment)?,
                None => several.iter().map(|word| Template::new(word).fill(assignment)).collect(),
            };
            Some(System { name, words, prepare: None })
        }
    })
}

/// Several systems, each with a name of its own.
fn several(
    commands: &[NamedCommand],
    shell: Option<&[String]>,
    assignment: &[(String, String)],
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
        let words = words(command, shell, assignment)?;
        if let Some(same) = systems.iter().find(|system| system.words == words) {
            return Err(EngineError::usage(format!(
                "--system {} and --system {name} are the same command: a system compared with \
                 itself says nothing. Two executions of one system are metric@1 and metric@2, as \
                 in 'abs(runtime@1 - runtime@2) < 5ms'",
                same.name
            )));
        }
        systems.push(System { name: name.clone(), words, prepare: None });
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

fn words(
    line: &str,
    shell: Option<&[String]>,
    assignment: &[(String, String)],
) -> Result<Vec<String>, EngineError> {
    let refused = |error: String| EngineError::usage(format!("{line}\n  {error}"));
    if let Some(shell) = shell {
        if assignment.is_empty() {
            return Ok(in_shell(shell, line));
        }
        let filled = Template::new(line).fill_for_shell(assignment, EmptyValue::Nothing);
        return Ok(in_shell(shell, &filled.map_err(|error| refused(error.to_string()))?));
    }
    if assignment.is_empty() {
        let words = split(line).map_err(|error| refused(error.to_string()))?;
        return Ok(words.iter().map(|word| word.text().to_string()).collect());
    }
    Template::new(line).words(assignment).map_err(|error| refused(error.to_string()))
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
