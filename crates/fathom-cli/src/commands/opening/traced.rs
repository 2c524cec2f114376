//! Traces, opened to be looked at.

use crate::arguments::{Color, OpenArguments, Style};
use crate::failure::Failure;
use crate::terminal::Terminal;
use fathom_engine::explain::TraceSet;
use fathom_engine::opening::labels_file;
use fathom_explain::TraceSource;
use fathom_request::{ExplainRequest, TraceFiles};
use fathom_ui::OpenedTraces;
use fathom_ui::traces::{OpeningQuestion, PageQuestion};

/// Opens traces, to look at a question first if there is one.
pub(crate) fn opened_traces(
    files: &TraceFiles,
    question: Option<&ExplainRequest>,
    arguments: &OpenArguments,
    color: Color,
) -> Result<OpenedTraces, Failure> {
    let mut terminal = Terminal::new(Style::Auto, false, color);
    let Some(request) = question else {
        let mut files = files.clone();
        let traces = TraceSet::open_watched(&mut files, &mut terminal)?;
        return Ok(looked_at(traces, &files, arguments));
    };
    let mut request = request.clone();
    let traces = TraceSet::open_question(&mut request, &mut terminal)?;
    let question = PageQuestion::of_request(&traces, &traces.question(&request)?)
        .map_err(|error| Failure::input(error).with_line(traces.origin_line()))?;
    let asked = Some(OpeningQuestion { question, selects: !request.windows.is_empty() });
    Ok(OpenedTraces { asked, ..looked_at(traces, &request.traces, arguments) })
}

/// Traces that were opened, to be looked at.
pub(crate) fn looked_at(
    traces: TraceSet,
    files: &TraceFiles,
    arguments: &OpenArguments,
) -> OpenedTraces {
    let mut paths: Vec<String> =
        files.paths.iter().map(|path| path.display().to_string()).collect();
    paths.extend(files.store.iter().map(|store| store.address.clone()));
    let labels = arguments.labels.clone();
    OpenedTraces {
        title: paths.join(" "),
        files: files.clone(),
        time_unit: traces.time_unit(),
        clocks: traces.runs().iter().map(|run| traces.clock(&run.id)).collect(),
        has_wall_times: traces.has_wall_times(),
        notes: traces.notes().to_vec(),
        asked: None,
        labels_file: labels.or_else(|| labels_file(files, &arguments.store.folder())),
        source: Box::new(traces),
    }
}
