//! `fathom demo`: takes the tour, and shows each scene as it happens.

use super::answer::{conclude, engine};
use crate::arguments::{Color, DemoArguments, DemoWorkArguments, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use fathom_engine::Saving;
use fathom_engine::demo::{DemoTour, TRUTH, program_as_typed};
use fathom_render::Detail;
use fathom_render::demo::{DemoScene, render};
use fathom_ui::Page;

pub(crate) fn run(arguments: &DemoArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let style = arguments.terminal.style;
    let mut terminal = Terminal::new(style, arguments.quiet, color);
    let (color, detail) = (terminal.color(), Detail::of(arguments.quiet, false));
    let tour = DemoTour {
        steps: arguments.steps(),
        program: program_as_typed()?,
        has_page: Page::built().is_ok(),
    };
    let mut show = |scene: &DemoScene<'_>| match style {
        Style::None => Ok(()),
        _ => output::print(&render(scene, &TRUTH, detail, output::width()), color),
    };
    let mut engine = engine(&mut terminal, Saving::off());
    // Each command of the tour has its own words; `demo` asked none of the questions.
    engine.words = None;
    let answer = engine.demo(&tour, &mut show)?;
    conclude(answer, &terminal, |(), _| Ok(()))
}

/// Works, for the tour to measure.
pub(crate) fn work(arguments: &DemoWorkArguments) -> Result<CommandOutcome, Failure> {
    let run = std::env::var("FATHOM_RUN").ok().and_then(|run| run.parse().ok());
    let mut out = std::io::stdout().lock();
    arguments.work().perform(run.unwrap_or(0), &mut out).map_err(Failure::standard_output)?;
    Ok(CommandOutcome::Done)
}
