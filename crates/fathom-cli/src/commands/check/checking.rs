//! A check of commands, from the first execution to the exit code.

use super::adjust::Adjustments;
use super::judge::{Judge, System};
use super::kept::Kept;
use super::question::Asked;
use super::report::{Circumstances, report};
use super::sameness::Origin;
use super::sampling::{Ending, Executions, Sampled, Sampler, Wish, deadline};
use super::{shown, systems};
use crate::arguments::{CheckArguments, Color, Place};
use crate::commands::measuring::programs::{History, Programs};
use crate::commands::written;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::Progress;
use fathom_measure::experiment::{
    ExecutionMetric, Fleet, FleetError, InOrder, LocalFleet, Performed, Recipe, Scratch,
    bare_observation,
};
use fathom_measure::slurm::{Pace, SlurmFleet};
use fathom_property::decide::Verdict;
use fathom_property::{Answer, Catalogue, Caveat, CaveatKind, CheckReport, Stopped};
use fathom_stats::proportion::Plan;
use std::collections::BTreeSet;
use std::path::Path;

/// A check that is ready to begin.
pub(super) struct Check<'a> {
    arguments: &'a CheckArguments,
    recipe: Recipe,
    adjustments: Adjustments,
    asked: Asked,
    /// At most so many executions or tuples, those that do not count included.
    budget: u64,
    seed: u64,
}

impl<'a> Check<'a> {
    pub(super) fn of(arguments: &'a CheckArguments, seed: u64) -> Result<Check<'a>, Failure> {
        let asked = Asked::of(arguments, arguments.runs.is_some())?;
        let recipe = systems::recipe(arguments)?;
        let adjustments = Adjustments::of(&arguments.executions)?;
        let budget =
            arguments.runs.or(arguments.max_runs).unwrap_or_else(|| asked.default_budget());
        let check = Check { arguments, recipe, adjustments, asked, budget, seed };
        // Mistakes that need no execution to be seen are told before the first.
        check.judge()?;
        Ok(check)
    }

    pub(super) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    pub(super) fn arguments(&self) -> &CheckArguments {
        self.arguments
    }

    pub(super) fn asked(&self) -> &Asked {
        &self.asked
    }

    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Why it ends when all executions were made: because so many were asked for, or allowed.
    fn at_most_runs(&self) -> Stopped {
        let is_fixed = matches!(self.asked, Asked::Value { precision: None, .. })
            || self.arguments.runs.is_some();
        if is_fixed { Stopped::Fixed } else { Stopped::MaxRuns }
    }

    /// Where executions come from.
    pub(super) fn origin(&self) -> Origin {
        match self.recipe.systems.iter().all(systems::mentions_seed) {
            true => Origin::Seeded,
            false => Origin::Unseeded,
        }
    }

    /// The words of every system's command.
    pub(super) fn commands(&self) -> Vec<Vec<String>> {
        self.recipe.systems.iter().map(|system| system.words.clone()).collect()
    }

    /// What these execute, as it is now.
    fn programs(&self) -> Programs {
        let commands = self.commands();
        Programs::of(commands.iter().map(Vec::as_slice), &self.recipe.folder)
    }

    /// The judge of a new or replayed session, and what to expect.
    pub(super) fn judge(&self) -> Result<(Judge, Option<Plan>), Failure> {
        let shown = |name: &String| System { name: name.clone(), shown: name.clone() };
        let systems = self.recipe.systems.iter().map(|system| shown(&system.name)).collect();
        let on_failure = self.arguments.executions.on_failure;
        let asked = self.asked.clone();
        let mut judge =
            Judge::new(asked, systems, self.adjustments.clone(), on_failure, self.budget)?;
        let metrics = ExecutionMetric::parse_all(&self.recipe.metrics).map_err(Failure::input)?;
        // Without files to read, all names are known beforehand.
        if self.recipe.files.is_empty() {
            let catalogue = self.catalogue(&metrics)?;
            judge.resolve(vec![catalogue; self.recipe.systems.len()]).map_err(|failure| {
                let is_unknown = failure.to_string().starts_with("there is no metric");
                failure.with_line(is_unknown.then(|| {
                    "a number that executions print is read by --metric NAME=REGEX, and a file \
                     that they write by --read FILE"
                        .to_string()
                }))
            })?;
        }
        let plan = judge.course().map(fathom_property::decide::Course::plan);
        Ok((judge, plan))
    }

    fn catalogue(&self, metrics: &[ExecutionMetric]) -> Result<Catalogue, Failure> {
        let mut seen = bare_observation();
        for metric in metrics {
            let unit = metric.metric().unit().clone();
            let scalar = fathom_record::Scalar::new(0.0, unit);
            seen.set_scalar(metric.metric().name(), scalar).map_err(Failure::input)?;
        }
        self.adjustments.apply(&mut seen)?;
        Ok(Catalogue::of(&seen))
    }

    /// Which executions there are to be.
    pub(super) fn executions(&self, judge: &Judge) -> Executions {
        Executions { systems: judge.tuple(), tuples: self.budget, seed: self.seed }
    }
}

/// Makes executions until the question is answered, and reports. `before` are those of a session
/// that goes on.
pub(super) fn carry_out(
    check: Check<'_>,
    mut kept: Kept,
    folder: Option<&Path>,
    before: Vec<Performed>,
    mut warnings: Vec<String>,
    color: Color,
) -> Result<Outcome, Failure> {
    let (mut judge, plan) = check.judge()?;
    let executions = check.executions(&judge);
    let programs = check.programs();
    if before.is_empty() {
        shown::beforehand(&check, plan.as_ref(), color);
    }
    let done: BTreeSet<u64> = before.iter().map(|one| one.ticket.number).collect();
    let mut fleet = AnyFleet::of(&check, folder, &done)?;
    let under_way = fleet.under_way();
    let arguments = check.arguments();
    let deadline = deadline(arguments.max_time, kept.spent());
    let mut progress = Progress::new(arguments.style, arguments.output.quiet);
    let sampled = {
        let sampler = Sampler {
            fleet: fleet.fleet(),
            executions: &executions,
            kept: &mut kept,
            under_way,
            deadline,
        };
        let budget = check.budget();
        sampler.sample(before, &mut progress, &mut judge, &|judge, status| {
            shown::progress(judge, budget, status)
        })
    };
    progress.clear();
    warnings.extend(fleet.warnings());
    warnings.extend(doubts(&check, &judge));
    let sampled = sampled.map_err(|failure| {
        let kept = kept.id().filter(|_| !judge.judged().is_empty());
        failure.with_line(kept.map(|id| {
            format!("what was done is kept: fathom show {id}, and fathom resume {id} goes on")
        }))
    })?;
    let Sampled { ending, unused, cancelled } = sampled;
    let stopped = match ending {
        Ending::Answered | Ending::MostRuns => stopped_of(&judge, &check),
        Ending::MostTime => Stopped::MaxTime,
        Ending::Interrupted => Stopped::Interrupted,
    };
    if stopped != Stopped::Interrupted {
        kept.finish("done")?;
    }
    if judge.judged().is_empty() {
        return match stopped {
            Stopped::Interrupted => Err(Failure::Interrupted),
            _ => Err(Failure::input(
                "the time was over before the first execution ended; give it more with --max-time",
            )),
        };
    }
    let caveats = program_caveats(&check, &programs, folder, kept.id(), judge.judged().len())?;
    let report = report(
        &judge,
        Circumstances {
            words: written::typed(),
            seed: check.seed(),
            session: kept.id(),
            unused: unused + cancelled,
            stopped,
            plan,
            is_given: false,
            origin: check.origin(),
            caveats,
            warnings,
        },
    )?;
    shown::write(&report, &check, color)?;
    if stopped == Stopped::Interrupted {
        if let (Some(id), false) = (kept.id(), arguments.output.quiet) {
            let hint = format!("interrupted; go on with: fathom resume {id}");
            output::print_warning(&hint, color);
        }
        return Ok(Outcome::Interrupted);
    }
    Ok(outcome(&report))
}

/// What is to be said about the programs: they changed meanwhile or before, or two are the same.
fn program_caveats(
    check: &Check<'_>,
    programs: &Programs,
    folder: Option<&Path>,
    id: Option<i64>,
    executions: usize,
) -> Result<Vec<Caveat>, Failure> {
    let changed = programs.changed();
    let mut caveats = same_programs(check);
    let (Some(sessions), Some(id)) = (folder.and_then(Path::parent), id) else {
        if !changed.is_empty() {
            caveats.push(program_changed(&changed, "while it was checked"));
        }
        return Ok(caveats);
    };
    if !changed.is_empty() {
        History::of(sessions, id).add(&check.programs(), executions)?;
    }
    caveats.extend(saved_program_caveat(sessions, id));
    Ok(caveats)
}

/// What a saved session says about its programs.
pub(super) fn saved_program_caveat(sessions: &Path, id: i64) -> Option<Caveat> {
    let (after, names) = History::of(sessions, id).changed_after()?;
    Some(program_changed(&names, &format!("by the end of execution {after}")))
}

fn program_changed(names: &[String], when: &str) -> Caveat {
    Caveat::new(
        CaveatKind::ProgramChanged,
        format!(
            "{} changed {when}, so the answer mixes executions of different programs. Check again.",
            names.join(", ")
        ),
    )
}

/// Systems whose programs are the same file, byte for byte, with the same arguments: a build that
/// was not made anew, for example.
pub(super) fn same_programs(check: &Check<'_>) -> Vec<Caveat> {
    let systems = &check.recipe().systems;
    let contents = |words: &[String]| -> Option<(Vec<u8>, Vec<String>)> {
        let (program, rest) = words.split_first()?;
        let path = check.recipe().folder.join(program);
        let is_path = program.contains('/');
        let bytes = std::fs::read(path).ok().filter(|_| is_path)?;
        Some((bytes, rest.to_vec()))
    };
    let mut caveats = Vec::new();
    for (place, one) in systems.iter().enumerate() {
        for other in systems.iter().take(place) {
            let differ = one.words.first() != other.words.first();
            if differ && contents(&one.words).is_some_and(|of| Some(of) == contents(&other.words)) {
                caveats.push(Caveat::new(
                    CaveatKind::SameProgram,
                    format!(
                        "{} and {} run byte-identical programs with the same arguments, so any \
                         difference between them is noise. Was one of them built anew?",
                        other.name, one.name
                    ),
                ));
            }
        }
    }
    caveats
}

/// How a check ends.
pub(super) fn outcome(report: &CheckReport) -> Outcome {
    match &report.answer {
        Answer::Verdict { summary, .. } => match summary.verdict {
            Verdict::True => Outcome::Done,
            Verdict::False => Outcome::GateFailed,
            Verdict::Inconclusive => Outcome::GateOpen,
        },
        Answer::Value { value, .. } if value.interval.is_finite() => match report.stopped {
            // A precision was asked for and not reached.
            Stopped::MaxRuns | Stopped::MaxTime if report.asks_precision => Outcome::GateOpen,
            _ => Outcome::Done,
        },
        Answer::Value { .. } => Outcome::GateOpen,
    }
}

/// Takes up the executions of a session; says how many of them do not count.
pub(super) fn replay(judge: &mut Judge, performed: Vec<Performed>) -> Result<usize, Failure> {
    let mut order = InOrder::default();
    for one in performed {
        order.insert(one);
    }
    while let Some(one) = order.next_in_order() {
        if judge.take(one)? == Wish::Enough {
            break;
        }
    }
    Ok(order.waiting())
}

/// Why a saved session has no more executions, as far as it shows.
pub(super) fn stopped_of(judge: &Judge, check: &Check<'_>) -> Stopped {
    let verdict = judge.course().and_then(fathom_property::decide::Course::verdict);
    let is_full = judge.judged().len() as u64 >= check.budget();
    let is_hopeless = judge.course().is_some_and(fathom_property::decide::Course::is_hopeless);
    match verdict {
        Some(Verdict::Inconclusive) if is_hopeless && !is_full => Stopped::Dependent,
        Some(Verdict::Inconclusive) => check.at_most_runs(),
        _ if judge.is_answered() && check.arguments().runs.is_some() => Stopped::Fixed,
        _ if judge.is_answered() => Stopped::Answered,
        _ if is_full => check.at_most_runs(),
        _ => Stopped::Interrupted,
    }
}

/// Whether the executions are what the methods take them for.
pub(super) fn doubts(check: &Check<'_>, judge: &Judge) -> Vec<String> {
    all_alike(check, judge).into_iter().collect()
}

/// A simulator that is not given a seed repeats itself, and repeating says nothing.
fn all_alike(check: &Check<'_>, judge: &Judge) -> Option<String> {
    const ENOUGH: usize = 5;
    // Said in the headline.
    if judge.sameness().caveat(check.origin(), "executions").is_some() {
        return None;
    }
    let judged = judge.judged();
    let (first, rest) = judged.split_first()?;
    let without = check.recipe().systems.iter().find(|system| !systems::mentions_seed(system))?;
    let is_alike = judged.len() >= ENOUGH && rest.iter().all(|one| one.result == first.result);
    is_alike.then(|| {
        format!(
            "all executions are exactly alike and {} has no {{seed}}: if it repeats the same \
             execution, their number says nothing; hand it {{seed}}",
            without.name
        )
    })
}

/// Where executions are performed.
enum AnyFleet {
    Local {
        fleet: Box<LocalFleet>,
        /// Removed when it is dropped, after the fleet.
        _temporary: Option<tempfile::TempDir>,
    },
    Slurm(Box<SlurmFleet>),
}

impl AnyFleet {
    fn of(
        check: &Check<'_>,
        folder: Option<&Path>,
        done: &BTreeSet<u64>,
    ) -> Result<AnyFleet, Failure> {
        let broken = |error: FleetError| Failure::input(error);
        let arguments = check.arguments();
        let kept = arguments.executions.keep_files.as_deref();
        if let (Some(kept), true) = (kept, done.is_empty()) {
            Scratch::kept(kept).check_empty().map_err(broken)?;
        }
        let recipe = check.recipe();
        if let (Place::Slurm, Some(folder)) = (arguments.executions.on, folder) {
            let program = std::env::current_exe().map_err(|error| {
                Failure::input(format!("the path of Fathom itself is not known ({error})"))
            })?;
            let options = arguments.cluster.options();
            let fleet =
                SlurmFleet::resume(recipe, folder, options, &program, kept, Pace::default(), done);
            return fleet.map(|fleet| AnyFleet::Slurm(Box::new(fleet))).map_err(broken);
        }
        let (scratch, temporary) = match (kept, folder) {
            (Some(kept), _) => (Scratch::kept(kept), None),
            (None, Some(folder)) => (Scratch::temporary(folder.join("scratch")), None),
            (None, None) => {
                let temporary = tempfile::tempdir().map_err(|error| {
                    Failure::input(format!("no temporary folder can be made ({error}); set TMPDIR"))
                })?;
                (Scratch::temporary(temporary.path()), Some(temporary))
            }
        };
        let width = usize::from(arguments.executions.jobs);
        let fleet = LocalFleet::new(recipe.clone(), "/proc/self/exe".as_ref(), width, scratch);
        fleet
            .map(|fleet| AnyFleet::Local { fleet: Box::new(fleet), _temporary: temporary })
            .map_err(broken)
    }

    fn fleet(&mut self) -> &mut dyn Fleet {
        match self {
            AnyFleet::Local { fleet, .. } => fleet.as_mut(),
            AnyFleet::Slurm(fleet) => fleet.as_mut(),
        }
    }

    fn under_way(&self) -> BTreeSet<u64> {
        match self {
            AnyFleet::Local { .. } => BTreeSet::new(),
            AnyFleet::Slurm(fleet) => {
                fleet.under_way().iter().map(|ticket| ticket.number).collect()
            }
        }
    }

    /// What the reader should know of them.
    fn warnings(&self) -> Vec<String> {
        match self {
            AnyFleet::Local { .. } => Vec::new(),
            AnyFleet::Slurm(fleet) => fleet
                .losses()
                .iter()
                .map(|loss| {
                    format!("run {} was lost ({}) and done again", loss.ticket.number + 1, loss.why)
                })
                .collect(),
        }
    }
}
