//! How long the busy loop takes, and what the ratio of two of them truly is.

use super::super::reading::{mean, median};
use super::super::trials::{Condition, Effect};
use super::bench::Bench;
use std::time::Duration;

/// What a run should take.
const RUN: Duration = Duration::from_micros(11_600);
const FIRST_GUESS: u64 = 1_000_000;
/// Rounds to find the steps, and to measure what they take.
const ROUNDS: (usize, usize) = (30, 200);
/// A tool starts and ends too.
const OF_THE_TOOL: Duration = Duration::from_millis(20);

/// The busy loop on this machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Program {
    steps: u64,
    /// Seconds of a run of no steps, and of a run of all.
    start: f64,
    whole: f64,
}

impl Program {
    /// Finds how many steps take the time of a run, then measures that against a run of none.
    pub(super) fn calibrated(bench: &Bench) -> Result<Program, String> {
        let mut steps = FIRST_GUESS;
        // Twice, because the first guess may be so short that start-up is all of it.
        for _ in 0..2 {
            let [start, whole] = medians(bench, ROUNDS.0, steps)?;
            let per_step = (whole - start) / steps as f64;
            steps = ((RUN.as_secs_f64() - start) / per_step).round() as u64;
            // A negative or missing time per step makes the steps 0.
            if steps < FIRST_GUESS / 100 {
                return Err(format!("a step takes {per_step} s; is the machine very busy?"));
            }
        }
        let [start, whole] = medians(bench, ROUNDS.1, steps)?;
        Ok(Program { steps, start, whole })
    }

    /// The steps of the slower command: as many more as make the whole run slower by the effect,
    /// although starting it takes as long as ever.
    pub(super) fn steps(&self, effect: Effect) -> u64 {
        let more = effect.share() * self.whole / (self.whole - self.start);
        (self.steps as f64 * (1.0 + more)).round() as u64
    }

    /// The true ratio of the slower command to the other: start-up takes as long in both.
    pub(super) fn ratio(&self, effect: Effect) -> f64 {
        let more = self.steps(effect) as f64 / self.steps as f64;
        (self.start + (self.whole - self.start) * more) / self.whole
    }

    /// Seconds of a run.
    pub(super) fn seconds(&self) -> f64 {
        self.whole
    }

    /// How many runs of each of two commands fit into the time.
    pub(super) fn runs_within(
        &self,
        bench: &Bench,
        condition: Condition,
        time: Duration,
    ) -> Result<usize, String> {
        let neighbour = bench.neighbour(condition, 0.0)?;
        // Several turns of the neighbour.
        let rounds = (2.0 * time.as_secs_f64() / self.whole) as usize;
        let taken = bench.bare_steps(rounds, &[self.steps])?;
        drop(neighbour);
        let each = mean(taken.first().map_or(&[], Vec::as_slice));
        let left = time.saturating_sub(OF_THE_TOOL).as_secs_f64();
        Ok(((0.5 * left / each) as usize).max(2))
    }

    /// "11.6 ms (0.56 ms of that for start-up)".
    pub(super) fn in_words(&self) -> String {
        format!("{:.1} ms ({:.2} ms of that for start-up)", 1e3 * self.whole, 1e3 * self.start)
    }
}

fn medians(bench: &Bench, rounds: usize, steps: u64) -> Result<[f64; 2], String> {
    let taken = bench.bare_steps(rounds, &[0, steps])?;
    let of = |index: usize| taken.get(index).map_or(f64::NAN, |times| median(times));
    Ok([of(0), of(1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_up_takes_its_share_of_the_effect() {
        let program = Program { steps: 1_000_000, start: 0.0005, whole: 0.01 };
        // 0.5 ms more of the 9.5 ms that steps take.
        assert_eq!(program.steps(Effect(5)), 1_052_632);
        assert!((program.ratio(Effect(5)) - 1.05).abs() < 1e-6);
        assert!((program.ratio(Effect(0)) - 1.0).abs() < 1e-12);
    }
}
