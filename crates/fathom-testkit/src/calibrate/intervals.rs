//! `calibration/intervals.md`: coverage and width of every interval method.

mod tables;

use super::every_look;
use super::tally::Tally;
use crate::parallel;
use crate::population::{Generator, Population, generator};
use fathom_stats::bca::{self, Bootstrap, Resampling};
use fathom_stats::dependence::{mean_interval, quantile_ranks};
use fathom_stats::mean::{self, Moments, Reference, SkewnessVerdict, skewness_verdict};
use fathom_stats::quantile::spa::{self, Direction};
use fathom_stats::quantile::{self, RankPair, sequence};
use fathom_stats::{Confidence, LevelError, Probability, Sides};
use rand_core::Rng;

const SIZES: [usize; 5] = [10, 22, 50, 100, 1000];
const PROPORTIONS: [f64; 3] = [0.5, 0.9, 0.99];
const CONFIDENCES: [f64; 3] = [0.9, 0.95, 0.99];
const SEED: u64 = 20_261_115;
/// Work is split so that all cores stay busy to the end.
const CHUNKS: usize = 20;

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Trials of the methods that cost a sort.
    pub trials: usize,
    /// Trials of the bootstrap.
    pub bootstrap_trials: usize,
    /// Resamples in each of those.
    pub resamples: usize,
}

impl Effort {
    /// What the committed table was made with.
    pub const FULL: Effort = Effort { trials: 100_000, bootstrap_trials: 10_000, resamples: 1_999 };
}

/// The methods for quantiles, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RankMethod {
    Exact,
    Lower,
    Upper,
    Sequence,
    Spa,
    Sign,
}

impl RankMethod {
    const ALL: [RankMethod; 6] = [
        RankMethod::Exact,
        RankMethod::Lower,
        RankMethod::Upper,
        RankMethod::Sequence,
        RankMethod::Spa,
        RankMethod::Sign,
    ];

    fn title(self) -> &'static str {
        match self {
            RankMethod::Exact => "exact with --assume-independent: the narrowest rank pair",
            RankMethod::Lower => "exact, lower bound",
            RankMethod::Upper => "exact, upper bound",
            RankMethod::Sequence => "sequence: valid at every look",
            RankMethod::Spa => "spa: the paper's interval",
            RankMethod::Sign => "sign: the sign-test interval of the median",
        }
    }

    fn serves(self, p: Probability) -> bool {
        self != RankMethod::Sign || p == Probability::HALF
    }

    fn ranks(self, n: usize, p: Probability, confidence: Confidence) -> RankPair {
        match self {
            RankMethod::Exact => quantile::exact(n, p, confidence, Sides::Both),
            RankMethod::Lower => quantile::exact(n, p, confidence, Sides::Lower),
            RankMethod::Upper => quantile::exact(n, p, confidence, Sides::Upper),
            RankMethod::Sequence => sequence::ranks(n, p, confidence, Sides::Both),
            RankMethod::Spa => spa::interval(n, p, confidence, Direction::AtMost),
            RankMethod::Sign => quantile::sign_test(n, confidence),
        }
    }
}

/// The methods for means: reference distribution or bootstrap, and sides.
const MEAN_METHODS: [(&str, Option<Reference>, Sides); 5] = [
    ("t with --assume-independent", Some(Reference::StudentT), Sides::Both),
    ("z", Some(Reference::Normal), Sides::Both),
    ("bca", None, Sides::Both),
    ("t, lower bound", Some(Reference::StudentT), Sides::Lower),
    ("t, upper bound", Some(Reference::StudentT), Sides::Upper),
];

/// Index into the flat list of levels.
fn levels() -> Result<Vec<(Probability, Confidence)>, LevelError> {
    let mut levels = Vec::new();
    for p in PROPORTIONS {
        for c in CONFIDENCES {
            levels.push((Probability::new(p)?, Confidence::new(c)?));
        }
    }
    Ok(levels)
}

/// What one population at one size gave.
#[derive(Debug, Clone)]
struct Cell {
    ranks: Vec<[Tally; 6]>,
    quantile_bca: Vec<Tally>,
    /// The defaults, which allow for dependence.
    quantile_default: Vec<Tally>,
    mean_default: Vec<Tally>,
    means: Vec<[Tally; 5]>,
    warned: Vec<Warned>,
}

/// How often the skewness warning was given.
#[derive(Debug, Clone, Copy, Default)]
struct Warned {
    trials: u64,
    warned: u64,
    missed: u64,
    missed_and_warned: u64,
}

impl Cell {
    fn empty() -> Cell {
        Cell {
            ranks: vec![Default::default(); PROPORTIONS.len() * CONFIDENCES.len()],
            quantile_bca: vec![Tally::default(); PROPORTIONS.len() * CONFIDENCES.len()],
            quantile_default: vec![Tally::default(); PROPORTIONS.len() * CONFIDENCES.len()],
            mean_default: vec![Tally::default(); CONFIDENCES.len()],
            means: vec![Default::default(); CONFIDENCES.len()],
            warned: vec![Warned::default(); CONFIDENCES.len()],
        }
    }

    fn merge(&mut self, other: &Cell) {
        let pairs = self.ranks.iter_mut().flatten().zip(other.ranks.iter().flatten());
        let bca = self.quantile_bca.iter_mut().zip(&other.quantile_bca);
        let defaults = self.quantile_default.iter_mut().zip(&other.quantile_default);
        let default_means = self.mean_default.iter_mut().zip(&other.mean_default);
        let means = self.means.iter_mut().flatten().zip(other.means.iter().flatten());
        for (mine, theirs) in pairs.chain(bca).chain(means).chain(defaults).chain(default_means) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.warned.iter_mut().zip(&other.warned) {
            mine.trials += theirs.trials;
            mine.warned += theirs.warned;
            mine.missed += theirs.missed;
            mine.missed_and_warned += theirs.missed_and_warned;
        }
    }
}

/// Simulates and writes the page. The error names default methods that fall short.
pub fn page(effort: Effort) -> Result<String, String> {
    let levels = levels().map_err(|error| error.to_string())?;
    let cells = Population::ALL.len() * SIZES.len();
    let chunks = parallel::map(cells * CHUNKS, |task| {
        // Largest sizes first, so that no core is left with one at the end.
        let (cell, chunk) = (cells - 1 - task / CHUNKS, task % CHUNKS);
        let (size, population) = (SIZES[cell / 5], Population::ALL[cell % 5]);
        let mut rng = generator(SEED, (cell * CHUNKS + chunk) as u64);
        (cell, simulate(population, size, &levels, effort, &mut rng))
    });
    let mut merged = vec![Cell::empty(); cells];
    for (cell, tallies) in &chunks {
        merged[*cell].merge(tallies);
    }
    let find = |n: usize, population: usize| {
        let size = SIZES.iter().position(|&size| size == n).unwrap_or(0);
        &merged[size * 5 + population]
    };
    let mut text = tables::head(effort);
    let mut defaults = String::new();
    let mut shortfalls = tables::default_section(&mut defaults, &levels, &find);
    let mut ranks = String::new();
    shortfalls.extend(tables::quantile_sections(&mut text, &mut ranks, &levels, &find));
    text.push_str(&defaults);
    text.push_str(&ranks);
    tables::level_section(&mut text, "bca", tables::BCA_NOTE, &levels, &find, |cell| {
        &cell.quantile_bca
    });
    text.push_str(&every_look::section().map_err(|error| error.to_string())?);
    tables::mean_sections(&mut text, &find);
    if shortfalls.is_empty() { Ok(text) } else { Err(shortfalls.join("\n")) }
}

fn simulate(
    population: Population,
    n: usize,
    levels: &[(Probability, Confidence)],
    effort: Effort,
    rng: &mut Generator,
) -> Cell {
    let mut cell = Cell::empty();
    let plans: Vec<Vec<(usize, RankPair)>> = levels
        .iter()
        .map(|&(p, c)| {
            let methods = RankMethod::ALL.iter().enumerate();
            methods
                .filter(|(_, method)| method.serves(p))
                .map(|(index, method)| (index, method.ranks(n, p, c)))
                .collect()
        })
        .collect();
    let truths: Vec<f64> = levels.iter().map(|(p, _)| population.quantile(p.get())).collect();
    let mut sample = vec![0.0; n];
    for _ in 0..effort.trials.div_ceil(CHUNKS) {
        population.fill(&mut sample, rng);
        count_means(&mut cell, &sample, population.mean());
        sample.sort_unstable_by(f64::total_cmp);
        for (level, plan) in plans.iter().enumerate() {
            for (method, ranks) in plan {
                cell.ranks[level][*method].count(Some(ranks.of_sorted(&sample)), truths[level]);
            }
        }
    }
    for _ in 0..effort.bootstrap_trials.div_ceil(CHUNKS) {
        population.fill(&mut sample, rng);
        count_defaults(&mut cell, &sample, levels, &truths, population.mean());
        sample.sort_unstable_by(f64::total_cmp);
        count_bootstrap(&mut cell, &sample, population, effort, rng);
    }
    cell
}

fn count_means(cell: &mut Cell, sample: &[f64], truth: f64) {
    let Some(moments) = Moments::of(sample) else { return };
    let doubtful = skewness_verdict(&moments) == SkewnessVerdict::Doubtful;
    for (index, c) in CONFIDENCES.into_iter().enumerate() {
        let Ok(confidence) = Confidence::new(c) else { continue };
        for (method, (_, reference, sides)) in MEAN_METHODS.into_iter().enumerate() {
            if let Some(reference) = reference {
                let found = mean::interval(&moments, confidence, sides, reference);
                cell.means[index][method].count(Some(found), truth);
                if method == 0 {
                    let missed = !found.contains(truth);
                    let warned = &mut cell.warned[index];
                    warned.trials += 1;
                    warned.warned += u64::from(doubtful);
                    warned.missed += u64::from(missed);
                    warned.missed_and_warned += u64::from(missed && doubtful);
                }
            }
        }
    }
}

/// The defaults see the samples in the order of measurement.
fn count_defaults(
    cell: &mut Cell,
    sample: &[f64],
    levels: &[(Probability, Confidence)],
    truths: &[f64],
    mean: f64,
) {
    let mut sorted = sample.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    for (level, (&(p, confidence), &truth)) in levels.iter().zip(truths).enumerate() {
        let found = quantile_ranks(sample, p, confidence, Sides::Both);
        let interval = found.ok().map(|found| found.ranks.of_sorted(&sorted));
        cell.quantile_default[level].count(interval, truth);
    }
    for (index, c) in CONFIDENCES.into_iter().enumerate() {
        let Ok(confidence) = Confidence::new(c) else { continue };
        let found = mean_interval(sample, confidence, Sides::Both);
        cell.mean_default[index].count(found.ok().map(|found| found.interval), mean);
    }
}

fn count_bootstrap(
    cell: &mut Cell,
    sorted: &[f64],
    population: Population,
    effort: Effort,
    rng: &mut Generator,
) {
    let resampling = Resampling { resamples: effort.resamples, seed: rng.next_u64() };
    let mut mean = Bootstrap::run(sorted, bca::BootstrapStatistic::Mean, resampling);
    for (index, c) in CONFIDENCES.into_iter().enumerate() {
        let Ok(confidence) = Confidence::new(c) else { continue };
        let interval = mean.as_mut().ok().map(|run| run.interval(confidence, Sides::Both));
        cell.means[index][2].count(interval, population.mean());
    }
    for (row, p) in PROPORTIONS.into_iter().enumerate() {
        let Ok(level) = Probability::new(p) else { continue };
        let mut run = Bootstrap::run(sorted, bca::BootstrapStatistic::Quantile(level), resampling);
        for (index, c) in CONFIDENCES.into_iter().enumerate() {
            let Ok(confidence) = Confidence::new(c) else { continue };
            let interval = run.as_mut().ok().map(|run| run.interval(confidence, Sides::Both));
            cell.quantile_bca[row * CONFIDENCES.len() + index]
                .count(interval, population.quantile(p));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small run of the whole page: the default must keep its promise here too.
    #[test]
    fn a_small_calibration_holds() {
        let effort = Effort { trials: 2_000, bootstrap_trials: 40, resamples: 99 };
        let page = page(effort).unwrap();
        assert!(page.contains("## Looking after every sample"));
        assert!(!page.contains("NaN"), "{page}");
    }
}
