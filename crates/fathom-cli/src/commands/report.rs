//! `fathom report`: one file to send.

use super::opening::{self, explained, looked_at};
use crate::arguments::{Color, OpenArguments, ReportArguments, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output::{self, now};
use crate::terminal::Terminal;
use crate::writer::write_file;
use fathom_engine::EngineError;
use fathom_engine::explain::{TraceSet, watched};
use fathom_engine::opening::are_traces;
use fathom_record::whole_file::is_standard_output;
use fathom_record::whole_folder::{Incomplete, NewFolder};
use fathom_request::ExplainRequest;
use fathom_ui::check::{Fineness, OpenedCheck};
use fathom_ui::report::{
    Limit, ReportError, ReportStamp, WrittenReport, of_check, of_session, of_traces,
};
use fathom_ui::session::view;
use fathom_ui::traces::Trouble;
use fathom_ui::{Opened, PageMissing};
use std::ffi::OsStr;
use std::path::Path;

const MEGABYTE: usize = 1_000_000;

pub(crate) fn run(arguments: &ReportArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let by = format!("fathom {}", env!("CARGO_PKG_VERSION"));
    let at = in_utc(now());
    let made = ReportStamp { by: &by, at: &at };
    let megabytes = usize::try_from(arguments.max_size).unwrap_or(usize::MAX);
    let limit = Limit { bytes: megabytes.saturating_mul(MEGABYTE) };
    let explanation = explained(&arguments.open, &arguments.question)?;
    let question = match &explanation {
        Some(explanation) => Some(explanation.request.clone()),
        None => arguments.question.request(arguments.open.traces())?,
    };
    let refuse_figures = || match &arguments.figures {
        Some(_) => {
            Err(Failure::input("--figures is for checks: the figures of others are in the page"))
        }
        None => Ok(()),
    };
    let written = match traces_question(&arguments.open, question.as_ref())? {
        Some(request) => {
            refuse_figures()?;
            of_these(request, made, limit, &arguments.open, color)?
        }
        None => match opening::open(&arguments.open, question.as_ref(), color)? {
            Opened::Session(session) => {
                refuse_figures()?;
                let options = session.source.options();
                let report = session.source.report(&options).map_err(Failure::input)?;
                of_session(&session, &view(&report, &options), made, limit)
                    .map_err(Failure::input)?
            }
            Opened::Check(check) => {
                if let Some(folder) = &arguments.figures {
                    write_figures(&check, folder, color)?;
                }
                of_check(&check, made, limit).map_err(Failure::input)?
            }
            // Whether they are traces was asked above.
            Opened::Traces(_) => return Err(Failure::input("--target METRIC is missing")),
        },
    };
    write_file(&arguments.output, &written.html, color)?;
    if !is_standard_output(&arguments.output) {
        let megabytes = written.html.len() as f64 / MEGABYTE as f64;
        let file = arguments.output.display();
        output::print_warning(&format!("wrote {file}, {megabytes:.1} MB"), color);
    }
    if !written.has_charts {
        output::print_warning(&format!("warning: the report has no charts: {PageMissing}"), color);
    }
    if let Some(outdated) = explanation.and_then(|one| one.is_outdated(&written.ranking)) {
        output::print_warning(&format!("warning: {outdated}"), color);
    }
    if let Some(thinned) = &written.thinned {
        output::print_warning(&format!("note: {thinned}"), color);
    }
    Ok(CommandOutcome::Done)
}

/// Writes every figure of a check as a file of its own.
fn write_figures(check: &OpenedCheck, path: &Path, color: Color) -> Result<(), Failure> {
    let failed = |error| Failure::file(path, error);
    let view = check.view(Fineness::FULL);
    let folder = NewFolder::create(path).map_err(failed)?;
    let mut count = 0;
    for (name, figure) in view.figures() {
        let file = folder.place().join(format!("{name}.svg"));
        std::fs::write(&file, figure.svg()).map_err(failed)?;
        count += 1;
    }
    let is_figure = |name: &OsStr| Path::new(name).extension().is_some_and(|end| end == "svg");
    folder.complete(is_figure).map_err(|incomplete| match incomplete {
        Incomplete::NotRenamed(error) => failed(error),
        Incomplete::LeftBehind(old, error) => Failure::input(format!(
            "the figures are in {}, and what was there before is in {} now: {error}",
            path.display(),
            old.display()
        )),
    })?;
    let noun = if count == 1 { "figure" } else { "figures" };
    output::print_warning(&format!("wrote {count} {noun} into {}", path.display()), color);
    Ok(())
}

/// What is asked of traces, if it is about traces.
fn traces_question<'q>(
    open: &OpenArguments,
    question: Option<&'q ExplainRequest>,
) -> Result<Option<&'q ExplainRequest>, Failure> {
    let traces = question.map_or_else(|| open.traces(), |question| question.traces.clone());
    if traces.store.is_none() && !are_traces(&traces.paths)? {
        return Ok(None);
    }
    match question {
        Some(question) => Ok(Some(question)),
        None => Err(Failure::input(format!(
            "--target METRIC and --window A..B say what a report of traces is about; find them with: \
             fathom ui {}",
            open.data.join(" ")
        ))),
    }
}

fn of_these(
    request: &ExplainRequest,
    made: ReportStamp<'_>,
    limit: Limit,
    open: &OpenArguments,
    color: Color,
) -> Result<WrittenReport, Failure> {
    let mut terminal = Terminal::new(Style::Auto, false, color);
    let mut request = request.clone();
    let traces = TraceSet::open_question(&mut request, &mut terminal)?;
    let question = traces.question(&request)?;
    let line = traces.origin_line();
    let opened = fathom_ui::traces::Traces::new(looked_at(traces, &request.traces, open));
    let watch = watched(&mut terminal)?;
    of_traces(&opened, &question, made, limit, &watch).map_err(|error| match error {
        ReportError::Traces(Trouble::Stopped) => Failure::Error(EngineError::interrupted()),
        error => Failure::input(error).with_line(line),
    })
}

/// "2026-11-16 09:12 UTC", of seconds since 1970.
fn in_utc(seconds: u64) -> String {
    let text = fathom_record::utc(seconds);
    let (day, time) = text.split_once('T').unwrap_or((&text, ""));
    format!("{day} {} UTC", time.get(..5).unwrap_or(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59 UTC"),
            (1_794_816_720, "2026-11-16 08:12 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(in_utc(seconds), text);
        }
    }
}
