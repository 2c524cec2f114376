//! `fathom explain`: finds the metrics behind an anomaly.

use super::answer::engine;
use crate::arguments::{Color, ExplainArguments};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use crate::writer::{self, Forms};
use fathom_engine::Saving;
use fathom_engine::explain::{ContrastedTraces, ExplainedTraces, Suggestions};
use fathom_render::contrast::{self, ShownContrast, contrast_table};
use fathom_render::explanation::{Shown, proposed_table, render, render_suggestions, table};
use fathom_request::Request;
use fathom_sys::time_zone::minutes_ahead_of_utc;

/// How many metrics or windows people are shown unless they ask for another number.
const TOP: usize = 10;

pub(crate) fn run(arguments: &ExplainArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let mut terminal = Terminal::new(arguments.terminal.style, arguments.output.quiet, color);
    let mut engine = engine(&mut terminal, Saving::off());
    match arguments.request()? {
        Request::Suggest(request) => {
            let most = arguments.top.unwrap_or(TOP);
            let answer = engine.suggest(&request, most)?;
            write_suggestions(&answer.report, request.target.as_deref(), arguments, color)?;
        }
        Request::Contrast(request) => {
            let answer = engine.contrast(&request)?;
            write_contrast(&answer.report, arguments, color)?;
        }
        Request::Explain(request) => {
            let answer = engine.explain(&request)?;
            write(&answer.report, arguments, color)?;
        }
        // No other question is typed like this.
        _ => {}
    }
    Ok(CommandOutcome::Done)
}

fn write(
    explained: &ExplainedTraces,
    arguments: &ExplainArguments,
    color: Color,
) -> Result<(), Failure> {
    let output = &arguments.output;
    let explanation = &explained.explanation;
    let shown = Shown {
        detail: output.detail(),
        width: output::width(),
        time_unit: output.time_unit,
        top: arguments.top.unwrap_or(TOP),
        origin: explained.origin,
        local_time: explained.has_times_of_day.then_some(minutes_ahead_of_utc as fn(i64) -> i64),
    };
    let of_runs = explanation.runs.iter().filter(|_| !output.quiet).flat_map(|run| {
        run.aligned.warnings.iter().map(|warning| format!("{}: {warning}", run.aligned.run))
    });
    let forms = Forms {
        human: &|| render(explanation, &shown),
        json: &|with_outlines| Ok(explained.to_json(with_outlines)?),
        table: &|| table(explanation, arguments.top.unwrap_or(usize::MAX)),
        warnings: of_runs.collect(),
        warnings_if_quiet: Vec::new(),
    };
    writer::write(&forms, output, arguments.terminal.style, color)
}

fn write_contrast(
    found: &ContrastedTraces,
    arguments: &ExplainArguments,
    color: Color,
) -> Result<(), Failure> {
    let output = &arguments.output;
    let contrast = &found.contrast;
    let shown = ShownContrast {
        detail: output.detail(),
        width: output::width(),
        time_unit: output.time_unit,
        top: arguments.top.unwrap_or(TOP),
    };
    let forms = Forms {
        human: &|| contrast::render(contrast, &shown),
        json: &|_| Ok(found.to_json()?),
        table: &|| contrast_table(contrast, arguments.top.unwrap_or(usize::MAX)),
        warnings: contrast.notes.clone(),
        warnings_if_quiet: Vec::new(),
    };
    writer::write(&forms, output, arguments.terminal.style, color)
}

fn write_suggestions(
    found: &Suggestions,
    target: Option<&str>,
    arguments: &ExplainArguments,
    color: Color,
) -> Result<(), Failure> {
    let output = &arguments.output;
    let proposed = found.to_render();
    let picture = (!output.quiet).then_some(&found.question);
    let forms = Forms {
        human: &|| render_suggestions(target, picture, &proposed, output::width()),
        json: &|_| Ok(found.to_json()?),
        table: &|| proposed_table(&proposed),
        warnings: Vec::new(),
        warnings_if_quiet: Vec::new(),
    };
    writer::write(&forms, output, arguments.terminal.style, color)
}
