//! How long checks of many executions take and how much memory, and moving percentiles.

use super::building::{fathom, target};
use super::figures::{count, time, verdict};
use super::machine::{self, Load};
use super::marked::Part;
use super::watched::{running_of, watched};
use super::{Say, as_it_is};
use crate::markdown::MarkdownTable;
use crate::population::generator;
use fathom_property::{
    Aggregate, Formula, NumberComparison, QualifiedName, Relation, Term, Window, judge,
};
use fathom_record::{Observation, Shape, Signal, Unit};
use rand_distr::{Distribution, Open01};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The most that a million executions may take.
const MOST_SECONDS: f64 = 10.0;
const MOST_MEMORY: f64 = 500e6;
/// Numbers of an execution.
const COLUMNS: usize = 10;
const RUNS: usize = 3;
/// A point of the longest signal may cost this many times more in the widest window than in the
/// narrowest.
const MOST_GROWTH: f64 = 3.0;

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    executions: &'static [usize],
    points: &'static [usize],
    widths: &'static [usize],
}

impl Effort {
    /// What the page is made with.
    pub const FULL: Effort = Effort {
        executions: &[10_000, 100_000, 1_000_000],
        points: &[10_000, 100_000, 1_000_000],
        widths: &[10, 1000, 100_000],
    };
    /// To see whether everything works.
    pub const REHEARSAL: Effort =
        Effort { executions: &[1000, 10_000], points: &[1000, 10_000], widths: &[10, 1000] };
}

/// What is asked: a verdict, one that needs more numbers, a value, and three questions at once.
const QUESTIONS: [&[&str]; 4] = [
    &["x0 < 0.99"],
    &["x0 < 0.99 and x1 + x2 < 1.9 and (x3 > 0.2 -> x4 < 0.99)"],
    &["--estimate", "x0 / (x1 + 1)"],
    &["x0 < 0.99", "x1 + x2 < 1.9", "--estimate", "x0 / (x1 + 1)"],
];

/// Measures and writes the part.
///
/// # Errors
/// Fathom cannot be built, or a check failed.
pub fn part(effort: Effort, say: Say<'_>) -> Result<String, String> {
    let fathom = fathom(say)?;
    let load = Load::now();
    let (table, largest) = many(effort, &fathom, say)?;
    let (moving, growth) = percentiles(effort, say)?;
    let running = match largest.running {
        Some(running) => format!(", of which {} on a processor", time(running)),
        None => String::new(),
    };
    let met = |is_met: bool| verdict(is_met);
    Ok(format!(
        "## Checking many executions\n\n\
         Made by `cargo run --release -p fathom-testkit -- performance checks` on {}{}. `fathom \
         check PROPERTY --data FILE` on a CSV file with {COLUMNS} columns of uniform numbers of \
         eight digits, an execution a row; the best of {RUNS} runs of the whole program, its time on \
         a processor, which is the whole time where no other program runs, and the most memory it \
         held.\n\n\
         Goal, for {} executions: below {}: {}{running}, {}. Goal: below {:.0} MB: {:.0} MB, {}.\n\n\
         {table}\n\
         Moving percentiles, `pct[0,w](50, x) < c` at all times, from an observation in memory to \
         a judgement: a step signal of uniform values, one for each unit of time; the time on a \
         processor, the best of {RUNS} runs. A tree of sums takes n log n, whatever the window; \
         sorting every window would take about w log w for each point. Goal: in the longest signal \
         the widest window takes at most {MOST_GROWTH} times what the narrowest takes: {:.2} times, \
         {}. Longer signals leave the caches of the processor.\n\n\
         {moving}",
        machine::in_words(),
        load.in_words(),
        count(effort.executions.last().copied().unwrap_or(0)),
        time(MOST_SECONDS),
        time(largest.seconds),
        met(largest.seconds < MOST_SECONDS),
        MOST_MEMORY / 1e6,
        largest.memory / 1e6,
        met(largest.memory < MOST_MEMORY),
        growth,
        met(growth <= MOST_GROWTH),
    ))
}

/// The page with the part in it.
///
/// # Errors
/// The page cannot be read.
pub fn page_with(part: &str) -> Result<String, String> {
    Ok(Part::CHECKS.replaced(&as_it_is()?, part))
}

/// What the largest file took, over all questions.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    seconds: f64,
    running: Option<f64>,
    memory: f64,
}

fn many(effort: Effort, fathom: &Path, say: Say<'_>) -> Result<(String, Taken), String> {
    let folder = target()?.join("performance-checks");
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let file = folder.join("executions.csv");
    let mut table =
        MarkdownTable::new(["executions", "question", "file", "time", "on a processor", "memory"]);
    let mut largest = Taken::default();
    for &n in effort.executions {
        say(&format!("{} executions", count(n)));
        let text = executions(n);
        std::fs::write(&file, &text).map_err(failed)?;
        largest = Taken::default();
        for question in QUESTIONS {
            let mut best = Taken { seconds: f64::INFINITY, running: None, memory: 0.0 };
            for _ in 0..RUNS {
                let mut command = Command::new(fathom);
                command.arg("check").args(question).arg("--data").arg(&file).arg("--quiet");
                let seen = watched(&mut command)?;
                best.seconds = best.seconds.min(seen.seconds);
                best.running = least(best.running, seen.running);
                best.memory = best.memory.max(seen.peak.unwrap_or(f64::NAN));
            }
            if best.seconds > largest.seconds {
                (largest.seconds, largest.running) = (best.seconds, best.running);
            }
            largest.memory = largest.memory.max(best.memory);
            table.row([
                count(n),
                format!("`{}`", question.join(" ")),
                format!("{:.0} MB", text.len() as f64 / 1e6),
                time(best.seconds),
                best.running.map_or_else(String::new, time),
                format!("{:.0} MB", best.memory / 1e6),
            ]);
        }
    }
    std::fs::remove_dir_all(&folder).map_err(failed)?;
    Ok((table.render(), largest))
}

/// The smaller of two that may be unknown.
fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.into_iter().chain(b).reduce(f64::min)
}

/// A table of uniform numbers.
fn executions(n: usize) -> String {
    let names: Vec<String> = (0..COLUMNS).map(|column| format!("x{column}")).collect();
    let mut text = format!("{}\n", names.join(","));
    let mut rng = generator(7, 0);
    for _ in 0..n {
        for column in 0..COLUMNS {
            let number: f64 = Open01.sample(&mut rng);
            let comma = if column > 0 { "," } else { "" };
            // Writing to a String cannot fail.
            let _ = write!(text, "{comma}{number:.8}");
        }
        text.push('\n');
    }
    text
}

/// The table, and how many times more the widest window takes than the narrowest in the longest
/// signal.
fn percentiles(effort: Effort, say: Say<'_>) -> Result<(String, f64), String> {
    let heads = effort.widths.iter().map(|&width| format!("w = {}", count(width)));
    let mut table = MarkdownTable::new(std::iter::once("points".to_string()).chain(heads));
    let mut growth: f64 = 0.0;
    for &n in effort.points {
        let seen = signal(n)?;
        let mut row = vec![count(n)];
        let mut narrowest = f64::INFINITY;
        for &width in effort.widths {
            say(&format!("a moving median of {} points, w = {}", count(n), count(width)));
            let formula = moving_median(width);
            let seconds = on_processor(&formula, &seen)?;
            row.push(format!("{} ({} a point)", time(seconds), time(seconds / n as f64)));
            narrowest = narrowest.min(seconds);
            growth = seconds / narrowest;
        }
        table.row(row);
    }
    Ok((table.render(), growth))
}

/// How long judging takes on a processor.
fn on_processor(formula: &Formula, seen: &Observation) -> Result<f64, String> {
    let mut best: Option<f64> = None;
    for _ in 0..RUNS {
        let before = running_of("thread-self");
        let judged = std::hint::black_box(judge(formula, &[seen]));
        let after = running_of("thread-self");
        drop(judged);
        best = least(best, after.zip(before).map(|(after, before)| after - before));
    }
    best.ok_or_else(|| "the system does not say how long a thread ran".to_string())
}

fn signal(n: usize) -> Result<Observation, String> {
    let mut rng = generator(8, 0);
    let values = (0..n).map(|_| Open01.sample(&mut rng)).collect();
    let times = (0..n).map(|i| i as f64).collect();
    let signal = Signal::new(Unit::Unknown, Shape::Step, times, values);
    let mut seen = Observation::new();
    seen.set_signal("x", signal.map_err(|error| error.to_string())?)
        .map_err(|error| error.to_string())?;
    seen.set_end((n - 1) as f64).map_err(|error| error.to_string())?;
    Ok(seen)
}

fn moving_median(width: usize) -> Formula {
    let window = Window { from: 0.0, to: width as f64, includes_from: true, includes_to: true };
    let x = Box::new(Term::Metric(QualifiedName { run: 0, name: "x".to_string() }));
    let left = Term::OverTime(Aggregate::Percentile(50.0), Some(window), x);
    Formula::Always(
        Window::FROM_NOW,
        Box::new(Formula::Compare(NumberComparison {
            left,
            relation: Relation::Less,
            right: Term::Number(0.9),
            unit: String::new(),
            span: 0..1,
        })),
    )
}
