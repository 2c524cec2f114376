//! Two builds of a bench, function by function.
//!
//! Both executables run at the same time and work in turn, batch by batch, so that what slows the
//! machine strikes both. One pair of processes is not enough: where code and data lie in memory
//! differs from one execution to the next, and with it the speed. So pairs of executions are
//! repeated, each gives one log-ratio per function, and the interval is that of executions. See
//! `docs/methods/functions.md`.

mod arena;
pub(crate) mod dialogue;
mod match_up;
mod opponent;
mod page;
mod round;

pub use page::render;

use crate::Selection;
use arena::Arena;
use fathom_analyze::compare::{Comparison, Course, Gate, Margin, Pairing};
use fathom_analyze::{Function, Request, Stopped, Subject, analyze};
use fathom_record::{Series, Unit};
use fathom_stats::Confidence;
use fathom_sys::signals::Interrupt;
use match_up::MatchUp;
use round::{Contest, Round};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Without another word, a function is measured for about so long in both builds together.
pub const TIME: Duration = Duration::from_secs(2);
/// A pair of executions measures a function for about so long.
const ROUND: Duration = Duration::from_millis(100);
/// So few pairs of executions could not be told apart from luck.
const FEWEST_ROUNDS: u32 = 12;
/// More than this many say little more.
const MOST_ROUNDS: u32 = 200;

/// A build of a bench.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The executable.
    pub executable: PathBuf,
    /// Where it runs; here, if nothing is said.
    pub folder: Option<PathBuf>,
    /// How it is called in results: "main".
    pub label: String,
}

/// What to compare, and how sure to be.
#[derive(Debug)]
pub struct Options {
    /// Which functions.
    pub selection: Selection,
    /// About how long for each function.
    pub max_time: Duration,
    /// How sure the verdicts are to be, all together.
    pub confidence: Confidence,
    /// What counts as no difference.
    pub margin: Margin,
    /// What is to be shown.
    pub gates: Vec<Gate>,
    /// Where random numbers start.
    pub seed: u64,
    /// Whether the user wants to end it.
    pub interrupt: Option<Interrupt>,
}

/// What a duel found.
#[derive(Debug)]
pub struct Found {
    /// For each function the old build and the new.
    pub subjects: Vec<Subject>,
    /// The new build against the old, function by function.
    pub comparisons: Vec<Comparison>,
    /// Functions that broke, and why.
    pub failures: Vec<(String, String)>,
    /// Functions that only one of the builds has.
    pub warnings: Vec<String>,
    /// Whether the user ended it.
    pub is_interrupted: bool,
    /// How long it took.
    pub seconds: f64,
}

/// Why there is no duel.
#[derive(Debug, thiserror::Error)]
pub enum DuelError {
    /// A program cannot be started.
    #[error(
        "{executable} cannot be started: {error}; give the path of a bench executable, as `cargo bench --no-run` prints it"
    )]
    NotStarted {
        /// Which.
        executable: String,
        /// Why.
        error: std::io::Error,
    },
    /// A program is something else.
    #[error("{executable} is no bench built with fathom-bench: {why}")]
    NoBench {
        /// Which.
        executable: String,
        /// What it did instead.
        why: String,
    },
    /// There is nothing to compare.
    #[error("{0}")]
    Nothing(String),
}

/// Compares two builds.
pub fn duel(
    old: &Program,
    new: &Program,
    options: &Options,
    show: &mut dyn FnMut(&dyn Fn() -> String),
) -> Result<Found, DuelError> {
    let began = Instant::now();
    let arena = Arena::new(old, new, options.seed);
    let mut opponents = arena.open(0)?;
    let [known, wanted] = [&opponents[0].functions, &opponents[1].functions];
    let match_up = MatchUp::of(known, wanted, &options.selection, [&old.label, &new.label])?;
    let count = match_up.functions.len();
    let rounds = (options.max_time.as_secs_f64() / ROUND.as_secs_f64()) as u32;
    let rounds = rounds.clamp(FEWEST_ROUNDS, MOST_ROUNDS);
    let round_time = options.max_time / rounds;
    let mut course = Course::new(
        count,
        rounds as usize,
        options.confidence,
        options.margin,
        options.gates.clone(),
        0.0,
    );
    let mut contests: Vec<Contest> =
        match_up.functions.iter().map(|function| Contest::new(function.clone())).collect();
    let mut is_interrupted = false;
    let mut number = 0;
    let stopped = loop {
        let open: Vec<usize> =
            course.open().into_iter().filter(|&index| !contests[index].is_broken()).collect();
        if open.is_empty() {
            break Stopped::Verdict;
        }
        if number >= rounds as usize {
            break Stopped::MaxTime;
        }
        let mut blocks = Vec::new();
        for &index in &open {
            let line = || progress(&contests[index].function.name, number, rounds, &course, index);
            let line = line();
            show(&|| line.clone());
            let round = Round {
                time: round_time,
                seed: options.seed ^ ((number as u64) << 32) ^ ((index as u64) << 48),
                interrupt: options.interrupt,
            };
            let block = round.fight(&mut contests[index], &mut opponents);
            if contests[index].is_gone() {
                // The process went down with the function; the others need new ones.
                opponents = arena.open(number)?;
            }
            if options.interrupt.is_some_and(Interrupt::requested) {
                is_interrupted = true;
                break;
            }
            blocks.extend(block.map(|block| (index, block)));
        }
        if is_interrupted {
            if course.blocks() > 0 {
                course.end();
            }
            break Stopped::Interrupted;
        }
        if blocks.is_empty() {
            break Stopped::Verdict;
        }
        course.take(&blocks);
        number += 1;
        if !course.open().is_empty() && number < rounds as usize {
            // Processes of their own, with a memory layout of their own, for every round.
            opponents = arena.open(number)?;
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    let per_round = seconds / number.max(1) as f64 / count as f64;
    let mut found = Found {
        subjects: Vec::new(),
        comparisons: Vec::new(),
        failures: Vec::new(),
        warnings: match_up.warnings,
        is_interrupted,
        seconds,
    };
    for (index, contest) in contests.into_iter().enumerate() {
        let names =
            [old, new].map(|program| format!("{} ({})", contest.function.name, program.label));
        if let Some(why) = contest.broken() {
            found.failures.push((contest.function.name.clone(), why.to_string()));
            continue;
        }
        let pair = [names[0].as_str(), names[1].as_str()];
        let comparison = Comparison::of(&course, index, pair, Pairing::Executions, per_round);
        let Some(comparison) = comparison else { continue };
        found.comparisons.push(comparison);
        for (side, name) in names.into_iter().enumerate() {
            found.subjects.extend(contest.subject(side, name, options, stopped));
        }
    }
    Ok(found)
}

impl Contest {
    /// What is known of one build's function: a sample is an execution.
    fn subject(
        &self,
        side: usize,
        name: String,
        options: &Options,
        stopped: Stopped,
    ) -> Option<Subject> {
        let series = Series::new(name, Unit::SECONDS, self.medians[side].clone()).ok()?;
        let request =
            Request { confidence: options.confidence, seed: options.seed, ..Request::default() };
        let mut subject = analyze(series, &request);
        // Few samples and drift spoil the medians beside the verdict, not the verdict.
        subject.warnings.clear();
        subject.stopped = stopped;
        subject.function = Some(Function {
            calls_per_batch: self.calls[side],
            is_zero: false,
            throughput: None,
            allocations: None,
            stolen: None,
            others: None,
        });
        Some(subject)
    }
}

fn progress(name: &str, number: usize, rounds: u32, course: &Course, index: usize) -> String {
    let mut line = format!("execution {} of {rounds}: {name}", number + 1);
    let subject = &course.subjects()[index];
    if let Some(estimate) = subject.estimate() {
        let interval = subject.interval();
        let percent = |log: f64| 100.0 * log.exp_m1();
        line.push_str(&format!(
            ", so far {:+.1}% ({:+.1}% to {:+.1}%)",
            percent(estimate),
            percent(interval.lower),
            percent(interval.upper)
        ));
    }
    line
}
