//! `fathom run`: times commands until the interval is as narrow as asked.

mod measure;
mod plan;
mod report;

pub(crate) use measure::{Measured, measure};
pub(crate) use plan::Plan;
pub(crate) use report::report;

use super::measuring::conduct::{Conducted, Started, Wanted, conclude, conduct, start};
use super::measuring::machine::Machine;
use super::measuring::session;
use super::measuring::settings::{self, Prepared};
use super::measuring::shell;
use super::measuring::subjects::{self, Subjects};
use super::written;
use crate::arguments::{Color, RunArguments, Sort, Style};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::Progress;
use crate::render;
use fathom_analyze::compare::{Comparison, Margin, compare_unpaired};
use fathom_analyze::{Report, Request};
use fathom_measure::{Keeper, MeasureError};
use fathom_record::Run;
use fathom_render::{human, verdict};

pub(crate) fn run(arguments: &RunArguments, color: Color) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    let seed = arguments.seed.unwrap_or_else(fathom_sys::seed::fresh);
    let Subjects { all, .. } = subjects::build(&arguments.subjects, &arguments.running)?;
    let prepared = settings::prepare(&arguments.running, seed)?;
    let plan = Plan::of(arguments, all, &prepared, seed)?;
    let started = start(&plan.subjects, prepared)?;
    let keeper = session::begin(&arguments.session, &plan.subjects, seed, color)?;
    carry_out(arguments, &plan, started, keeper, Measured::nothing(), seed, color)
}

/// Where measuring for a baseline begins.
pub(crate) enum Beginning<'a> {
    /// Anew.
    Nothing,
    /// Where a session stopped.
    Session { keeper: Keeper, runs: Vec<Run>, plan: Option<&'a str> },
}

/// Measures commands for a comparison with a baseline, and hands back the report.
pub(crate) fn measured_for_baseline(
    arguments: &RunArguments,
    from: Beginning<'_>,
    seed: u64,
    color: Color,
) -> Result<Report, Failure> {
    let Subjects { all, .. } = subjects::build(&arguments.subjects, &arguments.running)?;
    let prepared = settings::prepare(&arguments.running, seed)?;
    let plan = Plan::of(arguments, all, &prepared, seed)?;
    let started = start(&plan.subjects, prepared)?;
    let (keeper, before) = match from {
        Beginning::Nothing => {
            let keeper = session::begin(&arguments.session, &plan.subjects, seed, color)?;
            (keeper, Measured::nothing())
        }
        Beginning::Session { keeper, runs, plan: text } => {
            shell::refuse_subtracted(&plan.subjects, &runs)?;
            (keeper, Measured::of(runs, text))
        }
    };
    match finish(arguments, &plan, started, keeper, before, seed) {
        (Some(report), None) => Ok(report),
        (None, None) => Err(Failure::Interrupted),
        (report, Some(error)) => {
            let id = report.and_then(|report| report.session);
            let kept = id.map(|id| format!("what was measured is kept: fathom resume {id}"));
            Err(Failure::measuring(&error).with_line(kept))
        }
    }
}

/// The report of a saved session.
pub(crate) fn report_of_session(
    arguments: &RunArguments,
    runs: Vec<Run>,
    plan_text: Option<&str>,
    seed: u64,
) -> Result<Report, Failure> {
    let Subjects { all, .. } = subjects::build(&arguments.subjects, &arguments.running)?;
    let metrics = settings::judged(&arguments.running)?;
    let plan = Plan::of(arguments, all, &Prepared { metrics, ..Prepared::default() }, seed)?;
    let measured = Measured::of(runs, plan_text);
    Ok(report(&plan, &measured, seed, Machine::read(plan_text).warnings))
}

/// Goes on with a session.
pub(crate) fn resume(
    arguments: &RunArguments,
    keeper: Keeper,
    runs: Vec<Run>,
    plan_text: Option<&str>,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    let Subjects { all, .. } = subjects::build(&arguments.subjects, &arguments.running)?;
    let prepared = settings::prepare(&arguments.running, seed)?;
    let plan = Plan::of(arguments, all, &prepared, seed)?;
    shell::refuse_subtracted(&plan.subjects, &runs)?;
    let started = start(&plan.subjects, prepared)?;
    let before = Measured::of(runs, plan_text);
    carry_out(arguments, &plan, started, keeper, before, seed, color)
}

/// Shows a saved session.
pub(crate) fn show(
    arguments: &RunArguments,
    runs: Vec<Run>,
    plan_text: Option<&str>,
    id: i64,
    words: &[String],
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let mut report = report_of_session(arguments, runs, plan_text, seed)?;
    report.session = Some(id);
    report.command_line = written::command_line(words.iter().map(String::as_str));
    if report.subjects.is_empty() {
        return Err(Failure::input(format!("session {id} has no finished run to show")));
    }
    write(arguments, report, color)?;
    Ok(Outcome::Done)
}

/// Measures and reports; no report before the first run.
fn finish(
    arguments: &RunArguments,
    plan: &Plan,
    started: Started,
    keeper: Keeper,
    before: Measured,
    seed: u64,
) -> (Option<Report>, Option<MeasureError>) {
    let progress = Progress::new(arguments.style, arguments.output.quiet);
    let runs = before.runs.clone();
    let conducted = conduct(started, &plan.subjects, keeper, &runs, progress, |bench, progress| {
        measure(plan, bench, before, progress)
    });
    let Conducted { measured, mut keeper, overhead_per_run, warnings } = conducted;
    let mut report = report(plan, &measured, seed, warnings);
    report.session = keeper.id().map(|id| id.0);
    report.overhead_per_run = overhead_per_run;
    if measured.error.is_none()
        && let Err(error) = keeper.finish("done")
    {
        report.warnings.push(error.to_string());
    }
    (Some(report).filter(|report| !report.subjects.is_empty()), measured.error)
}

fn carry_out(
    arguments: &RunArguments,
    plan: &Plan,
    started: Started,
    keeper: Keeper,
    before: Measured,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let (report, error) = finish(arguments, plan, started, keeper, before, seed);
    let wanted = Wanted { quiet: arguments.output.quiet, color };
    conclude(report, error, Outcome::Done, wanted, |report| write(arguments, report, color))
}

fn write(arguments: &RunArguments, mut report: Report, color: Color) -> Result<(), Failure> {
    let view = render::view(&arguments.output, &arguments.cleaning);
    report.comparisons = with_reference(arguments, &report)?;
    let by_value = |mut report: Report| {
        report.subjects.sort_by(|a, b| {
            let value = |subject: &fathom_analyze::Subject| {
                subject.estimates.first().map_or(f64::INFINITY, |estimate| estimate.value)
            };
            value(a).total_cmp(&value(b))
        });
        report
    };
    let for_tables =
        if arguments.sort == Sort::MeanTime { by_value(report.clone()) } else { report.clone() };
    let for_people = if arguments.sort == Sort::Command { report } else { by_value(report) };
    if arguments.style == Style::None {
        return written::export_all(&for_tables, &arguments.output, color);
    }
    written::write(&for_tables, &arguments.output, color, || {
        let width = output::width();
        match &for_people.comparisons {
            Some(comparisons) => {
                let circumstances = verdict::Circumstances { seconds: None };
                verdict::render(&for_people, comparisons, circumstances, &view, width)
            }
            None => human::render(&for_people, &view, width),
        }
    })
}

/// Every subject against the reference, if one was asked for. They were measured one after
/// another, and the report says what that means.
fn with_reference(
    arguments: &RunArguments,
    report: &Report,
) -> Result<Option<Vec<Comparison>>, Failure> {
    if arguments.subjects.reference.is_none() || report.subjects.len() < 2 {
        return Ok(None);
    }
    if arguments.running.on.len() > 1 || !arguments.running.metrics.is_empty() {
        return Err(Failure::input(
            "--reference compares one metric; give --on once, or leave out --reference",
        ));
    }
    let Subjects { all, reference } = subjects::build(&arguments.subjects, &arguments.running)?;
    let is_reference =
        |subject: &&fathom_analyze::Subject| subject.series.name() == all[reference].name;
    let Some(reference) = report.subjects.iter().find(is_reference) else { return Ok(None) };
    let request = Request {
        confidence: arguments.confidence,
        ..arguments.cleaning.apply(Request::default())
    };
    let others = report.subjects.iter().filter(|subject| !is_reference(subject));
    let compared: Result<Vec<Comparison>, String> = others
        .map(|subject| compare_unpaired(reference, subject, &request, Margin::DEFAULT, &[]))
        .collect();
    compared.map(Some).map_err(Failure::input)
}
