//! A tour: every question once, asked about a program whose behaviour is known.

mod program;
mod questions;
mod taken;
mod workload;

pub use program::program_as_typed;
pub use questions::TRUTH;
pub use taken::ShowScene;
pub use workload::{DemoWork, WorkSpan};

use crate::{Answer, Engine, EngineError, ErrorKind, Saving};
use fathom_render::demo::{DemoClosing, DemoScene, DemoStep};
use fathom_sys::signals::Interrupt;
use std::time::Instant;
use taken::{Obstacle, Tour};

/// What the tour consists of.
#[derive(Debug, Clone)]
pub struct DemoTour {
    /// The steps, in order.
    pub steps: Vec<DemoStep>,
    /// How this program is called in a command: it is what the tour measures, too.
    pub program: String,
    /// Whether this build has the explorer's web page.
    pub has_page: bool,
}

impl Engine<'_> {
    /// Takes the tour. `show` gets every scene as it happens, so that readers see what runs while it
    /// runs. Nothing is saved, and temporary files are removed before this returns.
    ///
    /// A step that this machine does not allow is skipped, and the tour goes on. If all were skipped,
    /// the answer holds why the first was; if the user ended the tour, it says that.
    ///
    /// # Errors
    /// A scene could not be shown.
    pub fn demo<E: From<EngineError>>(
        &mut self,
        tour: &DemoTour,
        show: &mut ShowScene<'_, E>,
    ) -> Result<Answer<()>, E> {
        let started = Instant::now();
        // Between two commands of the tour, Ctrl-C must not end the process before files are removed.
        let interrupt = Interrupt::install().map_err(|error| {
            EngineError::file(format!("signals cannot be handled: {error}"), error)
        })?;
        let saving = std::mem::replace(&mut self.saving, Saving::off());
        let taken = self.take(tour, started, interrupt, show);
        self.saving = saving;
        taken.map(|ended_early| Answer { ended_early, ..Answer::of(()) })
    }

    /// Takes the steps; why the tour ended early, if it did.
    fn take<E: From<EngineError>>(
        &mut self,
        tour: &DemoTour,
        started: Instant,
        interrupt: Interrupt,
        show: &mut ShowScene<'_, E>,
    ) -> Result<Option<EngineError>, E> {
        let of = tour.steps.len();
        show(&DemoScene::Opening { steps: of })?;
        let mut skipped = Vec::new();
        let mut taken = Tour::new(&tour.program);
        for (number, step) in (1..).zip(tour.steps.iter().copied()) {
            show(&DemoScene::Step { step, number, of })?;
            match taken.take(self, step, show) {
                Ok(()) => {}
                Err(Obstacle::Output(error)) => return Err(error),
                Err(Obstacle::Step(error)) if error.kind() == ErrorKind::Interrupted => {
                    return Ok(Some(EngineError::interrupted_tour()));
                }
                Err(Obstacle::Step(error)) => {
                    show(&DemoScene::Skipped { step, why: &error.to_string() })?;
                    skipped.push(error);
                }
            }
            if interrupt.requested() {
                return Ok(Some(EngineError::interrupted_tour()));
            }
        }
        if skipped.len() == of {
            return Ok(skipped.into_iter().next());
        }
        show(&DemoScene::Closing(DemoClosing {
            program: &tour.program,
            took: started.elapsed(),
            skipped: skipped.len(),
            is_noisy: taken.is_noisy(),
            can_record: taken.can_record(),
            has_page: tour.has_page,
        }))?;
        Ok(None)
    }
}
