//! A program that is compared with itself.

use super::busy::BUSY;
use crate::{EngineError, Watch};
use fathom_analyze::checkup::{NoiseFloorReport, SmallestDifference};
use fathom_analyze::compare::NoiseFloor;
use fathom_measure::{Invocation, Laboratory, LaboratoryError};
use fathom_record::{Ending, Span};
use fathom_render::rough;
use fathom_stats::Interval;
use fathom_stats::paired::{Block, block_order};
use std::time::Duration;

/// The length of a run.
const RUN_SECONDS: f64 = 0.005;
/// The budgets whose smallest visible difference is told.
const BUDGETS: [f64; 3] = [10.0, 60.0, 600.0];

/// Compares a program with itself for a while.
pub(super) fn noise_floor(
    laboratory: &mut dyn Laboratory,
    time: Duration,
    cpu: Option<usize>,
    watch: &mut dyn Watch,
) -> Result<NoiseFloorReport, EngineError> {
    let mut laboratory = Loop { laboratory, cpu, steps: 100_000 };
    laboratory.calibrate()?;
    let began = laboratory.laboratory.now();
    let mut blocks = Vec::new();
    let mut quickest = Span::MAX;
    let elapsed = |laboratory: &Loop<'_>| Duration::from(laboratory.laboratory.now() - began);
    // Any number will do for the coins, and the clock's is another one every time.
    let seed = began.nanoseconds().cast_unsigned();
    while elapsed(&laboratory) < time || blocks.len() < 10 {
        watch.progress(&|| {
            let left = time.saturating_sub(elapsed(&laboratory)).as_secs_f64();
            let place = cpu.map_or(String::new(), |cpu| format!(" on CPU {cpu}"));
            format!("comparing a program with itself{place}, {} left", rough(left))
        });
        let mut times: [Vec<f64>; 2] = Default::default();
        for subject in block_order(seed, blocks.len(), &[0, 1]) {
            let took = laboratory.time()?;
            quickest = quickest.min(took);
            times[subject].push(took.nanoseconds_f64());
        }
        let block = Block::of([times[0][0], times[0][1]], [times[1][0], times[1][1]]);
        blocks.extend(block);
    }
    let seconds = elapsed(&laboratory).as_secs_f64();
    let found = NoiseFloor::of(&blocks, seconds)
        .ok_or_else(|| EngineError::usage("the noise floor could not be measured"))?;
    let smallest = |seconds: f64| {
        found.smallest_difference(seconds).map(|share| SmallestDifference { seconds, share })
    };
    let Interval { lower, upper } = found.interval().ends();
    Ok(NoiseFloorReport {
        pairs: 2 * found.blocks(),
        seconds,
        run_seconds: quickest.seconds(),
        ratio: found.ratio(),
        lower,
        upper,
        set_aside: found.set_aside(),
        blocks: found.blocks(),
        smallest: BUDGETS.into_iter().filter_map(smallest).collect(),
    })
}

/// A program that counts for a while, again and again.
struct Loop<'a> {
    laboratory: &'a mut dyn Laboratory,
    cpu: Option<usize>,
    steps: u64,
}

impl Loop<'_> {
    /// Finds how far to count for a run of a few milliseconds.
    fn calibrate(&mut self) -> Result<(), EngineError> {
        // Long enough that starting the program is a small part of it.
        self.steps = 10_000_000;
        let long = self.time()?.min(self.time()?);
        let steps = self.steps as f64 * RUN_SECONDS * 1e9 / long.nanoseconds_f64();
        self.steps = (steps as u64).max(1000);
        // The first runs fill caches.
        for _ in 0..10 {
            self.time()?;
        }
        Ok(())
    }

    fn time(&mut self) -> Result<Span, EngineError> {
        let words = ["/proc/self/exe", BUSY, &self.steps.to_string()].map(str::to_string).to_vec();
        let invocation = Invocation { words, cpu: self.cpu, ..Invocation::default() };
        match self.laboratory.execute(&invocation, &mut || {}) {
            Ok(execution) if execution.ending == Ending::Exited(0) => {
                if self.laboratory.is_interrupted() {
                    return Err(EngineError::interrupted());
                }
                Ok(execution.usage.wall)
            }
            Ok(_) => Err(EngineError::usage("Fathom's own busy loop failed")),
            Err(LaboratoryError::Interrupted) => Err(EngineError::interrupted()),
            Err(error) => Err(error.into()),
        }
    }
}
