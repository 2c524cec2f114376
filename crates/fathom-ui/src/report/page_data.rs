//! What the page of a report reads: a view, and how the report was made.

use super::embedded::embedded;
use super::{ReportError, ReportStamp};
use serde::Serialize;

/// What a page shows.
#[derive(Serialize)]
pub(super) struct Overview<'a, V> {
    /// "session" or "check".
    pub(super) kind: &'static str,
    pub(super) title: &'a str,
    /// The command that opens the same.
    pub(super) opens: &'a str,
    pub(super) view: &'a V,
}

#[derive(Serialize)]
struct PageData<'a, V> {
    made_by: &'a str,
    made: &'a str,
    thinned: Option<&'a str>,
    overview: Overview<'a, V>,
}

impl<V: Serialize> Overview<'_, V> {
    /// As text that a page can have in it. `thinned` says what was left out of it.
    ///
    /// # Errors
    /// The view cannot be written as JSON.
    pub(super) fn embedded(
        self,
        made: ReportStamp<'_>,
        thinned: Option<&str>,
    ) -> Result<String, ReportError> {
        let data = PageData { made_by: made.by, made: made.at, thinned, overview: self };
        Ok(embedded(&data)?)
    }
}
