//! Two builds of a bench, function by function.
//!
//! Both executables run at the same time and alternate, batch by batch, so that what slows the
//! machine affects both. One pair of processes is not enough: where code and data lie in memory
//! decides how fast they are. Where data lie differs from one execution to the next; where code lies
//! differs from one executable to the next, and an edit anywhere in the program moves it. So both
//! builds are linked again in random orders, each pair of layouts gives one log-ratio per function,
//! and the interval is that of layouts. See `docs/methods/functions.md`.

pub(crate) mod code;
pub(crate) mod dialogue;
mod duel_programs;
mod layout_pairs;
mod match_up;
mod measured_unit;
pub(crate) mod memory_offsets;
pub(crate) mod opponent;
mod page;
pub(crate) mod relink;
mod round;

pub use page::render;

use crate::selection::BenchFilters;
use code::BuildCode;
use dialogue::MeasuredUnit;
use duel_programs::DuelPrograms;
use fathom_analyze::compare::{
    ComparedStatistic, Comparison, Course, Gate, Layouts, Margin, Pairing, TwoBuilds,
    analyze_counted, median_at,
};
use fathom_analyze::{EstimateRequest, Function, StopReason, Subject};
use fathom_record::{Series, Unit};
use fathom_render::difference_so_far;
use fathom_stats::Confidence;
use fathom_sys::signals::Interrupt;
use layout_pairs::{LayoutPair, LayoutPairs};
use match_up::MatchUp;
use opponent::Opponent;
use relink::LinkRecipe;
use round::{Contest, Round};
use std::fmt;
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
    /// How it is linked again in other layouts, or why it cannot be.
    pub relinking: Result<Relinking, String>,
}

/// What it takes to link a build again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relinking {
    /// What the linker was given.
    pub(crate) recipe: LinkRecipe,
    /// Where executables may be written.
    pub(crate) folder: PathBuf,
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
    /// What of the batches of an execution is compared; not many quantiles at once.
    pub statistic: ComparedStatistic,
    /// What must be shown.
    pub gates: Vec<Gate>,
    /// Whether functions whose code is unchanged can fail a gate.
    pub gate_unchanged: bool,
    /// How many layouts of each build to measure: as many as the time allows, if nothing is said.
    pub layouts: Option<usize>,
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
#[derive(Debug)]
#[non_exhaustive]
pub enum DuelError {
    /// A program cannot be started.
    NotStarted {
        /// Which.
        executable: String,
        /// Why.
        error: std::io::Error,
    },
    /// A program is something else.
    NoBench {
        /// Which.
        executable: String,
        /// What it did instead.
        why: String,
    },
    /// There is nothing to compare.
    Nothing(String),
    /// A layout cannot be linked, though others could.
    NotLinked(String),
    /// The user ended it while the programs started.
    Interrupted,
}

impl fmt::Display for DuelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DuelError::NotStarted { executable, error } => write!(
                f,
                "cannot start {executable}: {error}; use the path of a bench executable, as `cargo bench --no-run` prints it"
            ),
            DuelError::NoBench { executable, why } => {
                write!(f, "{executable} is not a bench built with fathom-bench: {why}")
            }
            DuelError::Nothing(why) => f.write_str(why),
            DuelError::NotLinked(why) => write!(f, "another layout cannot be linked: {why}"),
            DuelError::Interrupted => f.write_str("interrupted before there was anything to show"),
        }
    }
}

impl std::error::Error for DuelError {}

/// Compares two builds.
pub fn duel(
    old: &Program,
    new: &Program,
    options: &DuelOptions,
    show: &mut dyn FnMut(&dyn Fn() -> String),
) -> Result<DuelResult, DuelError> {
    let began = Instant::now();
    let programs = DuelPrograms::new(old, new, options);
    let is_interrupted = || options.interrupt.is_some_and(Interrupt::requested);
    let (match_up, measured) = {
        // Ctrl-C reaches the programs, too: one that it ended while it started is not at fault.
        let opened = programs.open(&programs.as_built(), 0);
        let opponents = opened.map_err(|error| match is_interrupted() {
            true => DuelError::Interrupted,
            false => error,
        })?;
        let [known, wanted] = [&opponents[0].functions, &opponents[1].functions];
        let labels = [old.label.as_str(), new.label.as_str()];
        let measured = MeasuredUnit::of_both(&opponents, labels)?;
        (MatchUp::of(known, wanted, &options.selection, labels)?, measured)
    };
    let mut contests: Vec<Contest> =
        match_up.functions.iter().map(|function| Contest::new(function.clone())).collect();
    let mut warnings = match_up.warnings;
    let mut stage = Stage::prepare([old, new], options, contests.len(), show);
    if is_interrupted() {
        // Ctrl-C reached the linker, too: that it failed says nothing about it.
        return Err(DuelError::Interrupted);
    }
    let plan = stage.plan;
    let mut course = Course::new(
        contests.len(),
        plan.units,
        options.confidence,
        options.margin,
        options.gates.clone(),
        0.0,
    )
    .of_log_ratios_of(options.statistic);
    let mut number = 0;
    let mut unchanged: Vec<Option<bool>> = vec![None; contests.len()];
    let stopped = loop {
        let is_open = |index: &usize| !contests[*index].is_broken();
        let open: Vec<usize> = course.open().into_iter().filter(is_open).collect();
        if open.is_empty() {
            break StopReason::Verdict;
        }
        if number >= plan.units {
            break StopReason::MaxTime;
        }
        let executables = match stage.executables(number, &programs) {
            Ok(executables) => executables,
            // Ctrl-C reached the linker, too.
            Err(_) if is_interrupted() => {
                if course.blocks() > 0 {
                    course.end();
                }
                break StopReason::Interrupted;
            }
            // It worked before, so the disk is full or the build has changed meanwhile.
            Err(why) => return Err(DuelError::NotLinked(why)),
        };
        let mut blocks = Vec::new();
        for execution in 0..plan.executions {
            let round = number * plan.executions + execution;
            // Processes of their own, with a memory layout of their own, for every round.
            let mut opponents = match programs.open(&executables, round) {
                Ok(opponents) => opponents,
                // Ctrl-C reached the programs, too; no round follows.
                Err(_) if is_interrupted() => break,
                Err(error) => return Err(error),
            };
            for &index in &open {
                if contests[index].is_broken() {
                    continue;
                }
                let line = progress(&contests[index], number, &stage, &course, index);
                show(&|| line.clone());
                plan.round(options, round, index).fight(&mut contests[index], &mut opponents);
                if contests[index].is_gone() {
                    // The process went down with the function; the others need new ones.
                    opponents = match programs.open(&executables, round) {
                        Ok(opponents) => opponents,
                        Err(_) if is_interrupted() => break,
                        Err(error) => return Err(error),
                    };
                }
                if is_interrupted() {
                    break;
                }
            }
            if number == 0 && execution == 0 && !is_interrupted() {
                unchanged = stage.unchanged(&mut opponents, &contests);
            }
            if is_interrupted() {
                break;
            }
        }
        if is_interrupted() {
            // A unit that not all have completed does not count.
            if course.blocks() > 0 {
                course.end();
            }
            break StopReason::Interrupted;
        }
        for index in open {
            blocks.extend(contests[index].close_unit().map(|block| (index, block)));
        }
        course.take(&blocks);
        number += 1;
    };
    let seconds = began.elapsed().as_secs_f64();
    warnings.extend(stage.warning());
    let found = DuelResult {
        subjects: Vec::new(),
        comparisons: Vec::new(),
        failures: Vec::new(),
        warnings,
        is_interrupted: stopped == StopReason::Interrupted,
        seconds,
    };
    let labels = [old.label.as_str(), new.label.as_str()];
    let builds = unchanged
        .into_iter()
        .zip(course.subjects())
        .map(|(is_code_unchanged, subject)| TwoBuilds {
            layouts: stage.layouts(subject.blocks().len()),
            is_code_unchanged,
        })
        .collect();
    let found = found.with(&contests, &course, labels, options, stopped, builds);
    Ok(MeasuredUnit::named_in(found, measured))
}

/// Where the duel takes place: the layouts of both builds.
struct Stage {
    /// How layouts are made, or why there is only one of each build.
    pairs: Result<LayoutPairs, Option<String>>,
    /// The layouts that are measured now.
    current: Option<LayoutPair>,
    plan: DuelPlan,
}

impl Stage {
    fn prepare(
        programs: [&Program; 2],
        options: &DuelOptions,
        functions: usize,
        show: &mut dyn FnMut(&dyn Fn() -> String),
    ) -> Stage {
        let plan = DuelPlan::of(options);
        if options.layouts == Some(1) {
            return Stage { pairs: Err(None), current: None, plan };
        }
        show(&|| "linking both builds in a first layout".to_string());
        let made = LayoutPairs::new(programs, options.seed, options.interrupt).and_then(|pairs| {
            if options.interrupt.is_some_and(Interrupt::requested) {
                return Err("interrupted".to_string());
            }
            let (first, took) = pairs.link(0)?;
            Ok((pairs, first, took))
        });
        match made {
            Ok((pairs, first, took)) => {
                let plan = plan.over_layouts(options.layouts, took, functions);
                Stage { pairs: Ok(pairs), current: Some(first), plan }
            }
            Err(why) => Stage { pairs: Err(Some(why)), current: None, plan },
        }
    }

    /// The executables of a unit; those of the one before are removed.
    fn executables(
        &mut self,
        unit: usize,
        programs: &DuelPrograms<'_>,
    ) -> Result<[PathBuf; 2], String> {
        let Ok(pairs) = &self.pairs else { return Ok(programs.as_built()) };
        if unit > 0 || self.current.is_none() {
            self.current = None;
            self.current = Some(pairs.link(unit)?.0);
        }
        Ok(self
            .current
            .as_ref()
            .map_or_else(|| programs.as_built(), |pair| pair.executables.clone()))
    }

    /// Whether the code of each function is the same in both builds.
    fn unchanged(&self, opponents: &mut [Opponent; 2], contests: &[Contest]) -> Vec<Option<bool>> {
        let nothing = vec![None; contests.len()];
        let (Ok(pairs), Some(current)) = (&self.pairs, &self.current) else { return nothing };
        let mut codes = Vec::new();
        for (side, opponent) in opponents.iter_mut().enumerate() {
            let mut addresses = vec![None; opponent.functions.len()];
            for contest in contests.iter().filter(|contest| !contest.is_broken()) {
                let place = contest.function.places[side];
                addresses[place] = opponent.code(place);
            }
            let code =
                BuildCode::read(pairs.recipes()[side], &current.executables[side], &addresses);
            codes.extend(code);
        }
        let [old, new] = codes.as_slice() else { return nothing };
        let places: Vec<[usize; 2]> =
            contests.iter().map(|contest| contest.function.places).collect();
        code::unchanged([old, new], &places)
    }

    /// What was measured of a function that took this many units.
    fn layouts(&self, units: usize) -> Layouts {
        match &self.pairs {
            Ok(pairs) => Layouts::Several {
                count: units,
                executions: self.plan.executions,
                arrangement: pairs.arrangement(),
            },
            Err(why) => Layouts::One { why: why.clone() },
        }
    }

    /// What the user should do to have several layouts.
    fn warning(&self) -> Option<String> {
        let Err(Some(why)) = &self.pairs else { return None };
        Some(format!(
            "only one layout of each build was measured ({why}), so code that moved can look \
             faster or slower"
        ))
    }
}

/// How many units decide, how many executions each has, and how long they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DuelPlan {
    /// Pairs of layouts, or of executions where there is one layout.
    units: usize,
    /// Pairs of executions of each unit.
    executions: usize,
    /// How long an execution measures a function.
    round: Duration,
}

impl DuelPlan {
    fn of(options: &DuelOptions) -> DuelPlan {
        let rounds = (options.max_time.as_secs_f64() / ROUND.as_secs_f64()) as u32;
        let rounds = rounds.clamp(FEWEST_ROUNDS, MOST_ROUNDS);
        DuelPlan { units: rounds as usize, executions: 1, round: options.max_time / rounds }
    }

    /// The same time in layouts: a number that was asked for; or one for each execution, since
    /// nothing says more about other layouts than other layouts. Where linking takes longer than
    /// measuring there are fewer, with several executions each, but enough to decide something.
    fn over_layouts(self, asked: Option<usize>, linking: Duration, functions: usize) -> DuelPlan {
        let rounds = self.units;
        let measuring = self.round.as_secs_f64() * functions as f64;
        let affordable = rounds as f64 * (measuring / linking.as_secs_f64().max(1e-3)).min(1.0);
        let units =
            asked.unwrap_or((affordable as usize).max(FEWEST_ROUNDS as usize).min(rounds)).max(1);
        let executions = (rounds / units).max(1);
        let all = self.round * rounds as u32;
        DuelPlan { units, executions, round: all / (units * executions) as u32 }
    }

    fn round(&self, options: &DuelOptions, number: usize, function: usize) -> Round {
        // Coins of their own for every round and function.
        let stream = ((number as u64) << 32) ^ ((function as u64) << 48);
        Round {
            time: self.round,
            statistic: options.statistic,
            seed: options.seed ^ stream,
            interrupt: options.interrupt,
        }
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
        builds: Vec<TwoBuilds>,
    ) -> DuelResult {
        let rounds = course.blocks().max(1) as f64;
        let per_round = self.seconds / rounds / contests.len() as f64;
        for ((index, contest), builds) in contests.iter().enumerate().zip(builds) {
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
            let pairing = match builds.layouts {
                Layouts::One { .. } => Pairing::Executions,
                Layouts::Several { .. } => Pairing::Layouts,
            };
            let comparison = Comparison::of(course, index, pair, pairing, per_round);
            let Some(comparison) = comparison else { continue };
            let comparison = comparison.of_builds(builds, options.gate_unchanged);
            self.warnings.extend(contest.too_few_batches(options.statistic));
            let all: Vec<usize> = (0..contest.medians[0].len()).collect();
            let [old, new] = [0, 1].map(|side: usize| median_at(&contest.medians[side], &all));
            self.comparisons.push(comparison.with_sides(old, new));
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
            timing: None,
            executions: None,
            throughput: None,
            input: None,
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
    stage: &Stage,
    course: &Course,
    index: usize,
) -> String {
    let unit = if stage.pairs.is_ok() { "layout" } else { "execution" };
    let most = stage.plan.units;
    let mut line = format!("{unit} {} of {most}: {}", number + 1, contest.function.name);
    let subject = &course.subjects()[index];
    if let Some(log_ratio) = subject.log_ratio() {
        let so_far = difference_so_far(log_ratio, subject.interval(), 1);
        line.push_str(&format!(", so far {so_far}"));
    }
    line
}

#[cfg(test)]
mod tests;
