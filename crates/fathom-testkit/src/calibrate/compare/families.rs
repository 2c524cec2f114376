//! Several subjects against one reference.

use super::Effort;
use super::count::{is_false, percent};
use super::machines::SHORT;
use super::session::family;
use crate::markdown::MarkdownTable;
use crate::noise::{BLOCK, Luck, Neighbour, Noise, Smooth};
use crate::parallel;
use crate::population::generator;

const SEED: u64 = 19_790_601;

fn noises() -> [Noise; 5] {
    [
        Noise::luck(Luck::Normal(0.02)),
        Noise::luck(Luck::Normal(0.1)),
        Noise::smooth(Smooth::Wave(BLOCK)),
        Noise::neighbour(Neighbour::Exponential(0.05), 0.005),
        Noise::neighbour(Neighbour::Toggling(0.3), 0.01),
    ]
}

const FAMILIES: [(&str, &[f64]); 7] = [
    ("3, all equal", &[1.0, 1.0, 1.0]),
    ("3, one 5% slower", &[1.0, 1.05, 1.0]),
    ("3, all 1% slower", &[1.01, 1.01, 1.01]),
    ("5, all equal", &[1.0, 1.0, 1.0, 1.0, 1.0]),
    ("5, one 5% slower", &[1.0, 1.0, 1.05, 1.0, 1.0]),
    ("5, three 5% slower", &[1.05, 1.0, 1.05, 1.0, 1.05]),
    ("5, all 1% slower", &[1.01, 1.01, 1.01, 1.01, 1.01]),
];

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    families_with_a_false_verdict: u64,
    families_covered: u64,
    subjects_covered: u64,
    subjects_found: u64,
}

fn simulate(noise: Noise, ratios: &[f64], trials: usize, stream: u64) -> Cell {
    let mut rng = generator(SEED, stream);
    let mut cell = Cell::default();
    for _ in 0..trials {
        let said = family(noise, SHORT, ratios, &mut rng);
        let each = || said.iter().zip(ratios.iter().map(|ratio| ratio.ln()));
        let wrong = each().any(|(said, truth)| is_false(said.verdict, truth));
        let covered = each().filter(|(said, truth)| said.interval.contains(*truth)).count();
        cell.families_with_a_false_verdict += u64::from(wrong);
        cell.families_covered += u64::from(covered == ratios.len());
        cell.subjects_covered += covered as u64;
        cell.subjects_found +=
            each().filter(|(said, truth)| *truth > 0.0 && said.interval.lower > 0.0).count() as u64;
    }
    cell
}

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let noises = noises();
    let cells = parallel::map(FAMILIES.len() * noises.len(), |task| {
        let (_, ratios) = FAMILIES[task / noises.len()];
        simulate(noises[task % noises.len()], ratios, effort.families, task as u64)
    });
    let trials = effort.families as f64;
    let chance = 3.0 * (0.05 * 0.95 / trials).sqrt();
    let mut table =
        MarkdownTable::new(["subjects", "machine", "false", "all cover", "each covers", "finds"]);
    let mut broken = Vec::new();
    for (task, cell) in cells.iter().enumerate() {
        let (name, ratios) = FAMILIES[task / noises.len()];
        let machine = noises[task % noises.len()].name();
        let wrong = cell.families_with_a_false_verdict as f64 / trials;
        if wrong > 0.05 + chance {
            broken.push(format!("{name}, {machine}: {wrong:.4} false verdicts in a family"));
        }
        let different = ratios.iter().filter(|ratio| **ratio > 1.0).count() as f64;
        let found = cell.subjects_found as f64 / trials / different;
        table.row([
            name.to_string(),
            machine,
            percent(wrong),
            percent(cell.families_covered as f64 / trials),
            percent(cell.subjects_covered as f64 / trials / ratios.len() as f64),
            if different > 0.0 { percent(found) } else { "-".to_string() },
        ]);
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(format!(
        "\n## Several subjects against one reference\n\n\
         The subjects that are not settled share the error (Holm), in rounds of a random order \
         and its mirror image, at most {SHORT} rounds, in the time they take on a quiet machine; \
         {} families per row. *False* is the share of families with any false verdict. *Finds* is \
         the share of slower subjects whose interval lies above 1.\n\n\
         {}",
        effort.families,
        table.render()
    ))
}
