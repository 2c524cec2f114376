//! What each command does.

mod analyze;

use crate::arguments::{Cli, Command};
use crate::failure::Failure;
use crate::output;
use clap::CommandFactory;

/// Runs the command that was asked for.
pub(crate) fn run(arguments: &Cli) -> Result<(), Failure> {
    match &arguments.command {
        Command::Analyze(analyze) => analyze::run(analyze, arguments.color),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "fathom", &mut script);
            output::print(&String::from_utf8_lossy(&script), arguments.color)
        }
        Command::Man { command } => {
            let page = manual(command.as_deref())?;
            output::print(&String::from_utf8_lossy(&page), arguments.color)
        }
    }
}

/// The manual page of a command, or of fathom itself.
fn manual(name: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut root = Cli::command();
    root.build();
    let command = match name {
        None => root,
        Some(name) => root.find_subcommand(name).cloned().ok_or_else(|| {
            let names: Vec<&str> = root.get_subcommands().map(clap::Command::get_name).collect();
            Failure::input(format!(
                "there is no command \"{name}\"; there are {}",
                names.join(", ")
            ))
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::writing("the manual page", &error))?;
    Ok(page)
}
