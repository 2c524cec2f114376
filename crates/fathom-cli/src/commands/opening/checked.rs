//! A check, opened to be looked at.

use super::super::answer::engine;
use super::super::sessions::at;
use crate::arguments::{Color, OpenArguments, Style, check_of_words};
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;
use fathom_engine::opening::{CheckFile, CheckFileAsks};
use fathom_engine::{CheckAnswer, Engine, SavedSession};
use fathom_ui::check::OpenedCheck;
use std::path::Path;

/// The check in a file, if the words are a single JSON of `fathom check`.
pub(super) fn of_file(open: &OpenArguments, color: Color) -> Result<Option<OpenedCheck>, Failure> {
    let [word] = open.data.as_slice() else { return Ok(None) };
    let Some(found) = CheckFile::read(Path::new(word), &check_of_words)? else { return Ok(None) };
    let mut terminal = Terminal::new(Style::Auto, false, color);
    let mut engine = engine(&mut terminal, at(open.store.folder()));
    let answer = match &found.asks {
        CheckFileAsks::Session(id) => {
            let session = engine.session(&id.to_string())?;
            engine.look_at_session(&session)?
        }
        CheckFileAsks::Data(request) => engine.look_at_check(request)?,
    };
    let outdated = found.is_outdated(&answer.report);
    if let Some(outdated) = &outdated {
        output::print_warning(&format!("warning: {outdated}"), color);
    }
    let mut check = opened(answer, word.clone(), vec![word.clone()]);
    check.report.first.command_line = found.command_line;
    Ok(Some(OpenedCheck { notes: outdated.into_iter().collect(), ..check }))
}

/// The check of a session.
pub(super) fn of_session(
    engine: &mut Engine<'_>,
    session: &SavedSession,
) -> Result<OpenedCheck, Failure> {
    let id = session.id;
    let answer = engine.look_at_session(session)?;
    Ok(opened(answer, format!("session {id}"), vec![id.to_string()]))
}

fn opened(answer: CheckAnswer, title: String, words: Vec<String>) -> OpenedCheck {
    let details = answer.details().to_vec();
    let again = answer
        .report
        .questions()
        .enumerate()
        .map(|(place, report)| {
            report.worst().map(|judged| answer.commands(place, judged)).unwrap_or_default()
        })
        .collect();
    OpenedCheck { title, words, report: answer.report, details, again, notes: Vec::new() }
}
