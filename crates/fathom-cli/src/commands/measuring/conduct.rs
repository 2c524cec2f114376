//! The course of a measurement, whatever is measured: from the machine at rest to the exit code.

use super::machine::Machine;
use super::settings::{self, Prepared};
use super::shell;
use super::surroundings::Surroundings;
use crate::arguments::Color;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::Progress;
use fathom_analyze::Report;
use fathom_measure::{Bench, Keeper, Local, MeasureError, Settings, Subject};
use fathom_record::Run;

/// The machine, ready to measure.
pub(crate) struct Started {
    local: Local,
    settings: Settings,
    warnings: Vec<String>,
}

/// This machine, from this folder.
pub(crate) fn local() -> Result<Local, Failure> {
    let folder = std::env::current_dir()
        .map_err(|error| Failure::input(format!("the working folder is gone ({error})")))?;
    // Not current_exe(): a binary that was replaced meanwhile still runs as it was.
    Local::start("/proc/self/exe".as_ref(), &folder).map_err(Failure::input)
}

/// Finds the programs, and sees that the shell works.
pub(crate) fn start(subjects: &[Subject], prepared: Prepared) -> Result<Started, Failure> {
    let mut local = local()?;
    let Prepared { settings, mut warnings, .. } = prepared;
    warnings.extend(settings::find_programs(&local, subjects)?);
    shell::try_out(&mut local, subjects)?;
    Ok(Started { local, settings, warnings })
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
    mut started: Started,
    subjects: &[Subject],
    keeper: Keeper,
    before: &[Run],
    mut progress: Progress,
    measure: impl FnOnce(&mut Bench<'_>, &mut Progress) -> M,
) -> Conducted<M> {
    let surroundings = Surroundings::look();
    let mut keeper = keeper;
    // At once, so that a session that is killed keeps it too.
    let mut machine = Machine::of(&keeper);
    machine.add(&started.warnings);
    machine.add(surroundings.before());
    let unkept = machine.keep(&mut keeper).err();
    let elapsed = before.last().map_or(0, |run| run.began_ns + run.usage.wall_ns);
    let mut bench = Bench::new(
        &mut started.local,
        subjects.to_vec(),
        started.settings,
        keeper,
        shell::of_commands(before),
        elapsed,
    );
    let measured = measure(&mut bench, &mut progress);
    progress.clear();
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

/// How the report is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) quiet: bool,
    pub(crate) color: Color,
}

/// Writes the report and says how it ended: `done`, unless something came between.
pub(crate) fn conclude(
    report: Option<Report>,
    error: Option<MeasureError>,
    done: Outcome,
    wanted: Wanted,
    write: impl FnOnce(Report) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let id = report.as_ref().and_then(|report| report.session);
    match (error, report) {
        (None, Some(report)) => {
            write(report)?;
            Ok(done)
        }
        (None | Some(MeasureError::Interrupted), None) => Err(Failure::Interrupted),
        (Some(MeasureError::Interrupted), Some(report)) => {
            let written = write(report);
            if let (Some(id), false) = (id, wanted.quiet) {
                let hint = format!("interrupted; go on with: fathom resume {id}");
                output::print_warning(&hint, wanted.color);
            }
            written.map(|()| Outcome::Interrupted)
        }
        (Some(MeasureError::Store(error)), Some(report)) => {
            // The numbers are shown, so that a full disk costs none of them.
            let written = write(report).err();
            let all = std::iter::once(Failure::input(error)).chain(written);
            Failure::of_all(all.collect()).map(|()| done)
        }
        (Some(error), report) => {
            let kept = id.map(|id| format!("what was measured is kept: fathom show {id}"));
            Err(Failure::measuring(&error).with_line(kept.filter(|_| report.is_some())))
        }
    }
}
