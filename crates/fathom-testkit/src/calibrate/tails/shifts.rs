//! All quantiles at once.

use super::coverage::LOOK;
use super::worlds::World;
use super::{ALPHA, Effort, Section, percent};
use crate::markdown::MarkdownTable;
use crate::noise::{Luck, Neighbour, Noise};
use crate::parallel;
use crate::population::generator;
use fathom_stats::Probability;
use fathom_stats::tails::{shift_levels, tail_shift};

const SEED: u64 = 19_790_901;
const SIZES: [usize; 3] = [42, 400, 2400];

#[derive(Debug, Clone, Copy, Default)]
struct Said {
    trials: u64,
    missed: u64,
    /// A difference where there is none.
    wrong: u64,
    /// A difference at the 99% quantile.
    found: u64,
    alpha_of_each: f64,
}

pub(super) fn section(effort: Effort) -> Section {
    let worlds = [
        World::Constant(Noise::luck(Luck::Normal(0.3)), 1.0),
        World::Constant(Noise::neighbour(Neighbour::Exponential(0.05), 0.005), 1.0),
        World::Constant(Noise::luck(Luck::Remembering(0.8)), 1.05),
        World::Stretched(3.0),
        World::Normal(0.1, 0.3),
    ];
    let cells = parallel::map(worlds.len() * SIZES.len(), |cell| {
        let (world, n) = (worlds[cell / SIZES.len()], SIZES[cell % SIZES.len()]);
        let levels = shift_levels(n, 2, ALPHA);
        let truths: Vec<f64> = levels.iter().map(|level| world.truth(level.get())).collect();
        let mut rng = generator(SEED, cell as u64);
        let mut said = Said::default();
        let trials = if n > 1000 { effort.whole.div_ceil(2) } else { effort.whole };
        for _ in 0..trials {
            let Some(shift) = tail_shift(&world.blocks(n, &mut rng), &levels, LOOK) else {
                continue;
            };
            said.trials += 1;
            said.alpha_of_each += shift.alpha_of_each;
            let at = || shift.at.iter().zip(&truths);
            said.missed += u64::from(at().any(|(at, &truth)| !at.ratio.interval.contains(truth)));
            said.wrong += u64::from(
                at().any(|(at, truth)| truth.abs() < 1e-9 && !at.ratio.interval.contains(0.0)),
            );
            said.found += u64::from(shift.at.iter().any(|at| {
                (at.level.get() - 0.99).abs() < 1e-9 && !at.ratio.interval.contains(0.0)
            }));
        }
        (said, levels)
    });
    let mut table = MarkdownTable::new(
        std::iter::once("subjects".to_string()).chain(SIZES.map(|n| format!("{n} blocks"))),
    );
    let mut broken = Vec::new();
    for (world, row) in worlds.iter().zip(cells.chunks(SIZES.len())) {
        let mut entries = vec![world.name()];
        for ((said, levels), n) in row.iter().zip(SIZES) {
            let share = |count: u64| count as f64 / said.trials as f64;
            let limit = ALPHA + 3.0 * (ALPHA * (1.0 - ALPHA) / said.trials as f64).sqrt();
            if share(said.missed) > limit {
                broken.push(format!("{}, {n}: {:.4} miss", world.name(), share(said.missed)));
            }
            let has_p99 = levels.iter().any(|level| (level.get() - 0.99).abs() < 1e-9);
            entries.push(format!(
                "{} / {} / {} / {}",
                percent(share(said.missed)),
                percent(share(said.wrong)),
                if has_p99 { percent(share(said.found)) } else { "-".to_string() },
                percent(said.alpha_of_each / said.trials as f64),
            ));
        }
        table.row(entries);
    }
    let counts = SIZES.map(|n| {
        let levels: Vec<Probability> = shift_levels(n, 2, ALPHA);
        levels.len().to_string()
    });
    let text = format!(
        "\n## All quantiles at once\n\n\
         The shift function at the levels that this number of blocks allows, of 5, 10, 25, 50, 75, 90, 95, 99 and \
         99.9%: {} levels. Cells are `any interval misses / a difference is reported at a quantile that \
         has none / a difference is reported at p99 / the error that each quantile may spend`, in %. \
         Dividing 5% by the number of quantiles would leave each {}.\n\n{}",
        counts.join(", "),
        SIZES
            .map(|n| format!("{}%", percent(ALPHA / shift_levels(n, 2, ALPHA).len() as f64)))
            .join(", "),
        table.render()
    );
    Section { text, broken }
}
