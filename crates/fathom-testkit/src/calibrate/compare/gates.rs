//! What gates say, and how often they are wrong.

use super::Effort;
use super::count::percent;
use super::machines::SHORT;
use super::session::gated;
use crate::markdown::MarkdownTable;
use crate::noise::{BLOCK, Luck, Neighbour, Noise, Smooth};
use crate::parallel;
use crate::population::generator;
use fathom_analyze::compare::{Gate, GateOutcome, Margin};

const SEED: u64 = 20_261_116;
/// `--fail-if-slower 2%`.
const LIMIT: f64 = 0.02;
const RATIOS: [f64; 4] = [1.0, 1.0 + LIMIT, 1.0 + 1.5 * LIMIT, 1.0 + 2.5 * LIMIT];
/// Planned as long as the time, and a third of it, which goes on.
const PLANS: [usize; 2] = [SHORT, SHORT / 3];

fn noises() -> [Noise; 5] {
    [
        Noise::luck(Luck::Normal(0.02)),
        Noise::luck(Luck::Normal(0.1)),
        Noise::smooth(Smooth::Wave(BLOCK)),
        Noise::neighbour(Neighbour::Exponential(0.05), 0.005),
        Noise::neighbour(Neighbour::Toggling(0.3), 0.01),
    ]
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    failed: u64,
    passed: u64,
    covered: u64,
}

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let limit = Margin::new(LIMIT).map_err(|error| error.to_string())?;
    let gate = Gate::NotSlower(limit);
    let noises = noises();
    let each = RATIOS.len() * noises.len();
    let cells = parallel::map(PLANS.len() * each, |task| {
        let (plan, noise) = (PLANS[task / each], noises[task % each / RATIOS.len()]);
        let ratio = RATIOS[task % RATIOS.len()];
        let mut rng = generator(SEED, task as u64);
        let mut cell = Cell::default();
        for _ in 0..effort.families {
            let said = gated(noise, [plan, SHORT], ratio, gate, &mut rng);
            let outcome = gate.finally(said.interval);
            cell.failed += u64::from(outcome == GateOutcome::Failed);
            cell.passed += u64::from(outcome == GateOutcome::Passed);
            cell.covered += u64::from(said.interval.contains(ratio.ln()));
        }
        cell
    });
    let trials = effort.families as f64;
    let chance = 3.0 * (0.05 * 0.95 / trials).sqrt();
    let mut table = MarkdownTable::new([
        "plan",
        "machine",
        "1: fails",
        "passes",
        "1.02: fails",
        "passes",
        "1.03: fails",
        "passes",
        "1.05: fails",
        "passes",
        "covers",
    ]);
    let mut broken = Vec::new();
    for (row, cells) in cells.chunks(RATIOS.len()).enumerate() {
        let plan = PLANS[row / noises.len()];
        let machine = noises[row % noises.len()].name();
        let share = |count: u64| count as f64 / trials;
        for (cell, ratio) in cells.iter().zip(RATIOS) {
            let is_allowed = ratio <= 1.0 + LIMIT;
            if is_allowed && share(cell.failed) > 0.05 + chance {
                broken
                    .push(format!("{machine}, {plan}: {:.4} fail at {ratio}", share(cell.failed)));
            }
            if ratio > 1.0 + 2.0 * LIMIT && share(cell.passed) > 0.05 + chance {
                broken
                    .push(format!("{machine}, {plan}: {:.4} pass at {ratio}", share(cell.passed)));
            }
        }
        let covered = cells.iter().map(|cell| cell.covered).min().unwrap_or(0);
        if share(covered) < 0.95 - chance {
            broken.push(format!("{machine}, {plan}: coverage {:.4}", share(covered)));
        }
        let plan = if plan == SHORT { "whole time" } else { "goes on" };
        let numbers = cells
            .iter()
            .flat_map(|cell| [percent(share(cell.failed)), percent(share(cell.passed))]);
        table.row(
            [plan.to_string(), machine].into_iter().chain(numbers).chain([percent(share(covered))]),
        );
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(format!(
        "\n## Gates\n\n\
         `--fail-if-slower 2%` at a true ratio of 1, 1.02 (the limit), 1.03 and 1.05, {} \
         comparisons of two seconds each. The rest is inconclusive. If the truth is within the \
         limit, the gate fails in at most 5%; if it is beyond twice the limit, the gate passes in \
         at most 5%. *Goes on*: planned for a third of the time, and continued because time was \
         left. *Covers*: the worst of the four ratios, at least 95.\n\n\
         {}",
        effort.families,
        table.render()
    ))
}
