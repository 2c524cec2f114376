//! What every document begins and ends with.

use super::html::Html;

/// What made a report, and when. Nothing here reads a clock: the same input is the same file.
#[derive(Debug, Clone, Copy)]
pub struct ReportStamp<'a> {
    /// "fathom 0.1.0".
    pub by: &'a str,
    /// As it is shown: "2026-11-16 09:12 UTC".
    pub at: &'a str,
}

/// Whether there is more to look at than what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charts {
    /// In the same file, for browsers that run scripts.
    Inside,
    /// This build has none.
    Missing,
}

/// What every document begins and ends with.
pub(super) struct Frame<'a> {
    /// Whether it is of "traces" or of a "session".
    pub(super) kind: &'static str,
    /// What it is of, as it was typed.
    pub(super) title: &'a str,
    /// What made it.
    pub(super) made: ReportStamp<'a>,
    /// Whether there are charts.
    pub(super) charts: Charts,
    /// What was left out of them, in words.
    pub(super) thinned: Option<&'a str>,
}

impl Frame<'_> {
    /// The beginning; `answer` is the first thing that is read, `tone` its class.
    pub(super) fn open(&self, html: &mut Html, tone: &'static str, answer: &str) {
        html.markup("<main id=\"fathom-document\" class=\"").markup(self.kind);
        html.markup("\">\n<p class=\"made\"><bdi>").text(self.title);
        html.markup("</bdi></p>\n<h1 class=\"").markup(tone).markup("\">").text(answer);
        html.markup("</h1>\n");
        match self.charts {
            // Its figures are in the document.
            Charts::Inside if self.kind == "check" => &mut *html,
            Charts::Inside => html.markup(
                "<noscript><p class=\"hint\">Enable JavaScript to see the charts in this \
                 file.</p></noscript>\n",
            ),
            Charts::Missing => html.markup(
                "<p class=\"hint\">Charts are missing: this build of Fathom has no web page.</p>\n",
            ),
        };
        if let Some(thinned) = self.thinned {
            html.markup("<p class=\"thinned\">").text(thinned).markup("</p>\n");
        }
    }

    /// The end.
    pub(super) fn close(&self, html: &mut Html) {
        html.markup("<footer><p>Made by ").text(self.made.by).markup(", ").text(self.made.at);
        html.markup(".</p></footer>\n</main>\n");
    }
}
