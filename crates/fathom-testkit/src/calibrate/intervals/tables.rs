//! How the page of interval coverages is written.

use super::{CONFIDENCES, Cell, Effort, MEAN_METHODS, RankMethod, SEED, SIZES, Warned};
use crate::calibrate::tally::Tally;
use crate::markdown::MarkdownTable;
use crate::population::Population;
use fathom_stats::{Confidence, Probability};
use std::fmt::Write;

pub(super) fn head(effort: Effort) -> String {
    format!(
        "# Coverage and width of every interval method\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate intervals` (seed {SEED}, \
         {} trials per cell; bootstrap {} trials of {} resamples).\n\n\
         Cells are `coverage in % / mean width`; widths are in interquartile ranges of the \
         population, for one-sided bounds the mean distance of the bound from the truth. \
         `exact` is the coverage by theory for a continuous distribution; ties can only raise \
         it. `ranks` are the order statistics used, `-` an infinite end. The Monte-Carlo standard \
         error of a coverage of 95% is {:.2} points (bootstrap {:.2}).\n\n\
         Populations: normal; lognormal with σ = 1; Pareto with index 2 (infinite variance); \
         bimodal, 60% around 10 and 40% around 15, sd 0.5; tied, a normal rounded to about six \
         values.\n",
        effort.trials,
        effort.bootstrap_trials,
        effort.resamples,
        100.0 * (0.95 * 0.05 / effort.trials as f64).sqrt(),
        100.0 * (0.95 * 0.05 / effort.bootstrap_trials as f64).sqrt(),
    )
}

fn population_names() -> impl Iterator<Item = String> {
    Population::ALL.into_iter().map(|population| population.name().to_string())
}

/// Writes the sections and returns what a default method owes.
pub(super) fn quantile_sections<'a>(
    text: &mut String,
    body: &mut String,
    levels: &[(Probability, Confidence)],
    find: &impl Fn(usize, usize) -> &'a Cell,
) -> Vec<String> {
    let mut shortfalls = Vec::new();
    let mut least_margin = f64::INFINITY;
    for (index, method) in RankMethod::ALL.into_iter().enumerate() {
        let _ = write!(body, "\n## Quantiles by {}\n\n", method.title());
        let columns = ["C", "F", "n", "ranks", "exact"].map(str::to_string);
        let mut table = MarkdownTable::new(columns.into_iter().chain(population_names()));
        for c in CONFIDENCES {
            for (level, &(p, confidence)) in levels.iter().enumerate() {
                if confidence.get() != c || !method.serves(p) {
                    continue;
                }
                for n in SIZES {
                    let ranks = method.ranks(n, p, confidence);
                    let rank = |end: Option<usize>| end.map_or("-".into(), |end| end.to_string());
                    let mut row = vec![
                        c.to_string(),
                        p.get().to_string(),
                        n.to_string(),
                        format!("{} {}", rank(ranks.lower), rank(ranks.upper)),
                        format!("{:.2}", 100.0 * ranks.coverage),
                    ];
                    for (number, population) in Population::ALL.into_iter().enumerate() {
                        let tally = &find(n, number).ranks[level][index];
                        row.push(entry(tally, population));
                        if method == RankMethod::Exact {
                            least_margin = least_margin.min(ranks.coverage - c);
                            let floor = c - 4.0 * tally.standard_error(c);
                            if !confidence.is_reached_by(ranks.coverage) || tally.coverage() < floor
                            {
                                shortfalls.push(format!(
                                    "exact: {} n={n} F={} C={c} covers {:.4}",
                                    population.name(),
                                    p.get(),
                                    tally.coverage()
                                ));
                            }
                        }
                    }
                    table.row(row);
                }
            }
        }
        body.push_str(&table.render());
    }
    let _ = write!(
        text,
        "\nNo default for quantiles, with or without `--assume-independent`, is below its \
         confidence: no simulated coverage lies more than 4 standard errors below C, and by \
         theory that of exact ranks exceeds C by {least_margin:.5} or more in every cell.\n",
    );
    shortfalls
}

pub(super) const BCA_NOTE: &str = "Approximate. The third number is the share of samples, in %, \
    without an interval because of duplicates.";

const DEFAULT_NOTE: &str = "The default of `fathom analyze`: ranks that allow for dependent \
    samples (`docs/methods/dependence.md`), here on independent ones. The third number is the \
    share, in %, without an interval. Ten samples are too few to judge dependence, and get the \
    conditional interval of independent ones (`few_samples.md`).";

/// Writes the default's section and returns where it falls short.
pub(super) fn default_section<'a>(
    text: &mut String,
    levels: &[(Probability, Confidence)],
    find: &impl Fn(usize, usize) -> &'a Cell,
) -> Vec<String> {
    level_section(text, "default", DEFAULT_NOTE, levels, find, |cell| &cell.quantile_default);
    let mut shortfalls = Vec::new();
    for (level, &(p, confidence)) in levels.iter().enumerate() {
        for n in SIZES {
            for (number, population) in Population::ALL.into_iter().enumerate() {
                let tally = &find(n, number).quantile_default[level];
                let c = confidence.get();
                if tally.declined < tally.trials
                    && tally.coverage() < c - 4.0 * tally.standard_error(c)
                {
                    shortfalls.push(format!(
                        "default: {} n={n} F={} C={c} covers {:.4}",
                        population.name(),
                        p.get(),
                        tally.coverage()
                    ));
                }
            }
        }
    }
    shortfalls
}

/// A method whose coverage has no closed form: a row per confidence, proportion and size.
pub(super) fn level_section<'a>(
    text: &mut String,
    title: &str,
    note: &str,
    levels: &[(Probability, Confidence)],
    find: &impl Fn(usize, usize) -> &'a Cell,
    tallies: impl Fn(&'a Cell) -> &'a Vec<Tally>,
) {
    let _ = write!(text, "\n## Quantiles by {title}\n\n{note}\n\n");
    let columns = ["C", "F", "n"].map(str::to_string);
    let mut table = MarkdownTable::new(columns.into_iter().chain(population_names()));
    for c in CONFIDENCES {
        for (level, &(p, confidence)) in levels.iter().enumerate() {
            if confidence.get() != c {
                continue;
            }
            for n in SIZES {
                let mut row = vec![c.to_string(), p.get().to_string(), n.to_string()];
                for (number, population) in Population::ALL.into_iter().enumerate() {
                    row.push(entry(&tallies(find(n, number))[level], population));
                }
                table.row(row);
            }
        }
    }
    text.push_str(&table.render());
}

pub(super) fn mean_sections<'a>(text: &mut String, find: &impl Fn(usize, usize) -> &'a Cell) {
    text.push_str(
        "\n## Means by default\n\nAllowing for dependence, here on samples without any.\n\n",
    );
    let cell = |n: usize, population: usize, index: usize| {
        let kind = Population::ALL[population];
        entry(&find(n, population).mean_default[index], kind)
    };
    text.push_str(&size_table(cell));
    for (method, (title, ..)) in MEAN_METHODS.into_iter().enumerate() {
        let _ = write!(text, "\n## Means by {title}\n\n");
        text.push_str(&size_table(|n, population, index| {
            entry(&find(n, population).means[index][method], Population::ALL[population])
        }));
    }
    text.push_str(
        "\n## The skewness warning on the mean's t interval\n\n\
         No interval of the mean can be guaranteed on heavy tails. The report warns where the \
         sample's skewness is high for its size. Cells are `samples warned / missing intervals \
         warned`, in %. On the normal population every warning is a false alarm. On the lognormal \
         and Pareto populations, where the coverage above falls below C, every warning is \
         justified.\n\n",
    );
    text.push_str(&size_table(|n, population, index| {
        let Warned { trials, warned, missed, missed_and_warned } =
            find(n, population).warned[index];
        format!(
            "{:.1} / {:.1}",
            100.0 * warned as f64 / trials as f64,
            100.0 * missed_and_warned as f64 / missed.max(1) as f64
        )
    }));
}

/// A row per confidence and size, a column per population; `cell` takes size, population and
/// confidence by number.
fn size_table(cell: impl Fn(usize, usize, usize) -> String) -> String {
    let columns = ["C", "n"].map(str::to_string);
    let mut table = MarkdownTable::new(columns.into_iter().chain(population_names()));
    for (index, c) in CONFIDENCES.into_iter().enumerate() {
        for n in SIZES {
            let cells = (0..Population::ALL.len()).map(|population| cell(n, population, index));
            table.row([c.to_string(), n.to_string()].into_iter().chain(cells));
        }
    }
    table.render()
}

fn entry(tally: &Tally, population: Population) -> String {
    if tally.declined == tally.trials {
        return "none".to_string();
    }
    let declined = 100.0 * tally.declined as f64 / tally.trials as f64;
    let mut entry =
        format!("{:.1} / {:.3}", 100.0 * tally.coverage(), tally.width() / population.scale());
    if tally.declined > 0 {
        let _ = write!(entry, " / {declined:.1}");
    }
    entry
}
