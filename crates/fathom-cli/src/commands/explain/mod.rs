//! `fathom explain`: which metrics have to do with an anomaly.

mod request;
mod source;
mod suggest;

pub(crate) use request::{Asked, request};
pub(crate) use source::Traces;

use crate::arguments::{Color, ExplainArguments, OutputFormat};
use crate::commands::opening::import_options;
use crate::commands::written;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::Progress;
use fathom_explain::align::AlignError;
use fathom_explain::document::ExplanationDocument;
use fathom_explain::{ExplainError, Explanation, Stage, Stopped};
use fathom_record::Environment;
use fathom_render::explanation::{Detail, Shown, render, table};
use fathom_sys::signals::Interrupt;
use std::sync::Mutex;

/// How many metrics people are shown unless they say another number.
const TOP: usize = 10;

pub(crate) fn run(arguments: &ExplainArguments, color: Color) -> Result<Outcome, Failure> {
    let traces = Traces::open(&arguments.traces, &import_options(&arguments.reading))?;
    if arguments.suggest {
        return suggest::run(&traces, arguments, color);
    }
    let mut explanation = explained(&traces, arguments)?;
    explanation.notes.extend(traces.notes.iter().cloned());
    write(&traces, &explanation, arguments, color)?;
    Ok(Outcome::Done)
}

/// Shows how far it is, until somebody interrupts it.
pub(crate) fn watching(
    interrupt: Interrupt,
    progress: Progress,
) -> impl Fn(fathom_explain::Progress) -> Result<(), Stopped> + Sync {
    let progress = Mutex::new(progress);
    move |now| {
        if interrupt.requested() {
            return Err(Stopped);
        }
        if let Ok(mut progress) = progress.try_lock() {
            progress.draw(|| {
                let what = match now.stage {
                    Stage::Aligning => "aligning runs",
                    Stage::Scoring => "scoring metrics",
                };
                format!("{what}: {} of {}", now.done, now.of)
            });
        }
        Ok(())
    }
}

fn explained(traces: &Traces, arguments: &ExplainArguments) -> Result<Explanation, Failure> {
    let asked = Asked {
        target: &arguments.target,
        selection: &arguments.selection,
        alignment: &arguments.alignment,
        ranking: &arguments.ranking,
    };
    let request = request(traces, asked)?;
    let interrupt = Interrupt::install().map_err(Failure::input)?;
    let progress = Progress::new(arguments.style, arguments.output.quiet);
    let watch = watching(interrupt, progress);
    fathom_explain::explain(traces, &request, &watch).map_err(|error| match error {
        ExplainError::Stopped(_) | ExplainError::Align(AlignError::Stopped(_)) => {
            Failure::Interrupted
        }
        error => Failure::input(error).with_line(traces.origin_line()),
    })
}

fn write(
    traces: &Traces,
    explanation: &Explanation,
    arguments: &ExplainArguments,
    color: Color,
) -> Result<(), Failure> {
    let output = &arguments.output;
    let environment = Environment::of_this_build();
    let typed = written::typed();
    let command_line = written::command_line(typed.iter().map(String::as_str));
    let json = |with_outlines: bool| {
        ExplanationDocument::of(explanation, &command_line, &environment, with_outlines)
            .to_json()
            .map_err(Failure::input)
    };
    let table = || table(explanation, arguments.top.unwrap_or(usize::MAX));
    let text = match output.format {
        OutputFormat::Human => render(explanation, &shown(traces, explanation, arguments)),
        OutputFormat::Json => json(output.include_values)?,
        OutputFormat::Csv => table().csv(),
        OutputFormat::Markdown => table().markdown(),
    };
    // Files first: if standard output is closed early, what was asked for is still there.
    let exported = written::export_table(output, color, &|| json(true), &table);
    if matches!(output.format, OutputFormat::Csv | OutputFormat::Markdown) && !output.quiet {
        for run in &explanation.runs {
            for warning in &run.aligned.warnings {
                output::print_warning(&format!("warning: {}: {warning}", run.aligned.run), color);
            }
        }
    }
    written::after_printing(&text, color, exported)
}

fn shown(traces: &Traces, explanation: &Explanation, arguments: &ExplainArguments) -> Shown {
    let output = &arguments.output;
    let run = explanation.runs.get(explanation.reference);
    let clock = run.and_then(|run| traces.clock(&run.aligned.run));
    Shown {
        detail: match (output.quiet, output.verbose) {
            (true, _) => Detail::Answer,
            (_, true) => Detail::Everything,
            _ => Detail::Usual,
        },
        width: output::width(),
        time_unit: output.time_unit,
        top: arguments.top.unwrap_or(TOP),
        origin_ns: clock.map(|clock| clock.wall_ns).filter(|_| traces.has_wall_times()),
    }
}
