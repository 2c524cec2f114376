//! Saved results, each measured separately.

use super::Effort;
use super::count::percent;
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, Population, generator};
use crate::process::Process;
use fathom_analyze::compare::{Design, Margin, Verdict, compare_unpaired};
use fathom_analyze::{EstimateRequest, Subject, analyze};
use fathom_record::{Series, Unit};

const SEED: u64 = 20_080_715;
const SIZES: [usize; 3] = [30, 100, 1000];
const CHUNKS: usize = 4;

#[derive(Debug, Clone, Copy)]
enum Source {
    Of(Population),
    Dependent,
    /// Normal, the second session slower by 3%.
    Drifted,
}

const SOURCES: [Source; 5] = [
    Source::Of(Population::Normal),
    Source::Of(Population::Lognormal),
    Source::Of(Population::Bimodal),
    Source::Dependent,
    Source::Drifted,
];

impl Source {
    fn name(self) -> String {
        match self {
            Source::Of(population) => population.name().to_string(),
            Source::Dependent => "AR(1) φ = 0.5, 10% about 100".to_string(),
            Source::Drifted => "normal, 3% of drift between the sessions".to_string(),
        }
    }

    fn session(self, n: usize, is_second: bool, rng: &mut Generator) -> Vec<f64> {
        let mut values = vec![0.0; n];
        match self {
            Source::Of(population) => population.fill(&mut values, rng),
            Source::Dependent => {
                Process::Autoregressive(0.5).fill(&mut values, rng);
                values.iter_mut().for_each(|value| *value = 100.0 + 10.0 * *value);
            }
            Source::Drifted => {
                Population::Normal.fill(&mut values, rng);
                if is_second {
                    values.iter_mut().for_each(|value| *value *= 1.03);
                }
            }
        }
        values
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    trials: u64,
    declined: u64,
    covered: u64,
    different: u64,
}

fn subject(values: Vec<f64>, request: &EstimateRequest) -> Option<Subject> {
    let series = Series::new("saved", Unit::SECONDS, values).ok()?;
    Some(analyze(series, request))
}

fn simulate(source: Source, n: usize, trials: usize, stream: u64) -> Cell {
    let mut rng = generator(SEED, stream);
    let request = EstimateRequest::default();
    let mut cell = Cell::default();
    for _ in 0..trials {
        let sides = [false, true].map(|second| source.session(n, second, &mut rng));
        let [reference, second] = sides.map(|values| subject(values, &request));
        let (Some(reference), Some(second)) = (reference, second) else { continue };
        let found = compare_unpaired(&reference, &second, &request, Margin::DEFAULT, &[]);
        let Ok(found) = found else { continue };
        debug_assert!(matches!(found.design, Design::Unpaired { .. }));
        cell.trials += 1;
        if found.interval.is_finite() {
            cell.covered += u64::from(found.interval.contains(1.0));
        } else {
            cell.declined += 1;
        }
        let is_different = matches!(found.verdict, Verdict::Faster | Verdict::Slower);
        cell.different += u64::from(is_different);
    }
    cell
}

/// At least this much of what is printed must cover.
const COVERED: f64 = 0.935;

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let cells = SOURCES.len() * SIZES.len();
    let parts = parallel::map(cells * CHUNKS, |task| {
        // The longest first.
        let cell = cells - 1 - task / CHUNKS;
        let (source, n) = (SOURCES[cell % SOURCES.len()], SIZES[cell / SOURCES.len()]);
        let trials = if n >= 1000 { effort.saved.div_ceil(10) } else { effort.saved };
        let stream = (cell * CHUNKS + task % CHUNKS) as u64;
        (cell, simulate(source, n, trials.div_ceil(CHUNKS), stream))
    });
    let mut merged = vec![Cell::default(); cells];
    for (cell, part) in &parts {
        let sum = &mut merged[*cell];
        sum.trials += part.trials;
        sum.declined += part.declined;
        sum.covered += part.covered;
        sum.different += part.different;
    }
    let mut broken = Vec::new();
    let head = SIZES.map(|n| format!("n = {n}"));
    let mut table = MarkdownTable::new(std::iter::once("sessions".to_string()).chain(head));
    for (row, source) in SOURCES.into_iter().enumerate() {
        let mut entries = vec![source.name()];
        for (column, n) in SIZES.into_iter().enumerate() {
            let cell = merged[column * SOURCES.len() + row];
            let printed = (cell.trials - cell.declined) as f64;
            let coverage = cell.covered as f64 / printed;
            let declined = cell.declined as f64 / cell.trials as f64;
            let different = cell.different as f64 / cell.trials as f64;
            let slack = 3.0 * (0.05 * 0.95 / printed).sqrt();
            let is_promised = !matches!(source, Source::Drifted);
            if is_promised && printed > 0.0 && coverage < COVERED - slack {
                broken.push(format!("saved, {}, n = {n}: covers {coverage:.4}", source.name()));
            }
            entries.push(format!(
                "{} / {:.0} / {}",
                if printed > 0.0 { percent(coverage) } else { "-".to_string() },
                100.0 * declined,
                percent(different)
            ));
        }
        table.row(entries);
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(format!(
        "\n## Saved results\n\n\
         Two results of n samples, measured separately and compared by their medians. Cells are \
         `coverage among printed, in % / without a finite interval, in % / \"faster\" or \
         \"slower\", in %`, {} pairs per cell ({} at n = 1000). The true ratio is 1. The last row \
         is the reason for pairing: a change between two sessions looks like a difference between \
         the subjects, and no statistic can tell them apart.\n\n\
         {}",
        effort.saved,
        effort.saved.div_ceil(10),
        table.render()
    ))
}
