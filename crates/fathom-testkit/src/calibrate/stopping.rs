//! `calibration/stopping.md`: intervals after measuring until they are narrow.

mod rule;
mod source;

use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Population, generator};
use fathom_analyze::stopping::{Precision, StoppingRule};
use fathom_analyze::{EstimateRequest, Statistic};
use fathom_stats::{Confidence, Probability};
use rule::Rule;
use source::Source;

const SEED: u64 = 19_650_401;
/// Measuring ends here if it is not narrow before.
const MOST: usize = 2000;
const CHUNKS: usize = 4;

/// What is measured, and how precisely.
const GOALS: [(Source, f64); 18] = [
    (Source::Normal(0.01), 0.005),
    (Source::Normal(0.05), 0.01),
    (Source::Normal(0.05), 0.02),
    (Source::Normal(0.05), 0.05),
    (Source::Normal(0.1), 0.02),
    (Source::Normal(0.1), 0.05),
    (Source::Normal(0.2), 0.05),
    (Source::Lognormal(0.2), 0.05),
    (Source::Lognormal(0.5), 0.05),
    (Source::Of(Population::Bimodal), 0.02),
    (Source::Of(Population::Bimodal), 0.05),
    (Source::Of(Population::Tied), 0.05),
    (Source::Dependent { phi: 0.5 }, 0.02),
    (Source::Dependent { phi: 0.5 }, 0.05),
    (Source::Dependent { phi: 0.8 }, 0.05),
    (Source::Dependent { phi: 0.9 }, 0.05),
    (Source::TwoStates, 0.02),
    (Source::TwoStates, 0.05),
];

/// Where the other rules are tried too, because they differ most.
const HARD: [(Source, f64, Statistic); 10] = [
    (Source::Normal(0.05), 0.02, Statistic::Mean),
    (Source::Normal(0.1), 0.05, Statistic::Mean),
    (Source::Lognormal(0.2), 0.05, Statistic::Mean),
    (Source::Lognormal(0.2), 0.05, Statistic::MEDIAN),
    (Source::Of(Population::Tied), 0.05, Statistic::Mean),
    (Source::Dependent { phi: 0.5 }, 0.02, Statistic::Mean),
    (Source::Dependent { phi: 0.5 }, 0.05, Statistic::Mean),
    (Source::Dependent { phi: 0.5 }, 0.05, Statistic::MEDIAN),
    (Source::Dependent { phi: 0.8 }, 0.05, Statistic::Mean),
    (Source::TwoStates, 0.02, Statistic::Mean),
];

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Measurements per cell of Fathom's rule.
    pub trials: usize,
    /// Measurements per cell of the other rules.
    pub others: usize,
}

impl Effort {
    /// What the committed page was made with.
    pub const FULL: Effort = Effort { trials: 3000, others: 1500 };
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    trials: u64,
    printed: u64,
    covered: u64,
    narrow: u64,
    runs: u64,
}

impl Cell {
    fn merge(&mut self, other: &Cell) {
        self.trials += other.trials;
        self.printed += other.printed;
        self.covered += other.covered;
        self.narrow += other.narrow;
        self.runs += other.runs;
    }

    fn coverage(&self) -> f64 {
        self.covered as f64 / self.printed as f64
    }

    fn runs(&self) -> f64 {
        self.runs as f64 / self.trials as f64
    }

    fn slack(&self, confidence: f64) -> f64 {
        3.0 * (confidence * (1.0 - confidence) / self.printed as f64).sqrt()
    }

    fn entry(&self) -> String {
        if self.trials == 0 {
            return "-".to_string();
        }
        let narrow = self.narrow as f64 / self.trials as f64;
        let open = if narrow > 0.995 {
            String::new()
        } else {
            format!(" ({:.0}% open)", 100.0 * (1.0 - narrow))
        };
        format!("{:.1} / {:.0}{open}", 100.0 * self.coverage(), self.runs())
    }
}

/// A cell of a table.
#[derive(Debug, Clone, Copy)]
struct Task {
    source: Source,
    precision: f64,
    statistic: Statistic,
    confidence: f64,
    rule: Rule,
    assume_independent: bool,
    trials: usize,
}

fn simulate(task: &Task, trials: usize, stream: u64) -> Result<Cell, String> {
    let precision = Precision::new(task.precision).map_err(|error| error.to_string())?;
    let stop = StoppingRule { precision, fewest: 10, most: MOST };
    let confidence = Confidence::new(task.confidence).map_err(|error| error.to_string())?;
    let request = EstimateRequest {
        statistics: vec![task.statistic],
        confidence,
        assume_independent: task.assume_independent,
        ..EstimateRequest::default()
    };
    let Some(truth) = task.source.truth(task.statistic) else { return Ok(Cell::default()) };
    let mut rng = generator(SEED, stream);
    let mut values = vec![0.0; MOST];
    let mut cell = Cell::default();
    for _ in 0..trials {
        task.source.fill(&mut values, &mut rng);
        let found = task.rule.measure(&values, &stop, &request);
        let (interval, runs, is_narrow) = found.ok_or("a rule took no look")?;
        cell.trials += 1;
        cell.printed += u64::from(interval.is_some());
        cell.covered += u64::from(interval.is_some_and(|interval| interval.contains(truth)));
        cell.narrow += u64::from(is_narrow);
        cell.runs += runs as u64;
    }
    Ok(cell)
}

/// Simulates all cells.
fn all(tasks: &[Task]) -> Result<Vec<Cell>, String> {
    let parts = parallel::map(tasks.len() * CHUNKS, |part| {
        let task = &tasks[part / CHUNKS];
        // Rules are compared on the same data: the stream is that of the goal, not of the rule.
        let goal = tasks.iter().position(|other| {
            (other.source, other.precision, other.statistic)
                == (task.source, task.precision, task.statistic)
        });
        let stream = goal.unwrap_or(0) * CHUNKS + part % CHUNKS;
        simulate(task, task.trials.div_ceil(CHUNKS), stream as u64)
    });
    let mut cells = Vec::with_capacity(tasks.len());
    for chunks in parts.chunks(CHUNKS) {
        let mut sum = Cell::default();
        for chunk in chunks {
            sum.merge(chunk.as_ref().map_err(String::clone)?);
        }
        cells.push(sum);
    }
    Ok(cells)
}

/// Simulates and writes the page; an error names cells that break the promise.
pub fn page(effort: Effort) -> Result<String, String> {
    let p90 = Statistic::Quantile(Probability::new(0.9).map_err(|error| error.to_string())?);
    let statistics = [Statistic::MEDIAN, Statistic::Mean, p90];
    let mut broken = Vec::new();
    let mut worst = 1.0_f64;
    let mut check = |task: &Task, cell: &Cell| {
        // What a state of five runs is cannot be told from a few dozen of them.
        if task.source == Source::TwoStates {
            return;
        }
        if task.confidence == Confidence::DEFAULT.get() {
            worst = worst.min(cell.coverage());
        }
        if cell.coverage() < task.confidence - cell.slack(task.confidence) {
            broken.push(format!(
                "{} of {} at {}%, {} confidence: covers {:.4}",
                task.statistic,
                task.source.name(),
                100.0 * task.precision,
                task.confidence,
                cell.coverage()
            ));
        }
    };

    let task = |(source, precision), statistic, confidence, rule, trials| Task {
        source,
        precision,
        statistic,
        confidence,
        rule,
        assume_independent: false,
        trials,
    };
    let tasks: Vec<Task> = GOALS
        .iter()
        .flat_map(|&goal| {
            statistics.map(|statistic| task(goal, statistic, 0.95, Rule::Fathom, effort.trials))
        })
        .collect();
    let cells = all(&tasks)?;
    tasks.iter().zip(&cells).for_each(|(task, cell)| check(task, cell));
    let mut goals = MarkdownTable::new(["run times", "precision", "median", "mean", "p90"]);
    for (row, (source, precision)) in GOALS.iter().enumerate() {
        let entries = cells[3 * row..3 * row + 3].iter().map(Cell::entry);
        let head = [source.name(), format!("{}%", 100.0 * precision)];
        goals.row(head.into_iter().chain(entries));
    }

    let levels = [0.9, 0.95, 0.99];
    let tasks: Vec<Task> = HARD
        .iter()
        .flat_map(|&(source, precision, statistic)| {
            levels.map(|level| {
                task((source, precision), statistic, level, Rule::Fathom, effort.trials)
            })
        })
        .collect();
    let cells = all(&tasks)?;
    tasks.iter().zip(&cells).for_each(|(task, cell)| check(task, cell));
    let head = ["run times", "precision", "statistic"].map(str::to_string);
    let columns = levels.map(|level| format!("at {}%", 100.0 * level));
    let mut confidences = MarkdownTable::new(head.iter().cloned().chain(columns));
    rows(&mut confidences, &cells, levels.len());

    let independent = HARD
        .into_iter()
        .filter(|(source, ..)| !matches!(source, Source::Dependent { .. } | Source::TwoStates));
    let tasks: Vec<Task> = independent
        .map(|(source, precision, statistic)| Task {
            assume_independent: true,
            ..task((source, precision), statistic, 0.95, Rule::Fathom, effort.trials)
        })
        .collect();
    let cells = all(&tasks)?;
    tasks.iter().zip(&cells).for_each(|(task, cell)| check(task, cell));
    let mut assumed = MarkdownTable::new(head.iter().cloned().chain(["at 95%".to_string()]));
    rows(&mut assumed, &cells, 1);

    let tasks: Vec<Task> = HARD
        .iter()
        .flat_map(|&(source, precision, statistic)| {
            Rule::OTHERS.map(|rule| task((source, precision), statistic, 0.95, rule, effort.others))
        })
        .collect();
    let cells = all(&tasks)?;
    let mut others = MarkdownTable::new(head.into_iter().chain(Rule::OTHERS.map(Rule::name)));
    rows(&mut others, &cells, Rule::OTHERS.len());
    summary(&mut others, &cells);

    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(format!(
        "# Intervals after measuring until they are narrow\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate stopping` (seed {SEED}, {} \
         measurements per cell, {} in the last table).\n\n\
         `fathom run` measures until the half width of every interval is at most the precision \
         times the estimate. The interval it then prints must cover as often as it claims, \
         although it was the one that ended the measuring. Cells are `coverage of the interval at \
         stopping, in % / mean number of runs`, through the whole pipeline: steady state, \
         outliers, dependence. At most {MOST} runs; measurements that are not narrow by then are \
         *open* and counted like the others. The standard error of a coverage of 95% is {:.2} \
         points.\n\n\
         ## The rule, at 95%\n\n\
         Lowest coverage, without two states: {:.1}%. Two states that last five runs on average \
         are beyond the promise: forty runs contain too few changes of state to tell them from \
         noise, and looking until the interval is narrow finds the moments at which they look \
         like noise.\n\n\
         {}\n\
         ## Other levels\n\n\
         {}\n\
         ## With `--assume-independent`\n\n\
         Intervals that do not allow for dependence are narrower, so each look spends only 70% of \
         the error.\n\n\
         {}\n\
         ## Other rules\n\n\
         On the same data, where the statistics are hardest. The others look from 20 runs on, the \
         fewest that have an interval. *Every run* looks after every run, as most scripts do; *×* \
         looks when the runs have grown by that factor; *planned* looks when the interval is \
         expected to be narrow; *shared* splits the error over all possible looks.\n\n\
         {}",
        effort.trials,
        effort.others,
        100.0 * (0.95 * 0.05 / effort.trials as f64).sqrt(),
        100.0 * worst,
        goals.render(),
        confidences.render(),
        assumed.render(),
        others.render(),
    ))
}

fn rows(table: &mut MarkdownTable, cells: &[Cell], columns: usize) {
    for ((source, precision, statistic), cells) in HARD.iter().zip(cells.chunks(columns)) {
        let head = [source.name(), format!("{}%", 100.0 * precision), statistic.to_string()];
        table.row(head.into_iter().chain(cells.iter().map(Cell::entry)));
    }
}

/// The worst coverage and the mean number of runs of every rule.
fn summary(table: &mut MarkdownTable, cells: &[Cell]) {
    let columns = Rule::OTHERS.len();
    let column = |index: usize| cells.iter().skip(index).step_by(columns);
    let entries = (0..columns).map(|index| {
        let least = column(index).map(Cell::coverage).fold(1.0, f64::min);
        let runs = column(index).map(Cell::runs).sum::<f64>() / HARD.len() as f64;
        format!("{:.1} / {runs:.0}", 100.0 * least)
    });
    let head = ["worst, and mean runs".to_string(), String::new(), String::new()];
    table.row(head.into_iter().chain(entries));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_calibration_holds() {
        let page = page(Effort { trials: 12, others: 4 }).unwrap();
        assert!(!page.contains("NaN"), "{page}");
    }
}
