//! Comparisons with several looks, as `compare` takes them.

use super::worlds::World;
use super::{ALPHA, Effort, Section, name, percent, probability, quantile};
use crate::markdown::MarkdownTable;
use crate::noise::{Luck, Neighbour, Noise, Smooth};
use crate::parallel;
use crate::population::generator;
use fathom_analyze::compare::{ComparedStatistic, Course, Margin};
use fathom_stats::tails::BlockRuns;
use fathom_stats::{Confidence, LogRatioInterval};

const SEED: u64 = 19_470_801;
/// Level and the most blocks.
const COLUMNS: [(f64, usize); 3] = [(0.9, 100), (0.9, 400), (0.99, 2000)];

#[derive(Debug, Clone, Copy, Default)]
struct Said {
    trials: u64,
    different: u64,
    missed: u64,
    blocks: u64,
}

/// What a comparison says at its end, as `fathom compare` conducts it, and how many blocks it took.
fn conducted(blocks: &[BlockRuns], p: f64) -> (LogRatioInterval, usize) {
    let statistic = ComparedStatistic::Quantile(probability(p));
    let course =
        Course::new(1, blocks.len(), Confidence::DEFAULT, Margin::DEFAULT, Vec::new(), 0.0);
    let mut course = course.comparing(statistic, 2, SEED);
    for block in blocks {
        if course.take_runs(&[(0, *block)]) {
            break;
        }
    }
    let interval = course.subjects().first().map(|subject| subject.interval());
    (interval.unwrap_or(LogRatioInterval::EVERYTHING), course.blocks())
}

pub(super) fn section(effort: Effort) -> Section {
    let worlds = [
        World::Constant(Noise::luck(Luck::Normal(0.02)), 1.0),
        World::Constant(Noise::luck(Luck::Normal(0.1)), 1.0),
        World::Constant(Noise::luck(Luck::Normal(0.3)), 1.0),
        World::Constant(Noise::luck(Luck::HeavyTailed(0.02)), 1.0),
        World::Constant(Noise::luck(Luck::Remembering(0.8)), 1.0),
        World::Constant(Noise::smooth(Smooth::Drift(0.06)), 1.0),
        World::Constant(Noise::neighbour(Neighbour::Exponential(0.05), 0.005), 1.0),
        World::Constant(Noise::neighbour(Neighbour::Toggling(0.3), 0.01), 1.0),
        World::Constant(Noise::luck(Luck::Normal(0.1)), 1.1),
        World::Stretched(3.0),
        World::Normal(0.3, 0.03),
        World::Stalling(0.1),
    ];
    let cells = parallel::map(worlds.len() * COLUMNS.len(), |cell| {
        let (world, (p, most)) = (worlds[cell / COLUMNS.len()], COLUMNS[cell % COLUMNS.len()]);
        let truth = world.truth(p);
        let mut rng = generator(SEED, cell as u64);
        let mut said = Said::default();
        for _ in 0..effort.whole {
            let (interval, blocks) = conducted(&world.blocks(most, &mut rng), p);
            said.trials += 1;
            said.different += u64::from(!interval.contains(0.0));
            said.missed += u64::from(!interval.contains(truth));
            said.blocks += blocks as u64;
        }
        (said, truth)
    });
    let mut table = MarkdownTable::new(
        std::iter::once("subjects".to_string())
            .chain(COLUMNS.map(|(p, most)| format!("{}, at most {most}", name(quantile(p))))),
    );
    let (mut broken, mut most_false, mut most_missed) = (Vec::new(), 0.0_f64, 0.0_f64);
    for (world, row) in worlds.iter().zip(cells.chunks(COLUMNS.len())) {
        let mut entries = vec![world.name()];
        for ((said, truth), (p, most)) in row.iter().zip(COLUMNS) {
            let share = |count: u64| count as f64 / said.trials as f64;
            let (different, missed) = (share(said.different), share(said.missed));
            let limit = ALPHA + 3.0 * (ALPHA * (1.0 - ALPHA) / said.trials as f64).sqrt();
            if missed > limit {
                broken.push(format!("{}, p {p}, {most}: misses {missed:.4}", world.name()));
            }
            if truth.abs() < 1e-9 {
                most_false = most_false.max(different);
            }
            most_missed = most_missed.max(missed);
            entries.push(format!(
                "{} / {} / {:.0}",
                percent(different),
                percent(missed),
                share(said.blocks)
            ));
        }
        table.row(entries);
    }
    let text = format!(
        "\n## Quantiles: several looks\n\n\
         Comparisons as `fathom compare` conducts them: with its plan of looks, each of which spends its \
         share of the 5%, until an interval leaves out \"no difference\" or lies within 1% of it. The \
         interval of the last look counts. Cells are \
         `\"faster\" or \"slower\" / misses the true ratio / mean number of blocks`, in % and blocks. \
         Most false verdicts where the true ratio is 1: {:.1}%. Most misses: {:.1}%.\n\n{}",
        100.0 * most_false,
        100.0 * most_missed,
        table.render()
    );
    Section { text, broken }
}
