//! What `fathom ui` and `fathom report` are about: traces, a session, or samples in files.

mod explained;
mod kept;
mod replayed;
mod traced;

pub(crate) use explained::explained;
pub(crate) use traced::{looked_at, opened_traces};

use super::sessions::Taken;
use super::{bench_results, measuring::session};
use crate::arguments::{Color, Command, OpenArguments};
use crate::failure::Failure;
use fathom_formats::trace_imports::{ImportFormat, detect};
use fathom_request::ExplainRequest;
use fathom_ui::{Opened, OpenedSession, SessionSource};
use kept::KeptReport;
use replayed::Replayed;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Opens what was named; without a name, the last session. A question can be asked of traces.
pub(crate) fn open(
    arguments: &OpenArguments,
    question: Option<&ExplainRequest>,
    color: Color,
) -> Result<Opened, Failure> {
    let words = &arguments.data;
    let paths: Vec<PathBuf> = words.iter().map(PathBuf::from).collect();
    if is_traces(&paths)? {
        return Ok(Opened::Traces(Box::new(opened_traces(
            &arguments.traces(),
            question,
            arguments,
        )?)));
    }
    refuse_trace_options(arguments, question)?;
    let title = words.join(" ");
    let session = |source: Box<dyn SessionSource + Send + Sync>| {
        Opened::Session(OpenedSession { title: title.clone(), words: words.clone(), source })
    };
    match words.as_slice() {
        [word] => {
            if let Some(file) = bench_results::file(word) {
                return Ok(session(Box::new(KeptReport::read(&file)?)));
            }
            if Path::new(word).is_file() {
                return Ok(session(Box::new(Replayed::files(words)?)));
            }
            saved(word, arguments, color)
        }
        files => {
            if let Some(missing) = files.iter().find(|word| !Path::new(word).is_file()) {
                return Err(Failure::input(format!(
                    "{missing} is no file; give one session, one folder of traces, or files"
                )));
            }
            Ok(session(Box::new(Replayed::files(files)?)))
        }
    }
}

/// A session of the store.
fn saved(word: &str, arguments: &OpenArguments, color: Color) -> Result<Opened, Failure> {
    if word.contains('/') {
        return Err(Failure::input(format!("{word}: there is no such file or folder")));
    }
    let store = session::required(&arguments.store, color)?;
    let id = store.resolve(word).map_err(Failure::input)?;
    let taken = Taken::of(&store, id)?;
    let command = taken.typed()?;
    if let Command::Check(_) = command {
        return Err(Failure::input(format!(
            "session {id} is a check, which has an answer and no samples to look at: fathom show {id}"
        )));
    }
    let source = Replayed::session(command, taken, id.0, color)?;
    let title = format!("session {id}");
    let words = vec![id.to_string()];
    Ok(Opened::Session(OpenedSession { title, words, source: Box::new(source) }))
}

/// Whether these are traces: folders, or files whose rows have a time.
pub(crate) fn is_traces(paths: &[PathBuf]) -> Result<bool, Failure> {
    if paths.iter().any(|path| path.is_dir()) {
        return Ok(true);
    }
    // One of them decides: if the files disagree, whoever reads them says so.
    let Some(file) = paths.iter().find(|path| path.is_file()) else { return Ok(false) };
    let mut head = Vec::new();
    let opened = std::fs::File::open(file);
    let read = opened.and_then(|file| file.take(1 << 16).read_to_end(&mut head));
    read.map_err(|error| Failure::input(format!("{}: {error}", file.display())))?;
    Ok(match detect(&file.display().to_string(), &head) {
        Ok(ImportFormat::Csv) => begins_with_a_time(&head),
        Ok(_) => true,
        Err(_) => false,
    })
}

/// A table of traces has its time first, and more columns than that.
fn begins_with_a_time(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).to_lowercase();
    let mut cells = line.split([',', ';', '\t']);
    let first = cells.next().unwrap_or_default().trim().trim_matches('"').to_string();
    cells.next().is_some()
        && ["time", "start_ns", "t", "date"].iter().any(|one| first.contains(one))
}

fn refuse_trace_options(
    arguments: &OpenArguments,
    question: Option<&ExplainRequest>,
) -> Result<(), Failure> {
    if question.is_some() {
        return Err(Failure::input(format!(
            "--target is for traces, and {} is none",
            arguments.data.join(" ")
        )));
    }
    let reading = &arguments.reading;
    let are_given = reading.trace_time_unit.is_some() || !reading.counters.is_empty();
    if are_given || arguments.labels.is_some() {
        return Err(Failure::input("--trace-time-unit, --counter and --labels are for traces"));
    }
    Ok(())
}
