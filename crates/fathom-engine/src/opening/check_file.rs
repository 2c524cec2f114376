//! The JSON of `fathom check`: questions about executions in files, and their answers.

use super::json_file::{document, words};
use crate::{CheckAnswer, Engine, EngineError};
use fathom_property::{JointReport, PropertyAnswer};
use fathom_record::foreign_text::escaped;
use fathom_request::{CheckRequest, ExecutionSource};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Reads the words after `fathom` as a check, with the files of properties that they name.
pub type ReadCheckWords = dyn Fn(&[String]) -> Result<CheckRequest, String> + Sync;

/// A check that was answered before.
#[derive(Debug)]
pub struct CheckFile {
    /// Where it is.
    pub file: PathBuf,
    /// The command that was answered.
    pub command_line: String,
    /// What it asked.
    pub asks: CheckFileAsks,
    /// The answers in it, in the order of questions.
    answers: Vec<FiledAnswer>,
}

/// What a check in a file asked.
#[derive(Debug)]
pub enum CheckFileAsks {
    /// Questions about executions in files, which are read again.
    Data(Box<CheckRequest>),
    /// Questions about commands, whose executions are in this session.
    Session(i64),
}

/// What identifies an answer: verdict, samples and, of an estimate, the value.
#[derive(Debug, PartialEq)]
struct FiledAnswer {
    verdict: Option<String>,
    samples: Option<u64>,
    value: Option<f64>,
}

impl CheckFile {
    /// If the file is such JSON.
    ///
    /// # Errors
    /// The questions in it cannot be read, or its executions are missing.
    pub fn read(file: &Path, of_words: &ReadCheckWords) -> Result<Option<CheckFile>, EngineError> {
        // Errors in a file are reported when it is read.
        let Some(document) = document(file) else { return Ok(None) };
        let Some((command_line, answers)) = answers(&document) else { return Ok(None) };
        let problem = |text: String| EngineError::usage(escaped(&text)).about(file.display());
        let found = |asks| CheckFile {
            file: file.to_path_buf(),
            command_line: command_line.clone(),
            asks,
            answers,
        };
        if let Some(session) = document.get("session").and_then(Value::as_i64) {
            return Ok(Some(found(CheckFileAsks::Session(session))));
        }
        let unknown = |why: &str| {
            problem(format!("it holds the answer to `{command_line}`, which cannot be read: {why}"))
        };
        let words = words(&command_line).ok_or_else(|| unknown("it is no command of Fathom"))?;
        let request = of_words(&words).map_err(|why| {
            let first = why.lines().next().unwrap_or_default();
            unknown(first.trim_start_matches("error: "))
        })?;
        let ExecutionSource::Data { files, .. } = &request.executions else {
            return Err(problem(format!(
                "it holds the answer to `{command_line}`, whose executions were not saved. Leave out \
                 --no-save, and open the session"
            )));
        };
        let missing = files.iter().find(|item| {
            let file = item.split_once('=').map_or(item.as_str(), |(_, file)| file);
            *item != "-" && !Path::new(item).exists() && !Path::new(file).exists()
        });
        if let Some(missing) = missing {
            return Err(problem(format!(
                "it holds the answer to `{command_line}`, and {missing} is missing. Change to the \
                 folder it is in"
            )));
        }
        Ok(Some(found(CheckFileAsks::Data(Box::new(request)))))
    }

    /// The answer, from the executions as they are now. `None` if they are in a session.
    ///
    /// # Errors
    /// The executions cannot be read.
    pub fn answer(&self, engine: &mut Engine<'_>) -> Result<Option<CheckAnswer>, EngineError> {
        match &self.asks {
            CheckFileAsks::Data(request) => engine.look_at_check(request).map(Some),
            CheckFileAsks::Session(_) => Ok(None),
        }
    }

    /// That the answer is another one now, if it is.
    #[must_use]
    pub fn is_outdated(&self, now: &JointReport) -> Option<String> {
        let answers: Vec<FiledAnswer> = now.questions().map(FiledAnswer::of).collect();
        (answers != self.answers).then(|| {
            format!(
                "the answer is not that in {}: the executions have changed since, or Fathom has",
                self.file.display()
            )
        })
    }
}

impl FiledAnswer {
    fn of(report: &fathom_property::CheckReport) -> FiledAnswer {
        match &report.answer {
            PropertyAnswer::Verdict { summary, .. } => FiledAnswer {
                verdict: Some(summary.verdict.name().to_string()),
                samples: Some(summary.counts.samples() as u64),
                value: None,
            },
            PropertyAnswer::Value { value, .. } => FiledAnswer {
                verdict: None,
                samples: Some(value.samples as u64),
                value: value.value,
            },
        }
    }

    fn filed(entry: &Value) -> Option<FiledAnswer> {
        let is_question = entry.get("property").is_some() || entry.get("interval_of").is_some();
        is_question.then(|| FiledAnswer {
            verdict: entry.get("verdict").and_then(Value::as_str).map(ToString::to_string),
            samples: entry.get("samples").and_then(Value::as_u64),
            value: entry.get("value").and_then(Value::as_f64),
        })
    }
}

/// The command that asked, and the answers in their order.
fn answers(document: &Value) -> Option<(String, Vec<FiledAnswer>)> {
    let questions = document.get("questions")?.as_array()?;
    let answers = questions.iter().map(FiledAnswer::filed).collect::<Option<Vec<_>>>()?;
    let command_line = document.get("command_line")?.as_str()?.to_string();
    (!answers.is_empty()).then_some((command_line, answers))
}
