//! `fathom record`: traces of many metrics over one or several runs.

use crate::arguments::{Color, PlainFormat, RecordArguments, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use fathom_engine::record::{PlanDocument, RecordingDocument};
use fathom_engine::{Engine, ErrorKind, Watch};
use fathom_render::Detail;
use fathom_render::traces::{render_plan, render_recorded};

pub(crate) fn run(arguments: &RecordArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let color = arguments.terminal.style.color(color);
    let request = arguments.request();
    let detail = Detail::of(arguments.quiet, arguments.verbose);
    let mut terminal = Terminal::new(arguments.terminal.style, arguments.quiet, color);
    let is_silent = arguments.quiet || arguments.terminal.style == Style::None;
    // With only the answer requested, there are no notes before it either.
    let watch: &mut dyn Watch = if is_silent { &mut () } else { &mut terminal };
    let mut engine = Engine::new(watch);
    if arguments.dry_run {
        let plan = engine.plan_recording(&request)?;
        let text = match arguments.format {
            PlainFormat::Human => render_plan(&plan, &request.subject(), detail, output::width()),
            PlainFormat::Json => output::json(&PlanDocument::of(&plan))?,
        };
        print(&text, arguments, color)?;
        return Ok(CommandOutcome::Done);
    }
    let Some(into) = &arguments.into else {
        // What else is wrong is told first.
        engine.plan_recording(&request)?;
        return Err(Failure::input(
            "name the trace folder with -o DIR. `fathom record --dry-run` shows what would be recorded",
        ));
    };
    let answer = engine.record(&request, into, arguments.force)?;
    let text = match arguments.format {
        PlainFormat::Human => render_recorded(&answer.report, detail, output::width()),
        PlainFormat::Json => output::json(&RecordingDocument::of(&answer.report))?,
    };
    print(&text, arguments, color)?;
    match answer.ended_early {
        None => Ok(CommandOutcome::Done),
        Some(error) if error.kind() == ErrorKind::Interrupted => Ok(CommandOutcome::Interrupted),
        Some(error) => Err(error.into()),
    }
}

fn print(text: &str, arguments: &RecordArguments, color: Color) -> Result<(), Failure> {
    if arguments.terminal.style == Style::None { Ok(()) } else { output::print(text, color) }
}
