//! Other load that repeats in step with the runs.

use super::Effort;
use super::count::{Count, percent};
use super::session::{Effect, Round, Rounds, rounds};
use crate::markdown::MarkdownTable;
use crate::noise::{Neighbour, Noise, RUN};
use crate::parallel;
use crate::population::generator;

const SEED: u64 = 18_390_622;
const RUNS: [f64; 7] = [RUN, 0.03, 0.05, 0.1, 0.2, 0.5, 1.0];
const RATIOS: [f64; 5] = [1.0, 1.01, 1.05, 1.2, 2.0];
/// A session of single pairs, and one of about as many runs in blocks.
const PLANS: [(Round, usize); 2] = [(Round::Single, 39), (Round::Mirrored, 20)];
/// The load is there for this long, away as long, and so on; and the longest pause.
const HALF: f64 = 0.3;
const PAUSE: f64 = 2.0 * HALF;

fn worst(run: f64, (round, most): (Round, usize), pause: f64, trials: usize, stream: u64) -> f64 {
    let noise = Noise::neighbour(Neighbour::TakingTurns(HALF), 0.005);
    let mut rng = generator(SEED, stream);
    let covers = RATIOS.map(|ratio| {
        let mut count = Count::default();
        for _ in 0..trials {
            let asked = Rounds { noise, run, round, most, pause };
            let said = rounds(asked, &[Effect::Constant(ratio)], &mut rng);
            said.iter().for_each(|said| count.add(said, ratio.ln()));
        }
        count.coverage()
    });
    covers.into_iter().fold(1.0, f64::min)
}

/// What becomes of the coverage, which nothing promises here.
pub(super) fn section(effort: Effort) -> String {
    let trials = effort.short.div_ceil(4);
    let columns = PLANS.len() * 2;
    let cells = parallel::map(RUNS.len() * columns, |task| {
        let pause = if task % 2 == 0 { 0.0 } else { PAUSE };
        let plan = PLANS[task % columns / 2];
        worst(RUNS[task / columns], plan, pause, trials, task as u64)
    });
    let mut table = MarkdownTable::new([
        "runs",
        "39 pairs",
        "39 pairs, pauses",
        "20 blocks",
        "20 blocks, pauses",
    ]);
    for (run, cells) in RUNS.into_iter().zip(cells.chunks(columns)) {
        let run = format!("{} ms", 1e3 * run);
        table.row(std::iter::once(run).chain(cells.iter().map(|share| percent(*share))));
    }
    format!(
        "\n### Load in step with the runs\n\n\
         Another program is there for exactly {:.0} ms, away as long, and so on, and the scheduler \
         alternates the processor every 4 ms (σ 0.005). The lowest coverage in % of the ratios 1, 1.01, \
         1.05, 1.2 and 2, in {trials} comparisons each, with runs of this length. Where the period is a \
         simple fraction or multiple of a run, runs of one command meet the load at other moments than \
         runs of the other, always: the ratio under that load is another one, and no order of the runs \
         helps. *Pauses* are of a random length up to {:.0} ms after each run, as a script with \
         `--between` can make them: they break most of the \
         step. Two equal commands (ratio 1) meet the load alike, so false verdicts stay rare.\n\n{}",
        1e3 * HALF,
        1e3 * PAUSE,
        table.render()
    )
}
