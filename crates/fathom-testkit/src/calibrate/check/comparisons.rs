//! Configurations compared in a study: how often the interval of a geometric mean of ratios covers.

use super::{Effort, SEED};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, Population, generator};
use fathom_stats::quantile::{QuantileFactor, QuantileSample, geometric_mean};
use fathom_stats::{Confidence, Interval, Probability};

/// What is simulated.
struct Setting {
    population: Population,
    level: f64,
    executions: usize,
    benchmarks: usize,
}

const fn setting(
    population: Population,
    level: f64,
    executions: usize,
    benchmarks: usize,
) -> Setting {
    Setting { population, level, executions, benchmarks }
}

const SETTINGS: [Setting; 11] = [
    setting(Population::Lognormal, 0.5, 10, 8),
    setting(Population::Lognormal, 0.5, 30, 1),
    setting(Population::Lognormal, 0.5, 30, 4),
    setting(Population::Lognormal, 0.5, 30, 12),
    setting(Population::Lognormal, 0.9, 60, 1),
    setting(Population::Lognormal, 0.9, 60, 8),
    setting(Population::Pareto, 0.9, 60, 8),
    setting(Population::Bimodal, 0.5, 40, 4),
    setting(Population::Bimodal, 0.5, 40, 12),
    setting(Population::Tied, 0.5, 40, 8),
    setting(Population::Normal, 0.75, 100, 8),
];

/// How two executions with the same seed are related: the probability that they have the same random
/// number, or the opposite one.
const PAIRINGS: [(&str, f64); 3] =
    [("independent", 0.0), ("same seeds, alike", 0.9), ("same seeds, opposite", -0.9)];

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let trials = (effort.trials / 4).max(20);
    let rows = parallel::map(SETTINGS.len(), |cell| row(cell, trials));
    let mut head = vec!["values, quantile, executions, benchmarks".to_string()];
    head.extend(PAIRINGS.iter().map(|(name, _)| (*name).to_string()));
    let mut table = MarkdownTable::new(head.iter().map(String::as_str));
    for row in rows {
        table.row(row?);
    }
    Ok(format!(
        "\n## Configurations compared over benchmarks\n\n\
         Simulated, {trials} studies per cell. A study has a baseline and another configuration, whose \
         values are 1.25 times as large, and some benchmarks, each with a scale of its own. In % of \
         studies: those in which the interval of the geometric mean of the ratios of quantiles covers \
         1.25, where 95% are promised; and the mean width of the interval relative to the ratio. \
         `--shared-seeds` makes pairs: 90% of pairs come from the same random number, or from the \
         opposite one.\n\n\
         {}",
        table.render()
    ))
}

fn row(cell: usize, trials: usize) -> Result<Vec<String>, String> {
    const RATIO: f64 = 1.25;
    let Setting { population, level, executions, benchmarks } = SETTINGS[cell];
    let level = Probability::new(level).map_err(|error| error.to_string())?;
    let mut cells =
        vec![format!("{}, {}, {executions}, {benchmarks}", population.name(), level.get())];
    let fewest = 95.0 - 300.0 * (0.05 * 0.95 / trials as f64).sqrt();
    for (place, (name, alike)) in PAIRINGS.into_iter().enumerate() {
        let mut rng = generator(SEED ^ 0x6e0, (cell * PAIRINGS.len() + place) as u64);
        let (mut covered, mut width, mut bounded) = (0.0, 0.0, 0.0);
        for trial in 0..trials {
            let factor = |benchmark: usize, rng: &mut Generator| {
                let scale = 1.0 + benchmark as f64;
                let pairs: Vec<(f64, f64)> = (0..executions)
                    .map(|_| {
                        let (one, other) = pair(population, alike, rng);
                        (RATIO * scale * one, scale * other)
                    })
                    .collect();
                match alike == 0.0 {
                    true => {
                        let sample = |of: fn(&(f64, f64)) -> f64| {
                            let point = |pair| Interval { lower: of(pair), upper: of(pair) };
                            QuantileSample::new(pairs.iter().map(point), level)
                        };
                        QuantileFactor::ratio(sample(|pair| pair.0), sample(|pair| pair.1))
                    }
                    false => QuantileFactor::ratio_of_pairs(&pairs, level),
                }
            };
            let factors: Vec<QuantileFactor> =
                (0..benchmarks).map(|benchmark| factor(benchmark, &mut rng)).collect();
            let interval = geometric_mean(&factors, Confidence::DEFAULT, trial as u64);
            covered += f64::from(u8::from(interval.contains(RATIO)));
            if interval.width().is_finite() {
                width += interval.width() / RATIO;
                bounded += 1.0;
            }
        }
        let share = 100.0 * covered / trials as f64;
        if share < fewest {
            return Err(format!("{}, {name}: covers {share:.1}%", cells[0]));
        }
        let width = match bounded > 0.0 {
            true => format!("{:.1}%", 100.0 * width / bounded),
            false => "unbounded".to_string(),
        };
        cells.push(format!("{share:.1} / {width}"));
    }
    Ok(cells)
}

/// Two values of a population, alike, opposite or independent.
fn pair(population: Population, alike: f64, rng: &mut Generator) -> (f64, f64) {
    // By random numbers, not by values: tied values stand for many of them.
    let mut number =
        || Population::Normal.cdf(Population::Normal.draw(rng)).clamp(1e-9, 1.0 - 1e-9);
    let (one, fresh, coin) = (number(), number(), number());
    let other = match coin < alike.abs() {
        true if alike > 0.0 => one,
        true => 1.0 - one,
        false => fresh,
    };
    (population.quantile(one), population.quantile(other))
}
