//! `fathom analyze`: estimates from data made elsewhere.

use super::answer::engine;
use crate::arguments::{AnalyzeArguments, Color, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use crate::writer;
use fathom_engine::Saving;
use fathom_render::human;

pub(crate) fn run(arguments: &AnalyzeArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let mut terminal = Terminal::new(Style::Auto, arguments.output.quiet, color);
    let request = arguments.request();
    request.cleaning.check().map_err(Failure::input)?;
    let report = engine(&mut terminal, Saving::off()).analyze(&request)?.report;
    let view = writer::view(&arguments.output, request.cleaning.assume_independent);
    writer::write_report(&report, &arguments.output, Style::Auto, color, &|| {
        human::render(&report, &view, output::width())
    })?;
    Ok(CommandOutcome::Done)
}
