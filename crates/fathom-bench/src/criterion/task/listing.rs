//! `--list`, and the list that another process of the same program asks for.

use super::{Run, Task};
use crate::criterion::current_task::ReachedFunction;
use crate::outcome::BenchOutcome;
use crate::terminal::Terminal;
use fathom_render::layout::visible;
use serde_json::Value;
use std::fs::File;
use std::io::Write;

/// Lists names for people and for nextest.
pub(super) struct Listing {
    terminal: Terminal,
    outcome: BenchOutcome,
}

impl Listing {
    pub(super) fn new(terminal: Terminal) -> Listing {
        Listing { terminal, outcome: BenchOutcome::Done }
    }
}

impl Task for Listing {
    fn reach(&mut self, reached: &ReachedFunction<'_>, _run: Run<'_>) {
        // A closed pipe has seen enough.
        let _ = self.terminal.print(&format!("{}: benchmark\n", visible(&reached.name)));
    }

    fn end(&mut self, _names: &[String]) -> BenchOutcome {
        self.outcome
    }

    fn broke_elsewhere(&mut self) {
        self.outcome = BenchOutcome::Panicked;
    }
}

/// Writes every name as a line of JSON, whatever else the bench prints.
pub(super) struct Naming {
    output: File,
    outcome: BenchOutcome,
}

impl Naming {
    pub(super) fn begin() -> Result<Naming, String> {
        let (_input, output) =
            fathom_sys::standard_streams::claim().map_err(|error| error.to_string())?;
        Ok(Naming { output, outcome: BenchOutcome::Done })
    }
}

impl Task for Naming {
    fn reach(&mut self, reached: &ReachedFunction<'_>, _run: Run<'_>) {
        if writeln!(self.output, "{}", Value::from(reached.name.as_str())).is_err() {
            self.outcome = BenchOutcome::Usage;
        }
    }

    fn end(&mut self, _names: &[String]) -> BenchOutcome {
        self.outcome
    }

    fn broke_elsewhere(&mut self) {
        self.outcome = BenchOutcome::Panicked;
    }
}
