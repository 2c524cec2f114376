//! What is found, compared with the best that is possible.

use super::coverage::LOOK;
use super::worlds::{density_of_t3, t3};
use super::{ALPHA, Effort, Section, name, percent, quantile};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, generator};
use fathom_stats::distribution::normal;
use fathom_stats::tails::{BlockRuns, tail_ratio};
use rand_distr::{Distribution, StandardNormal};

const SEED: u64 = 19_080_102;
/// Level and number of blocks.
const ROWS: [(f64, usize); 11] = [
    (0.9, 42),
    (0.9, 100),
    (0.9, 400),
    (0.9, 1000),
    (0.99, 400),
    (0.99, 1000),
    (0.99, 4000),
    (0.999, 4000),
    (0.999, 10_000),
    (0.999, 20_000),
    (0.999, 40_000),
];
/// What the best finds.
const BEST: [f64; 3] = [0.5, 0.8, 0.95];
/// From this many runs beyond the quantile on 80% of the best is promised, with both subjects' runs
/// counted.
const PLENTY: f64 = 39.0;
const PROMISED: f64 = 0.8;
/// The difference of the example in the text: at p99 of 4000 blocks, with σ = 0.3.
const EXAMPLE: f64 = 0.05;
const EXAMPLE_ROW: (f64, usize) = (0.99, 4000);

#[derive(Debug, Clone, Copy)]
enum Law {
    Normal,
    T3,
}

impl Law {
    fn draw(self, rng: &mut Generator) -> f64 {
        match self {
            Law::Normal => 0.3 * Distribution::<f64>::sample(&StandardNormal, rng),
            Law::T3 => 0.02 * t3(rng),
        }
    }

    fn density(self, p: f64) -> f64 {
        match self {
            Law::Normal => {
                let z = normal::quantile(p);
                (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt() / 0.3
            }
            Law::T3 => density_of_t3(p) / 0.02,
        }
    }

    /// The standard error of the log-ratio of two sample quantiles: the best for large samples.
    fn best_error(self, p: f64, blocks: usize) -> f64 {
        let runs = 2.0 * blocks as f64;
        (2.0 * p * (1.0 - p) / runs).sqrt() / self.density(p)
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Found {
    trials: u64,
    found: [u64; BEST.len()],
    /// How often a difference of [`EXAMPLE`] is found, in both directions together.
    example: u64,
    half_width: f64,
}

impl Found {
    /// A share of the comparisons, each of which counts for two directions.
    fn share(&self, count: u64) -> f64 {
        count as f64 / (2 * self.trials) as f64
    }
}

fn simulate(law: Law, p: f64, n: usize, trials: usize, stream: u64) -> Found {
    let mut rng = generator(SEED, stream);
    let z = -normal::quantile(0.5 * ALPHA);
    let error = law.best_error(p, n);
    let mut all = Found::default();
    let mut half_widths = Vec::new();
    for _ in 0..trials {
        let mut two = || [law.draw(&mut rng).exp(), law.draw(&mut rng).exp()];
        let blocks: Vec<BlockRuns> = (0..n).filter_map(|_| BlockRuns::of(two(), two())).collect();
        let Some(look) = tail_ratio(&blocks, quantile(p), LOOK) else { continue };
        all.trials += 1;
        half_widths.push(0.5 * look.interval.width());
        // A subject slower by this much only moves the interval: 1 is left out where this ratio is left
        // out of the interval of equal subjects. Both directions count.
        let found = |distance: f64| {
            u64::from(look.interval.lower > -distance) + u64::from(look.interval.upper < distance)
        };
        for (count, best) in all.found.iter_mut().zip(BEST) {
            *count += found((z + normal::quantile(best)) * error);
        }
        all.example += found(EXAMPLE.ln_1p());
    }
    half_widths.sort_by(f64::total_cmp);
    all.half_width = half_widths.get(half_widths.len() / 2).copied().unwrap_or(f64::INFINITY);
    all
}

pub(super) fn section(effort: Effort) -> Section {
    let z = -normal::quantile(0.5 * ALPHA);
    let laws = [Law::Normal, Law::T3];
    let all = parallel::map(laws.len() * ROWS.len(), |task| {
        // The longest first.
        let task = laws.len() * ROWS.len() - 1 - task;
        let (p, n) = ROWS[task / laws.len()];
        simulate(laws[task % laws.len()], p, n, effort.of(n), task as u64)
    });
    let all: Vec<Found> = all.into_iter().rev().collect();
    let mut table = MarkdownTable::new([
        "quantile, blocks",
        "runs beyond",
        "σ 0.3: half width",
        "times the best",
        "finds of 50, 80, 95",
        "t₃ × 0.02: half width",
        "times the best",
        "finds of 50, 80, 95",
    ]);
    let mut broken = Vec::new();
    let mut least = [1.0_f64; BEST.len()];
    for ((p, n), row) in ROWS.into_iter().zip(all.chunks(laws.len())) {
        let beyond = 4.0 * n as f64 * (1.0 - p);
        let mut cells = vec![format!("{}, {n}", name(quantile(p))), format!("{beyond:.0}")];
        for (law, found) in laws.into_iter().zip(row) {
            let shares = found.found.map(|count| found.share(count));
            let best = z * law.best_error(p, n);
            cells.push(if found.half_width.is_finite() {
                format!("{}%", percent(found.half_width))
            } else {
                "none".to_string()
            });
            cells.push(format!("{:.2}", found.half_width / best).replace("inf", "-"));
            cells.push(shares.map(|share| format!("{:.0}", 100.0 * share)).join(", "));
            for (least, (share, best)) in least.iter_mut().zip(shares.iter().zip(BEST)) {
                if beyond < PLENTY {
                    continue;
                }
                *least = least.min(*share / best);
                let chance = 3.0 * (best * (1.0 - best) / found.trials as f64).sqrt();
                // The smallest of the differences is where every widening costs most.
                if best > 0.6 && *share < PROMISED * best - chance {
                    broken.push(format!("p {p}, {n} blocks, {law:?}: finds {share:.3} of {best}"));
                }
            }
        }
        table.row(cells);
    }
    let row = ROWS.iter().position(|row| *row == EXAMPLE_ROW);
    let example = row.and_then(|row| all.get(row * laws.len()));
    let example = example.map_or(f64::NAN, |found| found.share(found.example));
    let error = Law::Normal.best_error(EXAMPLE_ROW.0, EXAMPLE_ROW.1);
    let best_of_example = normal::cdf(EXAMPLE.ln_1p() / error - z);
    let text = format!(
        "\n## Quantiles: power\n\n\
         Independent runs. *The best* is the normal interval around the ratio of sample quantiles with \
         a known density, p(1 − p)/(n f²) for each side: no interval is shorter in large samples. \
         *Times the best* is the median half width over the best one. *Finds* is the share of \
         comparisons that find a difference which the best finds in 50, 80 and 95%. *Runs beyond* \
         counts both subjects. From 40 runs beyond the quantile on, the shares found are at least \
         {:.0}, {:.0} and {:.0}% of the best. With a σ of .3, 8000 runs of each subject find a \
         difference of 5% at p99 in {:.0}% of comparisons; the best finds it in {:.0}%.\n\n{}",
        100.0 * least[0],
        100.0 * least[1],
        100.0 * least[2],
        100.0 * example,
        100.0 * best_of_example,
        table.render()
    );
    Section { text, broken }
}
