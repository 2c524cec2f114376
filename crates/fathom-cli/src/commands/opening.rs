//! What `fathom ui` and `fathom report` are about: traces, a session, a check, or samples in files.

mod checked;
mod explained;
mod samples;
mod traced;

pub(crate) use explained::explained;
pub(crate) use traced::{looked_at, opened_traces};

use super::answer::engine;
use super::sessions::at;
use crate::arguments::{Color, OpenArguments, Style, request_of_words};
use crate::failure::Failure;
use crate::terminal::Terminal;
use fathom_engine::bench_result_file;
use fathom_engine::opening::{Reanalysis, are_traces};
use fathom_request::{ExplainRequest, Request};
use fathom_ui::{Opened, OpenedSession};
use samples::SamplesToShow;
use std::path::{Path, PathBuf};

/// Opens what was named; without a name, the last session. A question can be asked of traces.
pub(crate) fn open(
    arguments: &OpenArguments,
    question: Option<&ExplainRequest>,
    color: Color,
) -> Result<Opened, Failure> {
    let words = &arguments.data;
    let paths: Vec<PathBuf> = words.iter().map(PathBuf::from).collect();
    let traces = arguments.traces();
    if traces.store.is_some() || are_traces(&paths)? {
        let opened = opened_traces(&traces, question, arguments, color)?;
        return Ok(Opened::Traces(Box::new(opened)));
    }
    refuse_trace_options(arguments, question)?;
    if let Some(check) = checked::of_file(arguments, color)? {
        return Ok(Opened::Check(Box::new(check)));
    }
    let samples = match words.as_slice() {
        [word] => match bench_result_file(word) {
            Some(file) => Reanalysis::of_report(&file)?,
            None if Path::new(word).is_file() => Reanalysis::of_files(&paths)?,
            None => return saved(word, arguments, color),
        },
        files => {
            if let Some(missing) = files.iter().find(|word| !Path::new(word).is_file()) {
                return Err(Failure::input(format!(
                    "{missing} is not a file. Name one session, one trace folder, or files"
                )));
            }
            Reanalysis::of_files(&paths)?
        }
    };
    let source = Box::new(SamplesToShow(samples));
    Ok(Opened::Session(OpenedSession { title: words.join(" "), words: words.clone(), source }))
}

/// A session of the store.
fn saved(word: &str, arguments: &OpenArguments, color: Color) -> Result<Opened, Failure> {
    if word.contains('/') {
        return Err(Failure::input(format!("{word}: there is no such file or folder")));
    }
    let mut terminal = Terminal::new(Style::Auto, false, color);
    let mut engine = engine(&mut terminal, at(arguments.store.folder()));
    let session = engine.session(word)?;
    let id = session.id;
    if matches!(engine.request_of(&session)?, Request::Check(_)) {
        return Ok(Opened::Check(Box::new(checked::of_session(&mut engine, &session)?)));
    }
    let samples = Reanalysis::of_session(&engine, session, Some(&request_of_words))?;
    let source = Box::new(SamplesToShow(samples));
    let (title, words) = (format!("session {id}"), vec![id.to_string()]);
    Ok(Opened::Session(OpenedSession { title, words, source }))
}

fn refuse_trace_options(
    arguments: &OpenArguments,
    question: Option<&ExplainRequest>,
) -> Result<(), Failure> {
    if question.is_some() {
        let data = arguments.data.join(" ");
        return Err(Failure::input(format!("--target is for traces, and {data} is not a trace")));
    }
    let labels = arguments.labels.as_ref().map(|_| "--labels");
    if let Some(option) = arguments.reading.given().or(labels) {
        let data = arguments.data.join(" ");
        return Err(Failure::input(format!("{option} is for traces, and {data} is not a trace")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Cli, Command};
    use clap::Parser;

    /// Why something cannot be opened.
    fn refused(words: &str, question: Option<&ExplainRequest>) -> String {
        let all = ["fathom", "ui"].into_iter().chain(words.split_whitespace());
        let Command::Ui(arguments) = Cli::try_parse_from(all).unwrap().command else {
            unreachable!("that is not `ui`")
        };
        match open(&arguments.open, question, Color::Never) {
            Ok(_) => String::new(),
            Err(failure) => failure.to_string(),
        }
    }

    #[test]
    fn what_is_for_traces_is_refused_of_samples() {
        let numbers = "../../testdata/formats/numbers/one-per-line.txt";
        assert_eq!(refused(numbers, None), "");
        for option in [
            "--trace-time-unit s",
            "--counter a",
            "--derive a=b",
            "--while a",
            "--except 1..2",
            "--labels labels.json",
        ] {
            let refused = refused(&format!("{numbers} {option}"), None);
            let name = option.split(' ').next().unwrap();
            let why = format!("{name} is for traces, and {numbers} is not a trace");
            assert_eq!(refused, why, "{option}");
        }
        let asked = ExplainRequest::default();
        let why = format!("--target is for traces, and {numbers} is not a trace");
        assert_eq!(refused(numbers, Some(&asked)), why);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let missing = "no/such: there is no such file or folder";
        assert_eq!(refused("no/such", None), missing);
        let numbers = "../../testdata/formats/numbers/one-per-line.txt";
        let why = "nothing is not a file. Name one session, one trace folder, or files";
        assert_eq!(refused(&format!("{numbers} nothing"), None), why);
    }
}
