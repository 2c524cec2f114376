//! How often a changed function is found.

use super::profiled::{Machine, Program};
use super::{Effort, SEED, percent, rule};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_stats::joint::joint_differences;

/// The function's share of the program, and by which factor it takes longer.
const CHANGES: [(f64, f64); 6] =
    [(0.3, 1.02), (0.3, 1.05), (0.1, 1.05), (0.1, 1.2), (0.03, 1.2), (0.03, 1.5)];
const BLOCKS: [usize; 4] = [20, 40, 150, 600];
/// 100 ms per run, sampled 2000 times a second.
const TAKES: f64 = 0.1;

/// One function of `share`, and 99 others that share the rest.
fn program((share, factor): (f64, f64)) -> Program {
    let mut takes = vec![TAKES * share];
    takes.resize(100, TAKES * (1.0 - share) / 99.0);
    let mut factors = vec![factor];
    factors.resize(100, 1.0);
    Program { takes, factors, noise: 0.02, sampled: Some(2000.0) }
}

pub(super) fn section(effort: Effort) -> String {
    let cells = CHANGES.len() * BLOCKS.len();
    let found = parallel::map(cells, |cell| {
        let (change, blocks) = (CHANGES[cell / BLOCKS.len()], BLOCKS[cell % BLOCKS.len()]);
        let program = program(change);
        let mut rng = generator(SEED, 1_000_000 + cell as u64);
        let trials = effort.trials.div_ceil(5);
        let hits = (0..trials).filter(|_| {
            let made = program.profiled(Machine::Common(0.02), blocks, &mut rng);
            let found = joint_differences(&made.differences, rule());
            found.quantities[0].p_value.is_some_and(|p| p <= 0.05)
        });
        hits.count() as f64 / trials as f64
    });
    let head = std::iter::once("share, change".to_string());
    let mut table = MarkdownTable::new(head.chain(BLOCKS.map(|n| format!("{n} blocks"))));
    for (row, (share, factor)) in CHANGES.into_iter().enumerate() {
        let name = format!("{:.0}%, +{:.0}%", 100.0 * share, 100.0 * (factor - 1.0));
        let cells = &found[row * BLOCKS.len()..(row + 1) * BLOCKS.len()];
        table.row(std::iter::once(name).chain(cells.iter().map(|found| percent(*found))));
    }
    format!(
        "## Power\n\n\
         A program of 100 ms with 100 functions, sampled 2000 times a second, on a machine on which all \
         runs wander by 2%. One function takes longer; rows are its share of the program and its \
         change. Cells are the comparisons that find it, in %, among {} each.\n\n{}",
        effort.trials.div_ceil(5),
        table.render()
    )
}
