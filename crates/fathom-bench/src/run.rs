//! From the command line to the exit code.

use crate::Suite;
use crate::benching::benching;
use crate::command_line::{CommandLine, HELP, Mode};
use crate::outcome::BenchOutcome;
use crate::selection::BenchFilters;
use crate::terminal::Terminal;
use crate::{listing, once, worker};
use std::ffi::OsString;
use std::process::ExitCode;

/// Does what the words say.
pub(crate) fn run(mut suite: Suite<'_>, words: Vec<OsString>) -> ExitCode {
    let code = done(&mut suite, words);
    suite.entries.clear();
    code
}

fn done(suite: &mut Suite<'_>, words: Vec<OsString>) -> ExitCode {
    let usage = |error: String| {
        Terminal::default().error(&error);
        BenchOutcome::Usage.code()
    };
    let typed: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let line = match CommandLine::parse(words) {
        Ok(line) => line,
        Err(error) => return usage(error),
    };
    let selection = match BenchFilters::of(&line) {
        Ok(selection) => selection,
        Err(error) => return usage(error),
    };
    if let Err(error) = check(suite) {
        return usage(error);
    }
    let mut terminal = Terminal::new(&line);
    if line.mode == Mode::Bench && line.is_for_programs() {
        terminal.keep_output();
    }
    let done = match line.mode {
        Mode::Help => terminal.print(HELP).map(|()| BenchOutcome::Done),
        Mode::List => listing::list(suite, &selection, &terminal),
        Mode::Test => once::once(suite, &selection, &terminal),
        Mode::Worker => worker::serve(suite, &selection),
        Mode::Bench => return benching(suite, &line, selection, &typed, terminal).code(),
    };
    match done {
        Ok(outcome) => outcome.code(),
        // If the reader closes the pipe early, it has seen enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => BenchOutcome::Done.code(),
        Err(error) => usage(format!("cannot write to standard output: {error}")),
    }
}

/// What is wrong with a suite, whatever is asked of it.
fn check(suite: &Suite<'_>) -> Result<(), String> {
    let mut names = std::collections::BTreeSet::new();
    for entry in suite.entries.iter() {
        if entry.functions.is_empty() {
            return Err(format!(
                "the comparison \"{}\" has no functions; add them: .with(\"name\", || ...)",
                entry.name
            ));
        }
        for name in entry.functions.iter().map(|function| &function.name) {
            if !names.insert(name) {
                return Err(format!(
                    "two benches are named \"{name}\"; results are saved by name, so give each its \
                     own"
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benches_that_cannot_be_told_apart_or_compared_are_refused() {
        let mut suite = Suite::new();
        suite.bench("parse", || 1);
        suite.compare("sort").with("std", || 1);
        assert_eq!(check(&suite), Ok(()));
        suite.bench("parse", || 2);
        assert!(check(&suite).unwrap_err().starts_with("two benches are named \"parse\""));
        let mut suite = Suite::new();
        suite.compare("sort");
        assert!(check(&suite).unwrap_err().starts_with("the comparison \"sort\" has no functions"));
    }
}
