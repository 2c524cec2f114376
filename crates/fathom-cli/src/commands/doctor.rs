//! `fathom doctor`: what on this machine spoils measurements, and what it can detect.

use crate::arguments::{Color, DoctorArguments, PlainFormat, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use fathom_engine::doctor::{CheckupDocument, check_up};
use fathom_render::checkup;

pub(crate) fn run(arguments: &DoctorArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let is_json = arguments.format == PlainFormat::Json;
    let mut terminal = Terminal::new(Style::Auto, is_json, color);
    let time = arguments.max_time.unwrap_or(arguments.effort.time_of_checkup());
    let found = check_up(time, arguments.cpu, &mut terminal)?;
    let text = match arguments.format {
        PlainFormat::Human => checkup::render(&found, output::width()),
        PlainFormat::Json => {
            let command_line = output::command_line(&output::typed());
            CheckupDocument::of(&found, &command_line).to_json()?
        }
    };
    output::print(&text, color)?;
    Ok(CommandOutcome::Done)
}
