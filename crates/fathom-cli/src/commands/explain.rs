//! `fathom explain`: which metrics have to do with an anomaly.

use super::written;
use crate::arguments::{Color, ExplainArguments, OutputArguments, OutputFormat};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::Terminal;
use fathom_engine::Engine;
use fathom_engine::explain::{ExplainedTraces, Suggestions};
use fathom_render::explanation::{
    Detail, Shown, proposed_table, render, render_suggestions, table,
};

/// How many metrics or windows people are shown unless they say another number.
const TOP: usize = 10;

pub(crate) fn run(arguments: &ExplainArguments, color: Color) -> Result<Outcome, Failure> {
    let mut terminal = Terminal::new(arguments.style, arguments.output.quiet, color);
    let mut engine = Engine::new(&mut terminal);
    engine.command_line = Some(written::typed_line());
    if arguments.suggest {
        let most = arguments.top.unwrap_or(TOP);
        let answer = engine.suggest(&arguments.suggest_request(), most)?;
        write_suggestions(&answer.report, arguments, color)?;
    } else {
        let answer = engine.explain(&arguments.explain_request())?;
        write(&answer.report, arguments, color)?;
    }
    Ok(Outcome::Done)
}

fn write(
    explained: &ExplainedTraces,
    arguments: &ExplainArguments,
    color: Color,
) -> Result<(), Failure> {
    let output = &arguments.output;
    let explanation = &explained.explanation;
    let json = |with_outlines: bool| explained.to_json(with_outlines).map_err(Failure::from);
    let table = || table(explanation, arguments.top.unwrap_or(usize::MAX));
    let text = match output.format {
        OutputFormat::Human => render(explanation, &shown(explained, arguments)),
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

fn shown(explained: &ExplainedTraces, arguments: &ExplainArguments) -> Shown {
    let output = &arguments.output;
    Shown {
        detail: detail(output),
        width: output::width(),
        time_unit: output.time_unit,
        top: arguments.top.unwrap_or(TOP),
        origin_ns: explained.origin_ns,
    }
}

fn detail(output: &OutputArguments) -> Detail {
    match (output.quiet, output.verbose) {
        (true, _) => Detail::Answer,
        (_, true) => Detail::Everything,
        _ => Detail::Usual,
    }
}

fn write_suggestions(
    found: &Suggestions,
    arguments: &ExplainArguments,
    color: Color,
) -> Result<(), Failure> {
    let output = &arguments.output;
    let proposed = found.to_render();
    let json = || found.to_json().map_err(Failure::from);
    let table = || proposed_table(&proposed);
    let text = match output.format {
        OutputFormat::Human => {
            let picture = (!output.quiet).then_some(&found.question);
            render_suggestions(&arguments.target, picture, &proposed, &found.ask, output::width())
        }
        OutputFormat::Json => json()?,
        OutputFormat::Csv => table().csv(),
        OutputFormat::Markdown => table().markdown(),
    };
    let exported = written::export_table(output, color, &json, &table);
    written::after_printing(&text, color, exported)
}
