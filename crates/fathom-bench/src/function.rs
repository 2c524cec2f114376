//! A function to be timed: its name, and how to come by it.

use crate::bencher::Bencher;
use crate::executions::CodeSettings;
use crate::gauge::{Gauge, Reading};
use crate::routine::Routine;
use fathom_analyze::{CallTiming, InputSize};
use fathom_record::Span;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A function of the suite.
pub(crate) struct Function<'b> {
    /// With its groups: "sort/std/1000".
    pub(crate) name: String,
    /// What the bench's code says about it.
    pub(crate) asked: CodeSettings,
    /// How large its input is, where that is known.
    pub(crate) input: Option<InputSize>,
    state: State<'b>,
}

enum State<'b> {
    /// Nothing was made yet: lists and filters should not wait for set-ups.
    Planned(Box<dyn Build + 'b>),
    Made(Box<dyn Routine + 'b>),
    /// It panicked; what is left of it cannot be trusted.
    Broken(Broken),
}

/// Makes what is timed. That it may borrow stands in `dyn Build + 'b` and nowhere else, so a suite of functions
/// that live as long as the program is also one to which functions that borrow can be added.
trait Build {
    /// What the code of the bench times, if anything.
    fn build<'s>(self: Box<Self>) -> Option<Box<dyn Routine + 's>>
    where
        Self: 's;
}

/// The code of a bench, which is passed a bencher.
struct WithBencher<'b, F> {
    code: F,
    bencher: Bencher<'b>,
}

impl<'b, F: FnOnce(&mut Bencher<'b>)> Build for WithBencher<'b, F> {
    fn build<'s>(mut self: Box<Self>) -> Option<Box<dyn Routine + 's>>
    where
        Self: 's,
    {
        (self.code)(&mut self.bencher);
        self.bencher.taken().map(|routine| routine as Box<dyn Routine + 's>)
    }
}

/// Why a function cannot be timed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Broken {
    /// It panicked, saying this.
    Panicked(String),
    /// It took a bencher, and gave it nothing.
    Empty,
    /// It broke in another process.
    Elsewhere(String),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Panicked(message) => write!(f, "it panicked: {message}"),
            Broken::Empty => f.write_str("it timed nothing; call `bencher.iter(...)` in it"),
            Broken::Elsewhere(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Broken {}

impl<'b> Function<'b> {
    pub(crate) fn new(name: String, build: impl FnOnce(&mut Bencher<'b>) + 'b) -> Function<'b> {
        let state =
            State::Planned(Box::new(WithBencher { code: build, bencher: Bencher::default() }));
        Function { name, asked: CodeSettings::default(), input: None, state }
    }

    /// Makes this number of calls, and returns how long they took.
    pub(crate) fn batch(&mut self, calls: u64) -> Result<Span, Broken> {
        self.read(calls, Gauge::Time).map(|reading| reading.time)
    }

    /// Makes this number of calls, and returns what the calls alone took.
    pub(crate) fn calls_alone(&mut self, calls: u64) -> Result<Span, Broken> {
        let routine = self.routine()?;
        let found = catch_unwind(AssertUnwindSafe(|| routine.calls_alone(calls)));
        found.map_err(|panic| self.broke(panic))
    }

    /// Makes this many calls, and reads what they took.
    pub(crate) fn read(&mut self, calls: u64, gauge: Gauge) -> Result<Reading, Broken> {
        let routine = self.routine()?;
        let found = catch_unwind(AssertUnwindSafe(|| routine.batch(calls, gauge)));
        found.map_err(|panic| self.broke(panic))
    }

    /// The most calls of a batch, and how long it is at least.
    pub(crate) fn limits(&mut self) -> Result<(u64, Span), Broken> {
        self.routine().map(|routine| (routine.most_calls(), routine.shortest_batch()))
    }

    /// What the time of a call is.
    pub(crate) fn timing(&mut self) -> Result<CallTiming, Broken> {
        self.routine().map(|routine| routine.timing())
    }

    /// The address of the machine code that makes its calls.
    pub(crate) fn code(&mut self) -> Result<usize, Broken> {
        self.routine().map(|routine| routine.code())
    }

    fn routine(&mut self) -> Result<&mut (dyn Routine + 'b), Broken> {
        let broken = State::Broken(Broken::Empty);
        self.state = match std::mem::replace(&mut self.state, broken) {
            State::Planned(build) => match catch_unwind(AssertUnwindSafe(|| build.build())) {
                Ok(Some(routine)) => State::Made(routine),
                Ok(None) => State::Broken(Broken::Empty),
                Err(panic) => State::Broken(Broken::Panicked(said(&*panic))),
            },
            known => known,
        };
        match &mut self.state {
            State::Made(routine) => Ok(routine.as_mut()),
            State::Broken(broken) => Err(broken.clone()),
            State::Planned(_) => Err(Broken::Empty),
        }
    }

    fn broke(&mut self, panic: Box<dyn Any + Send>) -> Broken {
        let broken = Broken::Panicked(said(&*panic));
        let state = std::mem::replace(&mut self.state, State::Broken(broken.clone()));
        // What it holds may be in the middle of something, and its end may panic again.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(state)));
        broken
    }
}

impl Drop for Function<'_> {
    /// A set-up whose end panics must not take the others' results with it.
    fn drop(&mut self) {
        let state = std::mem::replace(&mut self.state, State::Broken(Broken::Empty));
        let _ = catch_unwind(AssertUnwindSafe(|| drop(state)));
    }
}

/// What a panic said.
pub(crate) fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a value that is not text").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn nothing_is_made_before_it_is_needed() {
        let made = Cell::new(0);
        let mut function = Function::new("f".into(), |bencher| {
            made.set(made.get() + 1);
            bencher.iter(|| ());
        });
        assert_eq!(made.get(), 0);
        function.batch(1).unwrap();
        function.batch(1).unwrap();
        assert_eq!(made.get(), 1);
    }

    #[test]
    fn a_panic_is_kept_and_not_repeated() {
        let calls = Cell::new(0);
        let mut function = Function::new("f".into(), |bencher| {
            bencher.iter(|| {
                calls.set(calls.get() + 1);
                assert!(calls.get() < 3, "call {}", calls.get());
            });
        });
        function.batch(2).unwrap();
        let broken = Broken::Panicked("call 3".to_string());
        assert_eq!(function.batch(1), Err(broken.clone()));
        assert_eq!(function.batch(1), Err(broken));
        assert_eq!(calls.get(), 3);
    }

    #[test]
    fn set_ups_may_fail_or_forget() {
        let mut failing = Function::new("f".into(), |_| panic!("no file"));
        assert_eq!(failing.batch(1), Err(Broken::Panicked("no file".to_string())));
        let mut empty = Function::new("f".into(), |_| ());
        assert_eq!(empty.batch(1), Err(Broken::Empty));
    }
}
