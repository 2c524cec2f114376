//! `calibration/contrast.md`: how often two groups of runs that do not differ are said to, and how often
//! what was planted is found.

mod made_runs;
mod measures;

use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_stats::two_groups;
use made_runs::{MadeRuns, Planted};
use measures::Nature;
use std::fmt::Write;

const SEED: u64 = 20_051_016;
/// Runs of both groups.
const SIZES: [(usize, usize); 7] = [(2, 2), (3, 3), (3, 4), (5, 5), (2, 12), (1, 24), (8, 8)];
/// Measures of a data set.
const MEASURES: usize = 40;
/// How far a planted measure is shifted, in standard deviations between runs.
const SHIFTS: [f64; 4] = [2.0, 4.0, 6.0, 10.0];
/// Whole runs: sizes of both groups.
const WHOLE: [(usize, usize); 3] = [(4, 4), (5, 5), (8, 8)];

/// How much is simulated.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Data sets of each kind of measure and sizes.
    pub data_sets: usize,
    /// Sets of whole runs.
    pub whole: usize,
}

impl Effort {
    /// What the committed page has.
    pub const FULL: Effort = Effort { data_sets: 1000, whole: 200 };
}

/// Simulates and writes the page. The error names cells in which more than 5% of null data sets have a
/// discovery, by over 3 standard errors.
pub fn page(effort: Effort) -> Result<String, String> {
    let null = Null::simulate(effort);
    let whole = Whole::simulate(effort);
    let missed: Vec<String> = null.missed(effort).into_iter().chain(whole.missed(effort)).collect();
    if !missed.is_empty() {
        return Err(missed.join("\n"));
    }
    let mut text = format!(
        "# Two groups of runs: false and true discoveries\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate contrast` (seed {SEED}). The \
         method is in `docs/methods/contrast.md`. All numbers are in percent.\n\n\
         The goal holds: at most 5% of data sets in which the groups do not differ have any \
         significant difference, at worst {:.1}% of measures alone and {:.1}% of whole runs with \
         phases and alignment.\n",
        100.0 * null.worst(),
        100.0 * whole.worst(),
    );
    null.section(&mut text, effort);
    power(&mut text, effort);
    whole.section(&mut text, effort);
    Ok(text)
}

/// The share of data sets with a discovery, by nature and sizes.
struct Null(Vec<Vec<f64>>);

impl Null {
    fn simulate(effort: Effort) -> Null {
        let cells = Nature::ALL.len() * SIZES.len();
        let shares = parallel::map(cells, |cell| {
            let (nature, (first, second)) =
                (Nature::ALL[cell / SIZES.len()], SIZES[cell % SIZES.len()]);
            let mut rng = generator(SEED, cell as u64);
            let found = (0..effort.data_sets).filter(|seed| {
                let measures = nature.draw(MEASURES, first + second, &mut rng);
                discovers(first, second, &measures, *seed as u64).iter().any(|found| *found)
            });
            found.count() as f64 / effort.data_sets as f64
        });
        Null(shares.chunks(SIZES.len()).map(<[f64]>::to_vec).collect())
    }

    fn worst(&self) -> f64 {
        self.0.iter().flatten().copied().fold(0.0, f64::max)
    }

    fn missed(&self, effort: Effort) -> Vec<String> {
        let limit = above(effort.data_sets);
        let mut missed = Vec::new();
        for (nature, shares) in Nature::ALL.iter().zip(&self.0) {
            for ((first, second), share) in SIZES.iter().zip(shares) {
                if *share > limit {
                    missed.push(format!(
                        "{}, {first} and {second} runs: {share} of null data sets have a discovery",
                        nature.name()
                    ));
                }
            }
        }
        missed
    }

    fn section(&self, text: &mut String, effort: Effort) {
        let _ = write!(
            text,
            "\n## Nothing differs\n\nThe share of data sets with any family-wise p below .05. {MEASURES} \
             measures, {} data sets per cell; the standard error of 5% is {:.1}. Columns are runs of \
             both groups. Groups of 2 and 2 or 3 and 3 runs can show nothing.\n\n",
            effort.data_sets,
            100.0 * (0.05 * 0.95 / effort.data_sets as f64).sqrt(),
        );
        let sizes = SIZES.iter().map(|(first, second)| format!("{first} and {second}"));
        let mut table = MarkdownTable::new(std::iter::once("measures".to_string()).chain(sizes));
        for (nature, shares) in Nature::ALL.iter().zip(&self.0) {
            let shares = shares.iter().map(|share| format!("{:.1}", 100.0 * share));
            table.row(std::iter::once(nature.name().to_string()).chain(shares));
        }
        text.push_str(&table.render());
    }
}

/// 5% and three standard errors.
fn above(data_sets: usize) -> f64 {
    0.05 + 3.0 * (0.05 * 0.95 / data_sets.max(1) as f64).sqrt()
}

/// Which measures are said to differ.
fn discovers(first: usize, second: usize, measures: &[Vec<Option<f64>>], seed: u64) -> Vec<bool> {
    let is_second: Vec<bool> = (0..first + second).map(|run| run >= first).collect();
    let found = two_groups::compare(&is_second, measures, seed);
    found.measures.iter().map(|one| one.family_p_value < 0.05).collect()
}

/// How often a single shifted measure is found, and others with it.
fn power(text: &mut String, effort: Effort) {
    let sizes: Vec<(usize, usize)> =
        SIZES.into_iter().filter(|(a, b)| two_groups::smallest_p_value(*a, *b) < 0.05).collect();
    let natures = [Nature::Normal, Nature::Skewed, Nature::Counts];
    let _ = write!(
        text,
        "\n## One measure differs\n\nThe share of data sets in which the one of {MEASURES} measures that \
         is shifted in the second group is significant, and after the slash the share in which another \
         one is. Shifts are in standard deviations between runs; {} data sets per cell.\n\n",
        effort.data_sets / 2,
    );
    let heads = sizes.iter().map(|(first, second)| format!("{first} and {second}"));
    let first = ["measures".to_string(), "shift".to_string()];
    let mut table = MarkdownTable::new(first.into_iter().chain(heads));
    let rows = natures.len() * SHIFTS.len();
    let cells = parallel::map(rows * sizes.len(), |cell| {
        let (row, size) = (cell / sizes.len(), cell % sizes.len());
        let (nature, shift) = (natures[row / SHIFTS.len()], SHIFTS[row % SHIFTS.len()]);
        let (first, second) = sizes[size];
        let mut rng = generator(SEED + 1, cell as u64);
        let (mut hits, mut others) = (0_usize, 0_usize);
        let count = (effort.data_sets / 2).max(1);
        for seed in 0..count {
            let mut measures = nature.draw(MEASURES, first + second, &mut rng);
            let deviation = nature.deviation();
            for value in measures[0].iter_mut().skip(first).flatten() {
                *value += shift * deviation;
            }
            let found = discovers(first, second, &measures, seed as u64);
            hits += usize::from(found[0]);
            others += usize::from(found[1..].iter().any(|found| *found));
        }
        let percent = |hits: usize| 100.0 * hits as f64 / count as f64;
        format!("{:.0} / {:.1}", percent(hits), percent(others))
    });
    for (row, cells) in cells.chunks(sizes.len()).enumerate() {
        let (nature, shift) = (natures[row / SHIFTS.len()], SHIFTS[row % SHIFTS.len()]);
        let first = [nature.name().to_string(), format!("{shift}")];
        table.row(first.into_iter().chain(cells.iter().cloned()));
    }
    text.push_str(&table.render());
}

/// Whole runs, with phases and alignment: for each size and planted difference, what is found.
struct Whole(Vec<Vec<WholeTally>>);

#[derive(Debug, Clone, Copy, Default)]
struct WholeTally {
    /// Any significant difference where nothing was planted.
    false_ones: usize,
    /// The planted metric is significant in the phase in which it differs.
    found: usize,
    /// And that is the place that is shown.
    placed: usize,
}

impl Whole {
    fn simulate(effort: Effort) -> Whole {
        let cells = Planted::ALL.len() * WHOLE.len();
        let tallies = parallel::map(cells, |cell| {
            let (planted, (first, second)) =
                (Planted::ALL[cell / WHOLE.len()], WHOLE[cell % WHOLE.len()]);
            let mut rng = generator(SEED + 2, cell as u64);
            let mut tally = WholeTally::default();
            for _ in 0..effort.whole {
                let Some(found) = MadeRuns::draw(first, second, planted, &mut rng).contrasted()
                else {
                    continue;
                };
                tally.false_ones += usize::from(planted.has_false(&found));
                tally.found += usize::from(planted.is_found(&found));
                tally.placed += usize::from(planted.is_placed(&found));
            }
            tally
        });
        Whole(tallies.chunks(WHOLE.len()).map(<[WholeTally]>::to_vec).collect())
    }

    fn share(&self, effort: Effort) -> impl Iterator<Item = (Planted, (usize, usize), f64)> + '_ {
        Planted::ALL.into_iter().zip(&self.0).flat_map(move |(planted, tallies)| {
            WHOLE.into_iter().zip(tallies).map(move |(size, tally)| {
                (planted, size, tally.false_ones as f64 / effort.whole.max(1) as f64)
            })
        })
    }

    fn worst(&self) -> f64 {
        let null = self.0.first().map_or(&[][..], Vec::as_slice);
        let most = null.iter().map(|tally| tally.false_ones).max().unwrap_or(0);
        most as f64 / Effort::FULL.whole as f64
    }

    fn missed(&self, effort: Effort) -> Vec<String> {
        let limit = above(effort.whole);
        self.share(effort)
            .filter(|(planted, _, share)| *planted == Planted::Nothing && *share > limit)
            .map(|(_, size, share)| {
                format!("whole runs, {} and {}: {share} have a discovery", size.0, size.1)
            })
            .collect()
    }

    fn section(&self, text: &mut String, effort: Effort) {
        let _ = write!(
            text,
            "\n## Whole runs\n\n{}{} sets of runs per cell. Cells are `false / found / placed`: the share \
             of sets in which a metric is significant that does not differ, in which the planted one is \
             significant in its phase, and in which its phase is the one that is shown.\n\n",
            made_runs::ABOUT,
            effort.whole,
        );
        let sizes = WHOLE.iter().map(|(first, second)| format!("{first} and {second}"));
        let mut table = MarkdownTable::new(std::iter::once("planted".to_string()).chain(sizes));
        for (planted, tallies) in Planted::ALL.iter().zip(&self.0) {
            let percent = |count: usize| 100.0 * count as f64 / effort.whole.max(1) as f64;
            let cell = |tally: &WholeTally| match planted {
                Planted::Nothing => format!("{:.1} / - / -", percent(tally.false_ones)),
                _ => format!(
                    "{:.1} / {:.0} / {:.0}",
                    percent(tally.false_ones),
                    percent(tally.found),
                    percent(tally.placed)
                ),
            };
            let first = std::iter::once(planted.name().to_string());
            table.row(first.chain(tallies.iter().map(cell)));
        }
        text.push_str(&table.render());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_page_has_all_its_tables() {
        let effort = Effort { data_sets: 8, whole: 2 };
        let page = page(effort).unwrap();
        for nature in Nature::ALL {
            assert!(page.contains(&format!("| {}", nature.name())), "{page}");
        }
        for planted in Planted::ALL {
            assert!(page.contains(&format!("| {}", planted.name())), "{page}");
        }
        assert!(!page.contains("NaN"), "{page}");
    }
}
