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
    arguments.refuse_options_without_effect()?;
    let request = arguments.request();
    let output = &arguments.output;
    let mut terminal = Terminal::new(arguments.terminal.style, output.quiet, color)
        .with_expectations(!output.quiet && output.format == OutputFormat::Human);
    let mut engine = engine(&mut terminal, arguments.session.saving());
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
    let again = |judged: &_| answer.commands(judged);
    let caveats = report.caveats.iter().map(|caveat| &caveat.text);
    let warnings = report.warnings.iter().filter(|_| !output.quiet);
    let forms = Forms {
        human: &|| {
            check::render(report, output.detail(), output.time_unit, output::width(), &again)
        },
        json: &|with_executions| Ok(answer.to_json(with_executions)?),
        table: &|| check::table(report, output.time_unit),
        warnings: caveats.chain(warnings).cloned().collect(),
        warnings_if_quiet: Vec::new(),
    };
    writer::write(&forms, output, style, color)
}
