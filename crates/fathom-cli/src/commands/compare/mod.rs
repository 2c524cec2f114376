//! `fathom compare`: commands side by side, in blocks, until the answer is there.

mod builds;
mod functions;
mod measure;
mod plan;
mod report;
mod saved;
pub(crate) mod trial;

pub(crate) use measure::{Measured, measure};
pub(crate) use plan::Plan;
pub(crate) use report::report;
pub(crate) use saved::report_of_files;

use super::measuring::conduct::{Conducted, Wanted, conclude, conduct, start};
use super::measuring::machine::Machine;
use super::measuring::session;
use super::measuring::settings::{self, Prepared};
use super::measuring::shell;
use super::measuring::subjects;
use super::run::Beginning;
use super::written;
use crate::arguments::{Color, CompareArguments, Style};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::Progress;
use crate::render;
use fathom_analyze::{Report, Request, Stopped};
use fathom_measure::Keeper;
use fathom_record::Run;
use fathom_render::{human, verdict};
use report::gated;
use std::time::Duration;
use trial::{Saved, Trial};

pub(crate) fn run(arguments: &CompareArguments, color: Color) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    if arguments.functions.are_given() {
        return functions::run(arguments, color);
    }
    functions::refuse_filters(&arguments.functions)?;
    if !arguments.files.is_empty() {
        return saved::files(arguments, color);
    }
    let seed = arguments.seed.unwrap_or_else(fathom_sys::seed::fresh);
    if arguments.baseline.is_some() {
        return saved::baseline(arguments, Beginning::Nothing, seed, color);
    }
    let subjects = subjects::build(&arguments.subjects, &arguments.running)?;
    let prepared = settings::prepare(&arguments.running, seed)?;
    let plan = Plan::of(arguments, subjects, seed)?;
    carry_out(arguments, &plan, prepared, Before::Nothing, seed, color)
}

/// What a session holds when it is taken up.
pub(crate) enum Before {
    Nothing,
    Session { keeper: Keeper, runs: Vec<Run>, saved: Option<Saved> },
}

/// Goes on with a session.
pub(crate) fn resume(
    arguments: &CompareArguments,
    keeper: Keeper,
    runs: Vec<Run>,
    plan_text: Option<&str>,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    if arguments.baseline.is_some() {
        let from = Beginning::Session { keeper, runs, plan: plan_text };
        return saved::baseline(arguments, from, seed, color);
    }
    let subjects = subjects::build(&arguments.subjects, &arguments.running)?;
    let prepared = settings::prepare(&arguments.running, seed)?;
    let plan = Plan::of(arguments, subjects, seed)?;
    shell::refuse_subtracted(&plan.subjects, &runs)?;
    let saved = plan_text.and_then(Saved::read);
    carry_out(arguments, &plan, prepared, Before::Session { keeper, runs, saved }, seed, color)
}

/// Shows a saved session.
pub(crate) fn show(
    arguments: &CompareArguments,
    kept: KeptRuns<'_>,
    id: i64,
    words: &[String],
    color: Color,
) -> Result<Outcome, Failure> {
    let (mut report, seconds) =
        report_of_session(arguments, kept, None, color)?.ok_or_else(|| {
            Failure::input(format!(
                "session {id} has no finished block to show; go on with: fathom resume {id}"
            ))
        })?;
    report.session = Some(id);
    report.command_line = written::command_line(words.iter().map(String::as_str));
    write(arguments, &report, seconds, color)?;
    Ok(Outcome::Done)
}

/// What a session keeps of its runs.
#[derive(Debug, Clone)]
pub(crate) struct KeptRuns<'a> {
    pub(crate) runs: Vec<Run>,
    pub(crate) plan: Option<&'a str>,
    pub(crate) seed: u64,
}

/// The report of a saved session, and how long measuring took; `None` before the first block.
/// `request` says how subjects are analysed beside the comparison; absent: as they were.
pub(crate) fn report_of_session(
    arguments: &CompareArguments,
    kept: KeptRuns<'_>,
    request: Option<Request>,
    color: Color,
) -> Result<Option<(Report, Option<f64>)>, Failure> {
    let KeptRuns { runs, plan: plan_text, seed } = kept;
    if arguments.baseline.is_some() {
        let report = saved::report_with_baseline(arguments, runs, plan_text, seed, color)?;
        return Ok(Some((report, None)));
    }
    let mut plan =
        Plan::of(arguments, subjects::build(&arguments.subjects, &arguments.running)?, seed)?;
    let saved = plan_text.and_then(Saved::read);
    let trial = saved.as_ref().map(|saved| Trial::replayed(&plan, saved, &runs));
    let stopped = saved.as_ref().and_then(Saved::stopped).unwrap_or(Stopped::Interrupted);
    let last = runs.last().map_or(0, |run| run.began_ns + run.usage.wall_ns);
    let seconds = Duration::from_nanos(last).as_secs_f64();
    let measured = Measured { runs, trial, stopped, seconds, error: None };
    plan.request = request.unwrap_or(plan.request);
    let warnings = Machine::read(plan_text).warnings;
    Ok(report(&plan, &measured, seed, warnings).map(|report| (report, Some(seconds))))
}

fn carry_out(
    arguments: &CompareArguments,
    plan: &Plan,
    prepared: Prepared,
    before: Before,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    if let Some(line) = plan.too_few_to_answer() {
        output::print_warning(&line, color);
    }
    let started = start(&plan.subjects, prepared)?;
    let (keeper, runs, saved) = match before {
        Before::Nothing => {
            let keeper = session::begin(&arguments.session, &plan.subjects, seed, color)?;
            (keeper, Vec::new(), None)
        }
        Before::Session { keeper, runs, saved } => (keeper, runs, saved),
    };
    let progress = Progress::new(arguments.style, arguments.output.quiet);
    let before = runs.clone();
    let conducted =
        conduct(started, &plan.subjects, keeper, &before, progress, |bench, progress| {
            measure(plan, bench, runs, saved, progress)
        });
    let Conducted { measured, mut keeper, overhead_per_run, warnings } = conducted;
    let mut report = report(plan, &measured, seed, warnings);
    if let Some(report) = &mut report {
        report.session = keeper.id().map(|id| id.0);
        report.overhead_per_run = overhead_per_run;
        if measured.error.is_none()
            && let Err(error) = keeper.finish("done")
        {
            report.warnings.push(error.to_string());
        }
    }
    let comparisons = report.as_ref().and_then(|report| report.comparisons.as_deref());
    let outcome = gated(comparisons.unwrap_or_default(), arguments.allow_inconclusive);
    let wanted = Wanted { quiet: arguments.output.quiet, color };
    conclude(report, measured.error, outcome, wanted, |report| {
        write(arguments, &report, Some(measured.seconds), color)
    })
}

/// Writes a report with comparisons.
pub(crate) fn write(
    arguments: &CompareArguments,
    report: &Report,
    seconds: Option<f64>,
    color: Color,
) -> Result<(), Failure> {
    if arguments.style == Style::None {
        return written::export_all(report, &arguments.output, color);
    }
    let view = render::view(&arguments.output, &arguments.cleaning);
    written::write(report, &arguments.output, color, || match &report.comparisons {
        Some(comparisons) => {
            let circumstances = verdict::Circumstances { seconds };
            verdict::render(report, comparisons, circumstances, &view, output::width())
        }
        None => human::render(report, &view, output::width()),
    })
}
