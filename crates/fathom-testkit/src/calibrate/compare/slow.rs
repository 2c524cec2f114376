//! Commands that take long: single pairs, few of them, and early looks.

use super::Effort;
use super::count::{Count, is_false, percent};
use super::machines;
use super::session::{Effect, Round, rounds};
use crate::markdown::MarkdownTable;
use crate::noise::{Luck, Neighbour, Noise};
use crate::parallel;
use crate::population::generator;
use std::fmt::Write;

const SEED: u64 = 20_261_119;
const RATIOS: [f64; 5] = [1.0, 1.01, 1.05, 1.2, 2.0];
/// `--effort quick`, the default, and the longest plan of single pairs.
const PAIRS: [usize; 3] = [10, 20, 39];
/// The numbers of equal subjects.
const FAMILIES: [usize; 2] = [2, 4];
const REMEMBERS: [f64; 4] = [0.0, 0.5, 0.8, 0.95];

type Cell = [Count; RATIOS.len()];

fn simulate(noise: Noise, most: usize, trials: usize, stream: u64) -> Cell {
    let mut rng = generator(SEED, stream);
    RATIOS.map(|ratio| {
        let mut count = Count::default();
        for _ in 0..trials {
            let said = rounds(noise, (most, Round::Single), &[Effect::Constant(ratio)], &mut rng);
            said.iter().for_each(|said| count.add(said, ratio.ln()));
        }
        count
    })
}

/// The share of families of equal subjects in which any verdict is false.
fn false_in_family(noise: Noise, subjects: usize, trials: usize, stream: u64) -> f64 {
    let mut rng = generator(SEED, stream);
    let effects = vec![Effect::Constant(1.0); subjects];
    let mut wrong = 0_u64;
    for _ in 0..trials {
        let said = rounds(noise, (PAIRS[1], Round::Single), &effects, &mut rng);
        wrong += u64::from(said.iter().any(|said| is_false(said.verdict, 0.0)));
    }
    wrong as f64 / trials as f64
}

/// Where the ratio itself changes: how often its long-term value is missed.
fn misses(phi: f64, most: usize, trials: usize, stream: u64) -> f64 {
    let mut rng = generator(SEED, stream);
    let noise = Noise::luck(Luck::Normal(0.005));
    let mut count = Count::default();
    for _ in 0..trials {
        let said = rounds(noise, (most, Round::Single), &[Effect::Wandering(phi)], &mut rng);
        said.iter().for_each(|said| count.add(said, 0.0));
    }
    1.0 - count.coverage()
}

/// The tables, or what breaks a promise.
pub(super) fn section(effort: Effort) -> Result<String, String> {
    // A run that takes long averages over turns of 4 ms, a run of the simulation does not.
    let takes_turns = |noise: &Noise| matches!(noise.neighbour, Neighbour::TakingTurns(_));
    let noises: Vec<Noise> =
        machines::noises().into_iter().filter(|noise| !takes_turns(noise)).collect();
    let cells = parallel::map(PAIRS.len() * noises.len(), |task| {
        let (most, noise) = (PAIRS[task / noises.len()], noises[task % noises.len()]);
        simulate(noise, most, effort.short, task as u64)
    });
    const FAR: u64 = 1 << 20;
    let families = parallel::map(FAMILIES.len() * noises.len(), |task| {
        let subjects = FAMILIES[task / noises.len()];
        let noise = noises[task % noises.len()];
        false_in_family(noise, subjects, effort.families, FAR + task as u64)
    });
    let wandering = parallel::map(REMEMBERS.len() * PAIRS.len(), |task| {
        let (phi, most) = (REMEMBERS[task / PAIRS.len()], PAIRS[task % PAIRS.len()]);
        misses(phi, most, effort.short, 2 * FAR + task as u64)
    });
    let mut broken = Vec::new();
    for (task, cell) in cells.iter().enumerate() {
        let name =
            format!("{}, {} pairs", noises[task % noises.len()].name(), PAIRS[task / noises.len()]);
        let [same, one, ..] = cell;
        if same.different() > 0.05 + same.chance() {
            broken.push(format!("{name}: {:.4} false verdicts", same.different()));
        }
        if one.equivalent() > 0.05 + one.chance() {
            broken.push(format!("{name}: {:.4} false \"equivalent\"", one.equivalent()));
        }
        if worst(cell) < 0.95 - same.chance() {
            let covers = cell.iter().map(|count| format!("{:.4}", count.coverage()));
            broken.push(format!("{name}: covers {}", covers.collect::<Vec<_>>().join(", ")));
        }
    }
    let chance = 3.0 * (0.05 * 0.95 / effort.families as f64).sqrt();
    for (task, wrong) in families.iter().enumerate() {
        if *wrong > 0.05 + chance {
            let name = noises[task % noises.len()].name();
            broken.push(format!("{} subjects, {name}: {wrong:.4}", FAMILIES[task / noises.len()]));
        }
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(render(&noises, &cells, &families, &wandering, effort))
}

fn worst(cell: &Cell) -> f64 {
    cell.iter().map(Count::coverage).fold(1.0, f64::min)
}

fn render(
    noises: &[Noise],
    cells: &[Cell],
    families: &[f64],
    wandering: &[f64],
    effort: Effort,
) -> String {
    let most = |share: fn(&Cell) -> f64| cells.iter().map(share).fold(0.0, f64::max);
    let mut text = format!(
        "\n## Slow commands: single pairs\n\n\
         Where fewer than 20 blocks fit into the time, each block is a single pair, AB or BA by \
         coin, and the first look comes after eight pairs (one subject, 95%). {} comparisons per \
         machine, plan and ratio, in the time that the pairs take on a quiet machine. The machines \
         are those of above, so their waves and bursts are long or short compared with a run of \
         11.6 ms, without the turns of 4 ms: a run that takes long averages over them, and one of \
         11.6 ms does not (10 pairs cover 92.2% at a ratio of 1.05).\n\n\
         Most false verdicts: {:.1}%. Most false \"equivalent\" at a true ratio of 1.01: {:.1}%. \
         Lowest coverage: {:.1}%. Most families of 2 or 4 equal subjects with a false verdict: \
         {:.1}%.\n",
        effort.short,
        100.0 * most(|cell| cell[0].different()),
        100.0 * most(|cell| cell[1].equivalent()),
        100.0 * cells.iter().map(worst).fold(1.0, f64::min),
        100.0 * families.iter().copied().fold(0.0, f64::max),
    );
    for (place, pairs) in PAIRS.into_iter().enumerate() {
        let mut head: Vec<String> = [
            "machine",
            "A/A false",
            "A/A equivalent",
            "1.01 \"equivalent\"",
            "finds 5%",
            "finds 20%",
            "finds × 2",
            "covers",
            "pairs A/A, 5%, 20%, × 2",
        ]
        .map(String::from)
        .to_vec();
        let is_default = place == 1;
        if is_default {
            head.extend(FAMILIES.map(|subjects| format!("{subjects} equal: false")));
        }
        let mut table = MarkdownTable::new(head.iter().map(String::as_str));
        for (index, noise) in noises.iter().enumerate() {
            let cell = &cells[place * noises.len() + index];
            let [same, one, five, twenty, twice] = cell;
            let blocks = [same, five, twenty, twice].map(|count| format!("{:.0}", count.blocks()));
            let mut row = vec![
                noise.name(),
                percent(same.different()),
                percent(same.equivalent()),
                percent(one.equivalent()),
                percent(five.different()),
                percent(twenty.different()),
                percent(twice.different()),
                percent(worst(cell)),
                blocks.join(", "),
            ];
            if is_default {
                let of = |family: usize| percent(families[family * noises.len() + index]);
                row.extend((0..FAMILIES.len()).map(of));
            }
            table.row(row);
        }
        let _ = write!(text, "\n### At most {pairs} pairs\n\n{}", table.render());
    }
    let head = std::iter::once("ratio remembers".to_string())
        .chain(PAIRS.map(|pairs| format!("{pairs} pairs: misses 1")));
    let mut table = MarkdownTable::new(head.collect::<Vec<_>>().iter().map(String::as_str));
    for (phi, misses) in REMEMBERS.into_iter().zip(wandering.chunks(PAIRS.len())) {
        let cells = misses.iter().map(|share| percent(*share));
        table.row(std::iter::once(phi.to_string()).chain(cells));
    }
    let _ = write!(
        text,
        "\nWhere the ratio itself changes over time (see *Where it does not hold*), short sessions \
         see a part of it:\n\n{}",
        table.render()
    );
    text
}
