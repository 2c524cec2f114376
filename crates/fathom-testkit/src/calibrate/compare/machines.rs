//! The main table: one subject against the reference on every kind of noisy machine.

use super::Effort;
use super::count::{Count, percent};
use super::session::{Effect, Order, one_after_the_other, paired};
use crate::markdown::MarkdownTable;
use crate::noise::{BLOCK, Luck, Neighbour, Noise, Smooth};
use crate::parallel;
use crate::population::generator;
use std::fmt::Write;

const SEED: u64 = 20_020_501;
const RATIOS: [f64; 5] = [1.0, 1.005, 1.01, 1.02, 1.05];
const CHUNKS: usize = 8;

/// The most blocks: two seconds, and nineteen.
pub(super) const SHORT: usize = 42;
pub(super) const LONG: usize = 400;

pub(super) fn noises() -> Vec<Noise> {
    let slow_wave = Noise { luck: Luck::Normal(0.02), ..Noise::smooth(Smooth::Wave(1.0)) };
    vec![
        Noise::luck(Luck::Normal(0.005)),
        Noise::luck(Luck::Normal(0.02)),
        Noise::luck(Luck::Normal(0.1)),
        Noise::luck(Luck::Normal(0.3)),
        Noise::luck(Luck::HeavyTailed(0.02)),
        Noise::luck(Luck::Remembering(0.5)),
        Noise::luck(Luck::Remembering(0.8)),
        Noise::luck(Luck::Growing),
        Noise::smooth(Smooth::Drift(0.06)),
        Noise::smooth(Smooth::Wave(BLOCK)),
        Noise::smooth(Smooth::Wave(1.0)),
        slow_wave,
        Noise::smooth(Smooth::Wave(30.0)),
        Noise::smooth(Smooth::Walk(0.03)),
        Noise::neighbour(Neighbour::Exponential(0.001), 0.005),
        Noise::neighbour(Neighbour::Exponential(0.05), 0.005),
        Noise::neighbour(Neighbour::Exponential(0.5), 0.005),
        Noise::neighbour(Neighbour::Toggling(0.3), 0.005),
        Noise::neighbour(Neighbour::Toggling(0.3), 0.01),
        Noise::neighbour(Neighbour::TakingTurns(0.3), 0.005),
        Noise::neighbour(Neighbour::TakingTurns(0.3), 0.01),
    ]
}

/// Where the short comparison must find 1%.
const MUST_FIND: [Noise; 2] = [
    Noise { smooth: Smooth::Still, luck: Luck::Normal(0.005), neighbour: Neighbour::Toggling(0.3) },
    Noise { smooth: Smooth::Still, luck: Luck::Normal(0.01), neighbour: Neighbour::Toggling(0.3) },
];
const FOUND: f64 = 0.8;

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    /// For every ratio.
    fathom: [Count; RATIOS.len()],
    /// ABBA without the coin, at 1 and at 1.01.
    fixed: [Count; 2],
    trials_in_turn: u64,
    false_in_turn: u64,
    covered_in_turn: [u64; 2],
}

impl Cell {
    fn merge(&mut self, other: &Cell) {
        self.fathom.iter_mut().zip(&other.fathom).for_each(|(mine, theirs)| mine.merge(theirs));
        self.fixed.iter_mut().zip(&other.fixed).for_each(|(mine, theirs)| mine.merge(theirs));
        self.trials_in_turn += other.trials_in_turn;
        self.false_in_turn += other.false_in_turn;
        for (mine, theirs) in self.covered_in_turn.iter_mut().zip(other.covered_in_turn) {
            *mine += theirs;
        }
    }

    fn worst_coverage(&self) -> f64 {
        self.fathom.iter().map(Count::coverage).fold(1.0, f64::min)
    }

    fn in_turn(&self, count: u64) -> f64 {
        count as f64 / self.trials_in_turn as f64
    }
}

fn simulate(noise: Noise, most: usize, trials: usize, stream: u64) -> Cell {
    let mut rng = generator(SEED, stream);
    let mut cell = Cell::default();
    for (ratio, count) in RATIOS.into_iter().zip(&mut cell.fathom) {
        for _ in 0..trials {
            let said = paired(noise, most, Effect::Constant(ratio), Order::Coin, &mut rng);
            count.add(&said, ratio.ln());
        }
    }
    for (ratio, count) in [1.0, 1.01].into_iter().zip(&mut cell.fixed) {
        for _ in 0..trials.div_ceil(2) {
            let said = paired(noise, most, Effect::Constant(ratio), Order::Fixed, &mut rng);
            count.add(&said, f64::ln(ratio));
        }
    }
    for _ in 0..trials {
        let same = one_after_the_other(noise, most, 1.0, &mut rng);
        let slower = one_after_the_other(noise, most, 1.01, &mut rng);
        cell.trials_in_turn += 1;
        cell.false_in_turn += u64::from(!same.contains(0.0));
        cell.covered_in_turn[0] += u64::from(same.contains(0.0));
        cell.covered_in_turn[1] += u64::from(slower.contains(1.01_f64.ln()));
    }
    cell
}

/// The tables, or what breaks a promise.
pub(super) fn section(effort: Effort) -> Result<String, String> {
    let noises = noises();
    let budgets = [(LONG, effort.long), (SHORT, effort.short)];
    let cells = budgets.len() * noises.len();
    let parts = parallel::map(cells * CHUNKS, |task| {
        let (cell, chunk) = (task / CHUNKS, task % CHUNKS);
        let (most, trials) = budgets[cell / noises.len()];
        let noise = noises[cell % noises.len()];
        simulate(noise, most, trials.div_ceil(CHUNKS), (cell * CHUNKS + chunk) as u64)
    });
    let merged: Vec<Cell> = parts
        .chunks(CHUNKS)
        .map(|chunks| {
            chunks.iter().fold(Cell::default(), |mut sum, chunk| {
                sum.merge(chunk);
                sum
            })
        })
        .collect();
    let (long, short) = merged.split_at(noises.len());
    let mut broken = Vec::new();
    for (most, cells) in [(SHORT, short), (LONG, long)] {
        for (noise, cell) in noises.iter().zip(cells) {
            broken.extend(broken_promises(noise, most, cell));
        }
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(render(&noises, short, long, effort))
}

fn broken_promises(noise: &Noise, most: usize, cell: &Cell) -> Vec<String> {
    let mut broken = Vec::new();
    let name = format!("{}, at most {most} blocks", noise.name());
    let [same, _, one, ..] = &cell.fathom;
    if same.different() > 0.05 + same.chance() {
        broken.push(format!("{name}: {:.4} false verdicts", same.different()));
    }
    if one.equivalent() > 0.05 + one.chance() {
        broken.push(format!("{name}: {:.4} false \"equivalent\"", one.equivalent()));
    }
    if cell.worst_coverage() < 0.95 - same.chance() {
        broken.push(format!("{name}: covers {:.4}", cell.worst_coverage()));
    }
    let slack = 3.0 * (FOUND * (1.0 - FOUND) / one.trials as f64).sqrt();
    if most == SHORT && MUST_FIND.contains(noise) && one.different() < FOUND - slack {
        broken.push(format!("{name}: finds 1% in {:.4}", one.different()));
    }
    broken
}

fn render(noises: &[Noise], short: &[Cell], long: &[Cell], effort: Effort) -> String {
    let all = || short.iter().chain(long);
    let most = |share: fn(&Cell) -> f64| all().map(share).fold(0.0, f64::max);
    let mut text = format!(
        "\n## One subject, every kind of machine\n\n\
         Most false verdicts: {:.1}%. Most false \"equivalent\" at a true ratio of 1.01: {:.1}%. \
         Lowest coverage: {:.1}%. The standard error of a share of 5% is {:.2} points in the \
         first table, {:.2} in the second.\n",
        100.0 * most(|cell| cell.fathom[0].different()),
        100.0 * most(|cell| cell.fathom[2].equivalent()),
        100.0 * all().map(Cell::worst_coverage).fold(1.0, f64::min),
        100.0 * (0.05 * 0.95 / effort.short as f64).sqrt(),
        100.0 * (0.05 * 0.95 / effort.long as f64).sqrt(),
    );
    for (title, cells, blocks) in [("Two seconds", short, SHORT), ("Nineteen seconds", long, LONG)]
    {
        let _ = write!(
            text,
            "\n### {title}: at most {blocks} blocks\n\n{}",
            table(noises, cells).render()
        );
    }
    text
}

fn table(noises: &[Noise], cells: &[Cell]) -> MarkdownTable {
    let mut table = MarkdownTable::new([
        "machine",
        "A/A false",
        "A/A equivalent",
        "1.01 \"equivalent\"",
        "finds 1%",
        "finds 2%",
        "finds 5%",
        "covers",
        "blocks A/A, 1%, 5%",
        "A then B: A/A false",
        "covers",
        "fixed ABBA: A/A false",
        "covers",
    ]);
    for (noise, cell) in noises.iter().zip(cells) {
        let [same, _, one, two, five] = &cell.fathom;
        let blocks = [same, one, five].map(|count| format!("{:.0}", count.blocks())).join(", ");
        let in_turn = cell.covered_in_turn.map(|count| cell.in_turn(count));
        table.row([
            noise.name(),
            percent(same.different()),
            percent(same.equivalent()),
            percent(one.equivalent()),
            percent(one.different()),
            percent(two.different()),
            percent(five.different()),
            percent(cell.worst_coverage()),
            blocks,
            percent(cell.in_turn(cell.false_in_turn)),
            percent(in_turn[0].min(in_turn[1])),
            percent(cell.fixed[0].different()),
            percent(cell.fixed[0].coverage().min(cell.fixed[1].coverage())),
        ]);
    }
    table
}
