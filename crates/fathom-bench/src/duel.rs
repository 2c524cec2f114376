//! Two builds of a bench, function by function.
//!
//! Both executables run at the same time and alternate, batch by batch, so that what slows the
//! machine affects both. One pair of processes is not enough: where code and data lie in memory
//! differs from one execution to the next, and with it the speed. So pairs of executions are
//! repeated, each gives one log-ratio per function, and the interval is that of executions. See
//! `docs/methods/functions.md`.

pub(crate) mod dialogue;
mod duel_programs;
mod match_up;
mod opponent;
mod page;
mod round;

pub use page::render;

use crate::BenchFilters;
use duel_programs::DuelPrograms;
use fathom_analyze::compare::{
    Comparison, Course, Gate, Margin, Pairing, analyze_counted, median_at,
};
use fathom_analyze::{EstimateRequest, Function, StopReason, Subject};
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
pub struct DuelOptions {
    /// Which functions.
    pub selection: BenchFilters,
    /// About how long for each function.
    pub max_time: Duration,
    /// The confidence of all verdicts together.
    pub confidence: Confidence,
    /// What counts as no difference.
    pub margin: Margin,
    /// What must be shown.
    pub gates: Vec<Gate>,
    /// Where random numbers start.
    pub seed: u64,
    /// Whether the user wants to end it.
    pub interrupt: Option<Interrupt>,
}

/// What a duel found.
#[derive(Debug)]
pub struct DuelResult {
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
#[non_exhaustive]
pub enum DuelError {
    /// A program cannot be started.
    #[error(
        "cannot start {executable}: {error}; use the path of a bench executable, as `cargo bench --no-run` prints it"
    )]
    NotStarted {
        /// Which.
        executable: String,
        /// Why.
        error: std::io::Error,
    },
    /// A program is something else.
    #[error("{executable} is not a bench built with fathom-bench: {why}")]
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
    options: &DuelOptions,
    show: &mut dyn FnMut(&dyn Fn() -> String),
) -> Result<DuelResult, DuelError> {
    let began = Instant::now();
    let programs = DuelPrograms::new(old, new, options);
    let mut opponents = programs.open(0)?;
    let [known, wanted] = [&opponents[0].functions, &opponents[1].functions];
    let match_up = MatchUp::of(known, wanted, &options.selection, [&old.label, &new.label])?;
    let mut contests: Vec<Contest> =
        match_up.functions.iter().map(|function| Contest::new(function.clone())).collect();
    let plan = DuelPlan::of(options);
    let mut course = Course::new(
        contests.len(),
        plan.rounds,
        options.confidence,
        options.margin,
        options.gates.clone(),
        0.0,
    );
    let is_interrupted = || options.interrupt.is_some_and(Interrupt::requested);
    let mut number = 0;
    let stopped = loop {
        let is_open = |index: &usize| !contests[*index].is_broken();
        let open: Vec<usize> = course.open().into_iter().filter(is_open).collect();
        if open.is_empty() {
            break StopReason::Verdict;
        }
        if number >= plan.rounds {
            break StopReason::MaxTime;
        }
        if number > 0 {
            // Processes of their own, with a memory layout of their own, for every round.
            opponents = programs.open(number)?;
        }
        let mut blocks = Vec::new();
        for index in open {
            let line = progress(&contests[index], number, plan.rounds, &course, index);
            show(&|| line.clone());
            let round = plan.round(options, number, index);
            let block = round.fight(&mut contests[index], &mut opponents);
            blocks.extend(block.map(|block| (index, block)));
            if contests[index].is_gone() {
                // The process went down with the function; the others need new ones.
                opponents = programs.open(number)?;
            }
            if is_interrupted() {
                break;
            }
        }
        if is_interrupted() {
            // A round that not all have fought does not count.
            if course.blocks() > 0 {
                course.end();
            }
            break StopReason::Interrupted;
        }
        course.take(&blocks);
        number += 1;
    };
    let seconds = began.elapsed().as_secs_f64();
    let found = DuelResult {
        subjects: Vec::new(),
        comparisons: Vec::new(),
        failures: Vec::new(),
        warnings: match_up.warnings,
        is_interrupted: stopped == StopReason::Interrupted,
        seconds,
    };
    let labels = [old.label.as_str(), new.label.as_str()];
    Ok(found.with(&contests, &course, labels, options, stopped))
}

/// How many rounds, and how long they are.
#[derive(Debug, Clone, Copy)]
struct DuelPlan {
    rounds: usize,
    round: Duration,
}

impl DuelPlan {
    fn of(options: &DuelOptions) -> DuelPlan {
        let rounds = (options.max_time.as_secs_f64() / ROUND.as_secs_f64()) as u32;
        let rounds = rounds.clamp(FEWEST_ROUNDS, MOST_ROUNDS);
        DuelPlan { rounds: rounds as usize, round: options.max_time / rounds }
    }

    fn round(&self, options: &DuelOptions, number: usize, function: usize) -> Round {
        // Coins of their own for every round and function.
        let stream = ((number as u64) << 32) ^ ((function as u64) << 48);
        Round { time: self.round, seed: options.seed ^ stream, interrupt: options.interrupt }
    }
}

impl DuelResult {
    /// What the contests gave.
    fn with(
        mut self,
        contests: &[Contest],
        course: &Course,
        labels: [&str; 2],
        options: &DuelOptions,
        stopped: StopReason,
    ) -> DuelResult {
        let rounds = course.blocks().max(1) as f64;
        let per_round = self.seconds / rounds / contests.len() as f64;
        for (index, contest) in contests.iter().enumerate() {
            let name = &contest.function.name;
            if contest.is_zero() {
                self.warnings.push(format!(
                    "{name}: it takes no longer than an empty loop, so it was probably optimized \
                     away; wrap its input and result in black_box(...)"
                ));
                continue;
            }
            if let Some(why) = contest.broken() {
                self.failures.push((name.clone(), why.to_string()));
                continue;
            }
            let names = labels.map(|label| format!("{name} ({label})"));
            let pair = [names[0].as_str(), names[1].as_str()];
            let comparison = Comparison::of(course, index, pair, Pairing::Executions, per_round);
            let Some(comparison) = comparison else { continue };
            let all: Vec<usize> = (0..contest.medians[0].len()).collect();
            let [old, new] = [0, 1].map(|side: usize| median_at(&contest.medians[side], &all));
            self.comparisons.push(comparison.with_medians(old, new));
            for (side, name) in names.into_iter().enumerate() {
                self.subjects.extend(contest.subject(side, name, options, stopped));
            }
        }
        self
    }
}

impl Contest {
    /// What is known of one build's function: a sample is an execution.
    fn subject(
        &self,
        side: usize,
        name: String,
        options: &DuelOptions,
        stopped: StopReason,
    ) -> Option<Subject> {
        let series = Series::new(name, Unit::SECONDS, self.medians[side].clone()).ok()?;
        let request = EstimateRequest {
            confidence: options.confidence,
            seed: options.seed,
            ..EstimateRequest::default()
        };
        // Every execution counts in the ratio, so it counts in the median.
        let all: Vec<usize> = (0..series.len()).collect();
        let mut subject = analyze_counted(series, &all, &request);
        // Few samples and drift affect the medians next to the verdict, not the verdict.
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

fn progress(
    contest: &Contest,
    number: usize,
    rounds: usize,
    course: &Course,
    index: usize,
) -> String {
    let mut line = format!("execution {} of {rounds}: {}", number + 1, contest.function.name);
    let subject = &course.subjects()[index];
    if let Some(log_ratio) = subject.log_ratio() {
        let interval = subject.interval();
        let percent = |log: f64| 100.0 * log.exp_m1();
        line.push_str(&format!(
            ", so far {:+.1}% ({:+.1}% to {:+.1}%)",
            percent(log_ratio),
            percent(interval.lower),
            percent(interval.upper)
        ));
    }
    line
}
