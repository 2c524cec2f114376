//! Commands that take long: single pairs, few of them, and early looks.

use super::count::{Count, is_false, percent};
use super::machines;
use super::session::{Effect, Round, Rounds, rounds};
use super::{Effort, in_step};
use crate::markdown::MarkdownTable;
use crate::noise::{Luck, Neighbour, Noise, RUN};
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

fn single(noise: Noise, run: f64, most: usize) -> Rounds {
    Rounds { noise, run, round: Round::Single, most, pause: 0.0 }
}

/// A machine, and what a run takes on it.
#[derive(Debug, Clone, Copy)]
struct Case {
    noise: Noise,
    run: f64,
    /// Load that takes turns may keep step with the runs, so nothing is promised.
    is_promised: bool,
}

impl Case {
    fn name(&self) -> String {
        let name = self.noise.name();
        match self.is_promised {
            true => name,
            false => format!("{name}, runs of {}*", seconds(self.run)),
        }
    }
}

fn seconds(run: f64) -> String {
    if run < 1.0 { format!("{} ms", 1e3 * run) } else { format!("{run} s") }
}

fn cases() -> Vec<Case> {
    const SLOW: f64 = 1.0;
    let of = |noise: Noise| match noise.neighbour {
        Neighbour::TakingTurns(_) => {
            [RUN, SLOW].map(|run| Case { noise, run, is_promised: false }).to_vec()
        }
        _ => vec![Case { noise, run: RUN, is_promised: true }],
    };
    machines::noises().into_iter().flat_map(of).collect()
}

fn simulate(case: Case, most: usize, trials: usize, stream: u64) -> Cell {
    let mut rng = generator(SEED, stream);
    RATIOS.map(|ratio| {
        let mut count = Count::default();
        for _ in 0..trials {
            let said =
                rounds(single(case.noise, case.run, most), &[Effect::Constant(ratio)], &mut rng);
            said.iter().for_each(|said| count.add(said, ratio.ln()));
        }
        count
    })
}

/// The share of families of equal subjects in which any verdict is false.
fn false_in_family(case: Case, subjects: usize, trials: usize, stream: u64) -> f64 {
    let mut rng = generator(SEED, stream);
    let effects = vec![Effect::Constant(1.0); subjects];
    let mut wrong = 0_u64;
    for _ in 0..trials {
        let said = rounds(single(case.noise, case.run, PAIRS[1]), &effects, &mut rng);
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
        let said = rounds(single(noise, RUN, most), &[Effect::Wandering(phi)], &mut rng);
        said.iter().for_each(|said| count.add(said, 0.0));
    }
    1.0 - count.coverage()
}

/// The tables, or what breaks a promise.
pub(super) fn section(effort: Effort) -> Result<String, String> {
    let machines = cases();
    let cells = parallel::map(PAIRS.len() * machines.len(), |task| {
        let (most, case) = (PAIRS[task / machines.len()], machines[task % machines.len()]);
        simulate(case, most, effort.short, task as u64)
    });
    const FAR: u64 = 1 << 20;
    let families = parallel::map(FAMILIES.len() * machines.len(), |task| {
        let subjects = FAMILIES[task / machines.len()];
        let case = machines[task % machines.len()];
        false_in_family(case, subjects, effort.families, FAR + task as u64)
    });
    let wandering = parallel::map(REMEMBERS.len() * PAIRS.len(), |task| {
        let (phi, most) = (REMEMBERS[task / PAIRS.len()], PAIRS[task % PAIRS.len()]);
        misses(phi, most, effort.short, 2 * FAR + task as u64)
    });
    let mut broken = Vec::new();
    for (task, cell) in cells.iter().enumerate() {
        let case = machines[task % machines.len()];
        if !case.is_promised {
            continue;
        }
        let name = format!("{}, {} pairs", case.name(), PAIRS[task / machines.len()]);
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
            let name = machines[task % machines.len()].name();
            broken
                .push(format!("{} subjects, {name}: {wrong:.4}", FAMILIES[task / machines.len()]));
        }
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(render(&machines, &cells, &families, &wandering, effort) + &in_step::section(effort))
}

fn worst(cell: &Cell) -> f64 {
    cell.iter().map(Count::coverage).fold(1.0, f64::min)
}

fn render(
    machines: &[Case],
    cells: &[Cell],
    families: &[f64],
    wandering: &[f64],
    effort: Effort,
) -> String {
    let all = || machines.iter().cycle().zip(cells);
    let promised = || all().filter(|(case, _)| case.is_promised).map(|(_, cell)| cell);
    let others = || all().filter(|(case, _)| !case.is_promised).map(|(_, cell)| cell);
    let most = |share: fn(&Cell) -> f64| promised().map(share).fold(0.0, f64::max);
    let mut text = format!(
        "\n## Slow commands: single pairs\n\n\
         Where fewer than 20 blocks fit into the time, each block is a single pair, AB or BA by \
         coin, and the first look comes after eight pairs (one subject, 95%). {} comparisons per \
         machine, plan and ratio, in the time that the pairs take on a quiet machine. The machines \
         are those of above, so their waves and bursts are long or short compared with a run of \
         11.6 ms.\n\n\
         Most false verdicts: {:.1}%. Most false \"equivalent\" at a true ratio of 1.01: {:.1}%. \
         Lowest coverage: {:.1}%. Most families of 2 or 4 equal subjects with a false verdict: \
         {:.1}%.\n\n\
         These numbers are without the rows with an asterisk, which cover at least {:.1}% and have at \
         most {:.1}% false verdicts. There the load repeats in step with the runs, so that it slows one \
         command by another factor than the other: see *Load in step with the runs*.\n",
        effort.short,
        100.0 * most(|cell| cell[0].different()),
        100.0 * most(|cell| cell[1].equivalent()),
        100.0 * promised().map(worst).fold(1.0, f64::min),
        100.0 * families.iter().copied().fold(0.0, f64::max),
        100.0 * others().map(worst).fold(1.0, f64::min),
        100.0 * others().map(|cell| cell[0].different()).fold(0.0, f64::max),
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
        for (index, case) in machines.iter().enumerate() {
            let cell = &cells[place * machines.len() + index];
            let [same, one, five, twenty, twice] = cell;
            let blocks = [same, five, twenty, twice].map(|count| format!("{:.0}", count.blocks()));
            let mut row = vec![
                case.name(),
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
                let of = |family: usize| percent(families[family * machines.len() + index]);
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
