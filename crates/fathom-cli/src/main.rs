//! The binary `fathom`: reads the command line, runs a command, writes what it found.

mod arguments;
mod commands;
mod failure;
mod output;
mod progress;
mod terminal;
mod writer;

use failure::Failure;
use fathom_record::foreign_text::visible;
use std::ffi::OsString;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: fathom_sys::out_of_memory::Remembering = fathom_sys::out_of_memory::Remembering;

fn main() -> ExitCode {
    // First of all, while this process is small: it may have been started to start commands.
    fathom_sys::spawner::serve_if_asked();
    // Without it, it aborts as any program does.
    let _ = fathom_sys::out_of_memory::say_so();
    fathom_engine::doctor::busy_if_asked();
    fathom_engine::doctor::read_clock_if_asked();
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    for note in arguments::notes_on_renamed_options(&words) {
        output::print_warning(&note, arguments::Color::Never);
    }
    let arguments = match arguments::parse(&words) {
        Ok(arguments) => arguments,
        // Help and version are answers; everything else is wrong usage, exit 2.
        Err(error) => {
            print_usage_error(&error, &words);
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match commands::run(&arguments) {
        Ok(outcome) => outcome.exit_code(),
        // If the reader closed the pipe, it has seen enough.
        Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            output::print_failure(&failure, arguments.color);
            failure.exit_code()
        }
    }
}

/// Prints the help or the version, or what is wrong with the command line. Words are quoted there that may be
/// names from elsewhere; harmless words are wrong in the same way, and do not steer the terminal.
fn print_usage_error(error: &clap::Error, words: &[OsString]) {
    let of_harmless = || {
        let harmless = words.iter().map(|word| visible(&word.to_string_lossy()).into());
        arguments::parse(&harmless.collect::<Vec<OsString>>()).err()
    };
    // The help quotes nothing. Parsing again would double the time that `fathom --version` takes.
    let shown = error.use_stderr().then(of_harmless).flatten();
    // Where nobody reads it, nothing can be said about that either.
    let _ = shown.as_ref().unwrap_or(error).print();
}
