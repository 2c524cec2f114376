//! What counts in the process that makes the calls.

use crate::function::{Broken, Function};
use crate::gauge::Gauge;
use crate::meter::Meter;
use fathom_sys::valgrind;
use std::cell::{Cell, OnceCell};
use std::path::PathBuf;
use std::time::Duration;

/// Where valgrind writes what it counts: the beginning of the names of files.
pub(super) const FILES: &str = "FATHOM_COUNTS";
/// A batch executes about this many instructions, unless a call executes more.
const BATCH: f64 = 1e6;
/// No batch has more calls.
const MOST_CALLS: u64 = 1024;
/// Nor more than this, if every call is read alone.
const MOST_READ_ALONE: u64 = 16;
/// How often a process counts a function.
const COUNTS: usize = 2;

/// The instructions per call of a function, count by count.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Counts {
    pub(crate) calls: u64,
    pub(crate) per_call: Vec<f64>,
}

/// Counts the instructions of a function. How many calls are made follows from counts alone, so that
/// it is the same every time.
pub(crate) fn counted(function: &mut Function<'_>) -> Result<Counts, Broken> {
    let counter = InstructionCounting::of_this_process().map_err(Broken::Elsewhere)?;
    let read = |function: &mut Function<'_>, calls: u64| -> Result<f64, Broken> {
        let value = function.read(calls, Gauge::Meter(counter))?.value;
        let value = value.filter(|_| !counter.has_failed.get());
        value.ok_or_else(|| Broken::Elsewhere(counter.problem()))
    };
    // What only the first call does belongs to no call.
    read(function, 1)?;
    let one = read(function, 1)?.max(1.0);
    let mut calls = ((BATCH / one) as u64).clamp(1, MOST_CALLS);
    if calls > 1 {
        let before = counter.reads.get();
        read(function, 2)?;
        if counter.reads.get() > before + 1 {
            calls = calls.min(MOST_READ_ALONE);
        }
    }
    if calls > 1 && function.limits()?.0 < u64::MAX {
        // How many inputs there can be at once is known when there were some.
        function.batch(2 * calls)?;
        calls = calls.min(function.limits()?.0 / 2).max(1);
    }
    // A power of two, so that a count near a limit does not matter.
    let calls = 1 << calls.ilog2();
    let mut per_call = Vec::new();
    for _ in 0..COUNTS {
        let short = read(function, calls)?;
        let long = read(function, 2 * calls)?;
        // The loop alone executes something.
        let least = 1.0 / calls as f64;
        per_call.push(((long - short) / calls as f64).max(least));
    }
    Ok(Counts { calls, per_call })
}

/// A counter of this process, as a meter.
struct InstructionCounting {
    source: Source,
    started: Cell<u64>,
    /// What a reading without calls counts.
    cost: Cell<f64>,
    reads: Cell<u64>,
    has_failed: Cell<bool>,
}

enum Source {
    Processor(fathom_sys::own_instructions::OwnInstructions),
    Valgrind { files: PathBuf },
}

thread_local! {
    static OF_THIS_PROCESS: OnceCell<Result<&'static InstructionCounting, String>> =
        const { OnceCell::new() };
}

impl InstructionCounting {
    /// The one counter of this process.
    fn of_this_process() -> Result<&'static InstructionCounting, String> {
        OF_THIS_PROCESS.with(|cell| cell.get_or_init(InstructionCounting::begin).clone())
    }

    fn begin() -> Result<&'static InstructionCounting, String> {
        let source = if valgrind::is_running() {
            let files = std::env::var_os(FILES).map(PathBuf::from);
            let files = files.ok_or("valgrind runs this, but not to count instructions")?;
            valgrind::start_instrumentation();
            Source::Valgrind { files }
        } else {
            of_the_processor()?
        };
        let counting = InstructionCounting {
            source,
            started: Cell::new(0),
            cost: Cell::new(0.0),
            reads: Cell::new(0),
            has_failed: Cell::new(false),
        };
        let counting: &'static InstructionCounting = Box::leak(Box::new(counting));
        counting.start();
        counting.end();
        counting.start();
        counting.cost.set(counting.end());
        Ok(counting)
    }

    fn problem(&self) -> String {
        match &self.source {
            Source::Processor(_) => {
                "another program used the processor's counter meanwhile; close other profilers"
                    .into()
            }
            Source::Valgrind { files } => {
                format!("valgrind did not write what it counted to {}.*", files.display())
            }
        }
    }

    /// What was counted since the start; `None` if that is not known.
    fn read(&self) -> Option<u64> {
        match &self.source {
            Source::Processor(counter) => counter.so_far()?.checked_sub(self.started.get()),
            Source::Valgrind { files } => {
                valgrind::write_counts();
                let mut file = files.clone().into_os_string();
                file.push(format!(".{}", self.reads.get() + 1));
                let text = std::fs::read_to_string(&file).ok()?;
                // Thousands of files would stay otherwise.
                let _ = std::fs::remove_file(&file);
                total(&text)
            }
        }
    }
}

fn of_the_processor() -> Result<Source, String> {
    let begun = fathom_sys::own_instructions::OwnInstructions::begin();
    begun.map(Source::Processor).map_err(|error| error.to_string())
}

/// The line "totals: 1234" of a file of callgrind.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("totals:"))?;
    line.split_whitespace().next().map_or(Some(0), |number| number.parse().ok())
}

impl Meter for InstructionCounting {
    fn start(&self) {
        match &self.source {
            Source::Processor(counter) => self.started.set(counter.so_far().unwrap_or_default()),
            Source::Valgrind { .. } => valgrind::zero_counts(),
        }
    }

    fn end(&self) -> f64 {
        let found = self.read();
        self.reads.set(self.reads.get() + 1);
        if found.is_none() {
            self.has_failed.set(true);
        }
        (found.unwrap_or_default() as f64 - self.cost.get()).max(0.0)
    }

    fn name(&self) -> &str {
        "instructions"
    }

    fn unit(&self) -> &str {
        "instructions"
    }

    fn sees_threads(&self) -> bool {
        true
    }

    fn shortest_batch(&self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_of_a_file_is_found() {
        let text = "version: 1\nevents: Ir\n\nfn=(1) f\n0 7\n\ntotals: 12345\n";
        assert_eq!(total(text), Some(12345));
        assert_eq!(total("totals:\n"), Some(0));
        assert_eq!(total("summary: 5\n"), None);
        assert_eq!(total("totals: x\n"), None);
    }
}
