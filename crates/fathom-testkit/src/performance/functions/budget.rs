//! The same time for every tool, in the way that each lets one give it.

use super::super::reading::output_of;
use super::super::trials::{Condition, Effect};
use super::Bench;
use super::tools::Tool;
use super::work::{Size, Work};
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::time::Duration;

/// What each comparison may take, both functions together, and what timing one function may.
pub(super) const COMPARISON: Duration = Duration::from_secs(2);
pub(super) const ONE_FUNCTION: Duration = Duration::from_secs(1);

/// criterion runs twice. Its analysis comes on top; it has no option for that.
pub(super) const CRITERION_WARM_UP: f64 = 0.3;
pub(super) const CRITERION_MEASURES: f64 = 0.7;
/// divan's times are of one function.
pub(super) const DIVAN_MEASURES: f64 = 1.0;
/// tango's time is the sum, over its samples, of the longer of the two: a little more than half of
/// what it takes.
pub(super) const TANGO_MEASURES: f64 = 1.1;
/// Of bench_diff's warm-up.
pub(super) const WARM_UP: Duration = Duration::from_millis(200);
/// What bench_diff's own calls and histograms add to the work, at a first guess.
const BESIDE: f64 = 150e-9;
/// Seconds of the look at how long an execution takes: several turns of the neighbour.
const LOOK: f64 = 2.0;

/// bench_diff takes a number of executions, not a time: as many as fill it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Executions {
    /// Per second: for each of [`Size::ALL`], of each of [`Condition::BOTH`].
    per_second: [[f64; 2]; 3],
}

impl Executions {
    /// Finds how many fit, with and without the neighbour.
    pub(super) fn calibrated(bench: &Bench, work: &Work) -> Result<Executions, String> {
        let mut per_second = [[0.0; 2]; 3];
        for (row, size) in per_second.iter_mut().zip(Size::ALL) {
            for (cell, condition) in row.iter_mut().zip(Condition::BOTH) {
                *cell = per_second_of(bench, work, size, condition)?;
            }
        }
        Ok(Executions { per_second })
    }

    /// As many as fill the time, the warm-up included.
    pub(super) fn within(&self, time: Duration, size: Size, condition: Condition) -> u64 {
        let mut rows = Size::ALL.into_iter().zip(self.per_second);
        let row = rows.find(|(known, _)| *known == size).map_or([0.0; 2], |(_, row)| row);
        let [quiet, noisy] = row;
        let rate = if condition == Condition::Quiet { quiet } else { noisy };
        let executions = rate * time.saturating_sub(WARM_UP).as_secs_f64();
        // It makes four at a time.
        (executions as u64 / 4 * 4).max(4)
    }
}

/// How bench_diff is run.
pub(super) fn bench_diff(command: &mut Command, executions: u64) -> &mut Command {
    command.args([WARM_UP.as_millis().to_string(), executions.to_string()])
}

fn per_second_of(
    bench: &Bench,
    work: &Work,
    size: Size,
    condition: Condition,
) -> Result<f64, String> {
    let executions = (LOOK / (2.0 * (work.seconds(size) + BESIDE))) as u64;
    let iterations = work.iterations(size, Effect::NONE);
    let mut command = bench.command(Tool::BenchDiff, iterations, Some(iterations));
    let neighbour = bench.neighbourhood.under(condition, 0.0)?;
    let printed = output_of(bench_diff(&mut command, executions))?;
    drop(neighbour);
    let taken = printed.seconds - WARM_UP.as_secs_f64();
    if taken > 0.0 {
        Ok(executions as f64 / taken)
    } else {
        Err(format!("bench_diff made {executions} executions in no time"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_fill_what_the_warm_up_leaves() {
        let executions = Executions { per_second: [[20_000.0, 15_000.0], [1e6, 7e5], [5e6, 4e6]] };
        let within = |size, condition| executions.within(COMPARISON, size, condition);
        assert_eq!(within(Size::Long, Condition::Quiet), 36_000);
        assert_eq!(within(Size::Long, Condition::Noisy), 27_000);
        assert_eq!(within(Size::Short, Condition::Noisy), 1_260_000);
        assert_eq!(executions.within(ONE_FUNCTION, Size::Tiny, Condition::Quiet), 4_000_000);
    }
}
