//! From an answer of the engine to the exit code.

use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use fathom_engine::{Answer, Engine, ErrorKind, Saving};

/// Lets the engine conduct something, with the terminal watching.
pub(super) fn engine<'a>(terminal: &'a mut Terminal, saving: Saving) -> Engine<'a> {
    let is_quiet = terminal.is_quiet();
    let mut engine = Engine::new(terminal);
    engine.saving = saving;
    engine.words = Some(output::typed());
    engine.is_quiet = is_quiet;
    engine.read_words = Some(&crate::arguments::request_of_words);
    engine
}

/// Writes what there is to show, and says how it ended.
pub(super) fn conclude<R>(
    answer: Answer<R>,
    terminal: &Terminal,
    write: impl FnOnce(R, Option<f64>) -> Result<(), Failure>,
) -> Result<CommandOutcome, Failure> {
    let Answer { report, gates, seconds, ended_early } = answer;
    let written = write(report, seconds);
    match ended_early {
        None => written.map(|()| gates.into()),
        Some(error) if error.kind() == ErrorKind::Interrupted => {
            if !terminal.is_quiet() {
                output::print_warning(&error.to_string(), terminal.color());
            }
            written.map(|()| CommandOutcome::Interrupted)
        }
        Some(error) => {
            let all = std::iter::once(Failure::from(error)).chain(written.err());
            Failure::of_all(all.collect()).map(|()| gates.into())
        }
    }
}
