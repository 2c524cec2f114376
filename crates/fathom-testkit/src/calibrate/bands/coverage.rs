//! How often all of the distribution lies within.

use super::cache::Cache;
use super::source::Source;
use super::{CHUNKS, Count, Effort, SEED};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Population, generator};
use crate::process::Process;
use fathom_stats::band::{Band, worth};
use fathom_stats::{Confidence, Interval};

const INDEPENDENT: [Population; 4] =
    [Population::Normal, Population::Lognormal, Population::Pareto, Population::Tied];

const IN_TIME: [Process; 9] = [
    Process::Autoregressive(0.3),
    Process::Autoregressive(0.5),
    Process::Autoregressive(0.8),
    Process::Autoregressive(0.9),
    Process::MovingAverage(0.8),
    Process::TwoStates { dwell: 5.0 },
    Process::TwoStates { dwell: 20.0 },
    Process::Bursts,
    Process::LongMemory,
];

pub(super) fn sources() -> Vec<Source> {
    let independent = INDEPENDENT.into_iter().map(Source::Independent);
    independent.chain(IN_TIME.into_iter().map(Source::InTime)).collect()
}

/// Of one cell: the band that takes samples as independent, and the one that does not.
type Cell = [Count; 2];

pub(super) fn section(effort: Effort) -> Result<String, String> {
    let sources = sources();
    let columns = effort.sizes.len();
    let cells = sources.len() * columns;
    let ends = Cache::new(Confidence::DEFAULT, ends);
    let parts = parallel::map(cells * CHUNKS, |task| {
        let (cell, chunk) = (cells - 1 - task / CHUNKS, task % CHUNKS);
        let (source, n) = (sources[cell / columns], effort.sizes[cell % columns]);
        let trials = effort.trials.div_ceil(CHUNKS);
        (cell, simulate(source, n, trials, (cell * CHUNKS + chunk) as u64, &ends))
    });
    let mut merged = vec![Cell::default(); cells];
    for (cell, counts) in &parts {
        for (mine, theirs) in merged[*cell].iter_mut().zip(counts) {
            mine.add(theirs);
        }
    }
    let find = |row: usize, column: usize| &merged[row * columns + column];
    let broken = broken_promises(&sources, effort.sizes, &find);
    if broken.is_empty() { Ok(text(&sources, effort.sizes, &find)) } else { Err(broken.join("\n")) }
}

/// The band at every count.
fn ends(band: Band) -> Vec<Interval> {
    (0..=band.samples()).map(|count| band.at(count)).collect()
}

fn simulate(
    source: Source,
    n: usize,
    trials: usize,
    stream: u64,
    ends: &Cache<Vec<Interval>>,
) -> Cell {
    let mut rng = generator(SEED, stream);
    let mut samples = vec![0.0; n];
    let mut cell = Cell::default();
    for _ in 0..trials {
        source.fill(&mut samples, &mut rng);
        let judged = worth(&samples, Confidence::DEFAULT).ok();
        samples.sort_unstable_by(f64::total_cmp);
        for (count, worth) in cell.iter_mut().zip([Some(n), judged]) {
            count.trials += 1;
            let Some(worth) = worth else { continue };
            count.drawn += 1;
            count.worth += worth as f64;
            count.covered += u64::from(covers(source, &samples, &ends.of(n, worth)));
        }
    }
    cell
}

/// Whether the true distribution function is within at every sample, and just before it.
fn covers(source: Source, sorted: &[f64], ends: &[Interval]) -> bool {
    let mut before = 0;
    for ties in sorted.chunk_by(|a, b| a == b) {
        let (value, count) = (ties[0], before + ties.len());
        if source.cdf(value) < ends[count].lower || source.below(value) > ends[before].upper {
            return false;
        }
        before = count;
    }
    true
}

fn broken_promises<'a>(
    sources: &[Source],
    sizes: &[usize],
    find: &impl Fn(usize, usize) -> &'a Cell,
) -> Vec<String> {
    const SELDOM: f64 = 0.05;
    let mut broken = Vec::new();
    for (row, &source) in sources.iter().enumerate() {
        for (column, &n) in sizes.iter().enumerate() {
            let [independent, judged] = find(row, column);
            let name = source.name();
            let is_independent = matches!(source, Source::Independent(_));
            if is_independent && independent.coverage() < 0.95 - independent.chance() {
                let coverage = independent.coverage();
                broken.push(format!("as independent, {name} n={n}: covers {coverage:.4}"));
            }
            if !source.is_promised(n) || judged.drawn == 0 {
                continue;
            }
            if judged.drawn_share() > SELDOM && judged.coverage() < 0.95 - judged.chance() {
                broken.push(format!("{name} n={n}: covers {:.4}", judged.coverage()));
            }
            if judged.wrong() > 0.05 + judged.chance() {
                broken.push(format!("{name} n={n}: {:.4} wrong", judged.wrong()));
            }
        }
    }
    broken
}

fn text<'a>(
    sources: &[Source],
    sizes: &[usize],
    find: &impl Fn(usize, usize) -> &'a Cell,
) -> String {
    let table = |what: usize, cell: &dyn Fn(&Count, Source, usize) -> String| {
        let head = sizes.iter().map(|n| format!("n = {n}"));
        let mut table = MarkdownTable::new(std::iter::once("samples".to_string()).chain(head));
        for (row, &source) in sources.iter().enumerate() {
            let cells = sizes
                .iter()
                .enumerate()
                .map(|(column, &n)| cell(&find(row, column)[what], source, n));
            table.row(std::iter::once(source.name()).chain(cells));
        }
        table.render()
    };
    let marked = |count: &Count, source: Source, n: usize| {
        let star = if source.is_promised(n) { "" } else { " *" };
        format!("{}{star}", count.entry())
    };
    let worth = |count: &Count, _: Source, n: usize| match count.drawn {
        0 => "-".to_string(),
        drawn => format!("{:.2}", count.worth / drawn as f64 / n as f64),
    };
    let plain = |count: &Count, _: Source, _: usize| format!("{:.1}", 100.0 * count.coverage());
    format!(
        "\n## The band that is drawn\n\n\
         Cells are `coverage among drawn, in % / declined, in %`. Fathom promises a coverage of \
         at least 95, and that at most 5% of all series are drawn and wrong. A star marks cells \
         without that promise: a true effective size below 10, series shorter than ten stays in a \
         state, bursts too rare to appear, memory longer than the series.\n\n\
         {}\n\
         The share of n samples that count as independent, on average:\n\n\
         {}\n\
         ## Assumed independent\n\n\
         With `--assume-independent`: exact where the samples are independent, far too narrow \
         where they are not. Coverage in %.\n\n\
         {}",
        table(1, &marked),
        table(1, &worth),
        table(0, &plain),
    )
}
