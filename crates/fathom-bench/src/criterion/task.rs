//! What to do with the functions that a bench comes to.

mod called_once;
mod immediate;
mod listing;
mod names;
mod orders;
mod profiled;

use super::current_task::{ReachedFunction, Work, leave};
use super::settings::BenchSettings;
use super::unique_names::UniqueNames;
use super::words::ShimWords;
use crate::Suite;
use crate::benching::benching;
use crate::command_line::{CommandLine, HELP, Mode};
use crate::function::{Broken, said};
use crate::outcome::BenchOutcome;
use crate::routine::Routine;
use crate::selection::BenchFilters;
use crate::terminal::Terminal;
use called_once::CalledOnce;
use immediate::Immediate;
use listing::{Listing, Naming};
use orders::Orders;
use profiled::Profiled;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Runs a function of the bench, and hands over the routine that it wants measured, while what the
/// routine borrows is there.
pub(super) type Run<'r> = &'r mut dyn FnMut(&mut dyn FnMut(&mut dyn Routine));

/// What a process does.
pub(super) trait Task {
    /// At a function that is selected.
    fn reach(&mut self, reached: &ReachedFunction<'_>, run: Run<'_>);

    /// When there are no more functions; the names are those of all, selected or not.
    fn end(&mut self, names: &[String]) -> BenchOutcome;

    /// Whether a function broke.
    fn is_broken(&self) -> bool {
        false
    }

    /// Where the bench panicked between its functions.
    fn broke_elsewhere(&mut self);
}

/// How a failure is called that belongs to no function.
const ELSEWHERE: &str = "the code between the benches";

/// Finds out what to do. What needs no function is done at once, and ends the process.
pub(super) fn begin(words: ShimWords, settings: &BenchSettings) -> Result<Work, String> {
    let typed: Vec<String> =
        words.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut line = CommandLine::parse(words.words)?;
    let selection = BenchFilters::of(&line)?;
    let mut terminal = Terminal::new(&line);
    if words.wants_names {
        return Ok(Work::new(Naming::begin()?, selection));
    }
    if line.mode == Mode::Bench && line.is_for_programs() {
        terminal.keep_output();
    }
    let task: Box<dyn Task> = match (line.mode, words.profile_time) {
        (Mode::Help, _) => {
            // If nobody reads it, nobody needs it.
            let _ = terminal.print(HELP);
            leave(BenchOutcome::Done);
        }
        (Mode::List, _) => Box::new(Listing::new(terminal)),
        (Mode::Test, _) => Box::new(CalledOnce::new(terminal)),
        (Mode::Worker, _) => Box::new(Orders::begin(&selection, words.resume.as_deref())?),
        (Mode::Bench, Some(time)) => {
            line.profile_time = Some(time);
            Box::new(Profiled::new(time, &line, terminal))
        }
        (Mode::Bench, None) if line.baseline.is_some() || line.instructions => {
            let has_confidence = typed.iter().any(|word| is_confidence(word));
            overrule(&mut line, settings, has_confidence);
            let mut suite = suite_of(&names::of_this_program(&selection)?);
            leave(benching(&mut suite, &line, selection, &typed, terminal));
        }
        (Mode::Bench, None) => {
            let mut immediate = Immediate::begin(line, &typed, words.without_effect, terminal)?;
            if let Some(outcome) = immediate.over_executions(&selection) {
                leave(outcome);
            }
            Box::new(immediate)
        }
    };
    Ok(Work { task, selection, names: UniqueNames::default() })
}

impl Work {
    fn new(task: impl Task + 'static, selection: BenchFilters) -> Work {
        Work { task: Box::new(task), selection, names: UniqueNames::default() }
    }
}

fn is_confidence(word: &str) -> bool {
    word == "--confidence" || word.starts_with("--confidence=")
}

/// What the code says holds where the command line says nothing.
fn overrule(line: &mut CommandLine, settings: &BenchSettings, has_confidence: bool) {
    line.max_time = line.max_time.or(settings.measurement_time);
    if line.gates.is_empty() {
        line.margin = line.margin.or(settings.margin);
    }
    if let Some(confidence) = settings.confidence.filter(|_| !has_confidence) {
        line.confidence = confidence;
    }
}

/// A suite that knows the names of this program's functions and nothing else: other processes measure
/// them.
fn suite_of(names: &[String]) -> Suite<'static> {
    let mut suite = Suite::new();
    for name in names {
        suite.bench(name.clone(), || ());
    }
    suite
}

/// Runs a function up to the first routine that it hands over, and does something with that.
fn attempt<T>(
    run: Run<'_>,
    mut measure: impl FnMut(&mut dyn Routine) -> Result<T, Broken>,
) -> Result<T, Broken> {
    /// Unwinds a function that has nothing more to do.
    struct Leave;

    let mut found = None;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        run(&mut |routine| {
            if found.is_some() {
                return;
            }
            let result = measure(routine);
            let is_broken = result.is_err();
            found = Some(result);
            if is_broken {
                // What follows would work with what a panic left.
                resume_unwind(Box::new(Leave));
            }
        });
    }));
    match (found, ended) {
        (Some(Err(broken)), _) => Err(broken),
        (_, Err(panic)) => Err(Broken::Panicked(said(&*panic))),
        (Some(Ok(found)), Ok(())) => Ok(found),
        (None, Ok(())) => Err(Broken::Empty),
    }
}

/// Builds are compared by times.
fn check_unit(reached: &ReachedFunction<'_>) -> Result<(), Broken> {
    match reached.foreign_unit {
        None => Ok(()),
        Some(unit) => Err(Broken::Elsewhere(format!(
            "its measurement is in \"{unit}\", and builds can be compared only by times: ns, us, ms \
             or s"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gauge::Gauge;
    use crate::routine::Calls;
    use std::ffi::OsString;

    #[test]
    fn a_function_is_left_where_it_breaks() {
        let called = |routine: &mut dyn Routine| Ok(routine.batch(1, Gauge::Time).time);
        assert!(attempt(&mut |measure| measure(&mut Calls(|| 1)), called).is_ok());
        assert_eq!(attempt(&mut |_| (), called), Err(Broken::Empty));
        let panicked = attempt(&mut |_| panic!("no file"), called);
        assert_eq!(panicked, Err(Broken::Panicked("no file".to_string())));
        let mut is_left = true;
        let refused = attempt(
            &mut |measure| {
                measure(&mut Calls(|| 1));
                is_left = false;
            },
            |_| Err::<(), _>(Broken::Elsewhere("x".to_string())),
        );
        assert_eq!(refused, Err(Broken::Elsewhere("x".to_string())));
        assert!(is_left);
    }

    #[test]
    fn the_first_routine_is_measured() {
        let mut seen = Vec::new();
        let measured = attempt(
            &mut |measure| {
                measure(&mut Calls(|| 1));
                measure(&mut Calls(|| 2));
            },
            |_| {
                seen.push(());
                Ok(seen.len())
            },
        );
        assert_eq!(measured, Ok(1));
    }

    #[test]
    fn the_command_line_outranks_the_code() {
        let mut settings = BenchSettings::default();
        settings.measurement_time(std::time::Duration::from_secs(7));
        settings.noise_threshold(0.03);
        settings.confidence_level(0.9);
        let line = |typed: &str| {
            let words: Vec<OsString> = typed.split_whitespace().map(OsString::from).collect();
            let has_confidence = typed.split_whitespace().any(is_confidence);
            let mut line = CommandLine::parse(words).unwrap();
            overrule(&mut line, &settings, has_confidence);
            (line.max_time.unwrap().as_secs(), line.margin().get(), line.confidence.get())
        };
        assert_eq!(line("--bench"), (7, 0.03, 0.9));
        assert_eq!(line("--max-time 2s --margin 1% --confidence=99%"), (2, 0.01, 0.99));
        assert_eq!(line("--fail-if-slower 5%").1, 0.05);
    }
}
