//! `calibration/spa.md`: figures 4 to 11, 14 and 15 of the SPA paper on its own data.
//!
//! Each trial draws 22 of a file's values without replacement; the truth is the file's own
//! quantile. The counts that decide are therefore hypergeometric, which gives every rank
//! interval's error rate exactly.

mod by_confidence;
mod of_one_sample;

use super::tally::Tally;
use crate::markdown::MarkdownTable;
use crate::population::{Generator, generator};
use crate::{parallel, repository};
use fathom_stats::bca::{self, Resampling};
use fathom_stats::distribution::normal;
use fathom_stats::mean::Moments;
use fathom_stats::quantile::spa::{self, DecidingCounts, Direction};
use fathom_stats::quantile::{self, RankPair};
use fathom_stats::{Confidence, Interval, Probability, Sides};
use rand_core::Rng;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

const DRAWN: usize = 22;
const TRIALS: usize = 1000;
const CONFIDENCE: f64 = 0.9;
const SEED: u64 = 20_231_028;

/// A pair of figures: error rates and widths over the same data.
struct Figure {
    /// Its key in the reference run.
    key: &'static str,
    title: &'static str,
    proportion: f64,
}

const FIGURES: [Figure; 4] = [
    Figure { key: "Fig6/7", title: "Figures 6 and 7: ferret, median", proportion: 0.5 },
    Figure { key: "Fig8/9", title: "Figures 8 and 9: ferret, F = .9", proportion: 0.9 },
    Figure {
        key: "Fig10/11",
        title: "Figures 10 and 11: L1 misses of eight programs, F = .9",
        proportion: 0.9,
    },
    Figure { key: "Fig15", title: "Figure 15: ferret, rounded data, F = .9", proportion: 0.9 },
];

/// The independent reference run, `testdata/vectors/spa/reproduction.json`.
#[derive(Debug, Deserialize)]
struct Reference {
    files: Vec<String>,
    spa: Vec<f64>,
    os: Vec<f64>,
    boot: Vec<f64>,
    null: Vec<f64>,
    wspa: Vec<f64>,
    wos: Vec<f64>,
    wboot: Vec<f64>,
    wz: Vec<Option<f64>>,
    /// The step of the paper's search over the truth.
    g: Vec<f64>,
}

/// What one file gave.
struct Row {
    truth: f64,
    grid: Tally,
    ranks: Tally,
    exact: Tally,
    bca: Tally,
    sign_like: Tally,
    z: Tally,
    theory: Theory,
}

struct Theory {
    grid: f64,
    ranks: f64,
    exact: f64,
}

/// Draws, and writes the page.
pub fn page() -> Result<String, String> {
    let path = repository::testdata().join("vectors/spa/reproduction.json");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let references: BTreeMap<String, Reference> =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut page = head();
    for (number, figure) in FIGURES.iter().enumerate() {
        let reference = references
            .get(figure.key)
            .ok_or_else(|| format!("{}: no \"{}\"", path.display(), figure.key))?;
        let rows = parallel::map(reference.files.len(), |file| {
            let rng = &mut generator(SEED, (100 * number + file) as u64);
            run(figure, &reference.files[file], reference.g[file], rng)
        });
        let rows = rows.into_iter().collect::<Result<Vec<Row>, String>>()?;
        if number == 0 {
            page.push_str(&of_one_sample::section()?);
        }
        if figure.key == "Fig15" {
            page.push_str(&by_confidence::section()?);
        }
        write_figure(&mut page, figure, reference, &rows);
    }
    page.push_str(NOT_HERE);
    Ok(page)
}

const NOT_HERE: &str = "\n## Figures that are not here\n\n\
    - **Figures 1 to 3** show the distributions that motivate the paper, and its structure; nothing is \
    estimated in them.\n\
    - **Figures 4 and 5** are redone by construction, on run times instead of speed-ups: the artifact \
    has no executions with an L2 cache of 512 kB or 1 MB.\n\
    - **Figures 12 and 13** are of L2 misses of eight programs. The artifact has L1 misses only; of L2 \
    misses there is ferret (figures 6 to 9).\n";

fn head() -> String {
    format!(
        "# The SPA paper's figures, on its data\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate spa` (seed {SEED}). {TRIALS} \
         trials; each draws {DRAWN} values of a file without replacement and computes an interval \
         at C = {CONFIDENCE}; the truth is the file's quantile. The property is \"metric > \
         threshold\", as in the paper's artifact, so F = .9 asks for the 10% quantile.\n\n\
         Error rates, in %, should be at most 10:\n\n\
         - **grid**: the paper's search over thresholds with its step; **ranks**: the same \
         interval without the grid (`--method spa`); **exact**: Fathom's default; **BCa**, with \
         the share of samples in which duplicates left it without an interval. For the median \
         also **8/16**, the ranks of the paper's artifact counted from 0 (its \"rank testing\"), \
         and **z**, the paper's z-score, which is mean ± 1.645 sd, without the √n.\n\
         - `theory` is the exact error by the hypergeometric distribution, `ref` an independent \
         run of the same experiment (`testdata/vectors/spa/reproduction.json`). A rate of 10% \
         over {TRIALS} trials has a standard error of 0.9.\n\n\
         Results: the paper's interval without its grid errs in 15% of trials (theory) where 10% \
         was promised. The grid widens the interval and so hides some of that. Where its step is \
         large relative to the spread (canneal), the grid determines the interval. The exact \
         default keeps its promise on every file (theory, at most 9.4%).\n\n\
         Two differences from the reference are known. On rounded data BCa has no interval when \
         every leave-one-out quantile is the same, because the acceleration is then 0/0. An \
         implementation that computes it in floating point gets rounding noise over rounding \
         noise instead, and so an interval, in most of these samples. And the data of the file \
         tlbwritemiss1kround lie on grid points, so the result depends on how the grid is \
         computed; Fathom's grid uses exact decimals.\n"
    )
}

fn run(figure: &Figure, file: &str, step_share: f64, rng: &mut Generator) -> Result<Row, String> {
    let level = |error: fathom_stats::LevelError| error.to_string();
    let proportion = Probability::new(figure.proportion).map_err(level)?;
    let confidence = Confidence::new(CONFIDENCE).map_err(level)?;
    let direction = Direction::Above;
    let p = direction.quantile(proportion);

    let mut population = read(file)?;
    population.sort_unstable_by(f64::total_cmp);
    let truth = quantile::of_sorted(&population, p).ok_or("an empty file")?;
    // The reference gives step / truth; steps are powers of ten.
    let step = 10_f64.powf((step_share * truth).log10().round());

    let counts = spa::deciding_counts(DRAWN, proportion, confidence);
    let spa_ranks = spa::interval(DRAWN, proportion, confidence, direction);
    let exact_ranks = quantile::exact(DRAWN, p, confidence, Sides::Both);
    let mut row = Row {
        truth,
        grid: Tally::default(),
        ranks: Tally::default(),
        exact: Tally::default(),
        bca: Tally::default(),
        sign_like: Tally::default(),
        z: Tally::default(),
        theory: Theory {
            grid: grid_error(&population, counts, truth, step),
            ranks: rank_error(&population, &spa_ranks, truth),
            exact: rank_error(&population, &exact_ranks, truth),
        },
    };
    let mut values = population.clone();
    for _ in 0..TRIALS {
        draw(&mut values, DRAWN, rng);
        let mut sample = values[..DRAWN].to_vec();
        sample.sort_unstable_by(f64::total_cmp);
        row.grid.count(Some(grid_search(&sample, counts, step)), truth);
        row.ranks.count(Some(spa_ranks.of_sorted(&sample)), truth);
        row.exact.count(Some(exact_ranks.of_sorted(&sample)), truth);
        let resampling = Resampling { resamples: 9_999, seed: rng.next_u64() };
        let statistic = bca::BootstrapStatistic::Quantile(p);
        let boot = bca::interval(&sample, statistic, confidence, Sides::Both, resampling);
        row.bca.count(boot.ok(), truth);
        row.sign_like.count(Some(Interval { lower: sample[8], upper: sample[16] }), truth);
        if let Some(moments) = Moments::of(&sample) {
            let half = normal::quantile(0.95) * moments.sd;
            let (lower, upper) = (moments.mean - half, moments.mean + half);
            row.z.count(Some(Interval { lower, upper }), truth);
        }
    }
    Ok(row)
}

fn read(file: &str) -> Result<Vec<f64>, String> {
    let path = repository::testdata().join("spa").join(file);
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.trim()
        .split(',')
        .map(|field| field.trim().parse().map_err(|error| format!("{file}: {field}: {error}")))
        .collect()
}

/// Moves `count` values, drawn without replacement, to the front.
fn draw(values: &mut [f64], count: usize, rng: &mut Generator) {
    for place in 0..count {
        let left = (values.len() - place) as u64;
        let other = place + ((u128::from(rng.next_u64()) * u128::from(left)) >> 64) as usize;
        values.swap(place, other);
    }
}

/// The paper's search: the largest grid point that tests positive, the smallest that tests
/// negative.
fn grid_search(sample: &[f64], counts: DecidingCounts, step: f64) -> Interval {
    let above = |point: i64| sample.iter().filter(|&&x| x > grid_value(point, step)).count();
    let first = (sample[0] / step).floor() as i64 - 2;
    let last = (sample[sample.len() - 1] / step).ceil() as i64 + 2;
    let positive = |m: usize| (first..=last).rev().find(|&point| above(point) >= m);
    let negative = |m: usize| (first..=last).find(|&point| above(point) <= m);
    Interval {
        lower: counts
            .positive_from
            .and_then(positive)
            .map_or(f64::NEG_INFINITY, |point| grid_value(point, step)),
        upper: counts
            .negative_to
            .and_then(negative)
            .map_or(f64::INFINITY, |point| grid_value(point, step)),
    }
}

/// The grid point as decimal text would give it: 7 × 0.001 is not the double 0.007.
fn grid_value(point: i64, step: f64) -> f64 {
    if step < 1.0 { point as f64 / (1.0 / step).round() } else { point as f64 * step }
}

/// The exact probability that a rank interval misses.
fn rank_error(population: &[f64], ranks: &RankPair, truth: f64) -> f64 {
    let at_most = population.partition_point(|&x| x <= truth);
    let below = population.partition_point(|&x| x < truth);
    let too_high: f64 = ranks
        .lower
        .map_or(0.0, |l| (0..l).map(|k| hypergeometric(population.len(), at_most, k)).sum());
    let too_low: f64 = ranks
        .upper
        .map_or(0.0, |u| (u..=DRAWN).map(|k| hypergeometric(population.len(), below, k)).sum());
    too_high + too_low
}

/// The exact probability that the grid search misses.
fn grid_error(population: &[f64], counts: DecidingCounts, truth: f64, step: f64) -> f64 {
    let above = |point: i64| {
        population.len() - population.partition_point(|&x| x <= grid_value(point, step))
    };
    let near = (truth / step).floor() as i64 - 2;
    let next_above = (near..).find(|&point| grid_value(point, step) > truth).unwrap_or(near);
    let next_below = (near - 3..next_above).rev().find(|&point| grid_value(point, step) < truth);
    // The lower end lies above the truth if even the next grid point tests positive.
    let too_high: f64 = counts.positive_from.map_or(0.0, |m| {
        (m..=DRAWN).map(|k| hypergeometric(population.len(), above(next_above), k)).sum()
    });
    let too_low: f64 = counts.negative_to.zip(next_below).map_or(0.0, |(m, point)| {
        (0..=m).map(|k| hypergeometric(population.len(), above(point), k)).sum()
    });
    too_high + too_low
}

/// P(k of the drawn values are among `marked` of `total`).
fn hypergeometric(total: usize, marked: usize, k: usize) -> f64 {
    if k > marked || DRAWN - k > total - marked {
        return 0.0;
    }
    // Draw one by one: choose(DRAWN, k) orders, each with the same product.
    let mut probability = 1.0;
    for i in 0..DRAWN {
        let numerator = if i < k { marked - i } else { total - marked - (i - k) };
        probability *= numerator as f64 / (total - i) as f64;
        if i < k {
            probability *= (DRAWN - i) as f64 / (i + 1) as f64;
        }
    }
    probability
}

fn write_figure(page: &mut String, figure: &Figure, reference: &Reference, rows: &[Row]) {
    let is_median = figure.proportion == 0.5;
    let _ = write!(page, "\n## {}\n\n", figure.title);
    let mut head = vec![
        "file", "grid", "theory", "ref", "ranks", "theory", "ref", "exact", "theory", "BCa",
        "none", "BCa ref", "none ref",
    ];
    if is_median {
        head.extend(["8/16", "z"]);
    }
    let mut errors = MarkdownTable::new(head);
    let rate = |tally: &Tally| format!("{:.1}", 100.0 * (1.0 - tally.coverage()));
    let percent = |value: f64| format!("{:.1}", 100.0 * value);
    for (index, row) in rows.iter().enumerate() {
        let none = row.bca.declined as f64 / row.bca.trials as f64;
        let wrong = (row.bca.trials - row.bca.declined - row.bca.covered) as f64;
        let mut cells = vec![
            short(&reference.files[index]),
            rate(&row.grid),
            percent(row.theory.grid),
            percent(reference.spa[index]),
            rate(&row.ranks),
            percent(row.theory.ranks),
            percent(reference.os[index]),
            rate(&row.exact),
            percent(row.theory.exact),
            percent(wrong / row.bca.trials as f64),
            percent(none),
            percent(reference.boot[index] - reference.null[index]),
            percent(reference.null[index]),
        ];
        if is_median {
            cells.extend([rate(&row.sign_like), rate(&row.z)]);
        }
        errors.row(cells);
    }
    page.push_str(&errors.render());
    page.push_str("\nMean widths over the truth, in %:\n\n");
    let mut head = vec!["file", "grid", "ref", "ranks", "ref", "exact", "BCa", "ref"];
    if is_median {
        head.extend(["8/16", "z", "ref"]);
    }
    let mut widths = MarkdownTable::new(head);
    for (index, row) in rows.iter().enumerate() {
        let width = |tally: &Tally| format!("{:.2}", 100.0 * tally.width() / row.truth);
        let known = |value: f64| format!("{:.2}", 100.0 * value);
        let mut cells = vec![
            short(&reference.files[index]),
            width(&row.grid),
            known(reference.wspa[index]),
            width(&row.ranks),
            known(reference.wos[index]),
            width(&row.exact),
            width(&row.bca),
            known(reference.wboot[index]),
        ];
        if is_median {
            cells.extend([
                width(&row.sign_like),
                width(&row.z),
                reference.wz[index].map_or("-".to_string(), known),
            ]);
        }
        widths.row(cells);
    }
    page.push_str(&widths.render());
}

fn short(file: &str) -> String {
    file.trim_end_matches(".csv")
        .trim_start_matches("ferret_3mb_")
        .replace("-simsmall-cores_4-l2_3MB-l1miss", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hypergeometric_probabilities_add_up() {
        for (total, marked) in [(500, 250), (500, 50), (30, 3), (22, 10)] {
            let sum: f64 = (0..=DRAWN).map(|k| hypergeometric(total, marked, k)).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{total} {marked}: {sum}");
        }
    }
}
