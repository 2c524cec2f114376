//! A report of a check.

use super::check_document::document;
use super::page_data::Overview;
use super::value_budget::size_words;
use super::{Limit, ReportError, ReportStamp, WrittenReport, write};
use crate::check::{Fineness, OpenedCheck};
use crate::page::PageMissing;

/// Writes down a check as it is shown.
///
/// # Errors
/// The data cannot be written as JSON.
pub fn of_check(
    opened: &OpenedCheck,
    made: ReportStamp<'_>,
    limit: Limit,
) -> Result<WrittenReport, ReportError> {
    in_page(crate::page::html(), opened, made, limit)
}

pub(super) fn in_page(
    page: Result<&str, PageMissing>,
    opened: &OpenedCheck,
    made: ReportStamp<'_>,
    limit: Limit,
) -> Result<WrittenReport, ReportError> {
    let (title, opens) = (&opened.title, opened.opens());
    let mut coarser = Fineness::STEPS.into_iter().peekable();
    loop {
        let fineness = coarser.next().unwrap_or(Fineness::FULL);
        let view = opened.view(fineness);
        let thinned = (fineness != Fineness::FULL).then(|| words(limit));
        let overview = Overview { kind: "check", title, opens: &opens, view: &view };
        let data = overview.embedded(made, thinned.as_deref())?;
        // The document without scripts has the figures once more.
        if 2 * data.len() <= limit.bytes || coarser.peek().is_none() {
            return Ok(write(page, "check", title, made, &data, thinned, |frame| {
                document(frame, &view)
            }));
        }
    }
}

fn words(limit: Limit) -> String {
    format!(
        "Thinned for display, to stay under {}: figures show some of the executions, those that break \
         the promise or failed first. Answers and intervals are from all of them.",
        size_words(limit.bytes)
    )
}
