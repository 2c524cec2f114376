//! What this process is here to do, whenever the bench comes to a function.
//!
//! A bench in criterion's style runs its functions as it comes to them, and their closures borrow what
//! is around them at that moment. So there is no list of functions that could be worked through: a
//! [`Task`] is told of every function that is reached, and measures it there and then, or passes it
//! over. Groups, and the several [`Criterion`](super::Criterion) of a program, share one task.

use super::code_filter::CodeFilter;
use super::profiler::Profiler;
use super::settings::BenchSettings;
use super::task::{self, Run, Task};
use super::unique_names::UniqueNames;
use super::words::ShimWords;
use crate::executions::CodeSettings;
use crate::outcome::BenchOutcome;
use crate::selection::BenchFilters;
use crate::terminal::Terminal;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// A function that the bench has come to.
pub(super) struct ReachedFunction<'r> {
    pub(super) name: String,
    pub(super) settings: &'r BenchSettings,
    pub(super) throughput: Option<fathom_record::Throughput>,
    /// What it is measured in, if that is not time.
    pub(super) foreign_unit: Option<&'static str>,
    pub(super) filter: &'r CodeFilter,
    pub(super) profiler: &'r RefCell<dyn Profiler>,
}

impl ReachedFunction<'_> {
    /// What the code says about it.
    pub(super) fn asked(&self) -> CodeSettings {
        let names = self.settings.without_effect.iter().map(|name| (*name).to_string());
        CodeSettings {
            throughput: self.throughput,
            max_time: self.settings.measurement_time,
            confidence: self.settings.confidence,
            without_effect: names.collect(),
        }
    }
}

/// How far this process is.
enum Progress {
    /// The bench came to nothing yet.
    Idle,
    Working(Work),
    /// The task is done, or works at this moment.
    Over,
}

pub(super) struct Work {
    pub(super) task: Box<dyn Task>,
    pub(super) selection: BenchFilters,
    pub(super) names: UniqueNames,
}

struct CurrentTask {
    progress: RefCell<Progress>,
    /// Whether `criterion_main!` sees to the end.
    is_in_main: Cell<bool>,
}

thread_local! {
    static CURRENT: CurrentTask = const {
        CurrentTask { progress: RefCell::new(Progress::Idle), is_in_main: Cell::new(false) }
    };
}

impl Drop for CurrentTask {
    /// A program with a main function of its own may never say that it is done: then it is when its
    /// thread ends.
    fn drop(&mut self) {
        if let Progress::Working(work) = self.progress.replace(Progress::Over) {
            work.end();
        }
    }
}

impl Work {
    fn end(mut self) -> BenchOutcome {
        self.task.end(self.names.all())
    }
}

/// The main function that `criterion_main!` makes.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     fathom_bench::criterion::run_groups(|| ())
/// }
/// ```
#[doc(hidden)]
#[must_use]
pub fn run_groups(groups: impl FnOnce()) -> ExitCode {
    CURRENT.with(|current| current.is_in_main.set(true));
    let ended = catch_unwind(AssertUnwindSafe(groups));
    begin_by_args(&BenchSettings::default());
    let Some(mut work) = taken() else { return ExitCode::SUCCESS };
    if ended.is_err() {
        // The panic was printed when it happened. What was measured before it is not lost.
        work.task.broke_elsewhere();
    }
    work.end().code()
}

/// Begins by the command line, unless something has begun.
pub(super) fn begin_by_args(settings: &BenchSettings) {
    begin(settings, true);
}

fn begin(settings: &BenchSettings, is_by_args: bool) {
    let is_idle = CURRENT.with(|current| matches!(*current.progress.borrow(), Progress::Idle));
    if !is_idle {
        return;
    }
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let words = if is_by_args || ShimWords::are_of_fathom(&words) {
        words
    } else {
        // A program that did not ask for the command line has one of its own.
        vec!["--bench".into()]
    };
    match ShimWords::read(words).and_then(|words| task::begin(words, settings)) {
        Ok(work) => put_back(work),
        Err(error) => {
            Terminal::default().error(&error);
            leave(BenchOutcome::Usage);
        }
    }
}

/// Comes to a function.
pub(super) fn reach(mut reached: ReachedFunction<'_>, run: Run<'_>) {
    begin(reached.settings, false);
    let Some(mut work) = taken() else { return };
    reached.name = work.names.unique(&reached.name);
    match reached.filter.takes(&reached.name) {
        Ok(is_taken) => {
            if is_taken && work.selection.takes_name(&reached.name) {
                work.task.reach(&reached, run);
            }
        }
        Err(why) => {
            Terminal::default().error(why);
            leave(BenchOutcome::Usage);
        }
    }
    put_back(work);
}

/// The end, where `criterion_main!` does not see to it.
pub(super) fn end_of_custom_main() {
    if CURRENT.with(|current| current.is_in_main.get()) {
        return;
    }
    if let Some(work) = taken() {
        let outcome = work.end();
        if outcome != BenchOutcome::Done {
            leave(outcome);
        }
    }
}

/// Ends a program whose main function could not say that a function broke.
pub(super) fn leave_if_broken() {
    let is_broken = CURRENT.try_with(|current| {
        let progress = current.progress.borrow();
        matches!(&*progress, Progress::Working(work) if work.task.is_broken())
    });
    if is_broken == Ok(true) {
        end_of_custom_main();
    }
}

/// Ends the process now.
pub(super) fn leave(outcome: BenchOutcome) -> ! {
    let _ = CURRENT.try_with(|current| current.progress.replace(Progress::Over));
    std::process::exit(outcome.number().into())
}

fn taken() -> Option<Work> {
    let progress = CURRENT.try_with(|current| current.progress.replace(Progress::Over));
    match progress {
        Ok(Progress::Working(work)) => Some(work),
        _ => None,
    }
}

fn put_back(work: Work) {
    let _ = CURRENT.try_with(|current| current.progress.replace(Progress::Working(work)));
}
