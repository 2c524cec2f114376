//! The steps of the tour, each asked through the engine like any other request.

use super::questions::{self, Questions, TOP, TRACES};
use crate::{Answer, CheckAnswer, Engine, EngineError};
use fathom_analyze::Report;
use fathom_render::demo::{DemoAnswer, DemoQuestion, DemoScene, DemoStep};

/// Shows a scene of the tour.
pub type ShowScene<'s, E> = dyn FnMut(&DemoScene<'_>) -> Result<(), E> + 's;

/// Why a step did not come to its end.
pub(super) enum Obstacle<E> {
    /// A scene could not be shown, which ends the tour.
    Output(E),
    /// The step failed, or the user ended it.
    Step(EngineError),
}

impl<E> From<EngineError> for Obstacle<E> {
    fn from(error: EngineError) -> Obstacle<E> {
        Obstacle::Step(error)
    }
}

/// The tour as far as it was taken.
pub(super) struct Tour<'p> {
    questions: Questions<'p>,
    is_noisy: bool,
    can_record: bool,
}

impl<'p> Tour<'p> {
    pub(super) fn new(program: &'p str) -> Tour<'p> {
        Tour { questions: Questions { program }, is_noisy: false, can_record: true }
    }

    /// Whether a measurement came with a warning about the machine.
    pub(super) fn is_noisy(&self) -> bool {
        self.is_noisy
    }

    /// Whether nothing speaks against recording here.
    pub(super) fn can_record(&self) -> bool {
        self.can_record
    }

    /// Takes a step.
    pub(super) fn take<E>(
        &mut self,
        engine: &mut Engine<'_>,
        step: DemoStep,
        show: &mut ShowScene<'_, E>,
    ) -> Result<(), Obstacle<E>> {
        match step {
            DemoStep::Measure => self.measure(engine, DemoQuestion::Measure, show),
            DemoStep::Clean => self.measure(engine, DemoQuestion::Clean, show),
            DemoStep::Decide => {
                self.compare(engine, DemoQuestion::Difference, show)?;
                self.compare(engine, DemoQuestion::Same, show)
            }
            DemoStep::Check => self.check(engine, show),
            DemoStep::Explain => {
                let taken = self.record_and_explain(engine, show);
                self.can_record = taken.is_ok();
                taken
            }
        }
    }

    fn measure<E>(
        &mut self,
        engine: &mut Engine<'_>,
        question: DemoQuestion,
        show: &mut ShowScene<'_, E>,
    ) -> Result<(), Obstacle<E>> {
        let is_clean = question == DemoQuestion::Clean;
        let request = if is_clean { self.questions.clean() } else { self.questions.measure() };
        self.ask(question, request.words(), show)?;
        let answer = engine.run(&request)?;
        self.note_warnings(&answer.report);
        let of = if is_clean { DemoAnswer::Cleaned } else { DemoAnswer::Measured };
        conclude(&answer, of(&answer.report), show)?;
        ended(answer)
    }

    fn compare<E>(
        &mut self,
        engine: &mut Engine<'_>,
        question: DemoQuestion,
        show: &mut ShowScene<'_, E>,
    ) -> Result<(), Obstacle<E>> {
        let is_same = question == DemoQuestion::Same;
        let request = if is_same { self.questions.same() } else { self.questions.difference() };
        self.ask(question, request.words(), show)?;
        let answer = engine.compare(&request)?;
        self.note_warnings(&answer.report);
        let (report, seconds) = (&answer.report, answer.seconds);
        conclude(&answer, DemoAnswer::Decided { report, seconds, is_same }, show)?;
        ended(answer)
    }

    fn check<E>(
        &self,
        engine: &mut Engine<'_>,
        show: &mut ShowScene<'_, E>,
    ) -> Result<(), Obstacle<E>> {
        let request = self.questions.check()?;
        self.ask(DemoQuestion::Check, request.words(), show)?;
        let answer = engine.check(&request)?;
        let checked: &CheckAnswer = &answer.report;
        let again = |judged: &_| checked.commands(0, judged);
        let shown = DemoAnswer::Checked { report: &checked.report.first, again: &again };
        conclude(&answer, shown, show)?;
        ended(answer)
    }

    fn record_and_explain<E>(
        &self,
        engine: &mut Engine<'_>,
        show: &mut ShowScene<'_, E>,
    ) -> Result<(), Obstacle<E>> {
        // Removed when this returns, however it does.
        let folder =
            tempfile::Builder::new().prefix("fathom-demo-").tempdir().map_err(|error| {
                let message = format!(
                "cannot make a temporary folder ({error}). Set TMPDIR to a folder that you can write to"
            );
            EngineError::file(message, error)
        })?;
        let into = folder.path().join(TRACES);
        let request = self.questions.record();
        // What cannot be recorded here is known before a command is shown.
        engine.plan_recording(&request)?;
        let mut words = request.words();
        words.splice(1..1, ["-o".to_string(), into.to_string_lossy().into_owned()]);
        self.ask(DemoQuestion::Record, words, show)?;
        let answer = engine.record(&request, &into, false)?;
        conclude(&answer, DemoAnswer::Recorded(&answer.report), show)?;
        ended(answer)?;
        let request = questions::explain(&into)?;
        let mut words = request.words();
        words.extend(["--top".to_string(), TOP.to_string()]);
        self.ask(DemoQuestion::Explain, words, show)?;
        let answer = engine.explain(&request)?;
        let explained = &answer.report;
        let (explanation, origin) = (&explained.explanation, explained.origin);
        conclude(&answer, DemoAnswer::Explained { explanation, origin, top: TOP }, show)?;
        ended(answer)
    }

    /// Shows the command that runs next.
    fn ask<E>(
        &self,
        question: DemoQuestion,
        words: Vec<String>,
        show: &mut ShowScene<'_, E>,
    ) -> Result<(), Obstacle<E>> {
        let program = std::iter::once(self.questions.program.to_string());
        let command: Vec<String> = program.chain(words).collect();
        show(&DemoScene::Question { question, command: &command }).map_err(Obstacle::Output)
    }

    fn note_warnings(&mut self, report: &Report) {
        self.is_noisy |= !report.warnings.is_empty();
    }
}

/// Shows an answer; one that was cut short is not commented on.
fn conclude<R, E>(
    answer: &Answer<R>,
    shown: DemoAnswer<'_>,
    show: &mut ShowScene<'_, E>,
) -> Result<(), Obstacle<E>> {
    let scene = match answer.ended_early {
        None => DemoScene::Answer(shown),
        Some(_) => DemoScene::Partial(shown),
    };
    show(&scene).map_err(Obstacle::Output)
}

/// Goes on, unless the answer was cut short.
fn ended<R, E>(answer: Answer<R>) -> Result<(), Obstacle<E>> {
    answer.ended_early.map_or(Ok(()), |error| Err(Obstacle::Step(error)))
}
