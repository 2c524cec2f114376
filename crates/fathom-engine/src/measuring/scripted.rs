//! A laboratory that tests make up: time passes as the script says, and every execution is noted.

use fathom_measure::{Execution, Invocation, Laboratory, LaboratoryError};
use fathom_record::{Ending, Span, Timestamp, Usage};
use fathom_sys::resolve::ResolveError;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

type Script = Box<dyn FnMut(&Invocation) -> Execution>;

/// A machine with a fake clock.
pub(crate) struct Scripted {
    now: Timestamp,
    script: Script,
    log: Rc<RefCell<Vec<String>>>,
    interrupt_after: Option<usize>,
}

/// Between two runs something always passes.
const BETWEEN: Span = Span::from_nanoseconds(200_000);

impl Scripted {
    /// Each command takes what the script says.
    pub(crate) fn new(script: impl FnMut(&Invocation) -> Execution + 'static) -> Scripted {
        Scripted {
            now: Timestamp::ZERO,
            script: Box::new(script),
            log: Rc::default(),
            interrupt_after: None,
        }
    }

    /// `millis` gives the time of each command from its words and how often it ran before.
    pub(crate) fn timed(mut millis: impl FnMut(&str, usize) -> f64 + 'static) -> Scripted {
        let mut counts = std::collections::BTreeMap::<String, usize>::new();
        Scripted::new(move |invocation| {
            let words = invocation.words.join(" ");
            let count = counts.entry(words.clone()).or_default();
            let execution = took(millis(&words, *count));
            *count += 1;
            execution
        })
    }

    /// The user presses Ctrl-C after this many executions.
    pub(crate) fn interrupted_after(self, executions: usize) -> Scripted {
        Scripted { interrupt_after: Some(executions), ..self }
    }

    /// What was executed, in order.
    pub(crate) fn log(&self) -> Rc<RefCell<Vec<String>>> {
        Rc::clone(&self.log)
    }
}

/// An execution that only takes time.
pub(crate) fn took(millis: f64) -> Execution {
    let time = Span::from_nanoseconds((millis * 1e6).round() as u64);
    Execution {
        ending: Ending::Exited(0),
        usage: Usage {
            wall: time,
            user: time,
            peak_memory: 2_000_000,
            minor_faults: 100,
            ..Usage::default()
        },
        counters: Vec::new(),
        stdout: Vec::new(),
        stderr_tail: Vec::new(),
    }
}

impl Laboratory for Scripted {
    fn now(&self) -> Timestamp {
        self.now
    }

    fn grain(&self) -> Span {
        Span::from_nanoseconds(20)
    }

    fn execute(
        &mut self,
        invocation: &Invocation,
        _watch: &mut dyn FnMut(),
    ) -> Result<Execution, LaboratoryError> {
        if self.is_interrupted() {
            return Err(LaboratoryError::Interrupted);
        }
        let execution = (self.script)(invocation);
        self.log.borrow_mut().push(invocation.words.join(" "));
        self.now += execution.usage.wall + BETWEEN;
        Ok(execution)
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt_after.is_some_and(|after| self.log.borrow().len() > after)
    }

    fn resolve(&self, program: &str) -> Result<PathBuf, ResolveError> {
        Ok(PathBuf::from(program))
    }
}
