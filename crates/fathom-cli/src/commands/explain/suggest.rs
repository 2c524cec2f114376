//! `fathom explain --suggest`: where in the target something odd is.

use super::request::typed_window;
use super::source::Traces;
use crate::arguments::{Color, ExplainArguments, OutputFormat};
use crate::commands::written;
use crate::failure::{Failure, Outcome};
use crate::output;
use fathom_explain::align::{AlignOptions, question_with};
use fathom_explain::suggest::{Suggestion, suggest};
use fathom_explain::{Memory, Question, RunEntry, Segments, Selection, Span, TraceSource};
use fathom_record::{Environment, own_json};
use fathom_render::explanation::{Proposed, proposed_table, render_suggestions};
use serde_json::json;
use std::ops::Range;

pub(super) fn run(
    traces: &Traces,
    arguments: &ExplainArguments,
    color: Color,
) -> Result<Outcome, Failure> {
    let selection = Selection {
        target: arguments.target.clone(),
        run: arguments.selection.run.clone(),
        windows: vec![Span::Whole],
        baseline: None,
        segments: Segments::Auto,
        pattern: None,
    };
    // Where the target is odd is seen in one run; nothing is aligned for that.
    let memory = Memory::new(0);
    let question = &question_with(traces, &selection, &AlignOptions::default(), &memory)
        .map_err(Failure::input)?;
    let has_target = |run: &&RunEntry| match &selection.run {
        Some(id) => run.id == *id,
        None => run.metrics.iter().any(|metric| metric.name == selection.target),
    };
    let Some(run) = traces.runs().iter().find(has_target).map(|run| run.id.as_str()) else {
        return Err(Failure::input("there is no run to look at"));
    };
    let found = suggest(&question.grid, &question.target, arguments.top.unwrap_or(super::TOP));
    let proposed: Vec<Proposed<'_>> = found
        .iter()
        .map(|suggestion| {
            let asked = suggestion.windows_to_ask(question.target.len());
            let typed = asked.iter().filter_map(|rows| typed_window(traces, run, question, rows));
            Proposed { suggestion, windows: typed.collect(), asked }
        })
        .collect();
    write(traces, arguments, run, question, &proposed, color)?;
    Ok(Outcome::Done)
}

fn write(
    traces: &Traces,
    arguments: &ExplainArguments,
    run: &str,
    question: &Question,
    proposed: &[Proposed<'_>],
    color: Color,
) -> Result<(), Failure> {
    let output = &arguments.output;
    let json = || document(arguments, run, question, proposed);
    let table = || proposed_table(proposed);
    let text = match output.format {
        OutputFormat::Human => {
            let mut paths: Vec<String> =
                arguments.traces.iter().map(|path| path.display().to_string()).collect();
            if traces.runs().len() > 1 {
                paths.extend(["--run".to_string(), run.to_string()]);
            }
            let ask = ["explain".to_string()].into_iter().chain(paths);
            let ask = ask.chain(["--target".to_string(), arguments.target.clone()]);
            let ask: Vec<String> = ask.collect();
            let ask = written::command_line(ask.iter().map(String::as_str));
            let picture = (!output.quiet).then_some(question);
            render_suggestions(&arguments.target, picture, proposed, &ask, output::width())
        }
        OutputFormat::Json => json()?,
        OutputFormat::Csv => table().csv(),
        OutputFormat::Markdown => table().markdown(),
    };
    let exported = written::export_table(output, color, &json, &table);
    written::after_printing(&text, color, exported)
}

fn document(
    arguments: &ExplainArguments,
    run: &str,
    question: &Question,
    proposed: &[Proposed<'_>],
) -> Result<String, Failure> {
    let typed = written::typed();
    let window = |rows: &Range<usize>| {
        let end = |row: usize| question.grid.row(row).map_or(0, |(_, end)| end);
        #[allow(clippy::cast_precision_loss, reason = "times are far below 2^53 ns")]
        let seconds = |ns: i64| ns as f64 / 1e9;
        let last = rows.end.saturating_sub(1);
        json!({
            "start": seconds(end(rows.start)),
            "end": seconds(end(last)),
            "first_row": rows.start,
            "last_row": last,
        })
    };
    let entry = |one: &Proposed<'_>| {
        let suggestion: &Suggestion = one.suggestion;
        json!({
            "kind": suggestion.kind.as_str(),
            "strength": suggestion.strength,
            "about": suggestion.about,
            "windows": one.asked.iter().map(window).collect::<Vec<_>>(),
            "seen_in": suggestion.windows.iter().map(window).collect::<Vec<_>>(),
        })
    };
    let document = json!({
        "schema": own_json::SCHEMA,
        "command_line": written::command_line(typed.iter().map(String::as_str)),
        "seed": 0,
        "environment": Environment::of_this_build(),
        "target": arguments.target,
        "target_run": run,
        "suggestions": proposed.iter().map(entry).collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&document).map_err(Failure::input)? + "\n")
}
