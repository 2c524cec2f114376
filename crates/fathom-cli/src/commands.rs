//! What each command does.

mod analyze;
mod answer;
mod bench_results;
mod check;
mod compare;
mod demo;
mod doctor;
mod explain;
mod opening;
mod record;
mod redirect_file;
mod report;
mod run;
mod sessions;
mod traces;
mod ui;

use crate::arguments::{Cli, Command};
use crate::failure::{CommandOutcome, Failure, INTERRUPTED};
use crate::output;
use crate::writer;
use clap::CommandFactory;
use fathom_record::whole_file;
use fathom_sys::signals::when_requested;

/// Runs the command that was asked for.
pub(crate) fn run(arguments: &Cli) -> Result<CommandOutcome, Failure> {
    let color = arguments.color;
    if only_writes_files(&arguments.command) {
        // Without it, the signals end it as they end any program.
        let _ = when_requested(|| {
            whole_file::abandon_all();
            std::process::exit(INTERRUPTED.into())
        });
    }
    writer::check_files(&arguments.command)?;
    match &arguments.command {
        Command::Run(run) => run::run(run, color),
        Command::Compare(compare) => compare::run(compare, color),
        Command::Analyze(analyze) => analyze::run(analyze, color),
        Command::Check(check) => check::run(check, color),
        Command::PerformExecution { folder, batch, index } => {
            check::perform(folder, *batch, *index)
        }
        Command::Record(record) => record::run(record, color),
        Command::Explain(explain) => explain::run(explain, color),
        Command::Ui(ui) => ui::run(ui, color),
        Command::Report(report) => report::run(report, color),
        Command::Import(import) => traces::import(import, color),
        Command::Export(export) => traces::export(export),
        Command::List(list) => sessions::list(list, color),
        Command::Show(show) => sessions::show(show, color),
        Command::Resume(resume) => sessions::resume(resume, color),
        Command::Delete(delete) => sessions::delete(delete, color),
        Command::Doctor(doctor) => doctor::run(doctor, color),
        Command::Demo(demo) => demo::run(demo, color),
        Command::DemoWork(work) => demo::work(work),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "fathom", &mut script);
            output::print(&String::from_utf8_lossy(&script), color)?;
            Ok(CommandOutcome::Done)
        }
        Command::Man { command } => {
            let page = manual(command.as_deref())?;
            output::print(&String::from_utf8_lossy(&page), color)?;
            Ok(CommandOutcome::Done)
        }
    }
}

/// Whether all that a command leaves is files: it has nothing to show when it is interrupted, only
/// something to clean up.
fn only_writes_files(command: &Command) -> bool {
    match command {
        Command::Analyze(_)
        | Command::Report(_)
        | Command::Import(_)
        | Command::Export(_)
        | Command::Show(_) => true,
        Command::Compare(compare) => !compare.files.is_empty(),
        _ => false,
    }
}

/// The manual page of a command, or of fathom itself.
fn manual(name: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut root = Cli::command();
    root.build();
    let command = match name {
        None => root,
        Some(name) => root.find_subcommand(name).cloned().ok_or_else(|| {
            let shown = root.get_subcommands().filter(|command| !command.is_hide_set());
            let names: Vec<&str> = shown.map(clap::Command::get_name).collect();
            Failure::input(format!(
                "there is no command \"{name}\"; there are {}",
                names.join(", ")
            ))
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(Failure::standard_output)?;
    Ok(page)
}
