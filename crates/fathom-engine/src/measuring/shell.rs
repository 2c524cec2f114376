//! Commands that a shell runs: its empty runs among theirs.

use crate::EngineError;
use fathom_measure::{CommandSubject, EmptyShell, Laboratory};
use fathom_record::{BlockSlot, Metric, Phase, Run, Startup};
use std::collections::{BTreeMap, BTreeSet};

/// Sees that the shell works before anything is measured, where one runs the commands.
pub(crate) fn try_out(
    laboratory: &mut dyn Laboratory,
    subjects: &[CommandSubject],
) -> Result<(), EngineError> {
    let Some(shell) = EmptyShell::of(subjects) else { return Ok(()) };
    Ok(shell.try_out(laboratory)?)
}

/// Whether runs are of the shell alone.
pub(crate) fn is_empty_shell(run: &Run) -> bool {
    run.phase == Phase::EmptyShell
}

/// How many runs are of commands.
pub(crate) fn of_commands(runs: &[Run]) -> usize {
    runs.iter().filter(|run| !is_empty_shell(run)).count()
}

/// Refuses to go on with a session of a Fathom that subtracted the shell's start-up from every run
/// it kept: its runs and new ones are not the same.
pub(crate) fn refuse_subtracted(
    subjects: &[CommandSubject],
    runs: &[Run],
) -> Result<(), EngineError> {
    let is_older =
        EmptyShell::of(subjects).is_some() && !runs.is_empty() && !runs.iter().any(is_empty_shell);
    if is_older {
        return Err(EngineError::usage(
            "the session was begun by an older Fathom, which kept times without the shell's \
             start-up; new runs are kept with it, so the two do not mix. `fathom show` shows what \
             there is; to measure more, start anew",
        ));
    }
    Ok(())
}

/// The times of the empty shell, alternating with a subject's runs; `None` if no shell ran them, or
/// if what a shell adds to the metric cannot be subtracted. (Sessions of an older Fathom have no
/// such runs, and times without the shell.)
pub(crate) fn startup(runs: &[Run], subject: usize, metric: &Metric) -> Option<Startup> {
    if !metric.adds_up() {
        return None;
    }
    let shells = || runs.iter().filter(|run| is_empty_shell(run));
    // `run` has some for each subject, `compare` the same for all.
    let has_own = shells().any(|run| run.subject == subject && run.place.is_some());
    let is_own = |run: &&Run| !has_own || run.subject == subject;
    let blocks: BTreeSet<usize> = runs
        .iter()
        .filter(|run| run.subject == subject && run.phase == Phase::Measured)
        .filter_map(|run| run.place.map(|place| place.block))
        .collect();
    // Where a block was cut off and made again, the later run stands.
    let placed: BTreeMap<(usize, usize), f64> = shells()
        .filter(is_own)
        .filter_map(|run| {
            let BlockSlot { block, slot } =
                run.place.filter(|place| blocks.contains(&place.block))?;
            Some(((block, slot), metric.of(run)?))
        })
        .collect();
    let values: Vec<f64> = if placed.is_empty() {
        shells().filter_map(|run| metric.of(run)).collect()
    } else {
        placed.into_values().collect()
    };
    Startup::new(values, 0.0)
}
