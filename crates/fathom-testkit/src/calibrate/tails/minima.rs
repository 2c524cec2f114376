//! Minima, and what means have in common with them.

use super::coverage::LOOK;
use super::worlds::World;
use super::{Count, Effort, Section};
use crate::markdown::MarkdownTable;
use crate::noise::{BLOCK, Luck, Neighbour, Noise, Smooth};
use crate::parallel;
use crate::population::generator;
use fathom_stats::tails::{RatioOf, tail_ratio};

const SEED: u64 = 19_690_722;
const SIZES: [usize; 6] = [6, 10, 20, 42, 100, 400];

/// Machines on which the subject takes the same factor longer in every run, and its logarithm.
pub(super) fn machines() -> [(World, f64); 8] {
    let constant = |noise, ratio: f64| (World::Constant(noise, ratio), ratio.ln());
    [
        constant(Noise::luck(Luck::Normal(0.3)), 1.05),
        constant(Noise::luck(Luck::Normal(1.0)), 1.05),
        constant(Noise::luck(Luck::HeavyTailed(0.02)), 1.05),
        constant(Noise::luck(Luck::Remembering(0.8)), 1.05),
        constant(Noise::smooth(Smooth::Drift(0.06)), 1.0),
        constant(Noise::smooth(Smooth::Wave(BLOCK)), 1.0),
        constant(Noise::neighbour(Neighbour::Exponential(0.05), 0.005), 1.0),
        constant(Noise::neighbour(Neighbour::Toggling(0.3), 0.01), 1.0),
    ]
}

fn minima(worlds: &[(World, f64)], effort: Effort) -> Vec<Vec<Count>> {
    let counts = parallel::map(worlds.len() * SIZES.len(), |cell| {
        let ((world, truth), n) = (worlds[cell / SIZES.len()], SIZES[cell % SIZES.len()]);
        let mut rng = generator(SEED, cell as u64);
        let mut count = Count::default();
        for _ in 0..effort.trials {
            if let Some(found) = tail_ratio(&world.blocks(n, &mut rng), RatioOf::Minimum, LOOK) {
                count.add(found.interval, truth);
            }
        }
        count
    });
    counts.chunks(SIZES.len()).map(<[Count]>::to_vec).collect()
}

pub(super) fn table<Cell>(
    worlds: &[(World, f64)],
    rows: &[Vec<Cell>],
    sizes: &[usize],
    cell: impl Fn(&Cell) -> String,
) -> String {
    let head = sizes.iter().map(|n| format!("{n} blocks"));
    let mut table = MarkdownTable::new(std::iter::once("subjects".to_string()).chain(head));
    for ((world, _), row) in worlds.iter().zip(rows) {
        table.row(std::iter::once(world.name()).chain(row.iter().map(&cell)));
    }
    table.render()
}

pub(super) fn broken(
    worlds: &[(World, f64)],
    rows: &[Vec<Count>],
    sizes: &[usize],
    what: &str,
) -> Vec<String> {
    let cells = worlds.iter().zip(rows).flat_map(|((world, _), row)| {
        row.iter().zip(sizes).map(move |(count, n)| (world.name(), count, n))
    });
    cells
        .filter(|(_, count, _)| count.falls_short())
        .map(|(name, count, n)| format!("{what}, {name}, {n}: covers {:.4}", count.coverage()))
        .collect()
}

/// The lowest coverage, in %.
pub(super) fn worst(rows: &[Vec<Count>]) -> f64 {
    let counted = rows.iter().flatten().filter(|count| count.trials > 0);
    100.0 * counted.map(Count::coverage).fold(1.0, f64::min)
}

pub(super) fn section(effort: Effort) -> Section {
    let machines = machines();
    let minima = minima(&machines, effort);
    let text = format!(
        "\n## Minima\n\n\
         One factor for all runs, which a minimum has to assume. Lowest coverage: {:.1}%.\n\n{}",
        worst(&minima),
        table(&machines, &minima, &SIZES, Count::cell),
    );
    Section { text, broken: broken(&machines, &minima, &SIZES, "minimum") }
}
