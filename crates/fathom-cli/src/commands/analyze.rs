//! `fathom analyze`: estimates from data made elsewhere.

use super::written;
use crate::arguments::{AnalyzeArguments, Color, OutputFormat};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::render;
use fathom_engine::Engine;
use fathom_render::human;

pub(crate) fn run(arguments: &AnalyzeArguments, color: Color) -> Result<Outcome, Failure> {
    let mut nobody = ();
    let mut engine = Engine::new(&mut nobody);
    engine.command_line = Some(written::typed_line());
    let report = engine.analyze(&arguments.request())?.report;
    let view = render::view(&arguments.output, &arguments.cleaning);
    // How a file was read changes what the numbers are of: that is said also where little is wanted.
    if arguments.output.quiet && arguments.output.format != OutputFormat::Json {
        for note in &report.warnings {
            output::print_warning(&format!("warning: {note}"), color);
        }
    }
    written::write(&report, &arguments.output, color, || {
        human::render(&report, &view, output::width())
    })?;
    Ok(Outcome::Done)
}
