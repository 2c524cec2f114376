//! Clean populations: every label is wrong.

use super::rules::Rule;
use super::{Counts, SEED, percent};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Population, generator};

const SIZES: [usize; 4] = [10, 20, 200, 5000];
/// How many trials at each size.
const TRIALS: [usize; 4] = [10_000, 10_000, 1000, 200];

pub(super) fn section() -> String {
    let cells = SIZES.len() * Population::ALL.len();
    let found = parallel::map(cells, |cell| {
        let (size, population) = (cell / 5, Population::ALL[cell % 5]);
        let mut rng = generator(SEED + 1, cell as u64);
        let mut counts = [Counts::default(); Rule::ALL.len()];
        let mut values = vec![0.0; SIZES[size]];
        let truth = vec![false; SIZES[size]];
        for _ in 0..TRIALS[size] {
            population.fill(&mut values, &mut rng);
            for (rule, counts) in Rule::ALL.into_iter().zip(&mut counts) {
                counts.add(&rule.labels(&values), &truth);
            }
        }
        counts
    });
    let mut head = vec!["population", "n"];
    head.extend(Rule::ALL.map(Rule::name));
    let mut table = MarkdownTable::new(head);
    for (index, population) in Population::ALL.iter().enumerate() {
        for (size, n) in SIZES.iter().enumerate() {
            let mut row = vec![population.name().to_string(), n.to_string()];
            row.extend(found[size * 5 + index].iter().map(|c| percent(c.false_removal())));
            table.row(row);
        }
    }
    format!(
        "## What is labelled in clean data\n\n\
         The share of values labelled, in %. No outliers were added, so each label is wrong, \
         unless you call the long tails of the lognormal and the Pareto outliers.\n\n\
         {}",
        table.render()
    )
}
