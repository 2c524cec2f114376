//! What removing outliers does to the interval of a mean.

use super::rules::Rule;
use super::{SEED, percent};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, Population, generator};
use fathom_stats::mean::{self, Moments, Reference};
use fathom_stats::outliers::{Method, OutlierGrid};
use fathom_stats::{Confidence, Sides};
use rand_distr::{Distribution, Open01};

const SIZES: [usize; 2] = [50, 500];
const TRIALS: usize = 10_000;

const RULES: [Option<Rule>; 8] = [
    None,
    Some(Rule::Fathom(Method::Simplified, OutlierGrid::Auto)),
    Some(Rule::Fathom(Method::Full, OutlierGrid::Auto)),
    Some(Rule::Fathom(Method::Simplified, OutlierGrid::Off)),
    Some(Rule::Fathom(Method::Full, OutlierGrid::Off)),
    Some(Rule::Fathom(Method::Tukey, OutlierGrid::Off)),
    Some(Rule::Fathom(Method::Mad, OutlierGrid::Off)),
    Some(Rule::Fathom(Method::AdjustedBoxplot, OutlierGrid::Off)),
];

/// What is drawn, and the mean that the interval is for.
#[derive(Debug, Clone, Copy)]
struct Case {
    name: &'static str,
    population: Population,
    contamination: f64,
    truth: fn(Population) -> f64,
}

const CASES: [Case; 5] = [
    Case {
        name: "normal",
        population: Population::Normal,
        contamination: 0.0,
        truth: Population::mean,
    },
    Case {
        name: "normal + 2% far out, the normal's mean",
        population: Population::Normal,
        contamination: 0.02,
        truth: Population::mean,
    },
    Case {
        name: "normal + 2% far out, the mean of all",
        population: Population::Normal,
        contamination: 0.02,
        truth: |population| 0.98 * population.mean() + 0.02 * 400.0,
    },
    Case {
        name: "lognormal",
        population: Population::Lognormal,
        contamination: 0.0,
        truth: Population::mean,
    },
    Case {
        name: "Pareto",
        population: Population::Pareto,
        contamination: 0.0,
        truth: Population::mean,
    },
];

pub(super) fn section() -> Result<String, String> {
    let confidence = Confidence::new(0.95).map_err(|error| error.to_string())?;
    let cells = SIZES.len() * CASES.len();
    let found = parallel::map(cells, |cell| {
        let (n, case) = (SIZES[cell / CASES.len()], CASES[cell % CASES.len()]);
        let mut rng = generator(SEED + 2, cell as u64);
        let mut covered = [0_usize; RULES.len()];
        for _ in 0..TRIALS {
            let values = draw(case, n, &mut rng);
            for (rule, covered) in RULES.into_iter().zip(&mut covered) {
                *covered += usize::from(covers(case, &values, rule, confidence));
            }
        }
        covered
    });
    let mut head = vec!["population", "n"];
    head.extend(RULES.map(|rule| rule.map_or("nothing removed", Rule::name)));
    let mut table = MarkdownTable::new(head);
    for (index, case) in CASES.iter().enumerate() {
        for (size, n) in SIZES.iter().enumerate() {
            let mut row = vec![case.name.to_string(), n.to_string()];
            let covered = found[size * CASES.len() + index];
            row.extend(covered.map(|covered| percent(covered as f64 / TRIALS as f64)));
            table.row(row);
        }
    }
    Ok(format!(
        "## What removing them does to the interval of a mean\n\n\
         Coverage of the 95% t interval in %, {TRIALS} trials, after the labelled values are removed. \
         \"Far out\" is uniform between 10 and 50 standard deviations above the mean.\n\n{}",
        table.render()
    ))
}

fn draw(case: Case, n: usize, rng: &mut Generator) -> Vec<f64> {
    let one = |_| {
        let (u, far): (f64, f64) = (Open01.sample(rng), Open01.sample(rng));
        let value = case.population.draw(rng);
        if u < case.contamination { 200.0 + 400.0 * far } else { value }
    };
    (0..n).map(one).collect()
}

fn covers(case: Case, values: &[f64], rule: Option<Rule>, confidence: Confidence) -> bool {
    let labels = rule.map_or(Vec::new(), |rule| rule.labels(values));
    let mut is_kept = vec![true; values.len()];
    labels.iter().for_each(|&index| is_kept[index] = false);
    let kept: Vec<f64> =
        values.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(value, _)| *value).collect();
    Moments::of(&kept).is_some_and(|moments| {
        mean::interval(&moments, confidence, Sides::Both, Reference::StudentT)
            .contains((case.truth)(case.population))
    })
}
