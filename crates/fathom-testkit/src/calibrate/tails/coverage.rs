//! How often the interval of a quantile's ratio covers.

use super::worlds::{World, constant, differing};
use super::{ALPHA, Count, Effort, Section, name, quantile};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_stats::paired::LookStage;
use fathom_stats::tails::{TailLook, tail_ratio};

const SEED: u64 = 18_770_613;
/// Level and number of blocks.
const COLUMNS: [(f64, usize); 7] =
    [(0.5, 42), (0.5, 400), (0.9, 42), (0.9, 400), (0.99, 400), (0.99, 2000), (0.999, 5000)];
const CHUNKS: usize = 4;

pub(super) const LOOK: TailLook =
    TailLook { alpha: ALPHA, stage: LookStage::Last, tick: 0.0, seed: 20_261_119 };

fn simulate(world: World, p: f64, n: usize, truth: f64, trials: usize, stream: u64) -> Count {
    let mut rng = generator(SEED, stream);
    let mut count = Count::default();
    for _ in 0..trials {
        if let Some(found) = tail_ratio(&world.blocks(n, &mut rng), quantile(p), LOOK) {
            count.add(found.interval, truth);
        }
    }
    count
}

/// One row per world, one cell per column.
fn counts(worlds: &[World], effort: Effort, first_stream: u64) -> Vec<Vec<Count>> {
    let cells = worlds.len() * COLUMNS.len();
    // Some truths take long sessions: each once.
    let truths = parallel::map(cells, |cell| {
        worlds[cell / COLUMNS.len()].truth(COLUMNS[cell % COLUMNS.len()].0)
    });
    let parts = parallel::map(cells * CHUNKS, |task| {
        let cell = task / CHUNKS;
        let (p, n) = COLUMNS[cell % COLUMNS.len()];
        let trials = effort.of(n).div_ceil(CHUNKS);
        let stream = first_stream + task as u64;
        simulate(worlds[cell / COLUMNS.len()], p, n, truths[cell], trials, stream)
    });
    let mut rows = vec![vec![Count::default(); COLUMNS.len()]; worlds.len()];
    for (task, part) in parts.into_iter().enumerate() {
        let cell = task / CHUNKS;
        rows[cell / COLUMNS.len()][cell % COLUMNS.len()].merge(part);
    }
    rows
}

fn table(worlds: &[World], rows: &[Vec<Count>]) -> String {
    let head = COLUMNS.map(|(p, n)| format!("{}, {n}", name(quantile(p))));
    let mut table = MarkdownTable::new(std::iter::once("subjects".to_string()).chain(head));
    for (world, row) in worlds.iter().zip(rows) {
        table.row(std::iter::once(world.name()).chain(row.iter().map(Count::cell)));
    }
    table.render()
}

fn worst(rows: &[Vec<Count>]) -> f64 {
    let cells = rows.iter().flatten().filter(|count| !count.cell().starts_with('-'));
    cells.map(Count::coverage).fold(1.0, f64::min)
}

pub(super) fn section(effort: Effort) -> Section {
    let kinds = [constant(), differing()];
    let tables: Vec<Vec<Vec<Count>>> = kinds
        .iter()
        .zip(0_u64..)
        .map(|(worlds, kind)| counts(worlds, effort, kind << 32))
        .collect();
    let mut broken = Vec::new();
    for (worlds, rows) in kinds.iter().zip(&tables) {
        for (world, row) in worlds.iter().zip(rows) {
            for ((p, n), count) in COLUMNS.into_iter().zip(row) {
                if count.falls_short() {
                    let covers = count.coverage();
                    broken.push(format!("{}, p {p}, {n} blocks: covers {covers:.4}", world.name()));
                }
            }
        }
    }
    let text = format!(
        "\n## Quantiles: one factor for all runs\n\n\
         The subject takes the same factor longer in every run, whatever the machine does: the case \
         in which the coins' law is exact. Columns are the quantile and the number of blocks. Lowest \
         coverage: {:.1}%.\n\n{}\n\
         ## Quantiles: distributions that differ by more\n\n\
         The true ratio is that of the two quantiles over all times, and it depends on the quantile. \
         Stalls, and bursts that slow one subject more than the other, make the densities at the \
         quantile unlike each other. Lowest coverage: {:.1}%.\n\n{}",
        100.0 * worst(&tables[0]),
        table(&kinds[0], &tables[0]),
        100.0 * worst(&tables[1]),
        table(&kinds[1], &tables[1]),
    );
    Section { text, broken }
}

/// What the interval does not promise.
pub(super) fn limits(effort: Effort) -> Section {
    let worlds = [
        World::Remembering(0.95),
        World::Phases(3.0),
        World::Phases(10.0),
        World::Phases(30.0),
        World::Sturdier(0.5),
        World::Sturdier(5.0),
    ];
    let rows = counts(&worlds, effort, 7 << 32);
    let text = format!(
        "\n## Where it does not hold\n\n\
         A quantile over all times cannot be known from a session that has seen only a few of the \
         times when it is decided. Bursts of .5 and 5 s slow one subject more than the other here, and 42, \
         400 and 2000 blocks take 2, 20 and 100 s; slow phases make up a fifth of the time, so 400 blocks have about eight phases \
         of 10 blocks and three of 30. Fathom measures the dependence of the blocks and widens the \
         interval, or gives none, but it cannot see what it has not met. The lowest coverage is \
         {:.1}%.\n\n{}",
        100.0 * worst(&rows),
        table(&worlds, &rows)
    );
    Section { text, broken: Vec::new() }
}
