//! As a test: every function is called once, and nothing is measured.

use super::{ELSEWHERE, Run, Task, attempt};
use crate::criterion::current_task::ReachedFunction;
use crate::gauge::Gauge;
use crate::once::{test_line, test_result};
use crate::outcome::BenchOutcome;
use crate::terminal::Terminal;
use fathom_render::layout::visible;

/// Calls functions as it comes to them.
pub(super) struct CalledOnce {
    terminal: Terminal,
    passed: usize,
    failures: Vec<String>,
}

impl CalledOnce {
    pub(super) fn new(terminal: Terminal) -> CalledOnce {
        CalledOnce { terminal, passed: 0, failures: Vec::new() }
    }
}

impl Task for CalledOnce {
    fn reach(&mut self, reached: &ReachedFunction<'_>, run: Run<'_>) {
        let name = visible(&reached.name);
        let called = attempt(run, |routine| {
            routine.batch(1, Gauge::Time);
            Ok(())
        });
        // A closed pipe is noticed in the end.
        let _ = self.terminal.print(&test_line(&name, called.is_ok()));
        match called {
            Ok(()) => self.passed += 1,
            Err(broken) => self.failures.push(format!("{name}: {broken}")),
        }
    }

    fn end(&mut self, _names: &[String]) -> BenchOutcome {
        for failure in &self.failures {
            self.terminal.error(failure);
        }
        let _ = self.terminal.print(&test_result(self.passed, self.failures.len()));
        if self.is_broken() { BenchOutcome::Panicked } else { BenchOutcome::Done }
    }

    fn is_broken(&self) -> bool {
        !self.failures.is_empty()
    }

    fn broke_elsewhere(&mut self) {
        self.failures.push(format!("{ELSEWHERE}: it panicked"));
    }
}
