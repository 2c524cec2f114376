//! `--profile-time`: calls for a profiler to look at, and no measurement.

use super::{ELSEWHERE, Run, Task, attempt};
use crate::criterion::current_task::ReachedFunction;
use crate::gauge::Gauge;
use crate::outcome::BenchOutcome;
use crate::results::{Results, suite_name};
use crate::terminal::Terminal;
use fathom_record::Span;
use fathom_render::layout::visible;
use fathom_sys::clock::monotonic;
use std::path::PathBuf;
use std::time::Duration;

/// Calls every function for a while.
pub(super) struct Profiled {
    time: Span,
    terminal: Terminal,
    /// Where a profiler may write.
    folder: PathBuf,
    failures: Vec<String>,
}

impl Profiled {
    pub(super) fn new(time: Duration, terminal: Terminal) -> Profiled {
        let executable = std::env::current_exe().unwrap_or_default();
        let results = Results::of_executable(&executable);
        let folder = results.map_or_else(PathBuf::new, |results| results.folder().to_path_buf());
        let folder = folder.join(suite_name(&executable)).join("profile");
        Profiled { time: time.into(), terminal, folder, failures: Vec::new() }
    }
}

impl Task for Profiled {
    fn reach(&mut self, reached: &ReachedFunction<'_>, run: Run<'_>) {
        let name = &reached.name;
        self.terminal.note(&format!("{name}: running for {} s", self.time.seconds()));
        let folder = self.folder.join(name.replace(['/', '\\', '\0'], "_"));
        let time = self.time;
        let done = attempt(run, |routine| {
            reached.profiler.borrow_mut().start_profiling(name, &folder);
            let began = monotonic();
            let mut calls = 1;
            while monotonic() - began < time {
                let batch = monotonic();
                routine.batch(calls, Gauge::Time);
                // Long batches, so that a profiler sees the function and not its caller.
                if monotonic() - batch < Span::from_milliseconds(10) {
                    calls = (2 * calls).min(routine.most_calls());
                }
            }
            reached.profiler.borrow_mut().stop_profiling(name, &folder);
            Ok(())
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
