//! The ratio of two distributions, quantile by quantile.

use super::cache::Cache;
use super::{CHUNKS, Count, Effort, SEED};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, generator};
use fathom_stats::band::{Band, Banded, shift, worth};
use fathom_stats::distribution::normal;
use fathom_stats::{Confidence, Probability};
use rand_distr::{Distribution, StandardNormal};

/// Two subjects whose logarithms are normal.
#[derive(Debug, Clone, Copy)]
struct Pair {
    name: &'static str,
    /// The subject's standard deviation; the reference's is 1.
    spread: f64,
    /// How much of the variance the two share in time, and how much of it stays from one to the next.
    shared: f64,
    stays: f64,
}

const PAIRS: [Pair; 4] = [
    Pair { name: "the same but for 10%", spread: 1.0, shared: 0.0, stays: 0.0 },
    Pair { name: "wider by a fifth", spread: 1.2, shared: 0.0, stays: 0.0 },
    Pair { name: "side by side, half of the noise shared", spread: 1.0, shared: 0.5, stays: 0.0 },
    Pair { name: "the same, and it stays (φ = 0.7)", spread: 1.0, shared: 0.5, stays: 0.7 },
];

const SHIFT: f64 = 1.1;

fn levels() -> impl Iterator<Item = Probability> {
    (1..100).filter_map(|percent| Probability::new(f64::from(percent) / 100.0).ok())
}

impl Pair {
    fn fill(self, subject: &mut [f64], reference: &mut [f64], rng: &mut Generator) {
        let normal = |rng: &mut Generator| -> f64 { StandardNormal.sample(rng) };
        let mut common = normal(rng);
        for (above, below) in subject.iter_mut().zip(reference) {
            common = self.stays * common + (1.0 - self.stays * self.stays).sqrt() * normal(rng);
            let mut own = || self.shared.sqrt() * common + (1.0 - self.shared).sqrt() * normal(rng);
            *above = SHIFT * (self.spread * own()).exp();
            *below = own().exp();
        }
    }

    fn truth(self, p: Probability) -> f64 {
        SHIFT * ((self.spread - 1.0) * normal::quantile(p.get())).exp()
    }
}

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let columns = effort.sizes.len();
    let cells = PAIRS.len() * columns;
    // As the view does it: each band errs half as often.
    let each = Confidence::new(1.0 - 0.5 * Confidence::DEFAULT.alpha())
        .map_err(|error| error.to_string())?;
    let bands = Cache::new(each, |band| band);
    // A trial costs two hundred searches.
    let trials = effort.trials.div_ceil(4 * CHUNKS);
    let parts = parallel::map(cells * CHUNKS, |task| {
        let (cell, chunk) = (cells - 1 - task / CHUNKS, task % CHUNKS);
        let (pair, n) = (PAIRS[cell / columns], effort.sizes[cell % columns]);
        let mut rng = generator(SEED + 1, (cell * CHUNKS + chunk) as u64);
        (cell, simulate(pair, n, trials, &mut rng, &bands))
    });
    let mut merged = vec![Count::default(); cells];
    for (cell, count) in &parts {
        merged[*cell].add(count);
    }
    let head = effort.sizes.iter().map(|n| format!("n = {n}"));
    let mut table =
        MarkdownTable::new(std::iter::once("subject and reference".to_string()).chain(head));
    for (pair, row) in PAIRS.iter().zip(merged.chunks(columns)) {
        for (count, n) in row.iter().zip(effort.sizes) {
            if count.drawn > 0 && count.coverage() < 0.95 - count.chance() {
                return Err(format!("{} n={n}: covers {:.4}", pair.name, count.coverage()));
            }
        }
        table.row(std::iter::once(pair.name.to_string()).chain(row.iter().map(Count::entry)));
    }
    Ok(format!(
        "\n## The ratio of two, quantile by quantile\n\n\
         Logarithms are normal. All 99 intervals of the ratio, from 1% to 99%, must hold at once; \
         cells are `coverage among drawn / declined`, in %, {} pairs of series per cell.\n\n\
         {}",
        trials * CHUNKS,
        table.render()
    ))
}

fn simulate(
    pair: Pair,
    n: usize,
    trials: usize,
    rng: &mut Generator,
    bands: &Cache<Band>,
) -> Count {
    let (mut subject, mut reference) = (vec![0.0; n], vec![0.0; n]);
    let mut count = Count::default();
    for _ in 0..trials {
        pair.fill(&mut subject, &mut reference, rng);
        count.trials += 1;
        let each =
            Confidence::new(1.0 - 0.5 * Confidence::DEFAULT.alpha()).unwrap_or(Confidence::DEFAULT);
        let worths = worth(&subject, each).ok().zip(worth(&reference, each).ok());
        let Some((above, below)) = worths else { continue };
        subject.sort_unstable_by(f64::total_cmp);
        reference.sort_unstable_by(f64::total_cmp);
        let above = Banded { sorted: &subject, band: Some(*bands.of(n, above)) };
        let below = Banded { sorted: &reference, band: Some(*bands.of(n, below)) };
        let holds = levels().all(|p| {
            shift(above, below, p).is_some_and(|found| found.interval.contains(pair.truth(p)))
        });
        count.drawn += 1;
        count.covered += u64::from(holds);
    }
    count
}
