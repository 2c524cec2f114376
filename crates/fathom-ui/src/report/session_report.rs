//! A report of a session.

use super::page_data::Overview;
use super::session_document::document;
use super::value_budget::size_words;
use super::{Limit, ReportError, ReportStamp, WrittenReport, write};
use crate::OpenedSession;
use crate::page::PageMissing;
use crate::session::{Label, PageSamples, SessionView};

/// Writes down a session as it is shown.
pub fn of_session(
    opened: &OpenedSession,
    view: &SessionView,
    made: ReportStamp<'_>,
    limit: Limit,
) -> Result<WrittenReport, ReportError> {
    in_page(crate::page::html(), opened, view, made, limit)
}

pub(super) fn in_page(
    page: Result<&str, PageMissing>,
    opened: &OpenedSession,
    view: &SessionView,
    made: ReportStamp<'_>,
    limit: Limit,
) -> Result<WrittenReport, ReportError> {
    let (title, opens) = (&opened.title, opened.opens());
    let mut step = 1;
    loop {
        let thinned = (step > 1).then(|| words(step, limit));
        let overview = Overview { kind: "session", title, opens: &opens, view: &every(view, step) };
        let data = overview.embedded(made, thinned.as_deref())?;
        if data.len() <= limit.bytes || step >= MOST {
            let written =
                write(page, "session", title, made, &data, thinned, |frame| document(frame, view));
            return Ok(written);
        }
        step *= 2;
    }
}

/// Fewer samples than one of this many are not a picture.
const MOST: usize = 64;

fn words(step: usize, limit: Limit) -> String {
    format!(
        "Thinned for display, to stay under {}: the chart over time shows one sample in {step} and \
         all outliers. Tables are complete.",
        size_words(limit.bytes)
    )
}

/// The view with one of this many samples, and all outliers.
fn every(view: &SessionView, step: usize) -> SessionView {
    let mut view = view.clone();
    for subject in &mut view.subjects {
        let all = &subject.samples;
        let is_shown = |place: &usize| {
            place.is_multiple_of(step) || all.label.get(*place) == Some(&Label::Outlier)
        };
        let shown: Vec<usize> = (0..all.index.len()).filter(is_shown).collect();
        subject.samples = PageSamples {
            index: shown.iter().filter_map(|&place| all.index.get(place)).copied().collect(),
            values: shown.iter().filter_map(|&place| all.values.get(place)).copied().collect(),
            label: shown.iter().filter_map(|&place| all.label.get(place)).copied().collect(),
            outlying: all.outlying.clone(),
            left_out: all.left_out,
            change_points: all.change_points.clone(),
            n: all.n,
            thinned: all.thinned || shown.len() < all.index.len(),
        };
    }
    view
}
