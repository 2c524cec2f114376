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
use fathom_request::ExplainRequest;
use fathom_ui::report::{Limit, ReportError, ReportStamp, WrittenReport, of_session, of_traces};
use fathom_ui::session::view;
use fathom_ui::traces::Trouble;
use fathom_ui::{Opened, PageMissing};

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
        None => arguments.question.request(arguments.open.traces()),
    };
    let written = match traces_question(&arguments.open, question.as_ref())? {
        Some(request) => of_these(request, made, limit, &arguments.open, color)?,
        None => match opening::open(&arguments.open, question.as_ref(), color)? {
            Opened::Session(session) => {
                let options = session.source.options();
                let report = session.source.report(&options).map_err(Failure::input)?;
                of_session(&session, &view(&report, &options), made, limit)
                    .map_err(Failure::input)?
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

/// What is asked of traces, if it is about traces.
fn traces_question<'q>(
    open: &OpenArguments,
    question: Option<&'q ExplainRequest>,
) -> Result<Option<&'q ExplainRequest>, Failure> {
    let traces = question.map_or_else(|| open.traces(), |question| question.traces.clone());
    if !are_traces(&traces.paths)? {
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
    let traces = TraceSet::open(&request.traces)?;
    let question = traces.question(request)?;
    let line = traces.origin_line();
    let opened = fathom_ui::traces::Traces::new(looked_at(traces, &request.traces, open));
    let mut terminal = Terminal::new(Style::Auto, false, color);
    let watch = watched(&mut terminal)?;
    of_traces(&opened, &question, made, limit, &watch).map_err(|error| match error {
        ReportError::Traces(Trouble::Stopped) => Failure::Error(EngineError::interrupted()),
        error => Failure::input(error).with_line(line),
    })
}

/// "2026-11-16 09:12 UTC", of seconds since 1970.
fn in_utc(seconds: u64) -> String {
    let (mut days, of_day) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute) = (of_day / 3600, of_day % 3600 / 60);
    format!("{year}-{month:02}-{:02} {hour:02}:{minute:02} UTC", days + 1)
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
