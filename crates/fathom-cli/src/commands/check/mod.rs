//! `fathom check`: is a property true of enough executions, or which value do enough keep to?

mod adjust;
mod checking;
mod data;
mod judge;
mod kept;
mod question;
mod repeats;
mod report;
mod sameness;
mod sampling;
mod shown;
mod systems;

use super::measuring::session;
use super::written;
use crate::arguments::{CheckArguments, CheckMethod, Color, Place};
use crate::failure::{Failure, Outcome};
use adjust::Adjustments;
use checking::Check;
use fathom_measure::Keeper;
use fathom_measure::experiment::{Journal, Opened};
use fathom_measure::slurm::perform_task;
use fathom_measure::{LaboratoryError, Local};
use fathom_property::Stopped;
use fathom_record::Run;
use judge::Judge;
use kept::Kept;
use question::Asked;
use report::{Circumstances, report};
use sameness::Origin;
use std::path::Path;
use std::time::Duration;

pub(crate) fn run(arguments: &CheckArguments, color: Color) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    check_options(arguments)?;
    if !arguments.executions.data.is_empty() {
        return of_data(arguments, color);
    }
    let seed = arguments.executions.seed.unwrap_or_else(fathom_sys::seed::fresh);
    let check = Check::of(arguments, seed)?;
    if arguments.dry_run {
        return shown::plan(&check, color);
    }
    systems::find_programs(check.recipe())?;
    let subjects = check.recipe().systems.iter().map(|system| system.name.clone()).collect();
    let commands = check.commands();
    let keeper = session::begin_named(&arguments.session, subjects, &commands, seed, color)?;
    let folder = match keeper.id() {
        Some(id) => Some(kept::folder(&session::folder(&arguments.session.folder)?, id.0)),
        None => None,
    };
    let journal = folder.as_deref().map(Journal::open).transpose().map_err(Failure::input)?;
    let journal = journal.map(|opened| opened.journal);
    let kept = Kept::new(keeper, journal, Duration::ZERO);
    checking::carry_out(check, kept, folder.as_deref(), Vec::new(), Vec::new(), color)
}

/// Goes on with a session.
pub(crate) fn resume(
    arguments: &CheckArguments,
    keeper: Keeper,
    sessions: &Path,
    runs: &[Run],
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    let check = Check::of(arguments, seed)?;
    let Some(id) = keeper.id() else { return Err(Failure::Interrupted) };
    let folder = kept::folder(sessions, id.0);
    let Opened { journal, performed, torn } = Journal::open(&folder).map_err(Failure::input)?;
    let warnings = torn.map(|torn| {
        format!(
            "the last line of {} was cut off when Fathom was killed ({} bytes); that execution is \
             repeated",
            journal.path().display(),
            torn.bytes
        )
    });
    let kept = Kept::new(keeper, Some(journal), kept::spent(runs));
    let warnings = warnings.into_iter().collect();
    checking::carry_out(check, kept, Some(&folder), performed, warnings, color)
}

/// Shows a saved session.
pub(crate) fn show(
    arguments: &CheckArguments,
    sessions: &Path,
    id: i64,
    words: Vec<String>,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let check = Check::of(arguments, seed)?;
    let folder = kept::folder(sessions, id);
    let performed = Journal::read(&folder).map_err(Failure::input)?;
    let (mut judge, plan) = check.judge()?;
    let unused = checking::replay(&mut judge, performed)?;
    let report = report(
        &judge,
        Circumstances {
            words,
            seed,
            session: Some(id),
            unused,
            stopped: checking::stopped_of(&judge, &check),
            plan,
            is_given: false,
            origin: check.origin(),
            caveats: checking::same_programs(&check)
                .into_iter()
                .chain(checking::saved_program_caveat(sessions, id))
                .collect(),
            warnings: checking::doubts(&check, &judge),
        },
    )?;
    if report.judged.is_empty() {
        return Err(Failure::input(format!("session {id} has no finished execution to show")));
    }
    shown::write(&report, &check, color)?;
    Ok(Outcome::Done)
}

/// Performs one execution of a check on a node, for the job script.
pub(crate) fn perform(folder: &Path, batch: u32, index: usize) -> Result<Outcome, Failure> {
    let laboratory = |folder: &Path| -> Result<Local, LaboratoryError> {
        Local::start("/proc/self/exe".as_ref(), folder)
    };
    perform_task(folder, batch, index, laboratory)
        .map(|()| Outcome::Done)
        .map_err(|error| Failure::Task(error.exit_status(), error.to_string()))
}

/// Judges executions that were made elsewhere.
fn of_data(arguments: &CheckArguments, color: Color) -> Result<Outcome, Failure> {
    // Their number is what it is: whether it was fixed before anybody looked is not known here.
    let mut asked = Asked::of(arguments, false)?;
    let adjustments = Adjustments::of(&arguments.executions)?;
    let (given, caveats) = data::read(arguments, &adjustments)?;
    let are_of_a_journal = given.iter().any(|system| system.are_of_a_journal);
    let left_out: usize = given.iter().map(|system| system.left_out).sum();
    if are_of_a_journal && arguments.method.is_none() {
        asked.allow_any_number();
    }
    let systems = given.iter().map(data::Given::system).collect();
    let catalogues: Result<Vec<_>, Failure> = given.iter().map(data::Given::catalogue).collect();
    let on_failure = arguments.executions.on_failure;
    // The user's word is in the data already.
    let mut judge = Judge::new(asked, systems, Adjustments::default(), on_failure, u64::MAX)?;
    judge.resolve(catalogues?)?;
    let left_over = data::judge_all(&mut judge, given)?;
    let about_journal = about_journal(arguments, are_of_a_journal, left_out);
    let left_over_warning = (left_over > 0).then(|| {
        let (noun, make) =
            if left_over == 1 { ("execution", "makes") } else { ("executions", "make") };
        format!("{left_over} {noun} left over: {make} no full tuple, and none may be used twice")
    });
    let circumstances = Circumstances {
        words: written::typed(),
        seed: 0,
        session: None,
        unused: left_over,
        stopped: Stopped::Fixed,
        plan: None,
        is_given: true,
        origin: Origin::Files,
        caveats,
        warnings: left_over_warning.into_iter().chain(about_journal).collect(),
    };
    let report = report(&judge, circumstances)?;
    shown::write_given(&report, arguments, color)?;
    Ok(checking::outcome(&report))
}

/// How many executions the journal of a check has may depend on what they gave.
fn about_journal(
    arguments: &CheckArguments,
    are_of_a_journal: bool,
    left_out: usize,
) -> Vec<String> {
    let mut warnings = Vec::new();
    if left_out > 0 {
        warnings.push(format!(
            "{left_out} of the journal {} left out: one before {} is not there, and counting what \
             ended first would favour the fast",
            if left_out == 1 { "is" } else { "are" },
            if left_out == 1 { "it" } else { "them" },
        ));
    }
    let takes_number_as_fixed =
        matches!(arguments.method, Some(CheckMethod::Exact | CheckMethod::Spa));
    if are_of_a_journal && takes_number_as_fixed {
        warnings.push(
            "this method is right only if the check fixed the number of executions with --runs; \
             one that ended when it had its answer needs --method anytime, the default for journals"
                .to_string(),
        );
    }
    warnings
}

/// Options that would have no effect are refused.
fn check_options(arguments: &CheckArguments) -> Result<(), Failure> {
    let executions = &arguments.executions;
    if !executions.data.is_empty() {
        let without_effect = [
            ("--read", !executions.files.is_empty()),
            ("--metric", !executions.metrics.is_empty()),
            ("--shell", executions.shell.is_some()),
            ("--timeout", executions.timeout.is_some()),
            ("--jobs", executions.jobs > 1),
            ("--on slurm", executions.on == Place::Slurm),
            ("--keep-files", executions.keep_files.is_some()),
            ("--seed", executions.seed.is_some()),
            ("--ignore-failure", executions.ignore_failure.is_some()),
            ("--runs", arguments.runs.is_some()),
            ("--max-runs", arguments.max_runs.is_some()),
            ("--max-time", arguments.max_time.is_some()),
            ("--precision", arguments.precision.is_some()),
            ("--dry-run", arguments.dry_run),
            ("--save", arguments.session.save.is_some()),
        ];
        if let Some((option, _)) = without_effect.iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::input(format!(
                "{option} is for executions that Fathom makes; with --data it has no effect, so \
                 leave it out"
            )));
        }
    }
    let reads_files = !executions.files.is_empty() || !executions.data.is_empty();
    let of_files = [
        ("--input-format", executions.input_format.is_some()),
        ("--column", !executions.columns.is_empty()),
    ];
    if executions.data.is_empty() && executions.rows.is_some() {
        return Err(Failure::input("--rows is about the files of --data"));
    }
    if let (false, Some((option, _))) = (reads_files, of_files.iter().find(|(_, given)| *given)) {
        return Err(Failure::input(format!("{option} is about the files of --data or --read")));
    }
    if executions.on == Place::Local
        && let Some(option) = arguments.cluster.first_given()
    {
        return Err(Failure::input(format!("{option} needs --on slurm")));
    }
    if executions.on == Place::Slurm {
        if arguments.session.no_save {
            return Err(Failure::input(
                "--on slurm keeps executions in the session's folder, which nodes write to; leave \
                 out --no-save, and say with --session-dir where that folder is",
            ));
        }
        if executions.jobs > 1 {
            return Err(Failure::input(
                "-j is for this machine; on Slurm --slurm-width says how many are under way",
            ));
        }
    }
    Ok(())
}
