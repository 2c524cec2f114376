//! `calibration/suggestions.md`: how often something is suggested in noise, and how often what was
//! planted is.

mod noises;
mod shapes;

use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_explain::suggest::{Suggestion, suggest};
use fathom_explain::{Grid, Sequence};
use fathom_record::Span;
use noises::{NOISES, Noise};
use shapes::{SHAPES, Shape};
use std::fmt::Write;

const SEED: u64 = 20_050_612;
/// What noise without anomaly is looked at.
const SIZES: [usize; 6] = [12, 20, 50, 100, 300, 1000];
/// Long ones, in fewer replicates.
const LONG: usize = 10_000;
/// In which lengths and noise anomalies are planted.
const PLANTED: [usize; 3] = [100, 300, 1000];
const AROUND: [Noise; 2] = [Noise::White, Noise::Autoregressive(0.9)];
/// How large they are, in standard deviations of the noise.
const HEIGHTS: [f64; 4] = [2.0, 4.0, 8.0, 16.0];
/// A window is right if it overlaps so much with the truth.
const RIGHT: f64 = 0.5;

/// How much is simulated.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Series of each kind of noise and length.
    pub noises: usize,
    /// Series of each planted anomaly.
    pub planted: usize,
}

impl Effort {
    /// What the committed page has.
    pub const FULL: Effort = Effort { noises: 2000, planted: 200 };
}

/// Simulates and writes the page. The error names stationary noise in which something is suggested
/// more often than in 5% of series, by over 3 standard errors.
pub fn page(effort: Effort) -> Result<String, String> {
    let alarms = Alarms::simulate(effort);
    let missed = alarms.missed(effort);
    if !missed.is_empty() {
        return Err(missed.join("\n"));
    }
    let found = Found::simulate(effort);
    let mut text = head(&alarms, &found);
    alarms.section(&mut text, effort);
    found.section(&mut text, effort);
    Ok(text)
}

fn head(alarms: &Alarms, found: &Found) -> String {
    format!(
        "# Suggestions: false alarms and hits\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate suggestions` (seed {SEED}). \
         The method is in `docs/methods/suggestions.md`. All numbers are in percent.\n\n\
         The goal holds: at most 5% of series of stationary normal noise, independent or \
         dependent with a lag-1 correlation of up to .9, get a suggestion, at worst {}.\n\n\
         What fails, and by how much:\n\n\
         - Noise with long tails has extreme single values: at worst {}.\n\
         - Memory longer than the series looks like change: at worst {}. Random walks: at worst \
         {}.\n\
         - Not found in half of the series although 8 standard deviations large: {}.\n\n",
        alarms.worst(|noise| noise.has_goal()),
        alarms.worst(|noise| noise.has_long_tails()),
        alarms.worst(|noise| noise == Noise::Autoregressive(0.98)),
        alarms.worst(|noise| noise == Noise::RandomWalk),
        found.weak(),
    )
}

/// Rows of a tenth of a second.
fn suggested(values: Vec<f64>) -> Vec<Suggestion> {
    let grid = Grid::even(values.len(), Span::from_milliseconds(100));
    grid.map_or(Vec::new(), |grid| suggest(&grid, &Sequence::from(values), 10))
}

/// The share of series with a suggestion, by noise and length.
struct Alarms {
    sizes: Vec<usize>,
    /// A row for each noise.
    shares: Vec<Vec<f64>>,
}

impl Alarms {
    fn simulate(effort: Effort) -> Alarms {
        let sizes: Vec<usize> = SIZES.into_iter().chain([LONG]).collect();
        let cells = NOISES.len() * sizes.len();
        // The last sizes take longest: they go first.
        let mut shares = parallel::map(cells, |cell| {
            let cell = cells - 1 - cell;
            let (size, noise) = (sizes[cell / NOISES.len()], NOISES[cell % NOISES.len()]);
            let mut rng = generator(SEED, cell as u64);
            let count = replicates(size, effort);
            let hits = (0..count).filter(|_| !suggested(noise.draw(size, &mut rng)).is_empty());
            hits.count() as f64 / count as f64
        });
        shares.reverse();
        let row = |noise: usize| {
            (0..sizes.len()).map(|size| shares[size * NOISES.len() + noise]).collect()
        };
        Alarms { shares: (0..NOISES.len()).map(row).collect(), sizes }
    }

    /// Cells above the goal by more than chance.
    fn missed(&self, effort: Effort) -> Vec<String> {
        let mut missed = Vec::new();
        for (noise, shares) in NOISES.iter().zip(&self.shares).filter(|(noise, _)| noise.has_goal())
        {
            for (&size, &share) in self.sizes.iter().zip(shares) {
                let error = (0.05 * 0.95 / replicates(size, effort) as f64).sqrt();
                if share > 0.05 + 3.0 * error {
                    let noise = noise.name();
                    missed.push(format!("{noise}, n = {size}: {share} of series get a suggestion"));
                }
            }
        }
        missed
    }

    /// The largest share among some kinds of noise, with where it is.
    fn worst(&self, which: impl Fn(Noise) -> bool) -> String {
        let rows = NOISES.iter().zip(&self.shares).filter(|(noise, _)| which(**noise));
        let cells = rows.flat_map(|(noise, shares)| {
            self.sizes.iter().zip(shares).map(|(size, share)| (*share, noise.name(), *size))
        });
        let worst = cells.max_by(|a, b| a.0.total_cmp(&b.0));
        worst.map_or(String::new(), |(share, name, size)| {
            format!("{}% ({name}, n = {size})", percent(share))
        })
    }

    fn section(&self, text: &mut String, effort: Effort) {
        let _ = write!(
            text,
            "## False alarms\n\nThe share of series that get any suggestion although nothing was \
             planted. {} series per cell, {} at n = {LONG}; the standard error of 5% is {:.2} and \
             {:.2}.\n\n",
            replicates(SIZES[0], effort),
            replicates(LONG, effort),
            100.0 * (0.05 * 0.95 / replicates(SIZES[0], effort) as f64).sqrt(),
            100.0 * (0.05 * 0.95 / replicates(LONG, effort) as f64).sqrt(),
        );
        let sizes = self.sizes.iter().map(|size| format!("n = {size}"));
        let first = ["series".to_string(), "goal".to_string()];
        let mut table = MarkdownTable::new(first.into_iter().chain(sizes));
        for (noise, shares) in NOISES.iter().zip(&self.shares) {
            let goal = if noise.has_goal() { "5" } else { "-" };
            let shares = shares.iter().map(|share| percent(*share));
            table.row([noise.name(), goal.to_string()].into_iter().chain(shares));
        }
        text.push_str(&table.render());
    }
}

fn replicates(size: usize, effort: Effort) -> usize {
    if size == LONG { (effort.noises / 10).max(1) } else { effort.noises }
}

/// What became of one planted anomaly.
struct Trial {
    /// The place of the right one among the suggestions; absent if it is not there.
    place: Option<usize>,
    /// How much of its windows and of the truth is in both.
    overlap: f64,
    /// How many other suggestions there are.
    others: usize,
}

/// All trials, by shape, noise, length and height, in this order.
struct Found {
    cells: Vec<Vec<Trial>>,
}

impl Found {
    fn simulate(effort: Effort) -> Found {
        let cells = SHAPES.len() * AROUND.len() * PLANTED.len() * HEIGHTS.len();
        let cells = parallel::map(cells, |cell| {
            let (shape, noise, size, height) = Found::parts(cell);
            let mut rng = generator(SEED + 1, cell as u64);
            let trial = |_| {
                let noise = noise.draw(size, &mut rng);
                let values = noise.iter().enumerate();
                let values = values.map(|(row, x)| x + height * shape.at(row, size)).collect();
                trial(shape, size, &suggested(values))
            };
            (0..effort.planted).map(trial).collect()
        });
        Found { cells }
    }

    fn parts(cell: usize) -> (Shape, Noise, usize, f64) {
        let height = HEIGHTS[cell % HEIGHTS.len()];
        let cell = cell / HEIGHTS.len();
        let size = PLANTED[cell % PLANTED.len()];
        let cell = cell / PLANTED.len();
        (SHAPES[cell / AROUND.len()], AROUND[cell % AROUND.len()], size, height)
    }

    /// What is not found in half of the series at a height of 8.
    fn weak(&self) -> String {
        let weak = self.cells.iter().enumerate().filter_map(|(cell, trials)| {
            let (shape, noise, size, height) = Found::parts(cell);
            let hit = hits(trials);
            let is_weak = height > 7.0 && height < 9.0 && hit < 0.5;
            is_weak.then(|| {
                format!("{} in {}, n = {size} ({}%)", shape.name(), noise.name(), percent(hit))
            })
        });
        let weak: Vec<String> = weak.collect();
        if weak.is_empty() { "none".to_string() } else { weak.join("; ") }
    }

    fn section(&self, text: &mut String, effort: Effort) {
        let _ = write!(
            text,
            "\n## Planted anomalies\n\n\
             The paper's shapes, and shapes that resemble them. Heights are in standard \
             deviations of the noise. Cells are `found / overlap / others`: the share of series \
             in which a suggestion of the right kind has windows that overlap by at least half \
             with the truth (for a period: whose length is right within 10%); the mean overlap of \
             those (intersection over union); and the mean number of other suggestions. {} series \
             per cell.\n\n",
            effort.planted,
        );
        for (number, noise) in AROUND.iter().enumerate() {
            let _ = writeln!(text, "In {}:\n", noise.name());
            let heights = HEIGHTS.iter().map(|height| format!("{height} sd"));
            let first = ["shape".to_string(), "n".to_string()];
            let mut table = MarkdownTable::new(first.into_iter().chain(heights));
            for (which, shape) in SHAPES.iter().enumerate() {
                for (size, n) in PLANTED.iter().enumerate() {
                    let row =
                        ((which * AROUND.len() + number) * PLANTED.len() + size) * HEIGHTS.len();
                    let cells = (row..row + HEIGHTS.len()).map(|cell| entry(&self.cells[cell]));
                    table.row([shape.name().to_string(), n.to_string()].into_iter().chain(cells));
                }
            }
            text.push_str(&table.render());
            text.push('\n');
        }
        let first = self.cells.iter().flatten().filter(|trial| trial.place == Some(0)).count();
        let all = self.cells.iter().flatten().filter(|trial| trial.place.is_some()).count();
        let _ = writeln!(
            text,
            "The planted anomaly, where found, is the first suggestion in {}% of series.",
            percent(first as f64 / all.max(1) as f64)
        );
    }
}

fn trial(shape: Shape, size: usize, found: &[Suggestion]) -> Trial {
    let overlap = |suggestion: &Suggestion| shape.overlap(suggestion, size);
    let overlaps: Vec<f64> = found.iter().map(overlap).collect();
    let place = overlaps.iter().position(|&overlap| overlap >= RIGHT);
    Trial {
        place,
        overlap: place.map_or(0.0, |place| overlaps[place]),
        others: found.len() - usize::from(place.is_some()),
    }
}

fn hits(trials: &[Trial]) -> f64 {
    trials.iter().filter(|trial| trial.place.is_some()).count() as f64 / trials.len().max(1) as f64
}

fn entry(trials: &[Trial]) -> String {
    let hit: Vec<&Trial> = trials.iter().filter(|trial| trial.place.is_some()).collect();
    let overlap = hit.iter().map(|trial| trial.overlap).sum::<f64>() / hit.len().max(1) as f64;
    let overlap = if hit.is_empty() { "-".to_string() } else { format!("{:.0}", 100.0 * overlap) };
    let others: usize = trials.iter().map(|trial| trial.others).sum();
    let others = others as f64 / trials.len().max(1) as f64;
    format!("{:.0} / {overlap} / {others:.1}", 100.0 * hits(trials))
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_page_has_all_its_tables() {
        let page = page(Effort { noises: 10, planted: 2 }).unwrap();
        assert_eq!(page, super::page(Effort { noises: 10, planted: 2 }).unwrap());
        for noise in NOISES {
            assert!(page.contains(&format!("| {}", noise.name())), "{page}");
        }
        for shape in SHAPES {
            assert!(page.contains(&format!("| {}", shape.name())), "{page}");
        }
        assert!(!page.contains("NaN"), "{page}");
    }
}
