//! `fathom check`: asks the engine, and writes the answer.

use super::answer::{conclude, engine};
use crate::arguments::{CheckArguments, Color, OutputArguments, OutputFormat, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use crate::writer::{self, Forms};
use fathom_engine::{CheckAnswer, CheckPlanDocument};
use fathom_render::check;
use std::path::Path;

pub(crate) fn run(arguments: &CheckArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let (request, places) = arguments.asked()?;
    let output = &arguments.output;
    let mut terminal = Terminal::new(arguments.terminal.style, output.quiet, color)
        .with_expectations(!output.quiet && output.format == OutputFormat::Human);
    let mut engine = engine(&mut terminal, arguments.session.saving());
    engine.places = places;
    if arguments.dry_run {
        let plan = engine.check_plan(&request)?;
        let text = match output.format {
            OutputFormat::Json => output::json(&CheckPlanDocument::of(&plan))?,
            _ => check::render_plan(&plan, output.detail()),
        };
        if arguments.terminal.style != Style::None {
            output::print(&text, terminal.color())?;
        }
        return Ok(CommandOutcome::Done);
    }
    let answer = engine.check(&request)?;
    conclude(answer, &terminal, |answer, _| {
        write(&answer, output, arguments.terminal.style, terminal.color())
    })
}

/// Performs one execution of a check on a node, for the job script.
pub(crate) fn perform(folder: &Path, batch: u32, index: usize) -> Result<CommandOutcome, Failure> {
    fathom_engine::perform_execution(folder, batch, index)?;
    Ok(CommandOutcome::Done)
}

pub(super) fn write(
    answer: &CheckAnswer,
    output: &OutputArguments,
    style: Style,
    color: Color,
) -> Result<(), Failure> {
    let report = &answer.report;
    let again = |question: usize, judged: &_| answer.commands(question, judged);
    let caveats = report.questions().flat_map(|report| &report.caveats).map(|caveat| &caveat.text);
    let warnings = report.questions().flat_map(|report| &report.warnings).filter(|_| !output.quiet);
    let mut said: Vec<String> = Vec::new();
    for text in caveats.chain(warnings) {
        if !said.contains(text) {
            said.push(text.clone());
        }
    }
    let forms = Forms {
        human: &|| {
            check::render(report, output.detail(), output.time_unit, output::width(), &again)
        },
        json: &|with_executions| Ok(answer.to_json(with_executions)?),
        table: &|| check::table(report, output.time_unit),
        warnings: said,
        warnings_if_quiet: Vec::new(),
    };
    writer::write(&forms, output, style, color)
}
