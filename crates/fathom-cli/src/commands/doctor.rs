//! `fathom doctor`: what on this machine spoils measurements, and what it can detect.

use crate::arguments::{Color, DoctorArguments, PlainFormat, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::render::checkup;
use crate::terminal::Terminal;
use fathom_engine::doctor;

pub(crate) fn run(arguments: &DoctorArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let is_json = arguments.format == PlainFormat::Json;
    let mut terminal = Terminal::new(Style::Auto, is_json, color);
    let found = doctor::check_up(arguments.max_time, arguments.cpu, &mut terminal)?;
    let text = match arguments.format {
        PlainFormat::Human => checkup::render(&found, output::width()),
        PlainFormat::Json => found.to_json(&output::command_line(&output::typed()))?,
    };
    output::print(&text, color)?;
    Ok(CommandOutcome::Done)
}
