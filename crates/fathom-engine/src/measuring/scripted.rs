//! A laboratory that tests make up: time passes as the script says, and every execution is noted.

use fathom_measure::{Execution, Invocation, Laboratory, LaboratoryError};
use fathom_record::{Ending, Usage};
use fathom_sys::resolve::ResolveError;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

type Script = Box<dyn FnMut(&Invocation) -> Execution>;

/// A machine with a fake clock.
pub(crate) struct Scripted {
    now_ns: u64,
    script: Script,
    log: Rc<RefCell<Vec<String>>>,
    interrupt_after: Option<usize>,
}

/// Between two runs something always passes.
const BETWEEN: Duration = Duration::from_micros(200);

impl Scripted {
    /// Each command takes what the script says.
    pub(crate) fn new(script: impl FnMut(&Invocation) -> Execution + 'static) -> Scripted {
        Scripted { now_ns: 0, script: Box::new(script), log: Rc::default(), interrupt_after: None }
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
    let ns = (millis * 1e6).round() as u64;
    Execution {
        ending: Ending::Exited(0),
        usage: Usage {
            wall_ns: ns,
            user_ns: ns,
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
    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn grain_ns(&self) -> u64 {
        20
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
        self.now_ns += execution.usage.wall_ns + u64::try_from(BETWEEN.as_nanos()).unwrap_or(0);
        Ok(execution)
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt_after.is_some_and(|after| self.log.borrow().len() > after)
    }

    fn resolve(&self, program: &str) -> Result<PathBuf, ResolveError> {
        Ok(PathBuf::from(program))
    }
}
