//! The JSON of `fathom explain`: a question of traces, and its answer.

use crate::arguments::{
    Cli, Command, ExplainArguments, OpenArguments, QuestionArguments, TypedSpan,
};
use crate::failure::Failure;
use clap::Parser;
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A question that was answered before.
pub(crate) struct Explained {
    file: PathBuf,
    command: String,
    arguments: Box<ExplainArguments>,
    /// Its answer: metrics, those to look at first before.
    ranking: Vec<String>,
}

impl Explained {
    /// If the words are a single such file.
    pub(crate) fn of(words: &[String]) -> Result<Option<Explained>, Failure> {
        let [word] = words else { return Ok(None) };
        let file = Path::new(word);
        // Whatever is wrong with a file is said by whoever reads it.
        let Some(document) = document(file) else { return Ok(None) };
        let Some((command, ranking)) = answer(&document) else { return Ok(None) };
        let problem = |error: String| Failure::input(format!("{word}: {error}"));
        let unreadable = || {
            problem(format!("it is an explanation, made by `{command}`, which is no command here"))
        };
        let split = shlex::split(command).ok_or_else(unreadable)?;
        let Ok(Cli { command: Command::Explain(arguments), .. }) = Cli::try_parse_from(split)
        else {
            return Err(unreadable());
        };
        if let Some(missing) = arguments.traces.iter().find(|path| !path.exists()) {
            return Err(problem(format!(
                "it is the answer to `{command}`, and {} is not here; go where it is, or give the \
                 traces: TRACES --target {}",
                missing.display(),
                arguments.target
            )));
        }
        let (file, command) = (file.to_path_buf(), command.to_string());
        Ok(Some(Explained { file, command, arguments, ranking }))
    }

    /// Its traces and its question, as if they had been typed.
    pub(crate) fn typed(&self, open: &OpenArguments) -> (OpenArguments, QuestionArguments) {
        let asked = &self.arguments;
        let paths = asked.traces.iter().map(|path| path.display().to_string());
        let open =
            OpenArguments { data: paths.collect(), reading: asked.reading.clone(), ..open.clone() };
        let mut selection = asked.selection.clone();
        if selection.windows.is_empty() {
            // It has answered for all of the metric.
            selection.windows.push(TypedSpan::Whole);
        }
        let question = QuestionArguments {
            target: Some(asked.target.clone()),
            selection,
            alignment: asked.alignment.clone(),
            ranking: asked.ranking.clone(),
        };
        (open, question)
    }

    /// Nothing else can be asked beside it, nor are its traces read in another way.
    pub(crate) fn refuse_more(
        &self,
        open: &OpenArguments,
        more: &QuestionArguments,
    ) -> Result<(), Failure> {
        let reading = &open.reading;
        let option = match more.target {
            Some(_) => "--target",
            None if reading.trace_time_unit.is_some() => "--trace-time-unit",
            None if !reading.counters.is_empty() => "--counter",
            None => return Ok(()),
        };
        Err(Failure::input(format!(
            "{} has its question in it, `{}`; {option} is for traces",
            self.file.display(),
            self.command
        )))
    }

    /// That the answer is another one now, if it is.
    pub(crate) fn is_outdated(&self, ranking: &[String]) -> Option<String> {
        (self.ranking != ranking).then(|| {
            format!(
                "the ranking is not that in {}: the traces have changed since, or Fathom has",
                self.file.display()
            )
        })
    }
}

fn document(file: &Path) -> Option<Value> {
    let mut opened = File::open(file).ok()?;
    let mut first = [0];
    opened.read_exact(&mut first).ok()?;
    // Tables may be larger than memory.
    if first != *b"{" {
        return None;
    }
    let mut text = String::from("{");
    opened.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// The command that made it, and the metrics in their order.
fn answer(document: &Value) -> Option<(&str, Vec<String>)> {
    let ranking = document.get("ranking")?.as_array()?;
    let name = |row: &Value| Some(row.get("metric")?.as_str()?.to_string());
    let ranking = ranking.iter().map(name).collect::<Option<_>>()?;
    Some((document.get("command_line")?.as_str()?, ranking))
}
