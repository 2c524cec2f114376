//! Traces, opened to be looked at.

use crate::arguments::{OpenArguments, QuestionArguments, ReadingArguments};
use crate::commands::explain::{Asked, Traces, request};
use crate::commands::measuring::session;
use crate::failure::Failure;
use fathom_explain::TraceSource;
use fathom_formats::trace_imports::ImportOptions;
use fathom_ui::OpenedTraces;
use fathom_ui::traces::{self as ui_traces, Question};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// How files are read, as it was typed.
pub(crate) fn import_options(reading: &ReadingArguments) -> ImportOptions {
    ImportOptions {
        format: None,
        time_unit: reading.trace_time_unit,
        counters: reading.counters.clone(),
    }
}

/// Opens traces, to look at a question first if there is one.
pub(super) fn opened_traces(
    paths: &[PathBuf],
    arguments: &OpenArguments,
    question: &QuestionArguments,
) -> Result<OpenedTraces, Failure> {
    let traces = Traces::open(paths, &import_options(&arguments.reading))?;
    let asked = match Asked::of(question) {
        None => None,
        Some(asked) => {
            let request = request(&traces, asked)?;
            let question = Question::of_request(&traces, &request)
                .map_err(|error| Failure::input(error).with_line(traces.origin_line()))?;
            Some(ui_traces::Asked { question, selects: !asked.selection.windows.is_empty() })
        }
    };
    Ok(OpenedTraces { asked, ..looked_at(traces, paths, arguments) })
}

/// Traces that were opened, to be looked at.
pub(crate) fn looked_at(
    traces: Traces,
    paths: &[PathBuf],
    arguments: &OpenArguments,
) -> OpenedTraces {
    let reading = &arguments.reading;
    let mut words: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let title = words.join(" ");
    if let Some(unit) = reading.trace_time_unit {
        words.extend(["--trace-time-unit".to_string(), unit.symbol().to_string()]);
    }
    for counter in &reading.counters {
        words.extend(["--counter".to_string(), counter.clone()]);
    }
    OpenedTraces {
        title,
        words,
        time_unit: traces.time_unit(),
        clocks: traces.runs().iter().map(|run| traces.clock(&run.id)).collect(),
        has_wall_times: traces.has_wall_times(),
        notes: traces.notes.clone(),
        asked: None,
        labels_file: labels_file(paths, arguments),
        source: Box::new(traces),
    }
}

/// Where labels of these traces are kept: beside Fathom's own recordings, else in the folder of
/// sessions, so that nothing is written among other people's files. `None` without a home.
fn labels_file(paths: &[PathBuf], arguments: &OpenArguments) -> Option<PathBuf> {
    if let Some(file) = &arguments.labels {
        return Some(file.clone());
    }
    if let [folder] = paths
        && folder.join("manifest.json").exists()
    {
        return Some(folder.join("labels.json"));
    }
    let mut hasher = DefaultHasher::new();
    for path in paths {
        path.canonicalize().unwrap_or_else(|_| path.clone()).hash(&mut hasher);
    }
    let first = paths.first().and_then(|path| Path::new(path).file_stem());
    let name =
        first.map_or_else(|| "traces".to_string(), |name| name.to_string_lossy().into_owned());
    let folder = session::folder(&arguments.store).ok()?;
    Some(folder.join("labels").join(format!("{name}-{:016x}.json", hasher.finish())))
}
