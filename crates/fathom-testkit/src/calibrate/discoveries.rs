//! `calibration/discoveries.md`: how often `fathom explain` discovers metrics that have nothing to do
//! with the target, and those that have.

mod beside;
mod power;
mod trial;
mod world;

use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use beside::Beside;
use power::Power;
use std::fmt::Write;
use trial::{LEVEL, METRICS, Outcome, Plant, Scene};
use world::{Anomaly, Nature};

const SEED: u64 = 20_261_116;
/// Data sets of a cell are split so that all cores stay busy to the end.
const CHUNKS: usize = 10;

/// How much is simulated.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Data sets in a cell of independent metrics; a third of them with planted ones.
    pub sets: usize,
    /// Longer windows than this are left out.
    pub longest: usize,
}

impl Effort {
    /// What the committed page has.
    pub const FULL: Effort = Effort { sets: 200, longest: 500 };
}

/// Rows of the window where it does not vary.
const WINDOW: usize = 50;
/// Lengths of the window before it, where that does not vary.
const HISTORY: usize = 20;

const WINDOWS: [usize; 4] = [5, 20, 100, 500];
const HISTORIES: [usize; 5] = [1, 3, 10, 30, 100];
/// The window where the history varies.
const SHORT: usize = 20;

/// Windows in the middle.
const AMID: [Beside; 4] =
    [Beside::new(3, 30), Beside::new(10, 10), Beside::new(10, 30), Beside::new(30, 30)];
/// Where rough metrics are.
const ROUGH: [Beside; 5] = [
    Beside::new(10, 0),
    Beside::new(14, 0),
    Beside::new(20, 0),
    Beside::new(40, 0),
    Beside::new(10, 30),
];
/// Plays scenes on all cores; the outcome of each. A scene's anomaly may change from set to set.
fn play(
    table: u64,
    sets: usize,
    cells: usize,
    scene: impl Fn(usize, usize) -> Scene + Sync,
) -> Vec<Outcome> {
    let chunks = parallel::map(cells * CHUNKS, |task| {
        // The last cells are the largest; they go first.
        let cell = cells - 1 - task / CHUNKS;
        let mut rng = generator(SEED + table, (cell * CHUNKS + task % CHUNKS) as u64);
        let mut outcome = Outcome::default();
        for set in (task % CHUNKS..sets).step_by(CHUNKS) {
            outcome.add(&scene(cell, set).play(&mut rng));
        }
        (cell, outcome)
    });
    let mut outcomes = vec![Outcome::default(); cells];
    for (cell, outcome) in chunks {
        outcomes[cell].add(&outcome);
    }
    outcomes
}

fn percent(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.1}", 100.0 * part / whole) } else { "-".to_string() }
}

fn null(nature: Nature, anomaly: Anomaly, before: usize, window: usize) -> Scene {
    Scene { nature, anomaly, before, window, after: 0, plant: Plant::Nothing, planted: 0 }
}

fn null_amid(nature: Nature, anomaly: Anomaly, beside: Beside) -> Scene {
    let null = null(nature, anomaly, beside.before * SHORT, SHORT);
    Scene { after: beside.after * SHORT, ..null }
}

/// A table of nulls: a row for each nature, a column for each of `columns`.
struct Nulls {
    natures: Vec<Nature>,
    columns: Vec<String>,
    outcomes: Vec<Outcome>,
}

impl Nulls {
    fn simulate(
        table: u64,
        effort: Effort,
        natures: &[Nature],
        columns: Vec<String>,
        scene: impl Fn(Nature, usize, usize) -> Scene + Sync,
    ) -> Nulls {
        let natures = natures.to_vec();
        let one = |cell: usize, set: usize| {
            scene(natures[cell % natures.len()], cell / natures.len(), set)
        };
        let outcomes = play(table, effort.sets, natures.len() * columns.len(), one);
        Nulls { natures, columns, outcomes }
    }

    fn row(&self, nature: usize) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().skip(nature).step_by(self.natures.len())
    }

    fn render(&self, cell: impl Fn(&Outcome) -> String) -> String {
        let head = std::iter::once("metrics").chain(self.columns.iter().map(String::as_str));
        let mut table = MarkdownTable::new(head);
        for (number, nature) in self.natures.iter().enumerate() {
            let cells = self.row(number).map(&cell);
            table.row(std::iter::once(nature.name()).chain(cells));
        }
        table.render()
    }

    fn total(&self) -> Outcome {
        let mut total = Outcome::default();
        self.outcomes.iter().for_each(|outcome| total.add(outcome));
        total
    }

    /// The cells with the most discoveries, worst first: numbers of nature and column.
    fn worst_cells(&self, count: usize) -> Vec<(usize, usize)> {
        let mut cells: Vec<usize> = (0..self.outcomes.len()).collect();
        cells.sort_by(|a, b| {
            self.outcomes[*b].false_alarms.total_cmp(&self.outcomes[*a].false_alarms)
        });
        let place = |cell: &usize| (cell % self.natures.len(), cell / self.natures.len());
        cells.iter().take(count).map(place).collect()
    }

    /// The largest share of data sets with a discovery.
    fn worst(&self) -> f64 {
        self.outcomes.iter().map(|o| o.false_alarms / o.sets.max(1.0)).fold(0.0, f64::max)
    }
}

fn false_alarms(outcome: &Outcome) -> String {
    percent(outcome.false_alarms, outcome.sets)
}

/// Simulates and writes the page.
///
/// # Errors
/// If more than 5% of the data sets without anything to discover have a discovery: all together, or
/// those of a cell by more than 3 standard errors, or those of a rough cell that is played again by
/// more than 2.
pub fn page(effort: Effort) -> Result<String, String> {
    let any = |set: usize| Anomaly::ALL[set % Anomaly::ALL.len()];
    let windows: Vec<usize> = WINDOWS.into_iter().filter(|w| *w <= effort.longest).collect();
    let by_window = Nulls::simulate(
        0,
        effort,
        &Nature::PLAIN,
        windows.iter().map(|w| format!("w = {w}")).collect(),
        |nature, column, set| null(nature, any(set), HISTORY * windows[column], windows[column]),
    );
    let by_history = Nulls::simulate(
        1,
        effort,
        &Nature::PLAIN,
        HISTORIES.map(|lengths| format!("{lengths} w")).to_vec(),
        |nature, column, set| null(nature, any(set), HISTORIES[column] * SHORT, SHORT),
    );
    let by_anomaly = Nulls::simulate(
        2,
        effort,
        &Nature::PLAIN,
        Anomaly::ALL.map(|anomaly| anomaly.name().to_string()).to_vec(),
        |nature, column, _| null(nature, Anomaly::ALL[column], HISTORY * WINDOW, WINDOW),
    );
    let amid = Nulls::simulate(
        5,
        effort,
        &Nature::PLAIN,
        AMID.map(Beside::name).to_vec(),
        |nature, column, set| null_amid(nature, any(set), AMID[column]),
    );
    let rough = Nulls::simulate(
        3,
        effort,
        &Nature::ROUGH,
        ROUGH.map(Beside::name).to_vec(),
        |nature, column, set| null_amid(nature, any(set), ROUGH[column]),
    );
    let again = Again::of_worst(&rough, effort, any);
    let power = Power::simulate(effort);
    let plain = [&by_window, &by_history, &by_anomaly, &amid];
    let mut page = head(effort);
    let _ = writeln!(page, "{}", summary(&plain, &again, &power.several));
    let _ = writeln!(
        page,
        "## Nothing to discover: by the length w of the window\n\n\
         A history of {HISTORY} w; the targets of the third table, alternating.\n\n\
         {}",
        by_window.render(false_alarms)
    );
    let _ = writeln!(
        page,
        "The share of single metrics with p < .05, in percent:\n\n\
         {}",
        by_window.render(|o| percent(o.below, o.independent))
    );
    let _ = writeln!(
        page,
        "The share of the same data sets with a discovery, in percent, if Pearson's coefficient \
         in the window is tested with Student's t (naive) and the same rule of Benjamini and \
         Hochberg:\n\n\
         {}",
        by_window.render(|o| percent(o.naive, o.sets))
    );
    let _ = writeln!(
        page,
        "Flagged as random walks, in percent of the metrics:\n\n{}",
        by_window.render(|o| percent(o.flagged, o.asked))
    );
    let _ = writeln!(
        page,
        "## Nothing to discover: by the length of the history\n\n\
         A window of {SHORT} rows. A short history carries little information, so p-values are \
         large, not small.\n\n\
         {}",
        by_history.render(false_alarms)
    );
    let _ = writeln!(
        page,
        "## Nothing to discover: by what the target does\n\nA window of {WINDOW} rows, a history of {}.\n\n{}",
        HISTORY * WINDOW,
        by_anomaly.render(false_alarms)
    );
    let _ = writeln!(
        page,
        "## Nothing to discover: a window in the middle\n\n\
         A window of {SHORT} rows. The rows after the window carry as much information about the \
         metrics as the rows before it.\n\n\
         {}",
        amid.render(false_alarms)
    );
    let _ = writeln!(page, "{}\n{}", roughness(&rough), again.render());
    let _ = writeln!(page, "{}", power.render());
    judge(&[&by_window, &by_history, &by_anomaly, &amid, &rough])?;
    again.judge()?;
    Ok(page)
}

/// The worst cells of a table, played again with new data sets: of many cells the worst looks worse
/// than it is.
struct Again {
    cells: Vec<(String, Outcome)>,
}

impl Again {
    const CELLS: usize = 4;
    const TIMES: usize = 10;

    fn of_worst(rough: &Nulls, effort: Effort, anomaly: impl Fn(usize) -> Anomaly + Sync) -> Again {
        let worst = rough.worst_cells(Again::CELLS);
        let outcomes = play(6, Again::TIMES * effort.sets, worst.len(), |cell, set| {
            let (nature, column) = worst[cell];
            null_amid(rough.natures[nature], anomaly(set), ROUGH[column])
        });
        let name = |&(nature, column): &(usize, usize)| {
            format!("{}, {}", rough.natures[nature].name(), rough.columns[column])
        };
        Again { cells: worst.iter().map(name).zip(outcomes).collect() }
    }

    fn worst(&self) -> f64 {
        self.cells.iter().map(|(_, o)| o.false_alarms / o.sets.max(1.0)).fold(0.0, f64::max)
    }

    fn render(&self) -> String {
        let mut table =
            MarkdownTable::new(["metrics and history", "data sets", "with a discovery"]);
        for (name, outcome) in &self.cells {
            table.row([name.clone(), outcome.sets.to_string(), false_alarms(outcome)]);
        }
        format!(
            "The {} worst cells, repeated with {} times as many new data sets:\n\n\
             {}",
            self.cells.len(),
            Again::TIMES,
            table.render()
        )
    }

    /// # Errors
    /// If more than 5% of the data sets of a cell have a discovery, by more than 2 standard errors.
    fn judge(&self) -> Result<(), String> {
        let errors: Vec<String> = self
            .cells
            .iter()
            .filter(|(_, outcome)| {
                let sets = outcome.sets.max(1.0);
                outcome.false_alarms / sets > LEVEL + 2.0 * (LEVEL * (1.0 - LEVEL) / sets).sqrt()
            })
            .map(|(name, outcome)| {
                format!("{name}: {}% of the data sets have a discovery", false_alarms(outcome))
            })
            .collect();
        if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
    }
}

fn head(effort: Effort) -> String {
    format!(
        "# Discoveries\n\n\
         Written by `cargo run --release -p fathom-testkit -- calibrate discoveries`. See \
         `docs/methods/significance.md`.\n\n\
         A data set is a target and {METRICS} metrics. A discovery is a metric with q < {LEVEL}. \
         Where nothing is planted, every metric is independent of the target and of the others, \
         and every discovery is false. The tables show the share of data sets with a discovery, \
         in percent; {} data sets in a cell, so that a cell near 5 has a standard error of \
         {:.1}.\n",
        effort.sets,
        100.0 * (LEVEL * (1.0 - LEVEL) / effort.sets as f64).sqrt(),
    )
}

fn summary(plain: &[&Nulls], again: &Again, power: &[Outcome]) -> String {
    let mut total = Outcome::default();
    plain.iter().for_each(|table| total.add(&table.total()));
    let worst = plain.iter().map(|table| table.worst()).fold(0.0, f64::max);
    let walks: Vec<Outcome> = plain
        .iter()
        .flat_map(|table| table.row(Nature::PLAIN.len() - 1).copied().collect::<Vec<_>>())
        .collect();
    let mut walk = Outcome::default();
    walks.iter().for_each(|outcome| walk.add(outcome));
    let mut planted = Outcome::default();
    power.iter().for_each(|outcome| planted.add(outcome));
    let naive = plain.first().map(|table| table.total()).unwrap_or_default();
    format!(
        "**{}%** of {} data sets without anything to discover have a discovery, at most {:.1}% in \
         any cell. Random walks alone have one in {}%. Rough metrics, which burst, move for the \
         first time or count rarely, have one in at most {:.1}% in any cell. A naive test \
         discovers something in {}% of the data sets of the first table. Where metrics are \
         planted, {}% of the discoveries are false.\n",
        percent(total.false_alarms, total.sets),
        total.sets,
        100.0 * worst,
        percent(walk.false_alarms, walk.sets),
        100.0 * again.worst(),
        percent(naive.naive, naive.sets),
        percent(planted.discovered - planted.found, planted.discovered),
    )
}

fn roughness(rough: &Nulls) -> String {
    format!(
        "## Nothing to discover, but rough\n\n\
         A window of {SHORT} rows. Bursts are as long as the window, and 13 deviations high, or \
         that height times a factor whose logarithm is normal. Metrics that are asleep are 0 \
         until they wake up for a burst, for a single count, or for good. Extreme rows are 50 \
         deviations high. Student's t alone would report what each metric does once in a long \
         while; what all metrics did elsewhere shows how often that happens.\n\n\
         {}",
        rough.render(false_alarms)
    )
}

/// The error names what misses the goal.
fn judge(nulls: &[&Nulls]) -> Result<(), String> {
    let mut total = Outcome::default();
    let mut errors = Vec::new();
    for table in nulls {
        total.add(&table.total());
        for (number, nature) in table.natures.iter().enumerate() {
            for (outcome, column) in table.row(number).zip(&table.columns) {
                let share = outcome.false_alarms / outcome.sets.max(1.0);
                let error = (LEVEL * (1.0 - LEVEL) / outcome.sets.max(1.0)).sqrt();
                if share > LEVEL + 3.0 * error {
                    let name = nature.name();
                    errors.push(format!(
                        "{name}, {column}: {share:.3} of the data sets have a discovery"
                    ));
                }
            }
        }
    }
    if total.false_alarms > LEVEL * total.sets {
        errors.push(format!("{} of {} data sets have a discovery", total.false_alarms, total.sets));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Little of the page: strangers are seldom discovered, and followers and shifts are.
    #[test]
    fn discoveries_are_seldom_false_and_often_made() {
        let scene = |nature, plant| Scene {
            nature,
            anomaly: Anomaly::Dip,
            before: 40 * WINDOW,
            window: WINDOW,
            after: 0,
            plant,
            planted: if plant == Plant::Nothing { 0 } else { 5 },
        };
        let natures = [Nature::Autoregressive(0.9), Nature::RandomWalk];
        let nulls = play(9, 10, natures.len(), |cell, _| scene(natures[cell], Plant::Nothing));
        let mut null = Outcome::default();
        nulls.iter().for_each(|outcome| null.add(outcome));
        assert!(null.false_alarms <= 3.0 && null.naive >= 18.0, "{null:?}");
        assert!((0.01..0.07).contains(&(null.below / null.independent)), "{null:?}");
        let plants = [Plant::Follow(0.95), Plant::Shift(4.0)];
        let noise = Nature::Autoregressive(0.5);
        for outcome in play(8, 4, plants.len(), |cell, _| scene(noise, plants[cell])) {
            assert!(outcome.found >= 0.8 * outcome.planted, "{outcome:?}");
            assert!(outcome.discovered <= outcome.found + 4.0, "{outcome:?}");
        }
    }
}
