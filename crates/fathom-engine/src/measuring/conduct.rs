//! The course of a measurement, whatever is measured: from the machine at rest to the report.

use super::machine::Machine;
use super::settings::{self, Prepared};
use super::shell;
use super::surroundings::Surroundings;
use crate::{EngineError, ErrorKind, Watch};
use fathom_measure::{Bench, CommandSubject, Keeper, Laboratory, MeasureError, Settings};
use fathom_record::{Run, Span, Timestamp};

/// What is known before the first run.
pub(crate) struct Started {
    settings: Settings,
    warnings: Vec<String>,
}

impl Started {
    /// Another thing to warn of.
    pub(crate) fn warn(&mut self, warning: Option<String>) {
        self.warnings.extend(warning);
    }
}

/// Finds the programs, and sees that the shell works.
pub(crate) fn start(
    laboratory: &mut dyn Laboratory,
    subjects: &[CommandSubject],
    prepared: Prepared,
) -> Result<Started, EngineError> {
    let Prepared { settings, mut warnings, .. } = prepared;
    warnings.extend(settings::find_programs(laboratory, subjects)?);
    shell::try_out(laboratory, subjects)?;
    Ok(Started { settings, warnings })
}

/// What measuring left behind.
pub(crate) struct Conducted<M> {
    pub(crate) measured: M,
    pub(crate) keeper: Keeper,
    pub(crate) overhead_per_run: Option<f64>,
    /// About the machine.
    pub(crate) warnings: Vec<String>,
}

/// What was measured, as far as everybody needs to know it.
pub(crate) trait Measurement {
    /// All runs, also those of before.
    fn runs(&self) -> &[Run];
}

/// Measures, and watches the machine meanwhile. `before` are the runs of a session that goes on.
pub(crate) fn conduct<M: Measurement>(
    laboratory: &mut dyn Laboratory,
    started: Started,
    subjects: &[CommandSubject],
    keeper: Keeper,
    before: &[Run],
    watch: &mut dyn Watch,
    measure: impl FnOnce(&mut Bench<'_>, &mut dyn Watch) -> M,
) -> Conducted<M> {
    let surroundings = Surroundings::look();
    let mut keeper = keeper;
    // At once, so that a session that is killed keeps it too.
    let mut machine = Machine::of(&keeper);
    machine.add(&started.warnings);
    machine.add(surroundings.before());
    let unkept = machine.keep(&mut keeper).err();
    let elapsed = before.last().map_or(Span::ZERO, |run| run.ended() - Timestamp::ZERO);
    let mut bench = Bench::new(
        laboratory,
        subjects.to_vec(),
        started.settings,
        keeper,
        shell::of_commands(before),
        elapsed,
    );
    let measured = measure(&mut bench, watch);
    watch.clear();
    let overhead_per_run = bench.overhead_per_run();
    let mut keeper = bench.into_keeper();
    let mut warnings = started.warnings;
    let new = measured.runs().get(before.len()..).unwrap_or_default();
    let overhead = overhead_per_run.unwrap_or(0.0) * new.len() as f64;
    warnings.extend(surroundings.warnings(new, overhead));
    // What was seen meanwhile is kept by then.
    let mut machine = Machine { load: Machine::of(&keeper).load, ..machine };
    machine.add(&warnings);
    let unkept = machine.keep(&mut keeper).err().or(unkept);
    machine.warnings.extend(unkept.map(|error| error.to_string()));
    Conducted { measured, keeper, overhead_per_run, warnings: machine.warnings }
}

/// How measuring ended.
pub(crate) enum Ended {
    /// There is a report; where it ended early, with what to know about that.
    Shown(Option<EngineError>),
    /// There is nothing to show but why.
    Failed(EngineError),
}

impl Ended {
    /// By what ended measuring, if it was not done. `id` is the session of what can be shown.
    pub(crate) fn of(error: Option<MeasureError>, id: Option<i64>, is_empty: bool) -> Ended {
        let Some(error) = error.map(EngineError::from) else {
            return match is_empty {
                true => Ended::Failed(EngineError::interrupted()),
                false => Ended::Shown(None),
            };
        };
        match error.kind() {
            _ if is_empty => Ended::Failed(match error.kind() {
                ErrorKind::Interrupted => EngineError::interrupted(),
                _ => error,
            }),
            ErrorKind::Interrupted => Ended::Shown(Some(match id {
                Some(id) => EngineError::interrupted_session(id),
                None => error,
            })),
            // The numbers are shown, so that a full disk costs none of them.
            ErrorKind::CannotBeDone => Ended::Shown(Some(error)),
            _ => {
                let kept = id.map(|id| format!("the runs before it are kept: fathom show {id}"));
                Ended::Failed(error.with_advice(kept))
            }
        }
    }
}
