//! `--profile-time`: calls for a profiler to look at, and no measurement.

use super::{ELSEWHERE, Run, Task, attempt};
use crate::command_line::CommandLine;
use crate::criterion::current_task::ReachedFunction;
use crate::gauge::Gauge;
use crate::outcome::BenchOutcome;
use crate::profiling::{call_for, how_to_attach, running};
use crate::results::{Results, suite_name};
use crate::terminal::Terminal;
use fathom_render::layout::visible;
use std::path::PathBuf;
use std::time::Duration;

/// Calls every function for a while.
pub(super) struct Profiled {
    time: Duration,
    terminal: Terminal,
    /// Where a profiler may write.
    folder: PathBuf,
    failures: Vec<String>,
}

impl Profiled {
    pub(super) fn new(time: Duration, line: &CommandLine, terminal: Terminal) -> Profiled {
        for line in how_to_attach(line) {
            terminal.note(&line);
        }
        let executable = std::env::current_exe().unwrap_or_default();
        let results = Results::of_executable(&executable);
        let folder = results.map_or_else(PathBuf::new, |results| results.folder().to_path_buf());
        let folder = folder.join(suite_name(&executable)).join("profile");
        Profiled { time, terminal, folder, failures: Vec::new() }
    }
}

impl Task for Profiled {
    fn reach(&mut self, reached: &ReachedFunction<'_>, run: Run<'_>) {
        let name = &reached.name;
        self.terminal.note(&running(name, self.time));
        let folder = self.folder.join(name.replace(['/', '\\', '\0'], "_"));
        let time = self.time;
        let done = attempt(run, |routine| {
            reached.profiler.borrow_mut().start_profiling(name, &folder);
            let done = call_for(time, &mut |calls| {
                routine.batch(calls, Gauge::Time);
                Ok(routine.most_calls())
            });
            reached.profiler.borrow_mut().stop_profiling(name, &folder);
            done
        });
        if let Err(broken) = done {
            self.failures.push(format!("{}: {broken}", visible(name)));
        }
    }

    fn end(&mut self, _names: &[String]) -> BenchOutcome {
        for failure in &self.failures {
            self.terminal.error(failure);
        }
        if self.is_broken() { BenchOutcome::Panicked } else { BenchOutcome::Done }
    }

    fn is_broken(&self) -> bool {
        !self.failures.is_empty()
    }

    fn broke_elsewhere(&mut self) {
        self.failures.push(format!("{ELSEWHERE}: it panicked"));
    }
}
