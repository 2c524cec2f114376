//! `fathom report`: one file to send.

use super::explain::{Asked, Traces, request, watching};
use super::measuring::session::now;
use super::opening::{self, Explained, import_options, looked_at};
use super::written::write_file;
use crate::arguments::{Color, OpenArguments, QuestionArguments, ReportArguments, Style};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::Progress;
use fathom_explain::Request;
use fathom_record::whole_file::is_standard_output;
use fathom_sys::signals::Interrupt;
use fathom_ui::report::{Limit, Made, Written, of_session, of_traces};
use fathom_ui::session::view;
use fathom_ui::{Opened, PageMissing};
use std::path::PathBuf;

const MEGABYTE: usize = 1_000_000;

pub(crate) fn run(arguments: &ReportArguments, color: Color) -> Result<Outcome, Failure> {
    let by = format!("fathom {}", env!("CARGO_PKG_VERSION"));
    let at = in_utc(now());
    let made = Made { by: &by, at: &at };
    let megabytes = usize::try_from(arguments.max_size).unwrap_or(usize::MAX);
    let limit = Limit { bytes: megabytes.saturating_mul(MEGABYTE) };
    let explained = Explained::of(&arguments.open.data)?;
    let (open, question) = match &explained {
        Some(explained) => {
            explained.refuse_more(&arguments.open, &arguments.question)?;
            explained.typed(&arguments.open)
        }
        None => (arguments.open.clone(), arguments.question.clone()),
    };
    let written = match traces(&open, &question)? {
        Some((traces, request)) => of_these(traces, &request, made, limit, &open)?,
        None => match opening::open(&open, &question, color)? {
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
    if let Some(outdated) = explained.and_then(|one| one.is_outdated(&written.ranking)) {
        output::print_warning(&format!("warning: {outdated}"), color);
    }
    if let Some(thinned) = &written.thinned {
        output::print_warning(&format!("note: {thinned}"), color);
    }
    Ok(Outcome::Done)
}

/// The traces and what is asked of them, if it is about traces.
fn traces(
    open: &OpenArguments,
    question: &QuestionArguments,
) -> Result<Option<(Traces, Request)>, Failure> {
    let paths: Vec<PathBuf> = open.data.iter().map(PathBuf::from).collect();
    if !opening::is_traces(&paths)? {
        return Ok(None);
    }
    let Some(asked) = Asked::of(question) else {
        return Err(Failure::input(format!(
            "--target METRIC and --window A..B say what a report of traces is about; find them with: \
             fathom ui {}",
            open.data.join(" ")
        )));
    };
    let traces = Traces::open(&paths, &import_options(&open.reading))?;
    let request = request(&traces, asked)?;
    Ok(Some((traces, request)))
}

fn of_these(
    traces: Traces,
    request: &Request,
    made: Made<'_>,
    limit: Limit,
    open: &OpenArguments,
) -> Result<Written, Failure> {
    let line = traces.origin_line();
    let paths: Vec<PathBuf> = open.data.iter().map(PathBuf::from).collect();
    let opened = fathom_ui::traces::Traces::new(looked_at(traces, &paths, open));
    let interrupt = Interrupt::install().map_err(Failure::input)?;
    let watch = watching(interrupt, Progress::new(Style::Auto, false));
    of_traces(&opened, request, made, limit, &watch).map_err(|error| {
        if interrupt.requested() {
            return Failure::Interrupted;
        }
        Failure::input(error).with_line(line)
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
