//! The binary `fathom`: reads the command line, runs a command, writes what it found.

mod arguments;
mod commands;
mod failure;
mod output;
mod render;

use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match arguments::Cli::try_parse() {
        Ok(arguments) => arguments,
        // Help and version are answers; everything else is wrong usage, exit 2.
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match commands::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever closed the pipe has seen enough.
        Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            output::print_failure(&failure, arguments.color);
            failure.exit_code()
        }
    }
}
