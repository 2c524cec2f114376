//! `calibration/work_rate.md`: how often the intervals of a rate of work and of a set-up time cover, and
//! how often a curve is noticed.

mod runs;

use super::tally::Tally;
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_analyze::stopping::{Precision, StoppingRule};
use fathom_analyze::{EstimateRequest, analyze_work};
use fathom_record::{Series, Unit};
use fathom_stats::distribution::student_t;
use fathom_stats::{Confidence, Interval};
use runs::{Amounts, Law, Noise, Runs, SLOPE, draw};
use std::fmt::Write;

const SEED: u64 = 19_411_207;
const COUNTS: [usize; 8] = [5, 10, 15, 20, 30, 50, 140, 200];
const TEN: [f64; 10] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0];
const AMOUNTS: [Amounts; 4] = [
    Amounts::Random(&TEN),
    Amounts::Random(&[1.0, 2.0]),
    Amounts::Random(&[1.0, 10.0, 100.0]),
    Amounts::Ascending,
];
const NOISES: [Noise; 10] = [
    Noise::Normal,
    Noise::Exponential,
    Noise::Stalls,
    Noise::Dependent(0.5),
    Noise::Dependent(0.8),
    Noise::Proportional,
    Noise::Skewed(0.2),
    Noise::Skewed(0.5),
    Noise::ProportionalDependent(0.5),
    Noise::Drift(0.1),
];
/// Measuring ends here if the rate is not precise before.
const MOST: usize = 1000;

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Measurements per cell.
    pub trials: usize,
    /// Measurements per cell that stop by themselves.
    pub stopping: usize,
}

impl Effort {
    /// What the committed table was made with.
    pub const FULL: Effort = Effort { trials: 4000, stopping: 2000 };
}

/// What became of many measurements.
#[derive(Debug, Clone, Default)]
struct Cell {
    rate: Tally,
    setup: Tally,
    /// As if all errors were alike and independent.
    plain: Tally,
    runs: u64,
    open: u64,
}

/// Simulates and writes the page; an error names cells whose promise does not hold.
pub fn page(effort: Effort) -> Result<String, String> {
    let mut broken = Vec::new();
    let mut text = format!(
        "# Work per second\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate work-rate` (seed {SEED}, {} \
         measurements per cell, C = 0.95).\n\n\
         Runs take a set-up time, a thirtieth of what the largest amount takes, and the work; the \
         method is in `docs/methods/work-rate.md`. Errors have a standard deviation of 5% of the \
         largest time; where they *grow*, of 10% of each time (lognormal: of σ). *Stalls* are one \
         run in twenty. *Drift* slows the machine down by 10% from the first run to the last, with \
         normal errors a third as large. Amounts run in random order and its mirror image, as \
         `fathom run --work` does, or ascending. Cells are the coverage in % among printed intervals, \
         and in brackets the share of measurements in % without one, if that is above 1; a dash where \
         fewer than 2% have one. The standard error of 95% is {:.2} points.\n",
        effort.trials,
        100.0 * (0.95 * 0.05 / effort.trials as f64).sqrt()
    );
    let tasks: Vec<(Amounts, Noise, usize)> = AMOUNTS
        .iter()
        .flat_map(|amounts| {
            NOISES.iter().flat_map(|noise| COUNTS.map(|count| (*amounts, *noise, count)))
        })
        .collect();
    let cells = parallel::map(tasks.len(), |place| fixed(tasks[place], place, effort.trials));
    for ((amounts, noise, count), cell) in tasks.iter().zip(&cells) {
        let about = format!("{}, {}, {count}", amounts.name(), noise.name());
        check(&mut broken, &about, &cell.rate);
        check(&mut broken, &format!("set-up: {about}"), &cell.setup);
    }
    let _ = write!(
        text,
        "\n## The rate\n\nLowest coverage: {:.1}%. Amounts in ascending order have no interval, \
         because a drift of the machine would look like work.\n\n{}",
        100.0 * lowest(&cells, |cell| &cell.rate),
        table(&tasks, &cells, |cell| &cell.rate)
    );
    let _ = write!(
        text,
        "\n## The set-up time\n\nLowest coverage: {:.1}%. The set-up time is what all runs have in \
         common, so it feels skewness and dependence as a mean does: a stall that did not happen in \
         the session cannot be in its interval. So it has none before two stalls of one run in twenty \
         are expected with 95% confidence, which takes about 140 to 190 runs.\n\n{}",
        100.0 * lowest(&cells, |cell| &cell.setup),
        table(&tasks, &cells, |cell| &cell.setup)
    );
    let _ = write!(
        text,
        "\n## If errors were taken as alike\n\nThe rate's interval by the textbook: one variance for \
         all runs, independent of each other, n − 2 degrees of freedom. This is why Fathom does not \
         use it.\n\n{}",
        table(&tasks, &cells, |cell| &cell.plain)
    );
    curves(&mut text, effort, &mut broken);
    stopping(&mut text, effort, &mut broken)?;
    if broken.is_empty() { Ok(text) } else { Err(broken.join("\n")) }
}

/// Fewer intervals than this share of the measurements are not counted.
const FEW: f64 = 0.02;

fn lowest(cells: &[Cell], of: impl Fn(&Cell) -> &Tally) -> f64 {
    let printed = cells.iter().map(of).filter(|tally| tally.printed_share() >= FEW);
    printed.map(Tally::coverage).fold(1.0, f64::min)
}

/// Every printed interval must cover.
fn check(broken: &mut Vec<String>, about: &str, tally: &Tally) {
    if tally.printed_share() < FEW {
        return;
    }
    if tally.coverage() < 0.95 - 3.5 * tally.standard_error(0.95) {
        broken.push(format!("{about}: covers {:.4}", tally.coverage()));
    }
}

fn table(
    tasks: &[(Amounts, Noise, usize)],
    cells: &[Cell],
    of: impl Fn(&Cell) -> &Tally,
) -> String {
    let head = ["amounts", "errors"].map(String::from).into_iter();
    let mut table = MarkdownTable::new(head.chain(COUNTS.map(|count| format!("n = {count}"))));
    for (tasks, cells) in tasks.chunks(COUNTS.len()).zip(cells.chunks(COUNTS.len())) {
        let (amounts, noise, _) = tasks[0];
        let entries = cells.iter().map(|cell| entry(of(cell)));
        table.row([amounts.name(), noise.name()].into_iter().chain(entries));
    }
    table.render()
}

fn entry(tally: &Tally) -> String {
    let declined = 1.0 - tally.printed_share();
    if tally.printed_share() < FEW {
        return "-".to_string();
    }
    let declined =
        if declined > 0.01 { format!(" ({:.0})", 100.0 * declined) } else { String::new() };
    format!("{:.1}{declined}", 100.0 * tally.coverage())
}

fn series(name: &str, unit: Unit, values: &[f64]) -> Option<Series> {
    Series::new(name, unit, values.to_vec()).ok()
}

fn fixed(task: (Amounts, Noise, usize), place: usize, trials: usize) -> Cell {
    let (amounts, noise, count) = task;
    let mut rng = generator(SEED, place as u64);
    let mut cell = Cell::default();
    let request = EstimateRequest::default();
    for _ in 0..trials {
        let runs = draw(amounts, Law::Straight, noise, count, &mut rng);
        let Some((work, time)) = pair(&runs, count) else { continue };
        let subject = analyze_work(&work, time, &request);
        let Some(found) = subject.work else { continue };
        cell.rate.count(found.rate_interval(), 1.0 / SLOPE);
        cell.setup.count(found.setup_interval(), runs.setup);
        cell.plain.count(plain(&runs), 1.0 / SLOPE);
    }
    cell
}

fn pair(runs: &Runs, count: usize) -> Option<(Series, Series)> {
    let work = series("work", Unit::Unknown, &runs.work[..count])?;
    Some((work, series("time", Unit::SECONDS, &runs.time[..count])?))
}

/// The textbook's interval of the rate.
fn plain(runs: &Runs) -> Option<Interval> {
    let n = runs.work.len() as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / n;
    let (x, y) = (mean(&runs.work), mean(&runs.time));
    let spread: f64 = runs.work.iter().map(|w| (w - x).powi(2)).sum();
    let pairs = || runs.work.iter().zip(&runs.time);
    let slope = pairs().map(|(w, t)| (w - x) * (t - y)).sum::<f64>() / spread;
    let squares: f64 = pairs().map(|(w, t)| (t - y - slope * (w - x)).powi(2)).sum();
    let half = -student_t::quantile(n - 2.0, 0.025) * (squares / (n - 2.0) / spread).sqrt();
    let end = |slope: f64| if slope > 0.0 { 1.0 / slope } else { f64::INFINITY };
    (slope > 0.0).then(|| Interval { lower: end(slope + half), upper: end(slope - half) })
}

/// How often the page says that the line is bent.
fn curves(text: &mut String, effort: Effort, broken: &mut Vec<String>) {
    const NOISES: [Noise; 3] = [Noise::Normal, Noise::Proportional, Noise::Dependent(0.5)];
    const AMOUNTS: [Amounts; 2] = [Amounts::Random(&TEN), Amounts::Random(&[1.0, 10.0, 100.0])];
    let tasks: Vec<(Law, Amounts, Noise, usize)> = Law::ALL
        .iter()
        .flat_map(|law| AMOUNTS.iter().map(move |amounts| (*law, *amounts)))
        .flat_map(|(law, amounts)| NOISES.map(|noise| (law, amounts, noise)))
        .flat_map(|(law, amounts, noise)| COUNTS.map(|count| (law, amounts, noise, count)))
        .collect();
    let shares = parallel::map(tasks.len(), |place| {
        let (law, amounts, noise, count) = tasks[place];
        let mut rng = generator(SEED, 1_000_000 + place as u64);
        let trials = effort.trials.div_ceil(2);
        let mut bent = 0;
        for _ in 0..trials {
            let runs = draw(amounts, law, noise, count, &mut rng);
            let Some((work, time)) = pair(&runs, count) else { continue };
            let subject = analyze_work(&work, time, &EstimateRequest::default());
            bent += usize::from(subject.work.is_some_and(|work| work.is_curved()));
        }
        bent as f64 / trials as f64
    });
    text.push_str(
        "\n## Curves\n\nThe share of measurements in % whose page says that the time is not linear in \
         the work (p < 0.01). On a straight line that is a false alarm.\n\n",
    );
    let head = ["truth", "amounts", "errors"].map(String::from).into_iter();
    let mut table = MarkdownTable::new(head.chain(COUNTS.map(|count| format!("n = {count}"))));
    for (tasks, shares) in tasks.chunks(COUNTS.len()).zip(shares.chunks(COUNTS.len())) {
        let (law, amounts, noise, _) = tasks[0];
        let head = [law.name().to_string(), amounts.name(), noise.name()];
        table.row(head.into_iter().chain(shares.iter().map(|s| format!("{:.1}", 100.0 * s))));
        let trials = effort.trials.div_ceil(2) as f64;
        let most = 0.02 + 4.0 * (0.02 * 0.98 / trials).sqrt();
        if law == Law::Straight && shares.iter().any(|share| *share > most) {
            broken.push(format!("straight, {}, {}: {shares:?}", amounts.name(), noise.name()));
        }
    }
    text.push_str(&table.render());
}

/// Measuring until the rate is precise.
fn stopping(text: &mut String, effort: Effort, broken: &mut Vec<String>) -> Result<(), String> {
    const AMOUNTS: [Amounts; 2] = [Amounts::Random(&TEN), Amounts::Random(&[1.0, 10.0, 100.0])];
    const PRECISIONS: [f64; 3] = [0.01, 0.02, 0.05];
    let tasks: Vec<(Amounts, Noise, f64)> = AMOUNTS
        .iter()
        .flat_map(|amounts| {
            // Where a machine drifts, the rate of a session depends on when it ends.
            let lasting = NOISES.iter().filter(|noise| !matches!(noise, Noise::Drift(_)));
            lasting.flat_map(|noise| PRECISIONS.map(|share| (*amounts, *noise, share)))
        })
        .collect();
    let cells = parallel::map(tasks.len(), |place| stopped(tasks[place], place, effort.stopping));
    let _ = write!(
        text,
        "\n## Measuring until the rate is precise\n\n`fathom run --work` looks as in \
         `docs/methods/stopping.md`, after whole rounds, and ends when half the rate's interval is at \
         most the precision of the rate. Cells are the coverage in % of the rate's interval at the \
         end / the mean number of runs, of {} measurements. After {MOST} runs measuring ends anyway; \
         such measurements are *open* and count like the others.\n\n",
        effort.stopping
    );
    let head = ["amounts", "errors"].map(String::from).into_iter();
    let columns = PRECISIONS.map(|share| format!("within {}%", 100.0 * share));
    let mut table = MarkdownTable::new(head.chain(columns));
    for (tasks, cells) in tasks.chunks(PRECISIONS.len()).zip(cells.chunks(PRECISIONS.len())) {
        let (amounts, noise, _) = tasks[0];
        let mut row = vec![amounts.name(), noise.name()];
        for ((.., precision), cell) in tasks.iter().zip(cells) {
            let cell = cell.as_ref().map_err(String::clone)?;
            let trials = effort.stopping.max(1) as f64;
            let open = cell.open as f64 / trials;
            let open =
                if open > 0.005 { format!(" ({:.0}% open)", 100.0 * open) } else { String::new() };
            let runs = cell.runs as f64 / trials;
            row.push(format!("{:.1} / {runs:.0}{open}", 100.0 * cell.rate.coverage()));
            let about = format!("until {precision}: {}, {}", amounts.name(), noise.name());
            check(broken, &about, &cell.rate);
        }
        table.row(row);
    }
    text.push_str(&table.render());
    Ok(())
}

fn stopped(task: (Amounts, Noise, f64), place: usize, trials: usize) -> Result<Cell, String> {
    let (amounts, noise, precision) = task;
    let round = match amounts {
        Amounts::Random(all) => all.len(),
        Amounts::Ascending => 1,
    };
    let precision = Precision::new(precision).map_err(|error| error.to_string())?;
    let rule = StoppingRule { precision, fewest: 10, most: MOST };
    let request = EstimateRequest { confidence: Confidence::DEFAULT, ..EstimateRequest::default() };
    let mut rng = generator(SEED, 2_000_000 + place as u64);
    let mut cell = Cell::default();
    for _ in 0..trials {
        let runs = draw(amounts, Law::Straight, noise, MOST, &mut rng);
        let mut n = 0;
        while let Some(look) = rule.next_look(n) {
            n = look.next_multiple_of(round).min(MOST);
            let (work, time) = pair(&runs, n).ok_or("there are no runs")?;
            let subject = rule.analyze_work(&work, time, &request);
            let is_reached = rule.is_reached(&subject);
            if is_reached || n == MOST {
                let found = subject.work.ok_or("there is no line")?;
                cell.rate.count(found.rate_interval(), 1.0 / SLOPE);
                cell.open += u64::from(!is_reached);
                cell.runs += n as u64;
                break;
            }
        }
    }
    Ok(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_calibration_holds() {
        let effort = Effort { trials: 20, stopping: 4 };
        let page = page(effort).unwrap();
        assert_eq!(page, super::page(effort).unwrap());
        assert!(!page.contains("NaN"), "{page}");
    }
}
