//! `calibration/dependence.md`: intervals on samples that depend on each other.

mod kinds;

use super::tally::Tally;
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use crate::process::Process;
use fathom_stats::dependence::{first_negligible, mean_interval, quantile_ranks};
use fathom_stats::distribution::student_t;
use fathom_stats::mean::{self, Moments, Reference};
use fathom_stats::{Confidence, Interval, Probability, Sides, quantile};
use std::fmt::Write;

const SEED: u64 = 19_780_901;
const SIZES: [usize; 4] = [50, 200, 1000, 5000];
const CHUNKS: usize = 10;

/// Where the promise is made.
const PROMISED: [Process; 9] = [
    Process::Autoregressive(0.0),
    Process::Autoregressive(0.3),
    Process::Autoregressive(0.5),
    Process::Autoregressive(0.8),
    Process::Autoregressive(0.9),
    Process::Autoregressive(-0.3),
    Process::MovingAverage(0.8),
    Process::TwoStates { dwell: 5.0 },
    Process::TwoStates { dwell: 20.0 },
];

/// Where no rule can know what it has not seen.
const APART: [Process; 3] =
    [Process::TwoStates { dwell: 200.0 }, Process::Bursts, Process::LongMemory];

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Series per cell.
    pub trials: usize,
}

impl Effort {
    /// What the committed table was made with.
    pub const FULL: Effort = Effort { trials: 10_000 };
}

const METHODS: [&str; 6] = [
    "mean",
    "median",
    "mean, first-crossing subsessions",
    "mean, naive t",
    "mean, ten batch means",
    "median, independent ranks",
];

type Cell = [Tally; 6];

/// Simulates and writes the page; an error names cells that break the promise.
pub fn page(effort: Effort) -> Result<String, String> {
    let processes: Vec<Process> = PROMISED.into_iter().chain(APART).collect();
    let cells = processes.len() * SIZES.len();
    let chunks = parallel::map(cells * CHUNKS, |task| {
        let (cell, chunk) = (cells - 1 - task / CHUNKS, task % CHUNKS);
        let (process, n) = (processes[cell / SIZES.len()], SIZES[cell % SIZES.len()]);
        (cell, simulate(process, n, effort.trials.div_ceil(CHUNKS), (cell * CHUNKS + chunk) as u64))
    });
    let mut merged: Vec<Cell> = vec![Default::default(); cells];
    for (cell, tallies) in &chunks {
        for (mine, theirs) in merged[*cell].iter_mut().zip(tallies) {
            mine.merge(theirs);
        }
    }
    let find = |process: usize, size: usize| &merged[process * SIZES.len() + size];
    let broken = broken_promises(&find);
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    let mut text = head(effort, &find);
    for (method, title) in METHODS.iter().enumerate() {
        let _ = write!(text, "\n## {}\n\n", capitalised(title));
        let columns = SIZES.iter().map(|n| format!("n = {n}"));
        let mut table = MarkdownTable::new(std::iter::once("process".to_string()).chain(columns));
        for (row, process) in processes.iter().enumerate() {
            let entries = SIZES
                .iter()
                .enumerate()
                .map(|(column, &n)| entry(&find(row, column)[method], *process, n));
            table.row(std::iter::once(process.name()).chain(entries));
        }
        text.push_str(&table.render());
    }
    text.push_str(&kinds::section(effort)?);
    Ok(text)
}

fn simulate(process: Process, n: usize, trials: usize, stream: u64) -> Cell {
    let mut rng = generator(SEED, stream);
    let mut series = vec![0.0; n];
    let mut cell = Cell::default();
    let confidence = Confidence::DEFAULT;
    let naive_ranks = quantile::exact(n, Probability::HALF, confidence, Sides::Both);
    for _ in 0..trials {
        process.fill(&mut series, &mut rng);
        let mean = mean_interval(&series, confidence, Sides::Both).ok();
        let median = quantile_ranks(&series, Probability::HALF, confidence, Sides::Both)
            .ok()
            .filter(|found| found.ranks.is_finite());
        let crossing = first_crossing(&series, confidence);
        let naive = Moments::of(&series)
            .map(|moments| mean::interval(&moments, confidence, Sides::Both, Reference::StudentT));
        let batches = ten_batches(&series, confidence);
        let mut sorted = series.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        cell[0].count(mean.map(|found| found.interval), process.mean());
        cell[1].count(median.map(|found| found.ranks.of_sorted(&sorted)), process.median());
        cell[2].count(crossing, process.mean());
        cell[3].count(naive, process.mean());
        cell[4].count(batches, process.mean());
        cell[5].count(Some(naive_ranks.of_sorted(&sorted)), process.median());
    }
    cell
}

/// Pilot's: merge until the lag-1 autocorrelation is negligible, then t.
fn first_crossing(series: &[f64], confidence: Confidence) -> Option<Interval> {
    let merged = first_negligible(series)?;
    let moments = Moments::of(series)?;
    let h = merged.count as f64;
    let half =
        -student_t::quantile(h - 1.0, confidence.alpha() / 2.0) * (merged.variance / h).sqrt();
    Some(Interval { lower: moments.mean - half, upper: moments.mean + half })
}

fn ten_batches(series: &[f64], confidence: Confidence) -> Option<Interval> {
    let size = series.len() / 10;
    let means: Vec<f64> = series
        .chunks_exact(size)
        .take(10)
        .map(|batch| batch.iter().sum::<f64>() / size as f64)
        .collect();
    let moments = Moments::of(&means)?;
    Some(mean::interval(&moments, confidence, Sides::Both, Reference::StudentT))
}

/// The rule: where the true effective size is at least 10 and more than 5% of trials
/// print, at least 93.5% of what is printed covers; and everywhere what is printed and wrong is
/// at most 5% of all trials.
fn broken_promises<'a>(find: &impl Fn(usize, usize) -> &'a Cell) -> Vec<String> {
    let mut broken = Vec::new();
    for (row, process) in PROMISED.into_iter().enumerate() {
        for (column, n) in SIZES.into_iter().enumerate() {
            if !process.shows_its_states(n) {
                continue;
            }
            for (method, name) in METHODS.iter().enumerate().take(2) {
                let tally = &find(row, column)[method];
                let printed = tally.printed_share();
                let wrong = printed * (1.0 - tally.coverage());
                let error = 3.0 * tally.standard_error(0.95);
                if process.effective(n) >= 10.0
                    && printed > 0.05
                    && tally.coverage() < 0.935 - error
                {
                    let coverage = tally.coverage();
                    broken.push(format!("{name}, {} n={n}: covers {coverage:.4}", process.name()));
                }
                if printed > 0.0 && wrong > 0.05 + error {
                    broken.push(format!("{name}, {} n={n}: {wrong:.4} wrong", process.name()));
                }
            }
        }
    }
    broken
}

fn head<'a>(effort: Effort, find: &impl Fn(usize, usize) -> &'a Cell) -> String {
    let mut least = f64::INFINITY;
    let mut wrong = 0.0_f64;
    for (row, process) in PROMISED.into_iter().enumerate() {
        for (column, n) in SIZES.into_iter().enumerate() {
            if !process.shows_its_states(n) {
                continue;
            }
            for tally in find(row, column).iter().take(2) {
                let printed = tally.printed_share();
                if printed > 0.0 {
                    wrong = wrong.max(printed * (1.0 - tally.coverage()));
                }
                if printed > 0.05 && process.effective(n) >= 10.0 {
                    least = least.min(tally.coverage());
                }
            }
        }
    }
    format!(
        "# Intervals on dependent samples\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate dependence` (seed {SEED}, {} \
         series per cell, 95% confidence).\n\n\
         Cells are `coverage among printed, in % / declined, in % / mean width over 3.92 standard \
         errors of the mean of as many samples`. A star marks cells whose true effective size is \
         below 10, a dagger series shorter than ten stays in a state; the first promise does not \
         apply to either. The Monte-Carlo standard error of a coverage of 95% is {:.2} points, \
         and larger where few print.\n\n\
         The first two tables are Fathom's rule (`docs/methods/dependence.md`), the others what \
         it replaces. Goal: at least 93.5% where the true effective size is at least 10 and more \
         than 5% of series print; and printed-and-wrong in at most 5% of all series (without \
         daggers). Lowest such coverage: {:.1}%. Most printed and wrong: {:.1}%.\n\n\
         The last three processes are separate: states that last as long as the series, bursts \
         too rare to appear, and memory longer than the series. No rule can account for a state \
         that is absent from the data. Fathom reports the effective sample size and the lag-1 \
         autocorrelation; a longer run is the only remedy.\n",
        effort.trials,
        100.0 * (0.95 * 0.05 / effort.trials as f64).sqrt(),
        100.0 * least,
        100.0 * wrong,
    )
}

fn entry(tally: &Tally, process: Process, n: usize) -> String {
    let star = match (process.shows_its_states(n), process.effective(n) < 10.0) {
        (false, _) => " †",
        (true, true) => " *",
        (true, false) => "",
    };
    let printed = tally.printed_share();
    if printed == 0.0 {
        return format!("- / 100{star}");
    }
    let sd = process_sd(process);
    let unit = 3.92 * sd / process.effective(n).sqrt();
    format!(
        "{:.1} / {:.0} / {:.2}{star}",
        100.0 * tally.coverage(),
        100.0 * (1.0 - printed),
        tally.width() / unit
    )
}

/// The standard deviation of a single sample.
fn process_sd(process: Process) -> f64 {
    match process {
        Process::TwoStates { .. } => (9.0 / 4.0 + 1.0_f64).sqrt(),
        Process::Bursts => (25.0 * 0.05 * 0.95 + 1.0_f64).sqrt(),
        _ => 1.0,
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_calibration_holds() {
        let page = page(Effort { trials: 300 }).unwrap();
        assert!(!page.contains("NaN"), "{page}");
    }
}
