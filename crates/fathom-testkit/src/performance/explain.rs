//! How long `fathom explain` takes and how much memory, on generated traces, and compared with a
//! script.

mod growth;
mod script;
pub(super) mod subject;

use super::building::{fathom, target};
use super::figures::{time, verdict};
use super::machine::{self, Load};
use super::marked::Part;
use super::peers::Peers;
use super::{Say, as_it_is};
use crate::made_traces::{COMMON, Size, TARGET};
use growth::{Row, exponent, sizes, table};
use script::Script;
use std::path::Path;
use subject::{CORES, Subject, TOP};

/// The most that the largest traces may take.
const MOST_SECONDS: f64 = 60.0;
const MOST_MEMORY: f64 = 4e9;

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The traces that the goals are about.
    whole: Size,
    /// What the sizes of growth begin with, and their runs, metrics and samples.
    base: Size,
    runs: &'static [usize],
    metrics: &'static [usize],
    samples: &'static [usize],
    /// What the script explains too.
    beside: Size,
    rounds: usize,
}

impl Effort {
    /// What the page is made with.
    pub const FULL: Effort = Effort {
        whole: size(50, 300, 10_000),
        base: size(20, 100, 3000),
        runs: &[5, 10, 20, 50],
        metrics: &[50, 100, 300],
        samples: &[1000, 3000, 10_000, 30_000],
        beside: size(5, 50, 3000),
        rounds: 3,
    };
    /// To see whether everything works.
    pub const REHEARSAL: Effort = Effort {
        whole: size(3, 20, 1000),
        base: size(2, 10, 600),
        runs: &[2, 3],
        metrics: &[10, 20],
        samples: &[600, 1000],
        beside: size(2, 10, 1000),
        rounds: 2,
    };
}

const fn size(runs: usize, metrics: usize, samples: usize) -> Size {
    Size { runs, metrics, samples, spread: false, seed: 1 }
}

/// Measures, and writes the part of the page.
///
/// # Errors
/// Fathom does not build or does not explain, or Python or a package is missing.
pub fn part(effort: Effort, say: &dyn Fn(&str)) -> Result<String, String> {
    let peers = Peers::find()?;
    let fathom = fathom(say)?;
    let place = target()?.join("explain-study");
    let load = Load::now();
    if let Some(warning) = load.warning() {
        say(&warning);
    }
    let grown = grown(effort, &place, &fathom, say)?;
    say("beside a script");
    let script = Script::measured(effort.beside, effort.rounds, &place, &fathom, &peers)?;
    let whole = whole(effort, &place, &fathom, say)?;
    // Empty now, unless another study is under way.
    let _ = std::fs::remove_dir(&place);
    Ok(format!(
        "## Explaining\n\n\
         Made by `cargo run --release -p fathom-testkit -- performance explain` on {}{}. `fathom \
         explain TRACES --target {TARGET} --window A..B --format json` on generated traces \
         (`fathom-testkit traces`). Every run has its own pace, and runs are aligned by \
         `{COMMON}`. All correlators judge every metric of every run, p-values included. Each \
         measurement is one process of the release binary from its start to its end, reading \
         included, on {CORES} cores; medians of {} alternating rounds, and the largest memory of \
         all. Spread: each metric is in one run only; else every run has all. Causes found: the \
         number of planted causes among the first {TOP}, in the worst round.\n\n\
         {}\n\
         {}\n\
         {}",
        machine::in_words(),
        load.in_words(),
        effort.rounds,
        whole.in_words(),
        in_words(&grown, effort.base),
        script.in_words(),
    ))
}

/// The page with this part, and the rest as it was.
///
/// # Errors
/// The page cannot be read.
pub fn page_with(part: &str) -> Result<String, String> {
    Ok(Part::EXPLAIN.replaced(&as_it_is()?, part))
}

/// The traces that the goals are about, with all metrics in all runs and spread over them.
struct Whole {
    rows: Vec<Row>,
    /// Seconds if only one metric is looked at: of reading and aligning.
    aligning: f64,
}

fn whole(effort: Effort, place: &Path, fathom: &Path, say: Say<'_>) -> Result<Whole, String> {
    let sizes = [effort.whole, Size { spread: true, ..effort.whole }];
    let rows = asked(&sizes, effort.rounds, place, fathom, say)?;
    let row = rows.first().ok_or("there are no traces")?;
    let cause = row.subject.truth.causes.first().ok_or("there is no cause")?;
    let aligning = row.subject.asked(fathom, Some(cause))?.seconds;
    Ok(Whole { rows, aligning })
}

impl Whole {
    fn in_words(&self) -> String {
        let slowest = self.rows.iter().map(Row::seconds).fold(0.0, f64::max);
        let largest = self.rows.iter().filter_map(Row::peak).reduce(f64::max);
        let memory = match largest {
            None => "not measured".to_string(),
            Some(largest) => format!("{}, {}", bytes(largest), verdict(largest < MOST_MEMORY)),
        };
        let everything = self.rows.first().map_or(f64::NAN, Row::seconds);
        format!(
            "{}\n\
             Goal: below {MOST_SECONDS} s on {CORES} cores: {}, {}. Goal: below {}: {memory}. \
             Where every run has all metrics, reading and aligning take {} of the {} (the time \
             with `--filter` for a single metric).\n",
            table(&self.rows, None),
            time(slowest),
            verdict(slowest < MOST_SECONDS),
            bytes(MOST_MEMORY),
            time(self.aligning),
            time(everything),
        )
    }
}

fn grown(effort: Effort, place: &Path, fathom: &Path, say: Say<'_>) -> Result<Vec<Row>, String> {
    let Effort { base, runs, metrics, samples, rounds, .. } = effort;
    asked(&sizes(base, runs, metrics, samples), rounds, place, fathom, say)
}

/// Makes traces of these sizes and asks about each of them, round by round.
fn asked(
    sizes: &[Size],
    rounds: usize,
    place: &Path,
    fathom: &Path,
    say: Say<'_>,
) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for &size in sizes {
        let Size { runs, metrics, samples, .. } = size;
        say(&format!("making {runs} runs x {metrics} metrics x {samples} samples"));
        rows.push(Row { subject: Subject::made(place, size)?, answers: Vec::new() });
    }
    for round in 0..rounds {
        for row in &mut rows {
            let Size { runs, metrics, samples, .. } = row.subject.size;
            let number = round + 1;
            say(&format!("round {number} of {rounds}: {runs} x {metrics} x {samples}"));
            row.answers.push(row.subject.asked(fathom, None)?);
        }
    }
    Ok(rows)
}

fn in_words(rows: &[Row], base: Size) -> String {
    let power =
        |of| exponent(rows, base, of).map_or("-".to_string(), |power| format!("{power:.2}"));
    format!(
        "How it grows if only one of the three changes from the base. From the smallest to the \
         largest, time grows with the power {} of runs, {} of metrics, {} of samples:\n\n\
         {}",
        power(|size| size.runs),
        power(|size| size.metrics),
        power(|size| size.samples),
        table(rows, Some(base))
    )
}

/// "217 MB".
fn bytes(bytes: f64) -> String {
    if bytes < 1e9 { format!("{:.0} MB", bytes / 1e6) } else { format!("{:.2} GB", bytes / 1e9) }
}
