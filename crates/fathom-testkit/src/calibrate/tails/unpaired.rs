//! Results that were measured separately.

use super::{ALPHA, Count, Effort, Section, name, quantile};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, generator};
use fathom_stats::distribution::normal;
use fathom_stats::tails::{RatioOf, UnpairedRuns, tail_ratio_unpaired};
use rand_distr::{Distribution, Exp1, Open01, StandardNormal};

const SEED: u64 = 19_281_005;
const SIZES: [usize; 3] = [100, 1000, 5000];

/// Logarithms of autoregressive series with these standard deviations.
#[derive(Debug, Clone, Copy)]
struct Source {
    phi: f64,
    reference: f64,
    subject: f64,
    /// The share of the subject's runs that stall, for an exponential time with the mean of a run.
    stalls: f64,
}

impl Source {
    fn series(&self, sigma: f64, n: usize, rng: &mut Generator) -> Vec<f64> {
        let mut state: f64 = StandardNormal.sample(rng);
        (0..n)
            .map(|_| {
                let z: f64 = StandardNormal.sample(rng);
                state = self.phi * state + (1.0 - self.phi * self.phi).sqrt() * z;
                (sigma * state).exp()
            })
            .collect()
    }

    fn truth(&self, of: RatioOf) -> f64 {
        match of {
            RatioOf::Quantile(p) => (self.subject - self.reference) * normal::quantile(p.get()),
            RatioOf::Mean => {
                0.5 * (self.subject.powi(2) - self.reference.powi(2)) + self.stalls.ln_1p()
            }
            RatioOf::Minimum => 0.0,
        }
    }

    fn name(&self) -> String {
        let shape = format!("σ {} and {}", self.reference, self.subject);
        match (self.phi > 0.0, self.stalls > 0.0) {
            (true, _) => format!("{shape}, AR({})", self.phi),
            (_, true) => format!("{shape}; {:.0}% of the runs stall", 100.0 * self.stalls),
            _ => shape,
        }
    }
}

pub(super) fn section(effort: Effort) -> Section {
    let source = |phi, reference, subject| Source { phi, reference, subject, stalls: 0.0 };
    let sources = [
        source(0.0, 0.3, 0.3),
        source(0.0, 0.1, 0.3),
        source(0.3, 0.1, 0.1),
        source(0.5, 0.1, 0.2),
        source(0.8, 0.1, 0.1),
        Source { stalls: 0.1, ..source(0.0, 0.1, 0.1) },
    ];
    let statistics =
        [quantile(0.5), quantile(0.9), quantile(0.99), RatioOf::Mean, RatioOf::Minimum];
    let columns: Vec<(RatioOf, usize)> =
        statistics.iter().flat_map(|&of| SIZES.map(|n| (of, n))).collect();
    let counts = parallel::map(sources.len() * columns.len(), |cell| {
        let (source, (of, n)) = (sources[cell / columns.len()], columns[cell % columns.len()]);
        let mut rng = generator(SEED, cell as u64);
        let mut count = Count::default();
        for _ in 0..effort.trials.div_ceil(if n > 1000 { 4 } else { 1 }) {
            let mut values =
                [source.subject, source.reference].map(|s| source.series(s, n, &mut rng));
            for value in values[0].iter_mut().filter(|_| source.stalls > 0.0) {
                let (uniform, stall): (f64, f64) = (Open01.sample(&mut rng), Exp1.sample(&mut rng));
                if uniform < source.stalls {
                    *value *= 1.0 + stall;
                }
            }
            let [subject, reference] =
                [&values[0], &values[1]].map(|v| UnpairedRuns::judged(v, of));
            let (Some(subject), Some(reference)) = (subject, reference) else { continue };
            let found = tail_ratio_unpaired(subject, reference, of, ALPHA, 0.0);
            count.add(found.interval, source.truth(of));
        }
        count
    });
    let mut broken = Vec::new();
    let mut tables = String::new();
    let mut worst = 1.0_f64;
    for (place, of) in statistics.into_iter().enumerate() {
        let head = SIZES.map(|n| format!("{}, {n} runs", name(of)));
        let mut table = MarkdownTable::new(std::iter::once("results".to_string()).chain(head));
        for (source, row) in sources.iter().zip(counts.chunks(columns.len())) {
            let has_one_shape = (source.subject - source.reference).abs() < 1e-9;
            let is_simple = has_one_shape && source.phi <= 0.0 && source.stalls <= 0.0;
            // Of stalls, only the mean is known.
            let has_truth = source.stalls <= 0.0 || of == RatioOf::Mean;
            if (of == RatioOf::Minimum && !is_simple) || !has_truth {
                continue;
            }
            let row = &row[SIZES.len() * place..SIZES.len() * (place + 1)];
            for (count, n) in row.iter().zip(SIZES) {
                if count.falls_short() {
                    let covers = count.coverage();
                    broken.push(format!("{}, {}, {n}: {covers:.4}", source.name(), name(of)));
                }
                if !count.cell().starts_with('-') {
                    worst = worst.min(count.coverage());
                }
            }
            table.row(std::iter::once(source.name()).chain(row.iter().map(Count::cell)));
        }
        tables.push_str(&table.render());
        tables.push('\n');
    }
    let text = format!(
        "\n## Results that were measured separately\n\n\
         Two series of lognormal times, each judged for its dependence. Nothing but the subject changes \
         between them; drift between two sessions cannot be told from a difference, as \
         [Comparisons under noise](compare.md) shows. Lowest coverage: {:.1}%.\n\n{}",
        100.0 * worst,
        tables.trim_end_matches('\n').to_string() + "\n"
    );
    Section { text, broken }
}
