//! `fathom record`: traces of many metrics over one or several runs.

mod application;
mod command;
mod document;
mod planned;

use crate::arguments::{Color, PlainFormat, RecordArguments, Style};
use crate::commands::measuring::conduct;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::Progress;
use crate::render::traces::{Recorded, render_plan, render_recorded};
use application::application;
use command::Recording;
use fathom_measure::recording::application::ApplicationPlan;
use fathom_measure::recording::{
    Plan, Progress as Seen, RecordError, Recorder, RunOutcome, find_process,
};
use fathom_measure::{CommandFailure, Laboratory as _, Local, Tolerated, how};
use fathom_record::Ending;
use fathom_sys::probes::{Source, sources};
use fathom_sys::running_process::RunningProcess;
use fathom_sys::signals::Interrupt;
use std::path::Path;

pub(crate) fn run(arguments: &RecordArguments, color: Color) -> Result<Outcome, Failure> {
    let color = arguments.style.color(color);
    if arguments.command.is_empty() && arguments.sampling.pid.is_none() {
        return Err(Failure::input(
            "there is nothing to record; give a command after --, as in `fathom record -o traces \
             -- ./program`, or a process with --pid",
        ));
    }
    // clap would let it pass beside a command.
    if arguments.sampling.duration.is_some() && arguments.sampling.pid.is_none() {
        return Err(Failure::input(
            "--duration is for a process that runs already (--pid); --timeout ends a command",
        ));
    }
    let application = application(arguments)?;
    let sources = sources();
    let plan = planned::plan(arguments, &sources, application.is_some())?;
    if arguments.dry_run {
        return dry_run(arguments, &plan, color);
    }
    let Some(into) = &arguments.into else {
        return Err(Failure::input(
            "say where the traces go: -o DIR; `fathom record --dry-run` says what would be recorded",
        ));
    };
    record(arguments, &plan, &sources, application.as_ref(), into, color)
}

fn dry_run(arguments: &RecordArguments, plan: &Plan, color: Color) -> Result<Outcome, Failure> {
    let text = match arguments.format {
        PlainFormat::Human => {
            let whom = command::whom(arguments);
            render_plan(plan, &whom, arguments.verbose, output::width())
        }
        PlainFormat::Json => document::plan(plan)?,
    };
    if arguments.style != Style::None {
        output::print(&text, color)?;
    }
    Ok(Outcome::Done)
}

/// What is recorded.
enum Whom {
    Command(Box<Local>, Box<Recording>),
    Process(RunningProcess),
}

impl Whom {
    /// Looks for it before an earlier recording is replaced: it may not even be there.
    fn found(arguments: &RecordArguments, plan: &Plan) -> Result<Whom, Failure> {
        if let Some(pid) = arguments.sampling.pid {
            let process = find_process(pid, plan, arguments.sampling.duration).map_err(failure)?;
            return Ok(Whom::Process(process));
        }
        let recording = Recording::of(arguments)?;
        let local = conduct::local()?;
        local.resolve(recording.program()).map_err(|error| Failure::Command(error.to_string()))?;
        Ok(Whom::Command(Box::new(local), Box::new(recording)))
    }
}

/// How a recording ended, besides what it recorded.
enum End {
    Done,
    Interrupted,
    Failed(Failure),
}

fn record(
    arguments: &RecordArguments,
    plan: &Plan,
    sources: &[Box<dyn Source>],
    application: Option<&ApplicationPlan>,
    into: &Path,
    color: Color,
) -> Result<Outcome, Failure> {
    if !arguments.quiet && arguments.style != Style::None {
        for warning in &plan.warnings {
            output::print_warning(&format!("warning: {warning}"), color);
        }
    }
    let whom = Whom::found(arguments, plan)?;
    let words = arguments.command.clone();
    let recorder = Recorder::create(into, arguments.force, words, plan, sources, application);
    let mut recorder = recorder.map_err(failure)?;
    let mut progress = Progress::new(arguments.style, arguments.quiet);
    let mut outcomes = Vec::new();
    let end = match whom {
        Whom::Command(mut local, mut recording) => all_runs(plan, &mut outcomes, arguments, |n| {
            recording.prepare(&mut local)?;
            let outcome = recorder
                .record(n, &mut local, recording.invocation(n), &mut |seen| {
                    draw(&mut progress, seen);
                })
                .map_err(failure)?;
            recording.conclude(&mut local)?;
            Ok(outcome)
        }),
        Whom::Process(process) => {
            let interrupt = Interrupt::install()
                .map_err(|error| Failure::input(format!("signals cannot be handled: {error}")))?;
            all_runs(plan, &mut outcomes, arguments, |n| {
                let duration = arguments.sampling.duration;
                let is_over = || interrupt.requested();
                recorder
                    .attach(n, &process, duration, &is_over, &mut |seen| draw(&mut progress, seen))
                    .map_err(failure)
            })
        }
    };
    progress.clear();
    // Before anything was recorded there is nothing to show but why.
    if recorder.manifest().runs.is_empty() {
        return match end {
            End::Failed(failure) => Err(failure),
            End::Interrupted | End::Done => Err(Failure::Interrupted),
        };
    }
    let recorded = Recorded { manifest: recorder.manifest(), outcomes: &outcomes, folder: into };
    let text = match arguments.format {
        PlainFormat::Human => {
            let detail = document::detail(arguments);
            render_recorded(&recorded, detail, output::width())
        }
        PlainFormat::Json => document::recorded(&recorded)?,
    };
    if arguments.style != Style::None {
        output::print(&text, color)?;
    }
    match end {
        End::Done => Ok(Outcome::Done),
        End::Interrupted => Ok(Outcome::Interrupted),
        End::Failed(failure) => Err(failure),
    }
}

/// Makes all runs, until one fails or the user has enough.
fn all_runs(
    plan: &Plan,
    outcomes: &mut Vec<RunOutcome>,
    arguments: &RecordArguments,
    mut one: impl FnMut(usize) -> Result<RunOutcome, Failure>,
) -> End {
    for n in 0..plan.runs.len() {
        let outcome = match one(n) {
            Ok(outcome) => outcome,
            Err(Failure::Interrupted) => return End::Interrupted,
            Err(failure) => return End::Failed(failure),
        };
        let end = end_after(&outcome, arguments);
        outcomes.push(outcome);
        if !matches!(end, End::Done) {
            return end;
        }
    }
    End::Done
}

/// Whether a run lets the next one begin.
fn end_after(outcome: &RunOutcome, arguments: &RecordArguments) -> End {
    // A process without a time limit is recorded until the user has enough.
    let is_open_ended = arguments.sampling.pid.is_some() && arguments.sampling.duration.is_none();
    if outcome.interrupted && !is_open_ended {
        return End::Interrupted;
    }
    if let Some(trouble) = &outcome.trouble {
        return End::Failed(Failure::input(format!("recording stopped: {trouble}")));
    }
    let tolerated = arguments.running.ignore_failure.clone().unwrap_or(Tolerated::Nothing);
    match outcome.ending {
        // The user said how long it may take; that is no failure of the command.
        None | Some(Ending::TimedOut) => End::Done,
        Some(ending) if tolerated.accepts(ending) => End::Done,
        Some(ending) => {
            let failure = CommandFailure {
                what: command::whom(arguments),
                how: how(ending, arguments.running.timeout),
                said: outcome.said.clone(),
                hint: Some(
                    "what was recorded is kept; -i goes on with the next run all the same"
                        .to_string(),
                ),
            };
            End::Failed(Failure::Command(failure.to_string()))
        }
    }
}

fn draw(progress: &mut Progress, seen: &Seen) {
    progress.draw(|| {
        let seconds = seen.elapsed.as_secs_f64();
        let share = crate::render::traces::core_share(seen.share);
        let trouble = seen.trouble.as_deref().map_or(String::new(), |trouble| {
            format!(", nothing more is recorded: {trouble}; the command goes on, Ctrl-C ends it")
        });
        format!(
            "run {} of {} ({}): {seconds:.1} s, {} samples, {share}{trouble}",
            seen.run, seen.runs, seen.group, seen.samples
        )
    });
}

fn failure(error: RecordError) -> Failure {
    match error {
        RecordError::CannotStart(_) => Failure::Command(error.to_string()),
        RecordError::Interrupted => Failure::Interrupted,
        error => Failure::input(error),
    }
}
